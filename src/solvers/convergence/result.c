/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of one solve: its begin, and the result of its end. */
#include "solvers/convergence/result.h"
#include "solvers/ops/dots.h"
#include "solvers/ops/scale.h"
#include "solvers/state/projection.h"

#include <math.h>
#include <string.h>

void ovk__solve_reset(ovk_solver *S, const ovk_vec *b, ovk_vec *x)
{
  S->given_b = S->b = b;
  S->x = x;
  S->first_z = NULL;
  S->active = S->method;
  S->sums = S->all_sums[0];
  S->reason = OVK_REASON_NOT_RUN;
  S->message[0] = '\0';
  S->facts = 0;
  S->fingerprint = 0;
  S->counts = (ovk__counts){0};
  S->norms = (ovk__norms){0};
  S->trend.count = 0;
  S->rounding = (ovk__rounding){.gap = INFINITY};
  S->best.rr = INFINITY;
  S->best.used = S->selection.spd_assumed;
  S->monitor = (ovk__monitored){0};
  S->failure.kept.err = OVK_OK;
  ovk__dots_start_solve(S);
  ovk__scale_diagonal(S);
  ovk__scale_begin(S);
}

ovk_result ovk__result_of(const ovk_solver *S)
{
  const int sums = S->method->reductions_per_iteration + ovk__projection_sums(S, S->method);
  const bool zero = S->reason == OVK_REASON_CONVERGED_ZERO_RHS, known = !(S->norms.plain_rr < 0);
  ovk_result res = {.size = sizeof(ovk_result),
                    .reason = S->reason,
                    .iterations = S->counts.iterations,
                    .restarts = S->counts.restarts,
                    .replacements = S->counts.replacements,
                    .method_changes = S->counts.method_changes,
                    .reductions_per_iteration = sums,
                    .vectors = S->vectors,
                    .rhs_norm = ovk__scale_norm(S, S->norms.b),
                    .tolerance = ovk__scale_tolerance(S),
                    .relative_residual = zero ? 0 : sqrt(S->norms.rr / S->norms.bb),
                    .true_relative_residual = zero    ? 0
                                              : known ? sqrt(S->norms.plain_rr / S->norms.plain_bb)
                                                      : -1,
                    .rhs_null_part = S->norms.null_part,
                    .fingerprint = S->fingerprint};
  _Static_assert(sizeof res.method == sizeof S->selection.text, "a result has any method");
  memcpy(res.method, S->selection.text, sizeof res.method);
  return res;
}

void ovk__result_forget_end(ovk_result *res)
{
  res->reason = OVK_REASON_NOT_RUN;
  res->relative_residual = res->true_relative_residual = NAN;
}

ovk_seconds ovk__result_clocks(const ovk_ctx *ctx)
{
  return (ovk_seconds){.solve = ovk_log_seconds(ctx, OVK_EVENT_SOLVE),
                       .mult = ovk_log_seconds(ctx, OVK_EVENT_MULT),
                       .halo_wait = ovk_log_seconds(ctx, OVK_EVENT_HALO_WAIT),
                       .precond = ovk_log_seconds(ctx, OVK_EVENT_PRECOND),
                       .vector = ovk_log_seconds(ctx, OVK_EVENT_VECTOR),
                       .reduction_begin = ovk_log_seconds(ctx, OVK_EVENT_REDUCTION_BEGIN),
                       .reduction_wait = ovk_log_seconds(ctx, OVK_EVENT_REDUCTION_WAIT)};
}

ovk_seconds ovk__result_elapsed(const ovk_ctx *ctx, const ovk_seconds *since)
{
  const ovk_seconds now = ovk__result_clocks(ctx);
  return (ovk_seconds){.solve = now.solve - since->solve,
                       .mult = now.mult - since->mult,
                       .halo_wait = now.halo_wait - since->halo_wait,
                       .precond = now.precond - since->precond,
                       .vector = now.vector - since->vector,
                       .reduction_begin = now.reduction_begin - since->reduction_begin,
                       .reduction_wait = now.reduction_wait - since->reduction_wait};
}
