/* SPDX-License-Identifier: BSD-2-Clause */
/* CPU time of the calls for sums. */
#include "bench/model/measured/measured.h"
#include "bench/support/timing.h"
#include "tool.h"

#include <math.h>
#include <ovkrylov/comm/reduction.h>
#include <stdio.h>

enum { REPEATS = 15, VALUES = 4 };

/* The least time by both clocks: other processes may take the processor from a rank. */
static ovk_err time_begin(ovk_ctx *ctx, ovk_reduction *sum, double *least)
{
  const double clock = timing_clock(), processor_clock = timing_processor_clock();
  *least = HUGE_VAL;
  for (int k = 0; k < REPEATS; k++) {
    double start;
    TRY(timing_start(ctx, &start));
    const double processor = timing_processor();
    start = MPI_Wtime();
    TRY(ovk_reduction_begin(sum));
    const double seconds = MPI_Wtime() - start - clock;
    const double own = timing_processor() - processor - processor_clock;
    *least = fmin(*least, fmax(0, fmin(seconds, own)));
    TRY(ovk_reduction_wait(sum));
  }
  return tool_greatest(ctx, least, 1);
}

/* While the sum is delayed a poll finds nothing to do. A waiting rank may yield its processor. */
static ovk_err time_poll(ovk_ctx *ctx, ovk_reduction *sum, double *mean)
{
  enum { SUMS = 10 };
  double seconds = 0, polls = 0;
  for (int k = 0; k < SUMS; k++) {
    TRY(ovk_reduction_begin(sum));
    const double start = timing_processor();
    for (bool complete = false; !complete; polls++) TRY(ovk_reduction_test(sum, &complete));
    seconds += timing_processor() - start;
    TRY(ovk_reduction_wait(sum));
  }
  *mean = seconds / polls;
  return tool_greatest(ctx, mean, 1);
}

/* Numbers that are in cache, like those of a sum. */
static ovk_err time_combine(ovk_ctx *ctx, double *seconds)
{
  enum { LENGTH = 512, ROUNDS = 200 };
  static volatile double into[LENGTH], from[LENGTH]; /* volatile: keeps the additions */
  const double start = MPI_Wtime();
  for (int round = 0; round < ROUNDS; round++) {
    for (int k = 0; k < LENGTH; k++) into[k] = into[k] + from[k];
  }
  *seconds = (MPI_Wtime() - start) / LENGTH / ROUNDS;
  return tool_greatest(ctx, seconds, 1);
}

/* Times a function over a new sum. */
static ovk_err time_sum(ovk_ctx *ctx, const char *backend,
                        ovk_err (*time)(ovk_ctx *, ovk_reduction *, double *), double *seconds)
{
  ovk_reduction *sum = NULL;
  TRY(ovk_reduction_create(ctx, backend, VALUES, &sum));
  for (int k = 0; k < VALUES; k++) ovk_reduction_values(sum)[k] = 0;
  const ovk_err err = time(ctx, sum, seconds);
  ovk_reduction_destroy(&sum);
  return err;
}

static ovk_err time_latency(ovk_ctx *ctx, ovk_reduction *sum, double *median)
{
  enum { SUMS = 10 };
  double samples[REPEATS];
  for (int k = 0; k < REPEATS; k++) {
    double start;
    TRY(timing_start(ctx, &start));
    for (int j = 0; j < SUMS; j++) {
      TRY(ovk_reduction_begin(sum));
      TRY(ovk_reduction_wait(sum));
    }
    samples[k] = (MPI_Wtime() - start) / SUMS;
  }
  *median = tool_median(samples, REPEATS);
  return tool_greatest(ctx, median, 1);
}

/* Recursive doubling sends and receives a message for each doubling. If the number of ranks is no
 * power of two, it has the messages of one more doubling. An agent also reads the part of its rank.
 * */
ovk_err measured_agent(ovk_ctx *ctx, parameters *p)
{
  double latency;
  int doublings = 0;
  if (p->value[RANKS_PER_NODE] < ovk_ctx_size(ctx)) return OVK_OK;
  while (1 << doublings < ovk_ctx_size(ctx)) doublings++;
  TRY(time_sum(ctx, "verbs:device=emulated,agent=thread,alg=doubling", time_latency, &latency));
  p->value[AGENT] = latency / (1 + 2 * doublings) / parameter_unit(AGENT);
  return OVK_OK;
}

ovk_err measured_sums(ovk_ctx *ctx, const char *backend, parameters *p)
{
  char slow[64 + ROW_NAME];
  double begin, poll, combine;
  snprintf(slow, sizeof slow, "emulate-latency:us=300|%s", backend);
  TRY(time_sum(ctx, backend, time_begin, &begin));
  TRY(time_sum(ctx, slow, time_poll, &poll));
  TRY(time_combine(ctx, &combine));
  const parameter o = p->value[RANKS_PER_NODE] > 1 ? NODE_o : NET_o; /* of the first message */
  const double first_message = p->value[o] * parameter_unit(o);
  p->value[BEGIN] = fmax(0, begin - first_message) / parameter_unit(BEGIN);
  p->value[POLL] = poll / parameter_unit(POLL);
  p->value[COMBINE] = combine / parameter_unit(COMBINE);
  return OVK_OK;
}
