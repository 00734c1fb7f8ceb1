/* SPDX-License-Identifier: BSD-2-Clause */
/* Measuring one way of summing. */
#include "bench/reduction/probe.h"
#include "bench/support/timing.h"
#include "bench/support/work.h"
#include "tool.h"

#include <math.h>
#include <time.h>

static const double busy_seconds = 0.02; /* of the rank that delays the others */
enum { PEER_DELAYS = 3 };

/* For the overhead: the number of polls per sum, and the length of the work in latencies, so that
 * wait finds the sum complete. */
enum { POLLS = 10, WORK_FACTOR = 4 };

/* *mean <- seconds of one begin, work and wait. */
static ovk_err time_sums(operation *sum, int iterations, long steps, double *mean)
{
  double start;
  TRY(timing_start(sum->ctx, &start));
  for (int k = 0; k < iterations; k++) {
    TRY(operation_begin(sum));
    if (steps) work(steps);
    TRY(operation_wait(sum));
  }
  *mean = (MPI_Wtime() - start) / iterations;
  return OVK_OK;
}

static double time_work(int iterations, long steps)
{
  const double start = MPI_Wtime();
  for (int k = 0; k < iterations; k++) work(steps);
  return (MPI_Wtime() - start) / iterations;
}

static ovk_err time_calls(operation *sum, int iterations, double *in_begin, double *in_wait)
{
  const double clock = timing_clock();
  double start, begins = 0, waits = 0;
  TRY(timing_start(sum->ctx, &start));
  for (int k = 0; k < iterations; k++) {
    TRY(timing_add(sum, operation_begin, &begins));
    TRY(timing_add(sum, operation_wait, &waits));
  }
  *in_begin = timing_mean(begins, iterations, 1, clock);
  *in_wait = timing_mean(waits, iterations, 1, clock);
  return OVK_OK;
}

/* NBCBench (Hoefler, Lumsdaine, Rehm, SC'07, listing 3): the time inside all calls while work
 * longer than the sum is done between them. `steps`: work between two polls. */
static ovk_err time_overhead(operation *sum, int iterations, long steps, double *mean)
{
  const double clock = timing_clock();
  double start, inside = 0;
  TRY(timing_start(sum->ctx, &start));
  for (int k = 0; k < iterations; k++) {
    TRY(timing_add(sum, operation_begin, &inside));
    for (int n = 0; n < POLLS; n++) {
      work(steps);
      TRY(timing_add(sum, operation_test, &inside));
    }
    TRY(timing_add(sum, operation_wait, &inside));
  }
  *mean = timing_mean(inside, iterations, POLLS + 2, clock);
  return OVK_OK;
}

static void sleep_instead(long nanoseconds)
{
  nanosleep(&(struct timespec){.tv_nsec = nanoseconds}, NULL);
}

/* The time that the other ranks wait when the last rank is outside the library after its begin:
 * with absent(duration). */
static ovk_err time_peer_delay(operation *sum, void (*absent)(long), long duration, double *seconds)
{
  const int rank = ovk_ctx_rank(sum->ctx), size = ovk_ctx_size(sum->ctx);
  *seconds = 0;
  for (int k = 0; k < PEER_DELAYS && size > 1; k++) {
    double start;
    TRY(timing_start(sum->ctx, &start));
    TRY(operation_begin(sum));
    if (rank == size - 1) absent(duration);
    start = MPI_Wtime();
    TRY(operation_wait(sum));
    if (rank < size - 1) *seconds += (MPI_Wtime() - start) / PEER_DELAYS;
  }
  return OVK_OK;
}

ovk_err probe_measure(operation *sum, int iterations, double figures[PROBE_FIGURES])
{
  double *const latency = &figures[PROBE_LATENCY], together;
  TRY(time_sums(sum, iterations, 0, latency));
  TRY(tool_greatest(sum->ctx, latency, 1)); /* the same amount of work on all ranks */
  const long steps = work_steps(*latency);
  const double alone = time_work(iterations, steps);
  TRY(time_sums(sum, iterations, steps, &together));
  TRY(time_calls(sum, iterations, &figures[PROBE_BEGIN], &figures[PROBE_WAIT]));
  figures[PROBE_OVERHEAD] = figures[PROBE_BEGIN];
  if (!sum->blocking) {
    TRY(time_overhead(sum, iterations, 1 + WORK_FACTOR * steps / POLLS, &figures[PROBE_OVERHEAD]));
  }
  TRY(time_peer_delay(sum, work, work_steps(busy_seconds), &figures[PROBE_PEER_DELAY]));
  TRY(time_peer_delay(sum, sleep_instead, (long)(1e9 * busy_seconds), &figures[PROBE_ASLEEP]));
  TRY(tool_greatest(sum->ctx, figures, PROBE_TIMES));
  if (ovk_ctx_size(sum->ctx) == 1) figures[PROBE_PEER_DELAY] = figures[PROBE_ASLEEP] = NAN;
  double spans[2] = {alone, together};
  TRY(tool_greatest(sum->ctx, spans, 2));
  const double hidden = *latency - (spans[1] - spans[0]);
  figures[PROBE_OVERLAP_OSU] = timing_per_cent(hidden / *latency);
  figures[PROBE_OVERLAP_IMB] = timing_per_cent(hidden / fmin(*latency, spans[0]));
  return OVK_OK;
}
