/* SPDX-License-Identifier: BSD-2-Clause */
/* A reduction alone, for a program that has its own solver: the program begins the sum of two
 * values over all ranks, polls it while it computes, and waits for it.
 *
 *     mpiexec -n 2 ex13_reduction nbc
 *
 * Its argument: the backend, see `ovk list backends`; default: OVK_BACKEND, or else auto. */
#include <math.h>
#include <ovkrylov/comm/reduction.h>
#include <ovkrylov/ovkrylov.h>
#include <stdio.h>

enum { N = 100000, EVERY = 1000, STEPS = 50 };

/* x <- cos(x); `poll` is called every `poll.every` entries and advances the reduction. */
static void work(double x[N], ovk_poll poll)
{
  for (ovk_lidx i = 0, end; i < N; i = end) {
    end = ovk_poll_until(poll, i, N);
    for (ovk_lidx k = i; k < end; k++) x[k] = cos(x[k]);
    if (end < N) ovk_poll_call(poll);
  }
}

/* *total <- the sum of the values of all ranks; the work on x overlaps the reduction. */
static ovk_err sum_behind_work(ovk_reduction *red, double value, double x[N], double *total)
{
  double *values = ovk_reduction_values(red); /* this rank's part, until wait: then the totals */
  values[0] = value;
  values[1] = 1;
  ovk_err err = ovk_reduction_begin(red);
  if (err) return err;
  work(x, ovk_reduction_poll(red, EVERY));
  err = ovk_reduction_wait(red);
  *total = values[0] / values[1];
  return err;
}

int main(int argc, char **argv)
{
  static double x[N];
  double mean = 0;
  ovk_ctx *ctx = NULL;
  ovk_reduction *red = NULL;
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ovk_err err = ovk_ctx_create(MPI_COMM_WORLD, &ctx);
  ovk_ctx_on_notice(ctx, ovk_notice_print, rank == 0 ? stderr : NULL);
  OVK_CALL(err, ovk_reduction_create(ctx, argc > 1 ? argv[1] : NULL, 2, &red));
  for (int k = 0; k < STEPS && !err; k++) err = sum_behind_work(red, rank + k, x, &mean);
  const double expected = (ovk_ctx_size(ctx) - 1) / 2.0 + STEPS - 1;
  if (rank == 0 && err) fprintf(stderr, "%s: %s\n", ovk_err_text(err), ovk_ctx_error(ctx));
  if (rank == 0 && !err) printf("mean %g by %s\n", mean, ovk_reduction_spec(red));
  ovk_reduction_destroy(&red);
  ovk_ctx_destroy(&ctx);
  MPI_Finalize();
  return err || fabs(mean - expected) > 1e-12 ? 1 : 0;
}
