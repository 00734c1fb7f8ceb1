/* SPDX-License-Identifier: BSD-2-Clause */
/* HYPRE_ParCSROvk...: setup, solves and their results. */
#include "from_hypre.h"
#include "parcsr_ovk.h"

#include <_hypre_utilities.h>
#include <stddef.h>
#include <string.h>

void ovk__parcsr_tear_down(ovk__parcsr_solver *s)
{
  ovk_solver_destroy(&s->solver);
  ovk_precond_destroy(&s->M);
  ovk_mat_destroy(&s->A);
  s->given = NULL;
}

/* Whether the vectors fit the matrix and have as many components on all ranks: the number decides
 * the messages. The answer is the same on all ranks. */
static ovk_err check(const ovk__parcsr_solver *s, HYPRE_ParCSRMatrix A, HYPRE_ParVector b,
                     HYPRE_ParVector x)
{
  ovk_err err = OVK_OK;
  if (!A || !b || !x) {
    err = ovk_ctx_fail(s->ctx, OVK_ERR_ARG, "%s is NULL", !A ? "A" : !b ? "b" : "x");
  } else if (ovk__hypre_rows(A) != ovk__hypre_local_size(b) ||
             ovk__hypre_rows(A) != ovk__hypre_local_size(x)) {
    err = ovk_ctx_fail(s->ctx, OVK_ERR_ARG, "on a rank A has %lld rows, b %lld, x %lld",
                       (long long)ovk__hypre_rows(A), (long long)ovk__hypre_local_size(b),
                       (long long)ovk__hypre_local_size(x));
  } else if (ovk__hypre_columns(b) != ovk__hypre_columns(x)) {
    err = ovk_ctx_fail(s->ctx, OVK_ERR_ARG, "b has %lld components, x %lld",
                       (long long)ovk__hypre_columns(b), (long long)ovk__hypre_columns(x));
  }
  return ovk__hypre_agree_number(s->ctx, s->comm, err, OVK_ERR_ARG,
                                 "another rank's A, b or x cannot be used",
                                 b ? ovk__hypre_columns(b) : 0, "components");
}

static ovk_err make_precond(ovk__parcsr_solver *s, ovk__hypre_given given)
{
  if (s->precond) return ovk_precond_create(s->A, s->precond, &s->M);
  if (s->with.solve) return ovk__hypre_precond_create_on(s->A, given, s->with, &s->M);
  return ovk_precond_create(s->A, "none", &s->M);
}

static ovk_err set_up(ovk__parcsr_solver *s, ovk__hypre_given given)
{
  OVK_TRY(ovk_hypre_mat_create(s->ctx, given.A, s->format ? s->format : "auto", &s->A));
  OVK_TRY(ovk__parcsr_describe_problem(s));
  OVK_TRY(make_precond(s, given));
  s->opts.method = s->method;
  s->opts.backend = s->backend;
  s->opts.exact = s->exact;
  OVK_TRY(ovk_solver_create(s->A, s->M, &s->opts, &s->solver));
  s->given = given.A;
  s->values = ovk__hypre_hash_values(given.A);
  return OVK_OK;
}

HYPRE_Int HYPRE_ParCSROvkSetup(HYPRE_Solver solver, HYPRE_ParCSRMatrix A, HYPRE_ParVector b,
                               HYPRE_ParVector x)
{
  OVK__PARCSR_CHECK(solver);
  ovk__parcsr_solver *s = ovk__parcsr_of(solver);
  const ovk_err err = ovk__parcsr_check_idle(s);
  if (err) return ovk__parcsr_raise(s, err);
  ovk__parcsr_tear_down(s);
  s->failed = check(s, A, b, x);
  if (s->failed) return ovk__parcsr_raise(s, s->failed);
  /* A solver of hypre makes vectors like these, for applications to one column each. */
  const bool one = ovk__hypre_columns(b) == 1;
  s->failed = set_up(s, (ovk__hypre_given){A, one ? b : NULL, one ? x : NULL});
  return ovk__parcsr_raise(s, s->failed);
}

/* As they are now: options may be set after setup, too. */
static ovk_err set_options(ovk__parcsr_solver *s)
{
  const ovk_solver_opts *o = &s->opts;
  OVK_TRY(ovk_solver_set_tolerances(s->solver, o->rtol, o->atol, o->dtol, o->maxit));
  return ovk_solver_set_monitor(s->solver, o->monitor, o->monitor_arg, 0);
}

static ovk_err solve_wrapped(ovk__parcsr_solver *s, HYPRE_ParVector b, HYPRE_ParVector x)
{
  ovk_vec *own_b = NULL, *own_x = NULL;
  const ovk_lidx rows = ovk_mat_local_size(s->A);
  ovk_err err = ovk_vec_wrap(s->ctx, rows, ovk__hypre_array(b), &own_b);
  if (!err) err = ovk_vec_wrap(s->ctx, rows, ovk__hypre_array(x), &own_x);
  if (!err) err = ovk_solver_solve(s->solver, own_b, own_x, &s->result);
  ovk_vec_destroy(&own_b);
  ovk_vec_destroy(&own_x);
  return err;
}

