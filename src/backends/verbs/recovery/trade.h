/* SPDX-License-Identifier: BSD-2-Clause */
/* Totals of sums, over MPI from those who have them to those who lack them. */
#ifndef OVK_BACKENDS_VERBS_RECOVERY_TRADE_H
#define OVK_BACKENDS_VERBS_RECOVERY_TRADE_H

#include "backends/verbs/recovery/tables.h"

typedef struct ovk__trade {
  const ovk__tables *tables;
  ovk__tag tag;
  int used_tag;
  bool started;
  int n, nreceives;
  MPI_Request *requests; /* receives, then sends */
} ovk__trade;

/* Collective over the tables' communicator; errors are not agreed. ovk__trade_free() is due
 * whatever happens. */
ovk_err ovk__trade_open(const ovk__tables *tables, ovk__trade *out);

/* False: MPI still sends totals, which must stay where they are. */
bool ovk__trade_free(ovk__trade *trade);

/* Moves on, when all tables are there; *over: all that was to come has come. False if MPI fails or
 * memory runs out. */
bool ovk__trade_move_on(ovk__trade *trade, const ovk__records *records, bool *over);

/* Whether this sum was one behind, and has its totals now. */
bool ovk__trade_has_brought(const ovk__trade *trade, const ovk__record *record);

#endif
