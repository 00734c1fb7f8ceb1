/* SPDX-License-Identifier: BSD-2-Clause */
/* A problem, solved by any method with any backend. */
#include "bench/support/testbed.h"
#include "bench/support/timing.h"
#include "tool.h"

#include <string.h>

static problem_request model_problem(const int n[3], const int grid[3])
{
  return (problem_request){.name = "laplace27",
                           .make = problem_laplace27,
                           .n = {n[0], n[1], n[2]},
                           .grid = {grid[0], grid[1], grid[2]},
                           .rhs = "ones"};
}

ovk_err testbed_create_for(ovk_ctx *ctx, const problem_request *request, testbed *out)
{
  *out = (testbed){.ctx = ctx};
  TRY(problem_create(ctx, request, &out->problem));
  TRY(testbed_precondition(out, "jacobi"));
  return ovk_mat_create_vec(out->problem.A, &out->x);
}

ovk_err testbed_create(ovk_ctx *ctx, const args *given, const int n[3], testbed *out)
{
  static const int any[3] = {0};
  problem_request request = model_problem(n, any);
  for (int k = 0; k < PROBLEM_OPTIONS; k++) {
    if (args_has(given, k)) {
      TRY(problem_options_read(ctx, given, &request));
      break;
    }
  }
  return testbed_create_for(ctx, &request, out);
}

ovk_err testbed_create_on(ovk_ctx *ctx, const int n[3], const int grid[3], testbed *out)
{
  const problem_request request = model_problem(n, grid);
  return testbed_create_for(ctx, &request, out);
}

ovk_err testbed_precondition(testbed *t, const char *spec)
{
  ovk_precond_destroy(&t->M);
  return ovk_precond_create(t->problem.A, spec, &t->M);
}

void testbed_destroy(testbed *t)
{
  ovk_vec_destroy(&t->x);
  ovk_precond_destroy(&t->M);
  problem_destroy(&t->problem);
}

static ovk_err create_solver(const testbed *t, const char *method, const char *backend,
                             ovk_solver **out)
{
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  opts.method = method;
  opts.backend = backend;
  opts.exact = t->exact;
  return ovk_solver_create(t->problem.A, t->M, &opts, out);
}

ovk_err testbed_check(const testbed *t, const words *methods, const words *backends)
{
  for (int k = 0; k < methods->n * backends->n; k++) {
    ovk_solver *solver = NULL;
    TRY(create_solver(t, methods->at[k / backends->n], backends->at[k % backends->n], &solver));
    ovk_solver_destroy(&solver);
  }
  return OVK_OK;
}

/* seconds[k] <- the time of solve k, or *seconds <- that of all. */
static ovk_err solve(testbed *t, ovk_solver *solver, int times, bool each, ovk_result *result,
                     double *seconds)
{
  double start;
  memset(seconds, 0, (size_t)(each ? times : 1) * sizeof *seconds);
  TRY(timing_start(t->ctx, &start));
  for (int k = 0; k < times; k++) {
    TRY(ovk_vec_fill(t->x, 0));
    TRY(ovk_solver_solve(solver, t->problem.b, t->x, result));
    seconds[each ? k : 0] += result->seconds.solve;
    if (result->reason <= 0) {
      return ovk_ctx_fail(t->ctx, OVK_ERR_STATE, "%s: %s", ovk_solver_method(solver),
                          ovk_ctx_error(t->ctx));
    }
  }
  return tool_greatest(t->ctx, seconds, each ? times : 1);
}

static ovk_err create_and_solve(testbed *t, const char *method, const char *backend, int times,
                                bool each, ovk_result *result, double *seconds)
{
  ovk_solver *solver = NULL;
  TRY(create_solver(t, method, backend, &solver));
  const ovk_err err = solve(t, solver, times, each, result, seconds);
  ovk_solver_destroy(&solver);
  return err;
}

ovk_err testbed_solve(testbed *t, const char *method, const char *backend, int times,
                      ovk_result *result, double *seconds)
{
  return create_and_solve(t, method, backend, times, false, result, seconds);
}

ovk_err testbed_solve_each(testbed *t, const char *method, const char *backend, int times,
                           ovk_result *result, double *seconds)
{
  return create_and_solve(t, method, backend, times, true, result, seconds);
}
