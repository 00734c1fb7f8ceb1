/* SPDX-License-Identifier: BSD-2-Clause */
/* Solves once, or repeatedly for reliable times. */
#include "measure.h"
#include "tool.h"

#include <string.h>

enum { TIMES = sizeof(ovk_seconds) / sizeof(double) }; /* the struct consists of doubles only */

static ovk_err solve_once(ovk_solver *solver, const ovk_vec *b, ovk_vec *x, watch *w,
                          ovk_result *result)
{
  ovk_ctx *ctx = ovk_vec_ctx(x);
  TRY(ovk_vec_fill(x, 0));
  TRY(tool_mpi(ctx, MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier")); /* a common start time */
  const ovk_err err = ovk_solver_solve(solver, b, x, result);
  watch_end(w);
  return err;
}

ovk_err measure_solve(ovk_solver *solver, const ovk_vec *b, ovk_vec *x, int repeat, watch *w,
                      ovk_result *result)
{
  double samples[TIMES][MAX_REPEAT], seconds[TIMES];
  const watch all = *w;
  const int solves = repeat > 0 ? repeat : 1;
  for (int k = repeat > 0 ? -1 : 0; k < solves; k++) { /* -1: the warm-up */
    w->history = k == solves - 1 ? all.history : NULL;
    w->record = k == solves - 1 ? all.record : NULL;
    TRY(solve_once(solver, b, x, w, result));
    memcpy(seconds, &result->seconds, sizeof seconds);
    TRY(tool_greatest(ovk_vec_ctx(x), seconds, TIMES));
    if (k < 0) continue;
    for (int t = 0; t < TIMES; t++) samples[t][k] = seconds[t];
  }
  for (int t = 0; t < TIMES; t++) seconds[t] = tool_median(samples[t], solves);
  memcpy(&result->seconds, seconds, sizeof seconds);
  return OVK_OK;
}