/* After a setup that failed, its error is returned again: programs of hypre seldom check it. */
static ovk_err check_set_up(const ovk__parcsr_solver *s, HYPRE_ParCSRMatrix A)
{
  ovk_err err = s->failed;
  if (err) return err;
  if (!s->solver || A != s->given || ovk__hypre_rows(A) != ovk_mat_local_size(s->A)) {
    err = ovk_ctx_fail(s->ctx, OVK_ERR_STATE, "HYPRE_ParCSROvkSetup() was not called for this A");
  }
  return ovk__hypre_agree(s->ctx, s->comm, err, OVK_ERR_STATE,
                          "on another rank this A is not the one of the setup");
}

/* As solvers of hypre do, uses the current values of A and the preconditioner of the setup. A copy
 * of A and the diagonal scaling, which has no setup, get the new values. So does the solver: A may
 * not be symmetric any more, or be so now. */
static ovk_err follow_values(ovk__parcsr_solver *s)
{
  const uint64_t values = ovk__hypre_hash_values(s->given);
  const bool copied = strcmp(ovk_mat_format(s->A), "shell") != 0;
  if (ovk__hypre_all_well(s->comm, values == s->values ? OVK_OK : OVK_ERR_STATE)) return OVK_OK;
  s->values = ~values; /* after a failure the next solve tries again */
  if (copied) OVK_TRY(ovk__hypre_mat_refill(s->comm, s->given, s->A));
  if (s->scales) OVK_TRY(ovk_precond_update(s->M));
  OVK_TRY(ovk_solver_update_matrix(s->solver));
  s->values = values;
  return OVK_OK;
}

/* Whether solvers of hypre flag this end of a solve. Without a tolerance they make all iterations,
 * which is no failure. */
static bool is_failure(const ovk__parcsr_solver *s)
{
  const ovk_reason reason = s->result.reason;
  const bool counted = s->opts.rtol == 0 && s->opts.atol == 0;
  const bool ran = reason == OVK_REASON_MAXIT || reason == OVK_REASON_STAGNATED ||
                   reason == OVK_REASON_STAGNATED_RESTART;
  return reason < 0 && !(counted && ran);
}

HYPRE_Int HYPRE_ParCSROvkSolve(HYPRE_Solver solver, HYPRE_ParCSRMatrix A, HYPRE_ParVector b,
                               HYPRE_ParVector x)
{
  OVK__PARCSR_CHECK(solver);
  ovk__parcsr_solver *s = ovk__parcsr_of(solver);
  ovk_err err = ovk__parcsr_check_idle(s);
  if (err) return ovk__parcsr_raise(s, err);
  s->result = (ovk_result){.size = sizeof s->result, .reason = OVK_REASON_NOT_RUN};
  err = check_set_up(s, A);
  if (!err) err = check(s, A, b, x);
  if (!err) err = follow_values(s);
  if (!err) err = set_options(s);
  s->solving = true;
  if (!err && ovk__hypre_columns(b) == 1)
    err = solve_wrapped(s, b, x);
  else if (!err)
    err = ovk__parcsr_solve_columns(s, b, x);
  s->solving = false;
  if (err) return ovk__parcsr_raise(s, err);
  if (is_failure(s)) hypre_error_w_msg(HYPRE_ERROR_CONV, ovk_ctx_error(s->ctx));
  return HYPRE_GetError();
}

HYPRE_Int HYPRE_ParCSROvkGetNumIterations(HYPRE_Solver solver, HYPRE_Int *num_iterations)
{
  OVK__PARCSR_CHECK(solver && num_iterations);
  *num_iterations = ovk__parcsr_of(solver)->result.iterations;
  return HYPRE_GetError();
}

HYPRE_Int HYPRE_ParCSROvkGetFinalRelativeResidualNorm(HYPRE_Solver solver, HYPRE_Real *norm)
{
  OVK__PARCSR_CHECK(solver && norm);
  *norm = ovk__parcsr_of(solver)->result.relative_residual;
  return HYPRE_GetError();
}

HYPRE_Int HYPRE_ParCSROvkGetResult(HYPRE_Solver solver, ovk_result *result)
{
  OVK__PARCSR_CHECK(solver && result);
  const ovk_result *own = &ovk__parcsr_of(solver)->result;
  const size_t least = offsetof(ovk_result, fingerprint); /* the first version */
  size_t size = result->size < least ? least : result->size;
  if (size > sizeof *own) size = sizeof *own;
  memcpy(result, own, size);
  result->size = size;
  return HYPRE_GetError();
}

HYPRE_Int HYPRE_ParCSROvkGetMessage(HYPRE_Solver solver, const char **message)
{
  OVK__PARCSR_CHECK(solver && message);
  *message = ovk_ctx_error(ovk__parcsr_of(solver)->ctx);
  return HYPRE_GetError();
}
