/* SPDX-License-Identifier: BSD-2-Clause */
/* `ovk bench overlap-dgemm`: products of dense matrices while a sum is in progress. Separate from
 * `overlap`, whose work is as long as the sum and does not touch memory. */
#include "bench/bench.h"
#include "bench/operations/operations.h"
#include "bench/support/timing.h"

#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SPECS, COUNT, SIZES, PEAK, ITERS, ROUNDS, JSON };

static const option options[] = {
    [SPECS] =
        OPTION_TEXT("--specs", "A,B,C", NULL, "backends to measure; default: all that work here"),
    [COUNT] = OPTION_INTEGER("--count", "N", 1, 100000000, "1", "doubles in a reduction"),
    [SIZES] = OPTION_LIST("--sizes", 1, 20000, "10,30,100,300,1000", "rows of the matrices"),
    [PEAK] = OPTION_REAL("--peak", "G", 1e-3, 1e6, NULL, "theoretical peak of a core, in GFLOP/s"),
    [ITERS] = OPTION_INTEGER("--iters", "N", 1, 1000000, "10", "reductions a round and row"),
    [ROUNDS] = TABLE_ROUNDS_OPTION("5"),
    [JSON] = TABLE_JSON_OPTION,
    {0},
};

static const char definitions[] =
    "Kandalla et al., non-blocking allreduce with collective offload (2012), figure 9: after a\n"
    "barrier, begin a reduction, multiply two square matrices by cblas_dgemm, wait. Averages over\n"
    "--iters, of the slowest rank:\n"
    "  alone     speed of the product without a reduction, 2 N^3 / time, in GFLOP/s of one rank\n"
    "  with      the same, with the time from before begin to after wait; share: with / alone\n"
    "  peak      with / --peak, such as 16 times the GHz of a core that adds and multiplies eight\n"
    "            doubles a cycle\n"
    "  begin     time inside begin\n"
    "  wait      time inside wait, most of which may be due to a rank with a slower product\n"
    "  overhead  begin and wait. There are no polls\n"
    "A rank should multiply in one thread: set OPENBLAS_NUM_THREADS=1, or the variable of your\n"
    "BLAS.\n"
    "On one node a reduction takes about a microsecond, little compared with a product from\n"
    "N = 100 on: there, share shows the noise of the machine, and wait the differences in speed "
    "of\n"
    "the ranks.\n";

typedef struct bench {
  words specs;
  numbers sizes;
  int count, iterations;
  double peak; /* NAN: unknown */
  operations sums;
  double *a, *b, *c; /* matrices */
} bench;

typedef enum figure { ALONE, WITH, SHARE, OF_PEAK, BEGIN, WAIT, OVERHEAD, FIGURES } figure;

static const column columns[FIGURES] = {
    [ALONE] = {"alone", "alone_gflops", NULL, 1, 3},
    [WITH] = {"with", "with_gflops", NULL, 1, 3},
    [SHARE] = {"share %", "share_pct", NULL, 1, 1},
    [OF_PEAK] = {"peak %", "of_peak_pct", NULL, 1, 1},
    [BEGIN] = {"begin us", "begin_us", "begin_min_us", 1e6, 3},
    [WAIT] = {"wait us", "wait_us", "wait_min_us", 1e6, 3},
    [OVERHEAD] = {"overhead us", "overhead_us", "overhead_min_us", 1e6, 3},
};

static void multiply(bench *b, int n)
{
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, b->a, n, b->b, n, 0, b->c, n);
}

static ovk_err time_alone(ovk_ctx *ctx, bench *b, int n, double *mean)
{
  *mean = 0;
  for (int k = 0; k < b->iterations; k++) {
    double start;
    TRY(timing_start(ctx, &start));
    multiply(b, n);
    *mean += (MPI_Wtime() - start) / b->iterations;
  }
  return OVK_OK;
}

static ovk_err time_together(bench *b, operation *sum, int n, double *mean, double *in_begin,
                             double *in_wait)
{
  const double clock = timing_clock();
  double begins = 0, waits = 0;
  *mean = 0;
  for (int k = 0; k < b->iterations; k++) {
    double start;
    TRY(timing_start(sum->ctx, &start));
    TRY(timing_add(sum, operation_begin, &begins));
    multiply(b, n);
    TRY(timing_add(sum, operation_wait, &waits));
    *mean += (MPI_Wtime() - start) / b->iterations;
  }
  *in_begin = timing_mean(begins, b->iterations, 1, clock);
  *in_wait = timing_mean(waits, b->iterations, 1, clock);
  return OVK_OK;
}

