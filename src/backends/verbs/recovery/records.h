/* SPDX-License-Identifier: BSD-2-Clause */
/* What a rank knows of its sums, whatever network they go over: parts and totals, and how often
 * each was begun and completed. Nothing here asks other ranks. */
#ifndef OVK_BACKENDS_VERBS_RECOVERY_RECORDS_H
#define OVK_BACKENDS_VERBS_RECOVERY_RECORDS_H

#include "core/check.h"

#include <ovkrylov/backend.h>

typedef struct ovk__record {
  ovk_sum *sum; /* NULL: it is gone, but others may still need its totals */
  int64_t number;
  int count;
  double *totals, *parts;    /* what came of it last; what this rank gave to it last */
  int64_t begun, completed;  /* how often: together, or one apart */
  int64_t ticket;            /* when it was begun last: counts all of the backend's sums */
  ovk_reduction *substitute; /* over another backend, or NULL */
  bool substituted;          /* it is being made there */
  bool apart;                /* it was from the beginning, after the network had failed */
  struct ovk__record *next;  /* the next number */
} ovk__record;

/* All zeros at the start. */
typedef struct ovk__records {
  ovk__record *first;
  int64_t tickets;
} ovk__records;

/* Sums come, in the same order on all ranks. The substitute belongs to the record, unless this
 * fails. */
ovk_err ovk__records_add(ovk_ctx *ctx, ovk__records *records, ovk_sum *sum,
                         ovk_reduction *substitute, ovk__record **out);
void ovk__records_free(ovk__records *records);

/* They begin, in the same order on all ranks, and are complete. */
void ovk__records_begin(ovk__records *records, ovk__record *record);
void ovk__record_complete(ovk__record *record);

/* The ticket of the oldest that is not complete, or the next one. What was begun before the oldest
 * of all ranks is complete on all: such sums are forgotten if they are gone. */
int64_t ovk__records_oldest(const ovk__records *records);
void ovk__records_forget(ovk__records *records, int64_t oldest);

/* The one that was begun first of those that could be substituted and are not; or NULL. */
ovk__record *ovk__records_unsubstituted(const ovk__records *records);

/* Repeats a sum over the other backend; tells whether it is complete there. */
ovk_err ovk__record_substitute(ovk__record *record);
ovk_err ovk__record_test(ovk__record *record, bool *complete);

#endif
