/* SPDX-License-Identifier: BSD-2-Clause */
/* One solve: the start, the method's iterations, the true residual at the exit, and the result; the
 * parts that all methods share. */
#include "solvers/solve.h"
#include "core/abi_struct.h"
#include "core/context/agree.h"
#include "core/context/compare.h"
#include "solvers/convergence/advice.h"
#include "solvers/convergence/convergence.h"
#include "solvers/convergence/pace.h"
#include "solvers/convergence/result.h"
#include "solvers/guesses/guesses.h"
#include "solvers/nullspace/nullspace.h"
#include "solvers/ops/ops_impl.h"
#include "solvers/ops/scale.h"
#include "solvers/residual.h"
#include "solvers/spd_assumed.h"

#include <math.h>
#include <stdio.h>

static ovk_err solve_check_vectors(ovk_ctx *ctx, const ovk_solver *solver, const ovk_vec *b,
                                   const ovk_vec *x)
{
  OVK_CHECK_HANDLE(ctx, solver);
  OVK_TRY(ovk__solver_check_idle(solver));
  OVK_CHECK_HANDLE(ctx, b);
  OVK_CHECK_HANDLE(ctx, x);
  OVK_TRY(ovk__precond_check_ready(solver->M));
  OVK_TRY(ovk__mat_check_ready(solver->A));
  OVK_TRY(ovk__mat_check_vec(solver->A, b, "b"));
  OVK_TRY(ovk__mat_check_vec(solver->A, x, "x"));
  OVK_CHECK_UNUSED(x, "x");
  OVK_CHECK(b != x && !ovk__vec_overlap(b, x), ctx, OVK_ERR_ARG,
            "b and x are the same vector or share memory");
  return OVK_OK;
}

bool ovk__solve_is_zero(const ovk_vec *x)
{
  for (ovk_lidx i = 0; i < x->layout.local; i++) {
    if (x->array[i] != 0) return false;
  }
  return true;
}

/* Check mode: the solve must end in the same way on all ranks. */
static ovk_err solve_compare_ends(const ovk_solver *S)
{
  char text[128];
  if (!ovk__checking(S->ctx)) return OVK_OK;
  snprintf(text, sizeof text, "%s, %d iterations, %d restarts, %d replacements, %a, %a, ",
           ovk_reason_text(S->reason), S->counts.iterations, S->counts.restarts,
           S->counts.replacements, S->norms.rr, S->norms.true_rr);
  OVK_TRY(ovk__check_same(S->ctx, "how a solve ended", text));
  return ovk__check_same(S->ctx, "why a solve ended", S->message);
}

/* An entry of x may be too large or too small for a double in the user's units. */
static ovk_err solve_confirm_in_users_units(ovk_solver *S)
{
  ovk__square r;
  double norm_x;
  if (S->scale.A == S->scale.b) return OVK_OK;
  bool exact = ovk__scale_round(S);
  OVK_TRY(ovk__agree_flag(S->ctx, OVK_OK, &exact));
  if (exact) return OVK_OK;
  OVK_TRY(ovk__residual_later(S, &r));
  OVK_TRY(ovk__agree(S->ctx, ovk_vec_norm(S->x, &norm_x)));
  ovk__convergence_rounded(S, &r, norm_x);
  return OVK_OK;
}

static ovk_err solve_attempt(ovk_solver *S, bool x_is_zero)
{
  ovk__square b, r;
  bool scaled;
  OVK_TRY(ovk__nullspace_start(S));
  OVK_TRY(ovk__residual_first(S, x_is_zero, &b, &r));
  OVK_TRY(ovk__scale_fit(S, &b, &r, &scaled));
  if (scaled) {
    OVK_TRY(ovk__nullspace_start(S));
    OVK_TRY(ovk__residual_first(S, x_is_zero, &b, &r));
  }
  OVK_TRY(ovk__convergence_start(S, &b, &r));
  if (!S->reason && S->values.no_factors) {
    ovk__stop(S, OVK_REASON_BREAKDOWN_INDEFINITE_M, "%s", S->values.no_factors_why);
  }
  OVK_TRY(ovk__spd_keep_best(S));
  for (;;) {
    OVK_TRY(ovk__spd_reconsider(S));
    if (S->reason) break;
    OVK_TRY(S->active->iterate(S));
    OVK_TRY(ovk__op_drain(S));
    OVK_TRY(ovk__nullspace_end(S));
    OVK_TRY(ovk__residual_last(S, &r));
    OVK_TRY(ovk__convergence_confirm(S, &r));
    OVK_TRY(ovk__spd_keep_best(S));
  }
  OVK_TRY(ovk__spd_end(S));
  return solve_confirm_in_users_units(S);
}

static bool solve_may_be_of_scale(const ovk_solver *S)
{
  return S->reason < 0 && S->reason != OVK_REASON_MAXIT && S->reason != OVK_REASON_MONITOR;
}

/* The scale of a shell and of a user's preconditioner is not known: it is measured if a solve
 * fails, and if that is the cause, the solve restarts from iteration 0. */
