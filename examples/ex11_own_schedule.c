/* SPDX-License-Identifier: BSD-2-Clause */
/* A user-defined collective operation: each rank sends its load to its two neighbors in a ring and
 * adds the three loads, while it computes something else. The library checks that the schedules of
 * all ranks match, and executes them. */
#include <ovkrylov/comm/collectives.h>
#include <ovkrylov/comm/schedule.h>
#include <ovkrylov/ovkrylov.h>
#include <stdio.h>

enum { STEPS = 3, ROWS = 100000, ROWS_BETWEEN_POLLS = 1000 };

/* Errors are kept in the schedule, until all ranks check it. */
static void write_schedule(int rank, int nranks, ovk_schedule *s)
{
  const ovk_place own = {OVK_INPUT, 0}, sum = {OVK_OUTPUT, 0};
  const ovk_place left = {OVK_WORK, 0}, right = {OVK_WORK, 1};
  if (nranks > 1) {
    const int next = (rank + 1) % nranks, previous = (rank + nranks - 1) % nranks;
    ovk_schedule_send(s, next, own, 1);
    ovk_schedule_send(s, previous, own, 1);
    ovk_schedule_receive(s, previous, left, 1);
    ovk_schedule_receive(s, next, right, 1);
  } else {
    ovk_schedule_copy(s, own, left, 1);
    ovk_schedule_copy(s, own, right, 1);
  }
  ovk_schedule_copy(s, own, sum, 1);
  ovk_schedule_combine(s, left, sum, 1);
  ovk_schedule_combine(s, right, sum, 1);
}

static void print(void *arg, int round, const char *action)
{
  (void)arg;
  printf("round %d: %s\n", round, action);
}

/* Work that has nothing to do with the operation, which progresses from time to time. */
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

int main(int argc, char **argv)
{
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ovk_ctx *ctx = NULL;
  ovk_schedule *schedule = NULL;
  ovk_collective *neighbors = NULL;
  long load = 0, sum = 0;
  bool right = true;
  ovk_err err = OVK_OK;
  OVK_CALL(err, ovk_ctx_create(MPI_COMM_WORLD, &ctx));
  const int nranks = err ? 1 : ovk_ctx_size(ctx);
  const int next = (rank + 1) % nranks, previous = (rank + nranks - 1) % nranks;
  ovk_schedule_create(ctx, &schedule); /* without memory NULL, which is reported below */
  write_schedule(rank, nranks, schedule);
  OVK_CALL(err, ovk_collective_create_scheduled(ctx, "nbc", schedule, &load, 1, &sum, 1, MPI_LONG,
                                                MPI_SUM, &neighbors));
  if (!err && rank == 0) ovk_schedule_print(schedule, print, NULL);
  for (int step = 0; !err && step < STEPS; step++) {
    load = step + rank;
    OVK_CALL(err, ovk_collective_begin(neighbors));
    const double other = work(ovk_collective_poll(neighbors, ROWS_BETWEEN_POLLS));
    OVK_CALL(err, ovk_collective_wait(neighbors));
    right = right && sum == 3 * step + rank + next + previous;
    if (!err && rank == 0)
      printf("step %d: %ld with both neighbors, meanwhile %.6f\n", step, sum, other);
  }
  if (err && rank == 0) fprintf(stderr, "%s: %s\n", ovk_err_text(err), ovk_ctx_error(ctx));
  ovk_collective_destroy(&neighbors);
  ovk_schedule_destroy(&schedule);
  ovk_ctx_destroy(&ctx);
  MPI_Finalize();
  return !err && right ? 0 : 1;
}
