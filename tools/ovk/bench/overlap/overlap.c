/* SPDX-License-Identifier: BSD-2-Clause */
/* `ovk bench overlap`: how much of a sum or all-to-all is hidden behind work, by the number of
 * polls. */
#include "bench/bench.h"
#include "bench/support/operations.h"
#include "bench/support/timing.h"
#include "bench/support/work.h"

#include <stdio.h>

enum { MAX_AT_ONCE = 8 };

enum { SPECS, ALLTOALL, COUNT, POLLS, AT_ONCE, ITERS, ROUNDS, JSON };

static const option options[] = {
    [SPECS] = {"--specs", 1, "A,B,C", "backends, or engines of all-to-alls; default: all, or nbc"},
    [ALLTOALL] = {"--alltoall", 0, "", "measure all-to-alls in place of sums"},
    [COUNT] = {"--count", 1, "N", "doubles in a sum (default 1) or to each rank (4096)"},
    [POLLS] = {"--polls", 1, "A,B,C", "numbers of polls; default 2,10,100,1000,10000"},
    [AT_ONCE] = {"--at-once", 1, "K", "operations that run at the same time, 1 to 8; default 1"},
    [ITERS] = {"--iters", 1, "N", "operations a round and row; default 50"},
    [ROUNDS] = {"--rounds", 1, "N", "rounds; figures are their medians; default 5"},
    [JSON] = {"--json", 1, "FILE|-", "write the rows as JSON, - for standard output"},
    {0},
};

static const char definitions[] =
    "Each operation, after a barrier: begin, work in as many slices as there are polls with a\n"
    "poll behind each, wait. The work takes as long as the operation without any, its latency,\n"
    "which is measured before, and one step a slice at least. Several at once are begun, polled\n"
    "and waited for one behind the other. Times are averages over --iters, of the slowest rank,\n"
    "readings of the clock taken off:\n"
    "  latency   begin and wait without work\n"
    "  init      inside begin; test: inside all polls together; wait: inside wait\n"
    "  total     from before begin to after wait, with the work\n"
    "  hidden    1 - (init + test + wait) / latency: the share of the latency that costs no time\n"
    "            (Hoefler, Lumsdaine, Rehm, SC'07, listing 3)\n"
    "  busy      (total - test - wait) / total: the share of the time left for work, with init\n"
    "            counted as work (Kandalla et al., non-blocking all-to-all for a 3D FFT, 2011,\n"
    "            figure 5)\n"
    "The MPI's own are polled with MPI_Test; its blocking one is over when begin is. Where the\n"
    "slices of many polls together are longer than the latency, busy says more about the work\n"
    "than about the operation.\n"
    "On one node the processors carry all messages themselves: what hidden shows there is\n"
    "waiting for other ranks. That messages move while all processors work, as in the papers,\n"
    "can be seen only with specs of verbs and an adapter.\n";

typedef struct bench {
  words specs;
  numbers polls;
  int count, iterations, at_once;
  operation_kind kind;
  operations sets[MAX_AT_ONCE]; /* those with the same index run at the same time */
} bench;

typedef enum figure {
  LATENCY,
  INIT,
  TEST,
  WAIT,
  TOTAL,
  TIMES,
  HIDDEN = TIMES,
  BUSY,
  FIGURES
} figure;

static const column columns[FIGURES] = {
    [LATENCY] = {"latency", "latency_us", "latency_min_us", 1e6, 3},
    [INIT] = {"init", "init_us", "init_min_us", 1e6, 3},
    [TEST] = {"test", "test_us", "test_min_us", 1e6, 3},
    [WAIT] = {"wait", "wait_us", "wait_min_us", 1e6, 3},
    [TOTAL] = {"total", "total_us", "total_min_us", 1e6, 3},
    [HIDDEN] = {"hidden %", "overlap_hidden_pct", NULL, 1, 1},
    [BUSY] = {"busy %", "overlap_busy_pct", NULL, 1, 1},
};

/* Calls a function for all operations that run at the same time, in sequence. */
static ovk_err call_all(bench *b, int spec, ovk_err (*call)(operation *), double *inside)
{
  for (int k = 0; k < b->at_once; k++) TRY(timing_add(&b->sets[k].at[spec], call, inside));
  return OVK_OK;
}

static ovk_err time_latency(ovk_ctx *ctx, bench *b, int spec, double clock, double *latency)
{
  double start, inside = 0;
  for (int k = 0; k < b->iterations; k++) {
    TRY(timing_start(ctx, &start));
    TRY(call_all(b, spec, operation_begin, &inside));
    TRY(call_all(b, spec, operation_wait, &inside));
  }
  *latency = timing_mean(inside, b->iterations, 2 * b->at_once, clock);
  return OVK_OK;
}

