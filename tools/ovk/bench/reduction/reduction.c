/* SPDX-License-Identifier: BSD-2-Clause */
/* `ovk bench reduction`: compares backends of reductions with each other and with the MPI; they are
 * measured alternately. */
#include "bench/bench.h"
#include "bench/operations/operations.h"
#include "bench/reduction/drop_in.h"
#include "bench/reduction/probe.h"

#include <stdio.h>

enum {
  BENCH_SPECS,
  BENCH_COUNT,
  BENCH_MPI,
  BENCH_CALLS,
  BENCH_BYTES,
  BENCH_ITERS,
  BENCH_ROUNDS,
  BENCH_JSON
};

static const option bench_options[] = {
    [BENCH_SPECS] =
        OPTION_TEXT("--specs", "A,B,C", NULL, "backends to measure; default: all that work here"),
    [BENCH_COUNT] = OPTION_INTEGER("--count", "N", 1, 100000000, "1", "doubles in a reduction"),
    [BENCH_MPI] = OPTION_FLAG("--mpi", "measure a preloaded libovk_mpi.so"),
    [BENCH_CALLS] =
        OPTION_TEXT("--calls", "A,B,C", "allreduce,iallreduce,reduce,ireduce,bcast,ibcast",
                    "calls of --mpi, also barrier, ibarrier, allgather, alltoall"),
    [BENCH_BYTES] =
        OPTION_LIST("--bytes", 8, 1 << 24, "8,64,256,1024,4096,8192,16384,32768,65536,131072",
                    "of the calls of --mpi, multiples of 8"),
    [BENCH_ITERS] =
        OPTION_INTEGER("--iters", "N", 1, 100000000, "2000", "reductions a round and figure"),
    [BENCH_ROUNDS] = TABLE_ROUNDS_OPTION("9"),
    [BENCH_JSON] = TABLE_JSON_OPTION,
    {0},
};

static const char definitions[] =
    "All backends take turns in each round with the calls of the MPI, mpi:allreduce and\n"
    "mpi:iallreduce. Times are those of the slowest rank; t is the latency, c the time of work:\n"
    "  latency   begin and wait, one after the other, an average over --iters reductions\n"
    "  begin     time inside begin; wait: time inside wait\n"
    "  overhead  the time that no work can hide, as in NBCBench: inside begin, ten polls with "
    "work\n"
    "            of 0.4 t before each, and wait, without the readings of the clock. Polls of\n"
    "            mpi:iallreduce are MPI_Test, and mpi:allreduce is the call alone\n"
    "  overlap   with o the time of begin, work as long as t, and wait, without a poll:\n"
    "            OSU 1 - (o - c) / t; IMB-NBC (t + c - o) / min(t, c)\n"
    "  peer      how long the others wait for a rank that is busy for 20 ms after its begin\n"
    "  asleep    the same with a rank that sleeps: its processor is free to progress reductions\n"
    "On one node a reduction of one double is nearly all work of the processors: t is not much\n"
    "longer than the overhead, so there is little to overlap for any backend.\n"
    "A spec with progress=thread needs MPI_THREAD_MULTIPLE, which can slow the other rows, too.\n"
    "\n"
    "With --mpi, as in ovk run -n 2 ovk bench reduction --mpi, each call of the MPI takes turns\n"
    "with the same call of libovk_mpi.so, which carries it or hands it back. Reductions to one\n"
    "rank and broadcasts are followed by a barrier, nonblocking calls by MPI_Wait. x is the ratio\n"
    "of the two, followed by its quartiles over the rounds, peer and carried the waits for a busy\n"
    "rank, as above. All-gathers and all-to-alls have so many bytes for each rank. Without the\n"
    "library the ratios are 1. A turn takes about 5 ms or a call. There are 16 of each, 4 if calls "
    "take long.\n"
    "Without --bytes there are two rows with MPI_MAXLOC, too.\n";

typedef struct bench {
  words specs;
  int count, iterations;
  operations sums;
} bench;

