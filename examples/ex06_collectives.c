/* SPDX-License-Identifier: BSD-2-Clause */
/* Collective operations that overlap computation: ranks exchange shares of their numbers and find
 * the maximum while they compute something else. Operations are created once and used in every
 * step.
 */
#include <inttypes.h>
#include <ovkrylov/comm/collectives.h>
#include <ovkrylov/ovkrylov.h>
#include <stdio.h>
#include <stdlib.h>

enum { SHARE = 1000, STEPS = 5, ROWS = 100000, ROWS_BETWEEN_POLLS = 1000 };

/* Work that has nothing to do with the operations; it progresses one of them from time to time. */
static double work(ovk_poll poll)
{
  double sum = 0;
  for (ovk_lidx i = 0, end; i < ROWS; i = end) {
    end = ovk_poll_until(poll, i, ROWS);
    for (ovk_lidx row = i; row < end; row++) sum += 1.0 / (1.0 + row);
    ovk_poll_call(poll);
  }
  return sum;
}

/* The first number that this rank sends to rank r in a step. */
static int64_t first_for(int step, int rank, int r)
{
  return ((int64_t)step * 1000 + rank) * 1000000 + (int64_t)r * SHARE;
}

/* Fills `given` and returns the largest number in it. */
static int64_t numbers_fill(int step, int rank, int nranks, int64_t *given)
{
  for (int r = 0; r < nranks; r++) {
    for (int i = 0; i < SHARE; i++) given[r * SHARE + i] = first_for(step, rank, r) + i;
  }
  return first_for(step, rank, nranks - 1) + SHARE - 1;
}

static bool all_arrived(int step, int rank, int nranks, const int64_t *got)
{
  for (int r = 0; r < nranks; r++) {
    for (int i = 0; i < SHARE; i++) {
      if (got[r * SHARE + i] != first_for(step, r, rank) + i) return false;
    }
  }
  return true;
}

/* *right <- whether this rank received the expected numbers in each step. */
static ovk_err steps_run(ovk_ctx *ctx, int64_t *given, int64_t *got, bool *right)
{
  const int rank = ovk_ctx_rank(ctx), nranks = ovk_ctx_size(ctx);
  int64_t own = 0, largest = 0;
  ovk_collective *swap = NULL, *max = NULL;
  ovk_err err = OVK_OK;
  *right = true;
  OVK_CALL(err, ovk_collective_create_alltoall(ctx, "nbc:window=6", given, got, SHARE,
                                               sizeof *given, &swap));
  OVK_CALL(err, ovk_collective_create_allreduce(ctx, "nbc", &own, &largest, 1, OVK_TYPE_INT64,
                                                OVK_OP_MAX, &max));
  for (int step = 0; !err && step < STEPS; step++) {
    own = numbers_fill(step, rank, nranks, given);
    OVK_CALL(err, ovk_collective_begin(swap));
    OVK_CALL(err, ovk_collective_begin(max));
    const double sum = work(ovk_collective_poll(swap, ROWS_BETWEEN_POLLS));
    OVK_CALL(err, ovk_collective_wait(swap)); /* progresses max, too */
    OVK_CALL(err, ovk_collective_wait(max));
    const int64_t expected = first_for(step, nranks - 1, nranks - 1) + SHARE - 1;
    *right = *right && largest == expected && all_arrived(step, rank, nranks, got);
    if (!err && rank == 0)
      printf("step %d: largest %" PRId64 ", meanwhile %.6f\n", step, largest, sum);
  }
  ovk_collective_destroy(&max);
  ovk_collective_destroy(&swap);
  return err;
}

int main(int argc, char **argv)
{
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ovk_ctx *ctx = NULL;
  int64_t *given = NULL, *got = NULL;
  bool right = false;
  ovk_err err = OVK_OK;
  OVK_CALL(err, ovk_ctx_create(MPI_COMM_WORLD, &ctx));
  const size_t items = (size_t)ovk_ctx_size(ctx) * SHARE;
  given = malloc(items * sizeof *given); /* NULL is reported when the operation is created */
  got = malloc(items * sizeof *got);
  OVK_CALL(err, steps_run(ctx, given, got, &right));
  if (err && rank == 0) fprintf(stderr, "%s: %s\n", ovk_err_text(err), ovk_ctx_error(ctx));
  free(got);
  free(given);
  ovk_ctx_destroy(&ctx);
  MPI_Finalize();
  return !err && right ? 0 : 1;
}
