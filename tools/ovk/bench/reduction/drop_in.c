/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls of the MPI against those of a preloaded libovk_mpi.so, in turn: the former by the profiling
 * names, which are never replaced, the latter as any program makes them. */
#include "bench/reduction/drop_in.h"
#include "bench/support/table.h"
#include "bench/support/timing.h"
#include "bench/support/work.h"
#include "tool.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct calls {
  int (*allreduce)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
  int (*iallreduce)(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request *);
  int (*wait)(MPI_Request *, MPI_Status *);
  int (*reduce)(const void *, void *, int, MPI_Datatype, MPI_Op, int, MPI_Comm);
  int (*ireduce)(const void *, void *, int, MPI_Datatype, MPI_Op, int, MPI_Comm, MPI_Request *);
  int (*bcast)(void *, int, MPI_Datatype, int, MPI_Comm);
  int (*ibcast)(void *, int, MPI_Datatype, int, MPI_Comm, MPI_Request *);
  int (*barrier)(MPI_Comm);
} calls;

static const calls mpis_own = {PMPI_Allreduce, PMPI_Iallreduce, PMPI_Wait,   PMPI_Reduce,
                               PMPI_Ireduce,   PMPI_Bcast,      PMPI_Ibcast, PMPI_Barrier};
static const calls programs = {MPI_Allreduce, MPI_Iallreduce, MPI_Wait,   MPI_Reduce,
                               MPI_Ireduce,   MPI_Bcast,      MPI_Ibcast, MPI_Barrier};

/* Items of the calls of a row. */
typedef struct items {
  int count;
  bool pairs; /* of MPI_MAXLOC */
} items;

static const items rows[] = {{1, false},    {8, false},     {32, false},   {128, false},
                             {512, false},  {1024, false},  {2048, false}, {4096, false},
                             {8192, false}, {16384, false}, {1, true},     {512, true}};
enum { ROWS = sizeof rows / sizeof *rows, MOST_BYTES = 16384 * 8 };

typedef struct bench {
  ovk_ctx *ctx;
  int iterations;
  char *send, *receive;
} bench;

/* The timed operations, one for each column. */
typedef int timed(const bench *, const calls *, MPI_Datatype, int count, MPI_Op);

static int allreduce(const bench *b, const calls *c, MPI_Datatype type, int count, MPI_Op op)
{
  return c->allreduce(b->send, b->receive, count, type, op, MPI_COMM_WORLD);
}

static int iallreduce(const bench *b, const calls *c, MPI_Datatype type, int count, MPI_Op op)
{
  MPI_Request request;
  const int err = c->iallreduce(b->send, b->receive, count, type, op, MPI_COMM_WORLD, &request);
  return err ? err : c->wait(&request, MPI_STATUS_IGNORE);
}

static int reduce(const bench *b, const calls *c, MPI_Datatype type, int count, MPI_Op op)
{
  const int err = c->reduce(b->send, b->receive, count, type, op, 0, MPI_COMM_WORLD);
  return err ? err : c->barrier(MPI_COMM_WORLD);
}

static int bcast(const bench *b, const calls *c, MPI_Datatype type, int count, MPI_Op op)
{
  (void)op;
  const int err = c->bcast(b->receive, count, type, 0, MPI_COMM_WORLD);
  return err ? err : c->barrier(MPI_COMM_WORLD);
}

static int ireduce(const bench *b, const calls *c, MPI_Datatype type, int count, MPI_Op op)
{
  MPI_Request request;
  int err = c->ireduce(b->send, b->receive, count, type, op, 0, MPI_COMM_WORLD, &request);
  if (!err) err = c->wait(&request, MPI_STATUS_IGNORE);
  return err ? err : c->barrier(MPI_COMM_WORLD);
}

static int ibcast(const bench *b, const calls *c, MPI_Datatype type, int count, MPI_Op op)
{
  (void)op;
  MPI_Request request;
  int err = c->ibcast(b->receive, count, type, 0, MPI_COMM_WORLD, &request);
  if (!err) err = c->wait(&request, MPI_STATUS_IGNORE);
  return err ? err : c->barrier(MPI_COMM_WORLD);
}

