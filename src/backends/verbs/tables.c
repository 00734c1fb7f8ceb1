/* SPDX-License-Identifier: BSD-2-Clause */
/* Tables and totals over MPI. */
#include "backends/verbs/tables.h"
#include "core/mem.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static ovk_err make(ovk__tables *t)
{
  const int size = ovk_ctx_size(t->ctx);
  OVK_NEW_ZEROS(t->ctx, t->of, size);
  OVK_NEW_ARRAY(t->ctx, t->telling, size);
  return OVK_OK;
}

ovk_err ovk__tables_open(ovk_ctx *ctx, MPI_Comm comm, ovk__tags *tags, ovk__tables *out)
{
  int64_t told, traded;
  *out = (ovk__tables){.ctx = ctx, .comm = comm, .nmissing = ovk_ctx_size(ctx)};
  OVK_TRY(ovk__tags_deal(ctx, comm, tags, &told));
  OVK_TRY(ovk__tags_deal(ctx, comm, tags, &traded));
  out->tags = tags;
  out->told_tag = ovk__tag_use(tags, &out->told, told);
  out->traded_tag = ovk__tag_use(tags, &out->traded, traded);
  return make(out);
}

/* Whether MPI has let go of what these requests are about. Else they are left to it. */
static bool are_over(MPI_Request *requests, int n)
{
  int over = 1;
  if (n && MPI_Testall(n, requests, &over, MPI_STATUSES_IGNORE)) over = 0;
  for (int k = 0; k < n && !over; k++) {
    if (requests[k] != MPI_REQUEST_NULL) MPI_Request_free(&requests[k]);
  }
  return over;
}

void ovk__tables_free(ovk__tables *tables)
{
  ovk__tables *t = tables;
  const int own = ovk_ctx_rank(t->ctx);
  if (!are_over(t->telling, t->ntelling)) t->of[own] = NULL;
  (void)are_over(t->trade, t->ntrade);
  for (int k = 0; t->of && k < ovk_ctx_size(t->ctx); k++) free(t->of[k]);
  free(t->of);
  free(t->telling);
  free(t->trade);
  if (!t->tags) return;
  ovk__tag_free(t->tags, &t->told);
  ovk__tag_free(t->tags, &t->traded);
}

static int count(const ovk__record *records)
{
  int n = 0;
  for (; records; records = records->next) n++;
  return n;
}

static size_t table_size(int n)
{
  return sizeof(ovk__table) + (size_t)n * sizeof(ovk__standing);
}

bool ovk__tables_send(ovk__tables *tables, const ovk__record *records, const char *why)
{
  ovk__tables *t = tables;
  const int own = ovk_ctx_rank(t->ctx), n = count(records);
  const size_t bytes = table_size(n);
  ovk__table *table = bytes <= INT_MAX ? calloc(1, bytes) : NULL;
  if (!table) return false;
  strncpy(table->why, why, sizeof table->why - 1);
  table->n = n;
  ovk__standing *sum = table->sums;
  for (const ovk__record *r = records; r; r = r->next) {
    *sum++ = (ovk__standing){r->number, r->begun, r->completed};
  }
  t->of[own] = table;
  t->nmissing--;
  for (int rank = 0; rank < ovk_ctx_size(t->ctx); rank++) {
    if (rank == own) continue;
    if (MPI_Isend(table, (int)bytes, MPI_BYTE, rank, t->told_tag, t->comm,
                  &t->telling[t->ntelling])) {
      return false;
    }
    t->ntelling++;
  }
  return true;
}

/* Takes one table, if there is one. */
static const ovk__table *receive_one(ovk__tables *t)
{
  int flag, bytes;
  MPI_Status status;
  if (MPI_Iprobe(MPI_ANY_SOURCE, t->told_tag, t->comm, &flag, &status) || !flag) return NULL;
  if (MPI_Get_count(&status, MPI_BYTE, &bytes) || bytes < (int)sizeof(ovk__table)) return NULL;
  ovk__table *table = malloc((size_t)bytes);
  if (!table) return NULL;
  if (MPI_Recv(table, bytes, MPI_BYTE, status.MPI_SOURCE, t->told_tag, t->comm,
               MPI_STATUS_IGNORE)) {
    free(table);
    return NULL;
  }
  t->of[status.MPI_SOURCE] = table;
  t->nmissing--;
  return table;
}

const char *ovk__tables_receive(ovk__tables *tables)
{
  const char *why = NULL;
  const ovk__table *table;
  while (tables->nmissing > 0 && (table = receive_one(tables)) != NULL) why = table->why;
  return why;
}

/* How often a rank has completed a sum; -1: it does not know it. */
static int64_t completed(const ovk__tables *t, int rank, int64_t number)
{
  const ovk__table *table = t->of[rank];
  int64_t low = 0, high = table->n;
  while (low < high) {
    const int64_t middle = low + (high - low) / 2;
    if (table->sums[middle].number < number) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < table->n && table->sums[low].number == number ? table->sums[low].completed : -1;
}

/* The most often that any rank has completed it, and the lowest such rank. */
static int64_t most_completed(const ovk__tables *t, int64_t number, int *who)
{
  int64_t most = -1;
  for (int rank = 0; rank < ovk_ctx_size(t->ctx); rank++) {
    const int64_t n = completed(t, rank, number);
    if (n <= most) continue;
    most = n;
    *who = rank;
  }
  return most;
}

/* Starts the messages about one sum, or, without requests, counts them. A rank that has forgotten a
 * sum has completed it, and so have all that lag less than MOST_GONE sums behind it. */
static bool trade_one(const ovk__tables *t, const ovk__record *record, MPI_Request *requests,
                      int *n)
{
  const int own = ovk_ctx_rank(t->ctx);
  int giver = own, err = MPI_SUCCESS;
  const int64_t most = most_completed(t, record->number, &giver);
  for (int rank = 0; rank < ovk_ctx_size(t->ctx) && !err; rank++) {
    const int64_t its = completed(t, rank, record->number);
    if (its < 0 || its == most || (giver != own && rank != own)) continue;
    if (requests && giver == own) {
      err = MPI_Isend(record->totals, record->count, MPI_DOUBLE, rank, t->traded_tag, t->comm,
                      &requests[*n]);
    } else if (requests) {
      err = MPI_Irecv(record->totals, record->count, MPI_DOUBLE, giver, t->traded_tag, t->comm,
                      &requests[*n]);
    }
    if (!err) ++*n;
  }
  return !err;
}

static bool start_trade(ovk__tables *t, const ovk__record *records)
{
  int n = 0;
  for (const ovk__record *r = records; r; r = r->next) (void)trade_one(t, r, NULL, &n);
  t->trading = true;
  t->trade = ovk__array((size_t)n, sizeof *t->trade);
  if (!t->trade) return false;
  for (const ovk__record *r = records; r; r = r->next) {
    if (!trade_one(t, r, t->trade, &t->ntrade)) return false;
  }
  return true;
}

bool ovk__tables_trade(ovk__tables *tables, ovk__record *records, bool *over)
{
  ovk__tables *t = tables;
  int flag = 1;
  *over = false;
  if (t->nmissing > 0) return true;
  if (!t->trading && !start_trade(t, records)) return false;
  if (t->ntrade && MPI_Testall(t->ntrade, t->trade, &flag, MPI_STATUSES_IGNORE)) return false;
  *over = flag;
  return true;
}

bool ovk__tables_has_brought(const ovk__tables *tables, const ovk__record *record)
{
  int who;
  return most_completed(tables, record->number, &who) > record->completed;
}
