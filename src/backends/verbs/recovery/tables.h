/* SPDX-License-Identifier: BSD-2-Clause */
/* What ranks tell each other over MPI once the network has failed: a table of what each knows of
 * each sum, or that it has given up. */
#ifndef OVK_BACKENDS_VERBS_RECOVERY_TABLES_H
#define OVK_BACKENDS_VERBS_RECOVERY_TABLES_H

#include "backends/verbs/recovery/records.h"
#include "engine/tags.h"
#include "engine/verbs/endpoint.h"

/* How often a rank has completed a sum. */
typedef struct ovk__standing {
  int64_t number, completed;
} ovk__standing;

/* A message, sent as it is. */
typedef struct ovk__table {
  char why[OVK__WHY_SIZE];
  int64_t n; /* -1: it is none, but the rank has given up */
  ovk__standing sums[];
} ovk__table;

typedef struct ovk__tables {
  ovk_ctx *ctx;
  MPI_Comm comm;
  ovk__tags *tags;
  ovk__tag tag;
  int used_tag;
  ovk__table **of;       /* [rank]; NULL: has not come yet */
  ovk__table *surrender; /* the message */
  MPI_Request *outgoing; /* two to each rank at most */
  int noutgoing;
  ovk__table *incoming; /* being received, or NULL, */
  MPI_Request arrival;  /* from */
  int sender;
  bool given_up;           /* some rank has */
  char why[OVK__WHY_SIZE]; /* from the first message, or from the first rank that has given up; "":
                              none has come */
} ovk__tables;

/* Collective over comm; errors are not agreed, but no rank hangs. ovk__tables_free() is due
 * whatever happens. */
ovk_err ovk__tables_open(ovk_ctx *ctx, MPI_Comm comm, ovk__tags *tags, ovk__tables *out);
void ovk__tables_free(ovk__tables *tables);

/* Tell all others; false if that cannot be done. */
bool ovk__tables_send(ovk__tables *tables, const ovk__records *records, const char *why);
bool ovk__tables_give_up(ovk__tables *tables, const char *why);
/* Whether MPI has let go of what was sent. */
bool ovk__tables_are_sent(ovk__tables *tables);

/* Takes what has come, without blocking; false if MPI fails or memory runs out. */
bool ovk__tables_receive(ovk__tables *tables);

/* Whether something has come, or has begun to. */
bool ovk__tables_has_news(const ovk__tables *tables);

/* The first rank whose table has not come; -1: all are there. */
int ovk__tables_missing(const ovk__tables *tables);

/* The most often that any rank has completed a sum, and the lowest such rank; -1: none knows it. */
int64_t ovk__tables_most(const ovk__tables *tables, int64_t number, int *who);
/* How often one has; -1: it does not know it, or not any more. */
int64_t ovk__tables_completed(const ovk__tables *tables, int rank, int64_t number);

#endif
