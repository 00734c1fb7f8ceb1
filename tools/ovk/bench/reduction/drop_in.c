/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls of the MPI against those of a preloaded libovk_mpi.so, in turn: the former by the profiling
 * names, which are never replaced, the latter as any program makes them. */
#include "bench/reduction/drop_in.h"
#include "bench/reduction/mpi_calls.h"
#include "bench/support/table.h"
#include "bench/support/timing.h"
#include "bench/support/work.h"
#include "tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int pairs[] = {1, 512}; /* of MPI_MAXLOC */
enum { PAIR_ROWS = sizeof pairs / sizeof *pairs };

typedef struct bench {
  ovk_ctx *ctx;
  const drop_in *options;
  const mpi_call *calls[MPI_CALL_KINDS];
  int ncalls;
  char *send, *receive;
  column columns[2 * MPI_CALL_KINDS + 2];
} bench;

/* Two columns for each call. */
#define CALL(name)                                                                                 \
  {#name, #name "_mpi_us", NULL, 1e6, 3},                                                          \
  {                                                                                                \
    "x", #name "_ratio", NULL, 1, 3                                                                \
  }
static const column all_columns[] = {
    CALL(allreduce), CALL(iallreduce), CALL(reduce),   CALL(ireduce),   CALL(bcast),
    CALL(ibcast),    CALL(barrier),    CALL(ibarrier), CALL(allgather), CALL(alltoall)};
static const column peer_columns[] = {{"peer", "peer_mpi_us", NULL, 1e6, 1},
                                      {"carried", "peer_carried_us", NULL, 1e6, 1}};

static ovk_err choose_calls(bench *b)
{
  const words *names = &b->options->calls;
  column *next = b->columns;
  if (names->n > MPI_CALL_KINDS) {
    return ovk_ctx_fail(b->ctx, OVK_ERR_ARG, "--calls: there are no %d calls", names->n);
  }
  for (int n = 0; n < names->n; n++) {
    size_t kind = 0;
    while (kind < MPI_CALL_KINDS && strcmp(mpi_call_kinds[kind].name, names->at[n]) != 0) kind++;
    if (kind == MPI_CALL_KINDS) {
      return ovk_ctx_fail(b->ctx, OVK_ERR_ARG, "--calls: there is no call '%s'", names->at[n]);
    }
    for (size_t k = 0; k < 2; k++) *next++ = all_columns[2 * kind + k];
    b->calls[b->ncalls++] = &mpi_call_kinds[kind];
  }
  memcpy(next, peer_columns, sizeof peer_columns);
  return OVK_OK;
}

/* The items of a row. */
static mpi_items items_of(const bench *b, int which)
{
  const numbers *bytes = &b->options->bytes;
  mpi_items items = {.send = b->send, .receive = b->receive, .type = MPI_DOUBLE, .op = MPI_SUM};
  if (which < bytes->n) {
    items.count = bytes->at[which] / (int)sizeof(double);
  } else {
    items.count = pairs[which - bytes->n];
    items.type = MPI_DOUBLE_INT;
    items.op = MPI_MAXLOC;
  }
  return items;
}

/* The calls of a turn, and the turns of each: as many as take a tenth of a second. */
typedef struct pace {
  int calls, turns;
} pace;
enum { LEAST_TURNS = 4, MOST_TURNS = 16 };

/* *seconds <- those of a call, the mean of n. */
static ovk_err time_calls(const bench *b, const mpi_items *of, const mpi_call *call, int by, int n,
                          double *seconds)
{
  const mpi_calls *calls = by ? &mpi_calls_of_programs : &mpi_calls_of_mpi;
  double start;
  int err = MPI_SUCCESS;
  TRY(timing_start(b->ctx, &start));
  for (int k = 0; k < n && !err; k++) err = call->run(calls, of);
  *seconds = (MPI_Wtime() - start) / n;
  return tool_mpi(b->ctx, err, "a reduction");
}

static int between(double value, int least, int most)
{
  return value < least ? least : value > most ? most : (int)value;
}

/* Short turns, as ranks that share processors change their speed slowly. */
static ovk_err find_pace(const bench *b, const mpi_items *of, const mpi_call *call, pace *out)
{
  enum { FEW = 20, BYTES = 1024 }; /* BYTES: which take as long again as a call */
  static const double turn = 0.005, all = 0.1;
  const int iterations = b->options->iterations, fewest = iterations < FEW ? iterations : FEW;
  double seconds[2];
  for (int by = 0; by < 2; by++) TRY(time_calls(b, of, call, by, 1, &seconds[by]));
  TRY(tool_greatest(b->ctx, seconds, 2));
  const double longer = fmax(fmax(seconds[0], seconds[1]), 1e-9);
  const int n =
      between(iterations / (MOST_TURNS * (1 + 8.0 * of->count / BYTES)), fewest, iterations);
  out->calls = between(turn / longer, 1, n);
  out->turns = between(all / (longer * out->calls), LEAST_TURNS, MOST_TURNS);
  return OVK_OK;
}

/* Seconds of both, the medians of turns; the first of each is not counted. */
static ovk_err time_both(const bench *b, const mpi_items *of, const mpi_call *call,
                         double seconds[2])
{
  double samples[2][1 + MOST_TURNS];
  pace p;
  TRY(find_pace(b, of, call, &p));
  for (int turn = 0; turn <= p.turns; turn++) {
    for (int k = 0; k < 2; k++) {
      const int by = (turn + k) % 2;
      TRY(time_calls(b, of, call, by, p.calls, &samples[by][turn]));
    }
  }
  for (int by = 0; by < 2; by++) {
    TRY(tool_greatest(b->ctx, samples[by], 1 + p.turns));
    seconds[by] = tool_median(&samples[by][1], p.turns);
  }
  return OVK_OK;
}

/* The wait of the other ranks for a reduction whose last rank is busy after its begin. */
static ovk_err time_peer(const bench *b, int count, const mpi_calls *by, double *seconds)
{
  const long steps = work_steps(0.02);
  MPI_Request request;
  double start;
  TRY(timing_start(b->ctx, &start));
  TRY(tool_mpi(
      b->ctx,
      by->iallreduce(b->send, b->receive, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request),
      "MPI_Iallreduce"));
  const bool busy = ovk_ctx_rank(b->ctx) == ovk_ctx_size(b->ctx) - 1;
  if (busy) work(steps);
  start = MPI_Wtime();
  TRY(tool_mpi(b->ctx, by->wait(&request, MPI_STATUS_IGNORE), "MPI_Wait"));
  *seconds = busy ? 0 : MPI_Wtime() - start;
  return tool_greatest(b->ctx, seconds, 1);
}

static ovk_err measure(void *arg, int which, double *figures)
{
  const bench *b = arg;
  const mpi_items items = items_of(b, which);
  for (int k = 0; k < b->ncalls; k++) {
    double seconds[2];
    TRY(time_both(b, &items, b->calls[k], seconds));
    *figures++ = seconds[0];
    *figures++ = seconds[1] / seconds[0];
  }
  TRY(time_peer(b, items.count, &mpi_calls_of_mpi, figures++));
  return time_peer(b, items.count, &mpi_calls_of_programs, figures);
}

/* Of all blocks: one for each rank in an all-to-all. */
static size_t most_bytes(const drop_in *o, int nranks)
{
  typedef struct pair {
    double value;
    int place;
  } pair;
  size_t most = (size_t)pairs[PAIR_ROWS - 1] * sizeof(pair);
  for (int k = 0; k < o->bytes.n; k++) {
    if ((size_t)o->bytes.at[k] > most) most = (size_t)o->bytes.at[k];
  }
  return most * (size_t)nranks;
}

static void name_row(row *r, int bytes, const char *more, const char *op)
{
  snprintf(r->name, ROW_NAME, "%d%s", bytes, more);
  row_add_text(r, "op", op);
  row_add_number(r, "bytes", bytes);
}

static ovk_err fill_and_run(bench *b, table *t)
{
  const drop_in *o = b->options;
  TRY(choose_calls(b));
  t->columns = b->columns;
  t->ncolumns = 2 * b->ncalls + 2;
  const size_t bytes = most_bytes(o, ovk_ctx_size(b->ctx));
  b->send = calloc(1, bytes);
  b->receive = calloc(1, bytes);
  TRY(tool_got_memory(b->ctx, b->send && b->receive));
  TRY(table_create(b->ctx, o->bytes.n + (o->pairs ? PAIR_ROWS : 0), o->rounds, t));
  for (int k = 0; k < o->bytes.n; k++) name_row(&t->rows[k], o->bytes.at[k], "", "sum");
  for (int k = 0; k < PAIR_ROWS && o->pairs; k++) {
    name_row(&t->rows[o->bytes.n + k], 12 * pairs[k], ", MAXLOC", "maxloc");
  }
  return tables_run(b->ctx, o->json, &t, 1);
}

ovk_err drop_in_run(ovk_ctx *ctx, const drop_in *options)
{
  bench b = {.ctx = ctx, .options = options};
  table t = {.measure = measure,
             .arg = &b,
             .with_quartiles = "x",
             .title = "bytes; the MPI's calls, us, and times of libovk_mpi.so over them"};
  const ovk_err err = fill_and_run(&b, &t);
  table_destroy(&t);
  free(b.send);
  free(b.receive);
  return err;
}