static const column columns[PROBE_FIGURES] = {
    [PROBE_LATENCY] = {"latency", "latency_us", "latency_min_us", 1e6, 3},
    [PROBE_BEGIN] = {"begin", "begin_us", "begin_min_us", 1e6, 3},
    [PROBE_WAIT] = {"wait", "wait_us", "wait_min_us", 1e6, 3},
    [PROBE_OVERHEAD] = {"overhead", "overhead_us", "overhead_min_us", 1e6, 3},
    [PROBE_PEER_DELAY] = {"peer", "peer_delay_wait_us", "peer_delay_wait_min_us", 1e6, 1},
    [PROBE_ASLEEP] = {"asleep", "peer_asleep_wait_us", "peer_asleep_wait_min_us", 1e6, 1},
    [PROBE_OVERLAP_OSU] = {"OSU %", "overlap_osu_pct", NULL, 1, 1},
    [PROBE_OVERLAP_IMB] = {"IMB %", "overlap_imb_pct", NULL, 1, 1},
};

/* Options of the other kind of run. */
static ovk_err check_given(ovk_ctx *ctx, const args *given)
{
  static const int of_specs[] = {BENCH_SPECS, BENCH_COUNT}, of_mpi[] = {BENCH_CALLS, BENCH_BYTES};
  const bool mpi = args_has(given, BENCH_MPI);
  const int *wrong = mpi ? of_specs : of_mpi;
  for (int k = 0; k < 2; k++) {
    if (!args_has(given, wrong[k])) continue;
    return ovk_ctx_fail(ctx, OVK_ERR_ARG, mpi ? "%s does not go with --mpi" : "%s needs --mpi",
                        bench_options[wrong[k]].name);
  }
  return OVK_OK;
}

static ovk_err run_drop_in(ovk_ctx *ctx, const args *given, drop_in *d)
{
  d->pairs = !args_has(given, BENCH_BYTES);
  TRY(list_numbers(ctx, given, BENCH_BYTES, NULL, &d->bytes));
  TRY(list_words(ctx, given, BENCH_CALLS, NULL, &d->calls));
  for (int k = 0; k < d->bytes.n; k++) {
    if (d->bytes.at[k] % (int)sizeof(double) == 0) continue;
    return ovk_ctx_fail(ctx, OVK_ERR_ARG, "--bytes: %d is no multiple of 8", d->bytes.at[k]);
  }
  return drop_in_run(ctx, d);
}

static ovk_err measure(void *arg, int which, double *figures)
{
  bench *b = arg;
  return probe_measure(&b->sums.at[which], b->iterations, figures);
}

static ovk_err measure_and_report(ovk_ctx *ctx, const args *given, bench *b, table *t)
{
  const char *json = args_text(given, BENCH_JSON);
  int rounds;
  TRY(check_given(ctx, given));
  args_int(given, BENCH_COUNT, &b->count);
  args_int(given, BENCH_ITERS, &b->iterations);
  args_int(given, BENCH_ROUNDS, &rounds);
  if (args_has(given, BENCH_MPI)) {
    drop_in d = {.iterations = b->iterations, .rounds = rounds, .json = json};
    return run_drop_in(ctx, given, &d);
  }
  TRY(list_backends(ctx, given, BENCH_SPECS, &b->specs));
  TRY(operations_create(ctx, OPERATION_SUM, &b->specs, b->count, &b->sums));
  TRY(table_create(ctx, b->sums.n, rounds, t));
  for (int k = 0; k < b->sums.n; k++) operations_name_row(&b->sums.at[k], "", &t->rows[k]);
  snprintf(t->title, sizeof t->title, "sums, us; doubles in each: %d", b->count);
  return tables_run(ctx, json, &t, 1);
}

static ovk_err reduction_run(ovk_ctx *ctx, const args *given)
{
  bench b = {.count = 0};
  table t = {.columns = columns, .ncolumns = PROBE_FIGURES, .measure = measure, .arg = &b};
  const ovk_err err = measure_and_report(ctx, given, &b, &t);
  operations_destroy(&b.sums);
  table_destroy(&t);
  return err;
}

const command bench_reduction = {
    .name = "reduction",
    .usage = "[OPTIONS]",
    .summary = "reductions by every backend, compared with those of the MPI",
    .notes = definitions,
    .options = bench_options,
    .run = reduction_run,
};
