/* SPDX-License-Identifier: BSD-2-Clause */
/* Exchange of tables over MPI. A rank may die while it sends one, so nothing here blocks. */
#include "backends/verbs/recovery/tables.h"
#include "core/base/sorted.h"
#include "core/cancel.h"
#include "core/context/ctx_impl.h"
#include "core/context/mem.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { ABORTED = -1 };

static ovk_err tables_allocate(ovk__tables *t)
{
  const int size = ovk_ctx_size(t->ctx);
  OVK_NEW_ZEROS(t->ctx, t->of, size);
  OVK_NEW_ARRAY(t->ctx, t->outgoing, 2 * size);
  OVK_NEW(t->ctx, t->abort_message);
  t->abort_message->n = ABORTED;
  return OVK_OK;
}

ovk_err ovk__tables_open(ovk_ctx *ctx, MPI_Comm comm, ovk__tags *tags, ovk__tables *out)
{
  int64_t number;
  *out = (ovk__tables){.ctx = ctx, .comm = comm};
  OVK_TRY(ovk__tags_deal(ctx, comm, tags, &number));
  out->tags = tags;
  out->used_tag = ovk__tag_use(tags, &out->tag, number);
  return tables_allocate(out);
}

bool ovk__tables_are_sent(ovk__tables *tables)
{
  int sent = 1;
  const int n = tables->noutgoing;
  return n == 0 || (!MPI_Testall(n, tables->outgoing, &sent, MPI_STATUSES_IGNORE) && sent);
}

/* Sends that are not complete are left to MPI; their memory is not freed. */
static void stop_sending(ovk__tables *t)
{
  if (!t->of || ovk__mpi_is_over() || ovk__tables_are_sent(t)) return;
  for (int k = 0; k < t->noutgoing; k++) {
    if (t->outgoing[k] != MPI_REQUEST_NULL) MPI_Request_free(&t->outgoing[k]);
  }
  t->of[ovk_ctx_rank(t->ctx)] = NULL;
  t->abort_message = NULL;
}

void ovk__tables_free(ovk__tables *tables)
{
  ovk__tables *t = tables;
  stop_sending(t);
  if (t->incoming && ovk__cancel_receive(&t->arrival)) free(t->incoming);
  for (int k = 0; t->of && k < ovk_ctx_size(t->ctx); k++) free(t->of[k]);
  free(t->of);
  free(t->abort_message);
  free(t->outgoing);
  if (t->tags) ovk__tag_free(t->tags, &t->tag);
}

static size_t table_size(int64_t n)
{
  return sizeof(ovk__table) + (size_t)n * sizeof(ovk__standing);
}

static ovk__table *write_table(const ovk__records *records, const char *why)
{
  int64_t n = 0;
  for (const ovk__record *r = records->first; r; r = r->next) n++;
  ovk__table *table = table_size(n) <= INT_MAX ? calloc(1, table_size(n)) : NULL;
  if (!table) return NULL;
  strncpy(table->why, why, sizeof table->why - 1);
  for (const ovk__record *r = records->first; r; r = r->next) {
    table->sums[table->n++] = (ovk__standing){r->number, r->completed};
  }
  return table;
}

static bool send_to_all(ovk__tables *t, const ovk__table *table, size_t bytes)
{
  bool sent = true;
  for (int rank = 0; rank < ovk_ctx_size(t->ctx); rank++) {
    if (rank == ovk_ctx_rank(t->ctx)) continue;
    if (MPI_Isend(table, (int)bytes, MPI_BYTE, rank, t->used_tag, t->comm,
                  &t->outgoing[t->noutgoing])) {
      sent = false;
    } else {
      t->noutgoing++;
    }
  }
  return sent;
}

bool ovk__tables_send(ovk__tables *tables, const ovk__records *records, const char *why)
{
  ovk__table *own = tables->of[ovk_ctx_rank(tables->ctx)] = write_table(records, why);
  return own && send_to_all(tables, own, table_size(own->n));
}

bool ovk__tables_abort(ovk__tables *tables, const char *why)
{
  ovk__table *abort_message = tables->abort_message;
  strncpy(abort_message->why, why, sizeof abort_message->why - 1);
  return send_to_all(tables, abort_message, sizeof *abort_message);
}

/* Starts to receive a message, if there is one. */
static bool start_receiving(ovk__tables *t)
{
  int flag = 0, bytes;
  MPI_Status status;
  /* twice: some MPI implementations make progress only after answering that there is none */
  for (int k = 0; k < 2 && !flag; k++) {
    if (MPI_Iprobe(MPI_ANY_SOURCE, t->used_tag, t->comm, &flag, &status)) return false;
  }
  if (!flag) return true;
  if (MPI_Get_count(&status, MPI_BYTE, &bytes)) return false;
  ovk__table *table = malloc((size_t)bytes);
  if (!table) return false;
  t->sender = status.MPI_SOURCE;
  if (MPI_Irecv(table, bytes, MPI_BYTE, t->sender, t->used_tag, t->comm, &t->arrival)) {
    free(table);
    return false;
  }
  t->incoming = table;
  return true;
}

static void tables_take(ovk__tables *t, ovk__table *table)
{
  const bool is_abort = table->n == ABORTED;
  if (!t->why[0] || (is_abort && !t->aborted)) memcpy(t->why, table->why, sizeof t->why);
  if (!is_abort) {
    t->of[t->sender] = table;
    return;
  }
  t->aborted = true;
  free(table);
}

bool ovk__tables_receive(ovk__tables *tables)
{
  ovk__tables *t = tables;
  for (;;) {
    int there;
    if (!t->incoming && !start_receiving(t)) return false;
    if (!t->incoming) return true;
    if (MPI_Test(&t->arrival, &there, MPI_STATUS_IGNORE)) return false;
    if (!there) return true;
    ovk__table *table = t->incoming;
    t->incoming = NULL;
    tables_take(t, table);
  }
}

bool ovk__tables_has_news(const ovk__tables *tables)
{
  return tables->why[0] || tables->incoming;
}

int ovk__tables_missing(const ovk__tables *tables)
{
  for (int rank = 0; rank < ovk_ctx_size(tables->ctx); rank++) {
    if (!tables->of[rank]) return rank;
  }
  return -1;
}

int64_t ovk__tables_completed(const ovk__tables *tables, int rank, int64_t number)
{
  const ovk__table *table = tables->of[rank];
  OVK_BISECT(int64_t, low, 0, table->n, table->sums[middle].number < number);
  return low < table->n && table->sums[low].number == number ? table->sums[low].completed : -1;
}

int64_t ovk__tables_most(const ovk__tables *tables, int64_t number, int *who)
{
  int64_t most = -1;
  for (int rank = 0; rank < ovk_ctx_size(tables->ctx); rank++) {
    const int64_t n = ovk__tables_completed(tables, rank, number);
    if (n <= most) continue;
    most = n;
    *who = rank;
  }
  return most;
}