static ovk_err solve_iterate(ovk_solver *S, bool x_is_zero)
{
  bool again = false;
  double norm_x;
  OVK_TRY(solve_attempt(S, x_is_zero));
  if (solve_may_be_of_scale(S)) OVK_TRY(ovk__scale_retry(S, &again));
  if (again) {
    OVK_TRY(ovk__agree(S->ctx, ovk_vec_norm(S->x, &norm_x)));
    if (x_is_zero || !isfinite(norm_x)) ovk__vec_zero(S->x);
    ovk__solve_reset(S, S->given_b, S->x);
    OVK_TRY(solve_attempt(S, false));
  }
  return solve_compare_ends(S);
}

/* Failures of reductions that are still active are consequences: the message of the first failure
 * is kept. */
static void solve_drain_after_failure(ovk_solver *S)
{
  snprintf(S->message, sizeof S->message, "%s", S->ctx->message);
  (void)ovk__op_drain(S);
  ovk__set_message(S->ctx, "%s", S->message);
}

ovk_err ovk__solve_checked(ovk_solver *S, const ovk_vec *b, ovk_vec *x, bool x_is_zero,
                           ovk_result *res)
{
  const ovk_seconds since = ovk__result_clocks(S->ctx);
  const double start = ovk__op_now(S);
  ovk_err err = ovk__guesses_start(S, b, x, &x_is_zero);
  ovk__solve_reset(S, b, x);
  if (!err) err = solve_iterate(S, x_is_zero);
  if (err) {
    solve_drain_after_failure(S);
  } else {
    ovk__advise(S);
    ovk__pace_compare(S);
  }
  ovk__scale_solution(S, S->x);
  if (!err && S->reason > 0) err = ovk__guesses_keep(S, b, x);
  ovk__log_add(&S->ctx->log, OVK_EVENT_SOLVE, start);
  if (!err && S->reason < 0) ovk__set_message(S->ctx, "%s", S->message);
  if (!err && S->reason > 0) ovk__clear_message(S->ctx);
  *res = ovk__result_of(S);
  if (err) ovk__result_forget_end(res);
  res->seconds = ovk__result_elapsed(S->ctx, &since);
  return err;
}

static void solve_give_result(const ovk_result *own, ovk_result *res)
{
  if (res) OVK_GIVE_SIZED(ovk_result, seconds, own, res);
}

ovk_err ovk_solver_solve(ovk_solver *S, const ovk_vec *b, ovk_vec *x, ovk_result *res)
{
  ovk_ctx *ctx = OVK_ANY_CTX(S, b, x);
  ovk_result own = OVK_RESULT;
  solve_give_result(&own, res);
  if (!ctx) return OVK_ERR_ARG;
  const ovk_err mine = solve_check_vectors(ctx, S, b, x);
  bool x_is_zero = !mine && ovk__solve_is_zero(x);
  OVK_TRY(ovk__agree_flag(ctx, mine, &x_is_zero));
  const ovk__used used = OVK_USE(S, S->A, S->M, S->M->A, b, x);
  const ovk_err err = ovk__solve_checked(S, b, x, x_is_zero, &own);
  ovk__end_use(&used);
  solve_give_result(&own, res);
  return err;
}

static ovk_err solve_check_all(ovk_ctx *ctx, const ovk_mat *A, const ovk_precond *M,
                               const ovk_vec *b, const ovk_vec *x)
{
  OVK_CHECK_HANDLE(ctx, A);
  if (M) OVK_CHECK_HANDLE(ctx, M);
  OVK_CHECK_HANDLE(ctx, b);
  OVK_CHECK_HANDLE(ctx, x);
  return OVK_OK;
}

static ovk_err solve_once(ovk_mat *A, ovk_precond *M, const ovk_vec *b, ovk_vec *x,
                          const ovk_solver_opts *opts, bool pcg, const char *function,
                          ovk_result *res)
{
  ovk_solver *solver = NULL;
  ovk_ctx *ctx = OVK_ANY_CTX(A, M, b, x);
  const ovk_result none = OVK_RESULT;
  solve_give_result(&none, res);
  if (!ctx) return OVK_ERR_ARG;
  OVK_TRY(ovk__agree_in(function, ctx, solve_check_all(ctx, A, M, b, x)));
  void *const held[] = {ovk__hold(b), ovk__hold(x)}; /* setting up may call the user, too */
  ovk_err err = ovk__solver_create(A, M, opts, pcg, &solver);
  if (!err) err = ovk_solver_solve(solver, b, x, res);
  ovk_solver_destroy(&solver);
  for (int k = 0; k < 2; k++) ovk__release(held[k]);
  return err;
}

ovk_err ovk_solve(ovk_mat *A, ovk_precond *M, const ovk_vec *b, ovk_vec *x,
                  const ovk_solver_opts *opts, ovk_result *res)
{
  return solve_once(A, M, b, x, opts, false, __func__, res);
}

ovk_err ovk_pcg_solve(ovk_mat *A, ovk_precond *M, const ovk_vec *b, ovk_vec *x,
                      const ovk_solver_opts *opts, ovk_result *res)
{
  return solve_once(A, M, b, x, opts, true, __func__, res);
}
