/* SPDX-License-Identifier: BSD-2-Clause */
/* Time of an iteration in a solve of the 27-point model problem, by a monitor that reads the
 * clock. */
#include "bench/model/timed.h"
#include "tool.h"

/* Few enough that the residuals of all methods still agree; "pipecg" needs a replacement or
 * two. */
enum { WARM_UP = 4, WINDOW = 2, WINDOWS = 16, ITERATIONS = WARM_UP + WINDOW * WINDOWS };

static int read_clock(void *arg, const ovk_progress *progress)
{
  ((double *)arg)[progress->iteration] = MPI_Wtime();
  return 0;
}

static ovk_err create_solver(testbed *t, const char *method, const char *backend, double *times,
                             ovk_solver **out)
{
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  opts.method = method;
  opts.backend = backend;
  opts.rtol = 0;
  opts.maxit = ITERATIONS;
  opts.monitor = read_clock;
  opts.monitor_arg = times;
  return ovk_solver_create(t->problem.A, t->M, &opts, out);
}

ovk_err timed_check(testbed *t, const words *methods, const char *backend)
{
  for (int k = 0; k < methods->n; k++) {
    ovk_solver *solver = NULL;
    TRY(create_solver(t, methods->at[k], backend, NULL, &solver));
    ovk_solver_destroy(&solver);
  }
  return OVK_OK;
}

/* times[] <- the end time of each iteration. */
static ovk_err solve(testbed *t, ovk_solver *solver, int *vectors)
{
  ovk_result result = OVK_RESULT;
  TRY(ovk_vec_fill(t->x, 0));
  TRY(tool_mpi(t->ctx, MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier"));
  TRY(ovk_solver_solve(solver, t->problem.b, t->x, &result));
  *vectors = result.vectors + 1;
  if (result.iterations == ITERATIONS && result.replacements < WINDOWS / 3 &&
      result.method_changes == 0) {
    return OVK_OK;
  }
  return ovk_ctx_fail(t->ctx, OVK_ERR_STATE,
                      "%s: ended in iteration %d with %d replacements (%s): the box is too small",
                      ovk_solver_method(solver), result.iterations, result.replacements,
                      ovk_reason_text(result.reason));
}

ovk_err timed_solve(testbed *t, const char *method, const char *backend, double *seconds,
                    int *vectors)
{
  double times[ITERATIONS + 1], windows[WINDOWS];
  ovk_solver *solver = NULL;
  TRY(create_solver(t, method, backend, times, &solver));
  const ovk_err err = solve(t, solver, vectors);
  ovk_solver_destroy(&solver);
  TRY(err);
  for (int k = 0; k < WINDOWS; k++) {
    const double *start = times + WARM_UP + k * WINDOW;
    windows[k] = (start[WINDOW] - start[0]) / WINDOW;
  }
  *seconds = tool_median(windows, WINDOWS);
  return tool_greatest(t->ctx, seconds, 1);
}
