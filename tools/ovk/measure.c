/* SPDX-License-Identifier: BSD-2-Clause */
/* Solves once, or repeatedly for reliable times. */
#include "measure.h"
#include "tool.h"

#include <string.h>

enum { TIMES = sizeof(ovk_seconds) / sizeof(double) }; /* the struct consists of doubles only */

static ovk_err measure_once(ovk_ctx *ctx, solve_fn solve, void *self, watch *w, ovk_result *result)
{
  TRY(tool_mpi(ctx, MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier")); /* a common start time */
  const ovk_err err = solve(self, result);
  watch_end(w);
  return err;
}

ovk_err measure_solve(ovk_ctx *ctx, solve_fn solve, void *self, int repeat, watch *w,
                      ovk_result *result)
{
  double samples[TIMES][MAX_REPEAT], seconds[TIMES];
  const watch all = *w;
  const int solves = repeat > 0 ? repeat : 1;
  for (int k = repeat > 0 ? -1 : 0; k < solves; k++) { /* -1: the warm-up */
    w->history = k == solves - 1 ? all.history : NULL;
    w->record = k == solves - 1 ? all.record : NULL;
    TRY(measure_once(ctx, solve, self, w, result));
    memcpy(seconds, &result->seconds, sizeof seconds);
    TRY(tool_greatest(ctx, seconds, TIMES));
    if (k < 0) continue;
    for (int t = 0; t < TIMES; t++) samples[t][k] = seconds[t];
  }
  for (int t = 0; t < TIMES; t++) seconds[t] = tool_median(samples[t], solves);
  memcpy(&result->seconds, seconds, sizeof seconds);
  return OVK_OK;
}
