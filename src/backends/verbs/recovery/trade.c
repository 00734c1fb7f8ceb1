/* SPDX-License-Identifier: BSD-2-Clause */
/* Who gives what to whom follows from the tables, which are the same on all ranks: for each sum the
 * lowest rank that has come furthest gives to all that have not. */
#include "backends/verbs/recovery/trade.h"
#include "core/mem.h"

#include <stdlib.h>

ovk_err ovk__trade_open(const ovk__tables *tables, ovk__trade *out)
{
  int64_t number;
  *out = (ovk__trade){0};
  OVK_TRY(ovk__tags_deal(tables->ctx, tables->comm, tables->tags, &number));
  out->tables = tables;
  out->used_tag = ovk__tag_use(tables->tags, &out->tag, number);
  return OVK_OK;
}

bool ovk__trade_free(ovk__trade *trade)
{
  ovk__trade *t = trade;
  int over = 1;
  for (int k = 0; k < t->nreceives; k++) {
    if (t->requests[k] != MPI_REQUEST_NULL) MPI_Cancel(&t->requests[k]);
  }
  MPI_Waitall(t->nreceives, t->requests, MPI_STATUSES_IGNORE);
  MPI_Testall(t->n, t->requests, &over, MPI_STATUSES_IGNORE);
  for (int k = 0; k < t->n && !over; k++) {
    if (t->requests[k] != MPI_REQUEST_NULL) MPI_Request_free(&t->requests[k]);
  }
  free(t->requests);
  if (t->tables) ovk__tag_free(t->tables->tags, &t->tag);
  return over;
}

typedef enum way { RECEIVE, SEND } way;

static bool add(ovk__trade *trade, const ovk__record *record, way which, int other)
{
  const ovk__tables *t = trade->tables;
  MPI_Request *request = &trade->requests[trade->n];
  const int err = which == SEND ? MPI_Isend(record->totals, record->count, MPI_DOUBLE, other,
                                            trade->used_tag, t->comm, request)
                                : MPI_Irecv(record->totals, record->count, MPI_DOUBLE, other,
                                            trade->used_tag, t->comm, request);
  if (!err) trade->n++;
  return !err;
}

/* Starts the messages about one sum. */
static bool trade_one(ovk__trade *trade, const ovk__record *record, way which)
{
  const ovk__tables *t = trade->tables;
  const int own = ovk_ctx_rank(t->ctx);
  int giver = own;
  const int64_t most = ovk__tables_most(t, record->number, &giver);
  bool started = true;
  for (int rank = 0; rank < ovk_ctx_size(t->ctx) && started; rank++) {
    const int64_t its = ovk__tables_completed(t, rank, record->number);
    if (its < 0 || its == most) continue;
    if (which == SEND && giver == own) started = add(trade, record, SEND, rank);
    if (which == RECEIVE && rank == own) started = add(trade, record, RECEIVE, giver);
  }
  return started;
}

static bool start(ovk__trade *trade, const ovk__records *records)
{
  size_t most = 0; /* messages */
  trade->started = true;
  for (const ovk__record *r = records->first; r; r = r->next) {
    most += (size_t)ovk_ctx_size(trade->tables->ctx);
  }
  trade->requests = ovk__array(most, sizeof *trade->requests);
  bool started = trade->requests != NULL;
  for (int k = RECEIVE; k <= SEND; k++) {
    for (const ovk__record *r = records->first; r && started; r = r->next) {
      started = trade_one(trade, r, (way)k);
    }
    if (k == RECEIVE) trade->nreceives = trade->n;
  }
  return started;
}

bool ovk__trade_move_on(ovk__trade *trade, const ovk__records *records, bool *over)
{
  int flag = 1;
  *over = false;
  if (!trade->started && !start(trade, records)) return false;
  if (trade->n && MPI_Testall(trade->n, trade->requests, &flag, MPI_STATUSES_IGNORE)) return false;
  *over = flag;
  return true;
}

bool ovk__trade_has_brought(const ovk__trade *trade, const ovk__record *record)
{
  int giver;
  return ovk__tables_most(trade->tables, record->number, &giver) > record->completed;
}
