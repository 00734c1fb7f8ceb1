/* SPDX-License-Identifier: BSD-2-Clause */
/* The messages that ranks exchange over MPI once the network has failed: a table of the state of
 * each sum, or that the rank has aborted. */
#ifndef OVK_BACKENDS_VERBS_RECOVERY_TABLES_H
#define OVK_BACKENDS_VERBS_RECOVERY_TABLES_H

#include "backends/verbs/recovery/records.h"
#include "comm/engine/tags.h"
#include "comm/net/endpoint.h"

/* How often a rank has completed a sum. */
typedef struct ovk__standing {
  int64_t number, completed;
} ovk__standing;

/* A message, sent as it is. */
typedef struct ovk__table {
  char why[OVK__WHY_SIZE];
  int64_t n; /* -1: no table, the rank has aborted */
  ovk__standing sums[];
} ovk__table;

typedef struct ovk__tables {
  ovk_ctx *ctx;
  MPI_Comm comm;
  ovk__tags *tags;
  ovk__tag tag;
  int used_tag;
  ovk__table **of;           /* [rank]; NULL: not received yet */
  ovk__table *abort_message; /* the message that this rank has aborted */
  MPI_Request *outgoing;     /* at most two to each rank */
  int noutgoing;
  ovk__table *incoming; /* being received, or NULL; */
  MPI_Request arrival;  /* its request */
  int sender;
  bool aborted;            /* some rank has aborted */
  char why[OVK__WHY_SIZE]; /* from the first message, or from the first rank that has aborted; "":
                              none received */
} ovk__tables;

/* Collective over comm; errors are not agreed, but no rank hangs. ovk__tables_free() must be called
 * also after an error. */
ovk_err ovk__tables_open(ovk_ctx *ctx, MPI_Comm comm, ovk__tags *tags, ovk__tables *out);
void ovk__tables_free(ovk__tables *tables);

/* Send to all other ranks; false if MPI fails or memory runs out. */
bool ovk__tables_send(ovk__tables *tables, const ovk__records *records, const char *why);
bool ovk__tables_abort(ovk__tables *tables, const char *why);
/* Whether all sends are complete. */
bool ovk__tables_are_sent(ovk__tables *tables);

/* Receives pending messages, without blocking; false if MPI fails or memory runs out. */
bool ovk__tables_receive(ovk__tables *tables);

/* Whether a message has been received, or is being received. */
bool ovk__tables_has_news(const ovk__tables *tables);

/* The first rank whose table has not been received; -1: all have. */
int ovk__tables_missing(const ovk__tables *tables);

/* The largest number of completions of a sum on any rank, and the lowest such rank; -1: no rank has
 * a record of it. */
int64_t ovk__tables_most(const ovk__tables *tables, int64_t number, int *who);
/* The number of completions on one rank; -1: it has no record of the sum, or no longer. */
int64_t ovk__tables_completed(const ovk__tables *tables, int rank, int64_t number);

#endif
