/* SPDX-License-Identifier: BSD-2-Clause */
/* A rank's records of its sums, over any network: contributions and totals, and how often each was
 * begun and completed. Nothing here communicates. */
#ifndef OVK_BACKENDS_VERBS_RECOVERY_RECORDS_H
#define OVK_BACKENDS_VERBS_RECOVERY_RECORDS_H

#include "core/context/check.h"

#include <ovkrylov/plugin/backend.h>

typedef struct ovk__record {
  ovk_sum *sum; /* NULL: destroyed, but other ranks may still need its totals */
  int64_t number;
  int count;
  double *totals, *parts;    /* the last totals; this rank's last contribution */
  int64_t begun, completed;  /* counts: equal, or begun is one ahead */
  int64_t ticket;            /* number of its last begin, counted over all of the backend's sums */
  ovk_reduction *substitute; /* over another backend, or NULL */
  bool substituted;          /* the sum is repeated there */
  bool apart;                /* never used the NIC: created after the network had failed */
  struct ovk__record *next;  /* in the order of numbers */
} ovk__record;

/* Initially zero. */
typedef struct ovk__records {
  ovk__record *first;
  int64_t tickets;
} ovk__records;

/* Adds a sum, in the same order on all ranks. The substitute belongs to the record, unless this
 * fails. */
ovk_err ovk__records_add(ovk_ctx *ctx, ovk__records *records, ovk_sum *sum,
                         ovk_reduction *substitute, ovk__record **out);
void ovk__records_free(ovk__records *records);

/* Record a begin, in the same order on all ranks, and a completion. */
void ovk__records_begin(ovk__records *records, ovk__record *record);
void ovk__record_complete(ovk__record *record);

/* The ticket of the oldest sum that is not complete, or the next ticket. Sums begun before the
 * oldest of all ranks are complete on all ranks: their records are freed if the sums are destroyed.
 */
int64_t ovk__records_oldest(const ovk__records *records);
void ovk__records_forget(ovk__records *records, int64_t oldest);

/* The first begun of the sums that have a substitute but do not use it yet; or NULL. */
ovk__record *ovk__records_unsubstituted(const ovk__records *records);

/* Repeats a sum over the other backend; tests whether it is complete there. */
ovk_err ovk__record_substitute(ovk__record *record);
ovk_err ovk__record_test(ovk__record *record, bool *complete);

#endif