static ovk_err measure(void *arg, int which, double *figures)
{
  enum { T_ALONE, T_TOGETHER, T_BEGIN, T_WAIT, TIMES };
  bench *b = arg;
  operation *sum = &b->sums.at[which / b->sizes.n];
  const int n = b->sizes.at[which % b->sizes.n];
  double times[TIMES];
  TRY(time_alone(sum->ctx, b, n, &times[T_ALONE]));
  TRY(time_together(b, sum, n, &times[T_TOGETHER], &times[T_BEGIN], &times[T_WAIT]));
  TRY(tool_greatest(sum->ctx, times, TIMES));
  const double gflop = 2e-9 * n * n * n;
  figures[ALONE] = gflop / times[T_ALONE];
  figures[WITH] = gflop / times[T_TOGETHER];
  figures[SHARE] = 100 * figures[WITH] / figures[ALONE];
  figures[OF_PEAK] = 100 * figures[WITH] / b->peak;
  figures[BEGIN] = times[T_BEGIN];
  figures[WAIT] = times[T_WAIT];
  figures[OVERHEAD] = times[T_BEGIN] + times[T_WAIT];
  return OVK_OK;
}

static ovk_err create_matrices(ovk_ctx *ctx, bench *b)
{
  size_t n = 1;
  for (int k = 0; k < b->sizes.n; k++)
    if ((size_t)b->sizes.at[k] > n) n = (size_t)b->sizes.at[k];
  b->a = malloc(n * n * sizeof *b->a);
  b->b = malloc(n * n * sizeof *b->b);
  b->c = malloc(n * n * sizeof *b->c);
  TRY(tool_got_memory(ctx, b->a && b->b && b->c));
  for (size_t i = 0; i < n * n; i++) b->a[i] = b->b[i] = b->c[i] = 1;
  return OVK_OK;
}

static void name_rows(const bench *b, table *t)
{
  for (int which = 0; which < t->nrows; which++) {
    const int n = b->sizes.at[which % b->sizes.n];
    char prefix[32];
    snprintf(prefix, sizeof prefix, "%6d  ", n);
    operations_name_row(&b->sums.at[which / b->sizes.n], prefix, &t->rows[which]);
    row_add_number(&t->rows[which], "n", n);
  }
  snprintf(t->title, sizeof t->title, "sums during dgemm, by N, GFLOP/s; doubles in each: %d",
           b->count);
}

static ovk_err measure_and_report(ovk_ctx *ctx, const args *given, bench *b, table *t)
{
  b->peak = NAN;
  args_real(given, PEAK, &b->peak);
  args_int(given, COUNT, &b->count);
  args_int(given, ITERS, &b->iterations);
  TRY(list_numbers(ctx, given, SIZES, NULL, &b->sizes));
  TRY(list_backends(ctx, given, SPECS, &b->specs));
  TRY(operations_create(ctx, OPERATION_SUM, &b->specs, b->count, &b->sums));
  TRY(create_matrices(ctx, b));
  TRY(table_create(ctx, b->sums.n * b->sizes.n, args_integer(given, ROUNDS), t));
  name_rows(b, t);
  return tables_run(ctx, args_text(given, JSON), &t, 1);
}

static ovk_err overlap_dgemm_run(ovk_ctx *ctx, const args *given)
{
  bench b = {.count = 0};
  table t = {.columns = columns, .ncolumns = FIGURES, .measure = measure, .arg = &b};
  const ovk_err err = measure_and_report(ctx, given, &b, &t);
  operations_destroy(&b.sums);
  free(b.a);
  free(b.b);
  free(b.c);
  table_destroy(&t);
  return err;
}

const command bench_overlap_dgemm = {
    .name = "overlap-dgemm",
    .usage = "[OPTIONS]",
    .summary = "products of dense matrices during a reduction",
    .notes = definitions,
    .options = options,
    .run = overlap_dgemm_run,
};
