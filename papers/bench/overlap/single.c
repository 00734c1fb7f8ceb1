/* SPDX-License-Identifier: BSD-2-Clause */
/* Times of single operations. */
#include "bench/overlap/single.h"
#include "bench/support/timing.h"
#include "bench/support/work.h"
#include "tool.h"

#include <math.h>

/* Calls a function for all operations that run at the same time, in sequence. */
static ovk_err call_each(const single *s, ovk_err (*call)(operation *))
{
  for (int k = 0; k < s->at_once; k++) TRY(call(s->at[k]));
  return OVK_OK;
}

/* As call_each(), timed. */
static ovk_err call_all(const single *s, ovk_err (*call)(operation *), double *inside)
{
  for (int k = 0; k < s->at_once; k++) TRY(timing_add(s->at[k], call, inside));
  return OVK_OK;
}

/* *start <- the time at which iteration k begins. */
static ovk_err start_one(const single *s, int k, double *start)
{
  const bool barrier = k == 0 || !s->in_a_row;
  if (barrier && !s->barrier) return timing_start(s->ctx, start);
  if (barrier) TRY(ovk_collective_run(s->barrier));
  *start = MPI_Wtime();
  return OVK_OK;
}

static ovk_err time_latency(const single *s, double clock, double *figures)
{
  double start, sum = 0, *const samples = s->samples[0];
  for (int k = 0; k < s->iterations; k++) {
    double inside = 0;
    TRY(start_one(s, k, &start));
    TRY(call_all(s, operation_begin, &inside));
    TRY(call_all(s, operation_wait, &inside));
    samples[k] = fmax(0, inside - 2 * s->at_once * clock);
    sum += samples[k];
  }
  figures[SINGLE_MEAN] = sum / s->iterations;
  figures[SINGLE_LATENCY] = tool_median(samples, s->iterations); /* which sorts them */
  figures[SINGLE_LEAST] = samples[0];
  figures[SINGLE_MOST] = samples[s->iterations - 1];
  return OVK_OK;
}

/* The pieces that the work is cut into: without polls it is one. */
static int slices(const single *s)
{
  return s->polls ? s->polls : 1;
}

/* `steps` of work in each slice, followed by a poll if there are any. */
static ovk_err time_parts(const single *s, long steps, double clock, double *figures)
{
  enum { INIT, TEST, WAIT, TOTAL };
  const double readings = s->at_once;
  const double clocks[SINGLE_PARTS] = {[INIT] = readings,
                                       [TEST] = readings * s->polls,
                                       [WAIT] = readings,
                                       [TOTAL] = 2 * readings * (s->polls + 2)};
  for (int k = 0; k < s->iterations; k++) {
    double start, inside[SINGLE_PARTS] = {0};
    TRY(start_one(s, k, &start));
    TRY(call_all(s, operation_begin, &inside[INIT]));
    for (int n = 0; n < slices(s); n++) {
      work(steps);
      if (s->polls) TRY(call_all(s, operation_test, &inside[TEST]));
    }
    TRY(call_all(s, operation_wait, &inside[WAIT]));
    inside[TOTAL] = MPI_Wtime() - start;
    for (int part = 0; part < SINGLE_PARTS; part++)
      s->samples[part][k] = fmax(0, inside[part] - clocks[part] * clock);
  }
  for (int part = 0; part < SINGLE_PARTS; part++)
    figures[SINGLE_INIT + part] = tool_median(s->samples[part], s->iterations);
  return OVK_OK;
}

/* Processor time of this thread: that of an agent or an adapter that takes its processor does not
 * count. As time_parts(), minus the time of the same work alone: the clock is slow, and read twice
 * for each. */
static ovk_err time_own(const single *s, long steps, double *figures)
{
  double unused = 0, *const with = s->samples[0], *const alone = s->samples[1];
  for (int k = 0; k < s->iterations; k++) {
    TRY(start_one(s, k, &unused));
    double start = timing_processor();
    TRY(call_each(s, operation_begin));
    for (int n = 0; n < slices(s); n++) {
      work(steps);
      if (s->polls) TRY(call_each(s, operation_test));
    }
    TRY(call_each(s, operation_wait));
    with[k] = timing_processor() - start;
    start = timing_processor();
    for (int n = 0; n < slices(s); n++) work(steps);
    alone[k] = timing_processor() - start;
  }
  figures[SINGLE_OWN] =
      fmax(0, tool_median(with, s->iterations) - tool_median(alone, s->iterations));
  return OVK_OK;
}

ovk_err single_measure(const single *s, double figures[SINGLE_FIGURES])
{
  const double clock = timing_clock();
  TRY(time_latency(s, clock, figures));
  double least = -figures[SINGLE_LATENCY];
  TRY(tool_greatest(s->ctx, &least, 1));
  TRY(tool_greatest(s->ctx, figures, SINGLE_INIT)); /* the same amount of work on all ranks */
  const long steps = work_steps(figures[SINGLE_LATENCY] / slices(s));
  TRY(time_parts(s, steps, clock, figures));
  TRY(time_own(s, steps, figures));
  TRY(tool_greatest(s->ctx, figures, SINGLE_TIMES));
  const double spent = figures[SINGLE_TEST] + figures[SINGLE_WAIT];
  const double overhead = figures[SINGLE_INIT] + spent;
  figures[SINGLE_HIDDEN] = timing_per_cent(1 - overhead / figures[SINGLE_LATENCY]);
  figures[SINGLE_BUSY] = timing_per_cent(1 - spent / figures[SINGLE_TOTAL]);
  figures[SINGLE_FASTEST] = -least;
  figures[SINGLE_OFFLOADED] = timing_per_cent(1 - figures[SINGLE_OWN] / figures[SINGLE_LATENCY]);
  return OVK_OK;
}