/* `steps` of work in each of `polls` slices. */
static ovk_err time_parts(ovk_ctx *ctx, bench *b, int spec, int polls, long steps, double clock,
                          double *times)
{
  double start, init = 0, test = 0, wait = 0, total = 0;
  for (int k = 0; k < b->iterations; k++) {
    TRY(timing_start(ctx, &start));
    TRY(call_all(b, spec, operation_begin, &init));
    for (int n = 0; n < polls; n++) {
      work(steps);
      TRY(call_all(b, spec, operation_test, &test));
    }
    TRY(call_all(b, spec, operation_wait, &wait));
    total += MPI_Wtime() - start;
  }
  const double readings = b->at_once;
  times[INIT] = timing_mean(init, b->iterations, readings, clock);
  times[TEST] = timing_mean(test, b->iterations, readings * polls, clock);
  times[WAIT] = timing_mean(wait, b->iterations, readings, clock);
  times[TOTAL] = timing_mean(total, b->iterations, 2 * readings * (polls + 2), clock);
  return OVK_OK;
}

static ovk_err measure(void *arg, int which, double *figures)
{
  bench *b = arg;
  const int spec = which / b->polls.n;
  const operation *op = &b->sets[0].at[spec];
  const int polls = b->polls.at[which % b->polls.n];
  const double clock = timing_clock();
  TRY(time_latency(op->ctx, b, spec, clock, &figures[LATENCY]));
  TRY(tool_greatest(op->ctx, &figures[LATENCY], 1)); /* the same amount of work on all ranks */
  const long steps = work_steps(figures[LATENCY] / polls);
  TRY(time_parts(op->ctx, b, spec, polls, steps, clock, figures));
  TRY(tool_greatest(op->ctx, figures, TIMES));
  const double overhead = figures[INIT] + figures[TEST] + figures[WAIT];
  figures[HIDDEN] = timing_per_cent(1 - overhead / figures[LATENCY]);
  figures[BUSY] = timing_per_cent(1 - (figures[TEST] + figures[WAIT]) / figures[TOTAL]);
  return OVK_OK;
}

static void name_rows(const bench *b, table *t)
{
  const char *name = b->kind == OPERATION_SUM ? "allreduce" : "alltoall";
  for (int which = 0; which < t->nrows; which++) {
    const int polls = b->polls.at[which % b->polls.n];
    char prefix[32];
    snprintf(prefix, sizeof prefix, "%8d  ", polls);
    row *r = &t->rows[which];
    operations_name_row(&b->sets[0].at[which / b->polls.n], prefix, r);
    row_add_text(r, "operation", name);
    row_add_number(r, "at_once", b->at_once);
    row_add_number(r, "polls", polls);
  }
  snprintf(t->title, sizeof t->title, "%s by polls, us; at once: %d; doubles: %d", name, b->at_once,
           b->count);
}

static ovk_err read_options(ovk_ctx *ctx, const args *given, bench *b)
{
  b->kind = args_has(given, ALLTOALL) ? OPERATION_ALLTOALL : OPERATION_SUM;
  b->count = b->kind == OPERATION_SUM ? 1 : 4096;
  TRY(args_int(ctx, given, COUNT, 1, 100000000, &b->count));
  TRY(args_int(ctx, given, AT_ONCE, 1, MAX_AT_ONCE, &b->at_once));
  TRY(args_int(ctx, given, ITERS, 1, 100000000, &b->iterations));
  TRY(list_numbers(ctx, "--polls", args_text(given, POLLS, "2,10,100,1000,10000"), 1, 1000000,
                   &b->polls));
  const char *specs = args_text(given, SPECS, NULL);
  if (b->kind == OPERATION_SUM) return list_backends(ctx, "--specs", specs, &b->specs);
  return list_words(ctx, "--specs", specs ? specs : "nbc", &b->specs);
}

static ovk_err measure_and_report(ovk_ctx *ctx, const args *given, bench *b, table *t)
{
  int rounds = 5;
  TRY(read_options(ctx, given, b));
  TRY(args_int(ctx, given, ROUNDS, 1, MAX_ROUNDS, &rounds));
  for (int k = 0; k < b->at_once; k++)
    TRY(operations_create(ctx, b->kind, &b->specs, b->count, &b->sets[k]));
  TRY(table_create(ctx, b->sets[0].n * b->polls.n, rounds, t));
  name_rows(b, t);
  return tables_run(ctx, args_text(given, JSON, NULL), &t, 1);
}

static ovk_err run(ovk_ctx *ctx, const args *given, int *status)
{
  bench b = {.iterations = 50, .at_once = 1};
  table t = {.columns = columns, .ncolumns = FIGURES, .measure = measure, .arg = &b};
  const ovk_err err = measure_and_report(ctx, given, &b, &t);
  for (int k = 0; k < b.at_once; k++) operations_destroy(&b.sets[k]);
  table_destroy(&t);
  *status = STATUS_CONVERGED;
  return err;
}

const command bench_overlap = {
    .name = "overlap",
    .usage = "[OPTIONS]",
    .summary = "how much of sums and all-to-alls hides behind work, by polls",
    .notes = definitions,
    .options = options,
    .run = run,
};
