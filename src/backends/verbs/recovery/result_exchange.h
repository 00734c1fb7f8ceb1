/* SPDX-License-Identifier: BSD-2-Clause */
/* Sends the totals of sums over MPI from ranks that have them to ranks that lack them. */
#ifndef OVK_BACKENDS_VERBS_RECOVERY_RESULT_EXCHANGE_H
#define OVK_BACKENDS_VERBS_RECOVERY_RESULT_EXCHANGE_H

#include "backends/verbs/recovery/tables.h"

typedef struct ovk__result_exchange {
  const ovk__tables *tables;
  ovk__tag tag;
  int used_tag;
  bool started;
  int n, nreceives;
  MPI_Request *requests; /* receives, then sends */
} ovk__result_exchange;

/* Collective over the tables' communicator; errors are not agreed. ovk__result_exchange_free() must
 * be called also after an error. */
ovk_err ovk__result_exchange_open(const ovk__tables *tables, ovk__result_exchange *out);

/* False: MPI may still send or receive totals, whose memory must not be freed. */
bool ovk__result_exchange_free(ovk__result_exchange *exchange);

/* Makes progress; all tables must have been received. *over: all messages are complete. False if
 * MPI fails or memory runs out. */
bool ovk__result_exchange_move_on(ovk__result_exchange *exchange, const ovk__records *records,
                                  bool *over);

/* Whether this sum was one late and has received its totals. */
bool ovk__result_exchange_has_brought(const ovk__result_exchange *exchange,
                                      const ovk__record *record);

#endif