static timed *const operations[] = {allreduce, iallreduce, reduce, ireduce, bcast, ibcast};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static const column columns[] = {{"allreduce", "allreduce_mpi_us", NULL, 1e6, 3},
                                 {"x", "allreduce_ratio", NULL, 1, 3},
                                 {"iallreduce", "iallreduce_mpi_us", NULL, 1e6, 3},
                                 {"x", "iallreduce_ratio", NULL, 1, 3},
                                 {"reduce", "reduce_mpi_us", NULL, 1e6, 3},
                                 {"x", "reduce_ratio", NULL, 1, 3},
                                 {"ireduce", "ireduce_mpi_us", NULL, 1e6, 3},
                                 {"x", "ireduce_ratio", NULL, 1, 3},
                                 {"bcast", "bcast_mpi_us", NULL, 1e6, 3},
                                 {"x", "bcast_ratio", NULL, 1, 3},
                                 {"ibcast", "ibcast_mpi_us", NULL, 1e6, 3},
                                 {"x", "ibcast_ratio", NULL, 1, 3},
                                 {"peer", "peer_mpi_us", NULL, 1e6, 1},
                                 {"carried", "peer_carried_us", NULL, 1e6, 1}};

static ovk_err time_calls(const bench *b, const items *of, timed *call, const calls *by, int n,
                          double *seconds)
{
  const MPI_Datatype type = of->pairs ? MPI_DOUBLE_INT : MPI_DOUBLE;
  const MPI_Op op = of->pairs ? MPI_MAXLOC : MPI_SUM;
  double start;
  int err = MPI_SUCCESS;
  TRY(timing_start(b->ctx, &start));
  for (int k = 0; k < n && !err; k++) err = call(b, by, type, of->count, op);
  *seconds += (MPI_Wtime() - start) / n;
  return tool_mpi(b->ctx, err, "a reduction");
}

/* Seconds of both, which take short turns; the first of each is not counted. */
static ovk_err time_both(const bench *b, const items *of, timed *call, double seconds[2])
{
  static const int turns[] = {0, 1, 0, 1, 1, 0, 0, 1, 1, 0};
  enum { ALL = sizeof turns / sizeof *turns, FIRST = 2, EACH = (ALL - FIRST) / 2 };
  enum { FEW = 20, BYTES = 1024 }; /* BYTES: which take as long again as a call */
  const int fewest = b->iterations < FEW ? b->iterations : FEW;
  const int n = b->iterations / EACH / (1 + 8 * of->count / BYTES);
  double unused = 0;
  seconds[0] = seconds[1] = 0;
  for (int k = 0; k < ALL; k++) {
    TRY(time_calls(b, of, call, turns[k] ? &programs : &mpis_own, n < fewest ? fewest : n,
                   k < FIRST ? &unused : &seconds[turns[k]]));
  }
  for (int which = 0; which < 2; which++) seconds[which] /= EACH;
  return tool_greatest(b->ctx, seconds, 2);
}

/* The wait of the other ranks for a reduction whose last rank is busy after its begin. */
static ovk_err time_peer(const bench *b, const items *of, const calls *by, double *seconds)
{
  const long steps = work_steps(0.02);
  MPI_Request request;
  double start;
  TRY(timing_start(b->ctx, &start));
  TRY(tool_mpi(
      b->ctx,
      by->iallreduce(b->send, b->receive, of->count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request),
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
  for (int k = 0; k < OPERATIONS; k++) {
    double seconds[2];
    TRY(time_both(b, &rows[which], operations[k], seconds));
    *figures++ = seconds[0];
    *figures++ = seconds[1] / seconds[0];
  }
  TRY(time_peer(b, &rows[which], &mpis_own, figures++));
  return time_peer(b, &rows[which], &programs, figures);
}

static ovk_err fill_and_run(bench *b, table *t, int rounds, const char *json)
{
  TRY(tool_got_memory(b->ctx, b->send && b->receive));
  TRY(table_create(b->ctx, ROWS, rounds, t));
  for (int k = 0; k < ROWS; k++) {
    const int bytes = rows[k].count * (rows[k].pairs ? 12 : 8);
    snprintf(t->rows[k].name, ROW_NAME, "%d%s", bytes, rows[k].pairs ? ", MAXLOC" : "");
    row_add_text(&t->rows[k], "op", rows[k].pairs ? "maxloc" : "sum");
    row_add_number(&t->rows[k], "bytes", bytes);
  }
  return tables_run(b->ctx, json, &t, 1);
}

ovk_err drop_in_run(ovk_ctx *ctx, int iterations, int rounds, const char *json)
{
  bench b = {.ctx = ctx, .iterations = iterations};
  table t = {.columns = columns,
             .ncolumns = sizeof columns / sizeof *columns,
             .measure = measure,
             .arg = &b,
             .title = "bytes; the MPI's calls, us, and times of libovk_mpi.so over them"};
  b.send = calloc(2, MOST_BYTES);
  b.receive = calloc(2, MOST_BYTES);
  const ovk_err err = fill_and_run(&b, &t, rounds, json);
  table_destroy(&t);
  free(b.send);
  free(b.receive);
  return err;
}
