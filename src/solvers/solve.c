/* SPDX-License-Identifier: BSD-2-Clause */
/* One solve: the start, the method's iterations, the true residual at the exit, and the result.
 * What is the same for every method stands here, once. */
#include "solvers/step.h"
#include "solvers/stop.h"

#include <math.h>
#include <string.h>

static ovk_err check(const ovk_solver *S, const ovk_vec *b, const ovk_vec *x)
{
  OVK_CHECK(b && x, S->ctx, OVK_ERR_ARG, "%s is NULL", b ? "x" : "b");
  OVK_TRY(ovk__mat_check_vec(S->A, b, "b"));
  OVK_TRY(ovk__mat_check_vec(S->A, x, "x"));
  OVK_CHECK(b != x && !ovk__vec_overlap(b, x), S->ctx, OVK_ERR_ARG, "b and x are the same vector");
  return OVK_OK;
}

void ovk__solve_reset(ovk_solver *S, const ovk_vec *b, ovk_vec *x)
{
  S->b = b;
  S->x = x;
  S->D = ovk__precond_inverse_diagonal(S->M);
  S->reason = OVK_NOT_RUN;
  S->sentence[0] = '\0';
  S->active = S->method;
  S->sums = S->all_sums[0];
  S->iterations = S->restarts = S->replacements = S->method_changes = S->exits = 0;
  S->bb = S->norm_b = S->tolerance = S->lost = S->rr = S->true_rr = 0;
  S->my_wish = S->any_wish = false;
  S->failed = OVK_OK;
}

/* r <- b - A x, and its global norm. */
static ovk_err residual(ovk_solver *S, double *bb, double *rr)
{
  *rr = ovk__step_residual(S, S->x, S->work[0], bb);
  return ovk__step_start_sum(S, bb, rr);
}

static ovk_err run(ovk_solver *S)
{
  double bb, rr;
  OVK_TRY(residual(S, &bb, &rr));
  OVK_TRY(ovk__stop_start(S, bb, rr));
  if (!S->reason && S->no_factors) {
    ovk__stop(S, OVK_BREAKDOWN_INDEFINITE_M, "%s", S->no_factors_why);
  }
  while (!S->reason) {
    OVK_TRY(S->active->iterate(S));
    OVK_TRY(ovk__step_drain(S));
    OVK_TRY(residual(S, &bb, &rr));
    ovk__stop_confirm(S, rr);
  }
  return OVK_OK;
}

/* The parts of ovk_seconds. */
enum { PARTS = 7 };
static const ovk_event part_events[PARTS] = {OVK_EVENT_SOLVE,         OVK_EVENT_MULT,
                                             OVK_EVENT_HALO_WAIT,     OVK_EVENT_PRECOND,
                                             OVK_EVENT_VECTOR,        OVK_EVENT_REDUCTION_BEGIN,
                                             OVK_EVENT_REDUCTION_WAIT};

/* What the context's clocks show. */
static void read_clocks(const ovk_ctx *ctx, double seconds[PARTS])
{
  for (int k = 0; k < PARTS; k++) seconds[k] = ovk_log_seconds(ctx, part_events[k]);
}

static ovk_seconds elapsed(const ovk_ctx *ctx, const double since[PARTS])
{
  double t[PARTS];
  read_clocks(ctx, t);
  for (int k = 0; k < PARTS; k++) t[k] -= since[k];
  return (ovk_seconds){t[0], t[1], t[2], t[3], t[4], t[5], t[6]};
}

static void fill_result(const ovk_solver *S, ovk_result *res)
{
  const bool zero = S->reason == OVK_CONVERGED_ZERO_RHS;
  *res = (ovk_result){.reason = S->reason,
                      .iterations = S->iterations,
                      .restarts = S->restarts,
                      .replacements = S->replacements,
                      .method_changes = S->method_changes,
                      .reductions_per_iteration = S->method->reductions_per_iteration,
                      .vectors = S->vectors,
                      .rhs_norm = S->norm_b,
                      .tolerance = S->tolerance,
                      .relative_residual = zero ? 0 : sqrt(S->rr / S->bb),
                      .true_relative_residual = zero ? 0 : sqrt(S->true_rr / S->bb)};
}

ovk_err ovk_solver_solve(ovk_solver *S, const ovk_vec *b, ovk_vec *x, ovk_result *res)
{
  if (!S) return OVK_ERR_ARG;
  if (res) memset(res, 0, sizeof *res);
  OVK_TRY(ovk__agree(S->ctx, check(S, b, x)));
  double since[PARTS];
  read_clocks(S->ctx, since);
  const double start = MPI_Wtime();
  ovk__solve_reset(S, b, x);
  const ovk_err err = run(S);
  if (err) (void)ovk__step_drain(S);
  ovk__log_add(&S->ctx->log, OVK_EVENT_SOLVE, start);
  if (err) return err;
  if (S->reason < 0) ovk__say(S->ctx, "%s", S->sentence);
  if (!res) return OVK_OK;
  fill_result(S, res);
  res->seconds = elapsed(S->ctx, since);
  return OVK_OK;
}

ovk_err ovk_pcg_solve(const ovk_mat *A, ovk_precond *M, const ovk_vec *b, ovk_vec *x,
                      const ovk_pcg_opts *opts, ovk_result *res)
{
  ovk_solver *solver = NULL;
  if (res) memset(res, 0, sizeof *res);
  OVK_TRY(ovk_solver_create(A, M, opts, &solver));
  const ovk_err err = ovk_solver_solve(solver, b, x, res);
  ovk_solver_destroy(&solver);
  return err;
}
