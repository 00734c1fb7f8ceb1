/* SPDX-License-Identifier: BSD-2-Clause */
/* The messages follow from the tables, which are the same on all ranks: for each reduction the
 * lowest rank with the most completions sends its totals to all ranks with fewer. */
#include "backends/verbs/recovery/result_exchange.h"
#include "core/cancel.h"
#include "core/context/mem.h"

#include <stdlib.h>

ovk_err ovk__result_exchange_open(const ovk__tables *tables, ovk__result_exchange *out)
{
  int64_t number;
  *out = (ovk__result_exchange){0};
  OVK_TRY(ovk__tags_deal(tables->ctx, tables->comm, tables->tags, &number));
  out->tables = tables;
  out->used_tag = ovk__tag_use(tables->tags, &out->tag, number);
  return OVK_OK;
}

bool ovk__result_exchange_free(ovk__result_exchange *exchange)
{
  ovk__result_exchange *t = exchange;
  bool over = true;
  for (int k = 0; k < t->n; k++) {
    MPI_Request *request = &t->requests[k];
    over = (k < t->nreceives ? ovk__cancel_receive : ovk__cancel_send)(request) && over;
  }
  free(t->requests);
  if (t->tables) ovk__tag_free(t->tables->tags, &t->tag);
  return over;
}

typedef enum direction { RECEIVE, SEND } direction;

static bool start_message(ovk__result_exchange *exchange, const ovk__record *record,
                          direction which, int other)
{
  const ovk__tables *t = exchange->tables;
  MPI_Request *request = &exchange->requests[exchange->n];
  const int err = which == SEND ? MPI_Isend(record->totals, record->count, MPI_DOUBLE, other,
                                            exchange->used_tag, t->comm, request)
                                : MPI_Irecv(record->totals, record->count, MPI_DOUBLE, other,
                                            exchange->used_tag, t->comm, request);
  if (!err) exchange->n++;
  return !err;
}

/* Starts the messages for one reduction. */
static bool exchange_one(ovk__result_exchange *exchange, const ovk__record *record, direction which)
{
  const ovk__tables *t = exchange->tables;
  const int own = ovk_ctx_rank(t->ctx);
  int sender = own;
  const int64_t most = ovk__tables_most(t, record->number, &sender);
  bool started = true;
  for (int rank = 0; rank < ovk_ctx_size(t->ctx) && started; rank++) {
    const int64_t its = ovk__tables_completed(t, rank, record->number);
    if (its < 0 || its == most) continue;
    if (which == SEND && sender == own) started = start_message(exchange, record, SEND, rank);
    if (which == RECEIVE && rank == own) started = start_message(exchange, record, RECEIVE, sender);
  }
  return started;
}

static bool start_exchange(ovk__result_exchange *exchange, const ovk__records *records)
{
  size_t most = 0; /* upper bound of the number of messages */
  exchange->started = true;
  for (const ovk__record *r = records->first; r; r = r->next) {
    most += (size_t)ovk_ctx_size(exchange->tables->ctx);
  }
  exchange->requests = ovk__array(most, sizeof *exchange->requests);
  bool started = exchange->requests != NULL;
  for (int k = RECEIVE; k <= SEND; k++) {
    for (const ovk__record *r = records->first; r && started; r = r->next) {
      started = exchange_one(exchange, r, (direction)k);
    }
    if (k == RECEIVE) exchange->nreceives = exchange->n;
  }
  return started;
}

bool ovk__result_exchange_move_on(ovk__result_exchange *exchange, const ovk__records *records,
                                  bool *over)
{
  int flag = 1;
  *over = false;
  if (!exchange->started && !start_exchange(exchange, records)) return false;
  if (exchange->n && MPI_Testall(exchange->n, exchange->requests, &flag, MPI_STATUSES_IGNORE))
    return false;
  *over = flag;
  return true;
}

bool ovk__result_exchange_has_brought(const ovk__result_exchange *exchange,
                                      const ovk__record *record)
{
  int sender;
  return ovk__tables_most(exchange->tables, record->number, &sender) > record->completed;
}
