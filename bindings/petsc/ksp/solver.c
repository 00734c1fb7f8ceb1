/* SPDX-License-Identifier: BSD-2-Clause */
/* The solver of a KSP. Before each solve it is created again, updated or kept, by the changes on
 * any rank since the last solve. */
#include "ksp/changes.h"
#include "pc/pc.h"
#include "state/errors.h"

/* All but a copy that products have made. */
static void forget_one(ovkpetsc_direction *D)
{
  ovk_vec_destroy(&D->b);
  ovk_vec_destroy(&D->x);
  ovk_solver_destroy(&D->solver);
  ovk_precond_destroy(&D->M);
  ovk_mat_destroy(&D->A);
  ovk_mat_destroy(&D->P);
}

PetscErrorCode ovkpetsc_solver_forget(ksp_ovk *K)
{
  PetscFunctionBegin;
  forget_one(&K->now);
  ovkpetsc_operator_forget_copy(&K->now);
  if (!K->other) PetscFunctionReturn(0);
  forget_one(K->other);
  ovkpetsc_operator_forget_copy(K->other);
  PetscCall(VecDestroy(&K->other->in));
  PetscCall(VecDestroy(&K->other->out));
  PetscCall(PetscFree(K->other));
  PetscFunctionReturn(0);
}

static PetscErrorCode make_precond(KSP ksp, Mat A, Mat P)
{
  ksp_ovk *K = ksp->data;
  PetscBool none;
  const bool columns = (K->now.pc_class & OVKPETSC_COLUMNS) && !ksp->transpose_solve;
  PetscFunctionBegin;
  if (K->precond && P != A) PetscCall(ovkpetsc_operator_create_P(ksp, P));
  PetscCall(PetscObjectTypeCompare((PetscObject)ksp->pc, PCNONE, &none));
  const char *spec = K->precond ? K->precond : none ? "none" : columns ? "petsc-columns" : "petsc";
  if (K->precond) PetscCall(ovkpetsc_problem_describe(ksp, P, K->now.P ? K->now.P : K->now.A));
  K->context->making = ksp;
  OVKPETSC_CALL(ksp, K->context->ctx,
                ovk_precond_create(K->now.P ? K->now.P : K->now.A, spec, &K->now.M));
  PetscFunctionReturn(0);
}

/* In place of one with another K->now.quick.method, if there is one. */
static PetscErrorCode make_solver(KSP ksp, Mat A)
{
  ksp_ovk *K = ksp->data;
  ovkpetsc_nullspace null_space;
  PetscFunctionBegin;
  ovk_solver_destroy(&K->now.solver);
  K->now.opts = ovk_solver_opts_default();
  K->now.opts.method = ovkpetsc_method(K);
  K->now.opts.backend = K->backend;
  K->now.opts.exact = K->exact;
  K->now.opts.norm = ovkpetsc_norm(ksp);
  K->now.opts.spd = K->now.made_for.spd;
  K->now.opts.symmetric = K->now.made_for.symmetric;
  K->now.opts.guesses = K->now.made_for.guesses;
  K->now.opts.monitor = ovkpetsc_monitor;
  K->now.opts.monitor_arg = ksp;
  ovkpetsc_take_tolerances(ksp, &K->now.opts);
  PetscCall(ovkpetsc_nullspace_get(ksp, A, &null_space, &K->now.opts));
  const ovk_err err = ovk_solver_create(K->now.A, K->now.M, &K->now.opts, &K->now.solver);
  PetscCall(ovkpetsc_nullspace_restore(&null_space));
  OVKPETSC_CALL(ksp, K->context->ctx, err);
  PetscFunctionReturn(0);
}

static PetscErrorCode ksp_solver_create(KSP ksp, Mat A, Mat P, int facts, bool new_values)
{
  ksp_ovk *K = ksp->data;
  bool revised;
  PetscFunctionBegin;
  forget_one(&K->now);
  PetscCall(VecDestroy(&K->now.in));
  PetscCall(VecDestroy(&K->now.out));
  PetscCall(ovkpetsc_operator_create(ksp, A, facts, new_values));
  PetscCall(PetscLogEventBegin(K->setup_event, ksp, 0, 0, 0));
  PetscCall(ovkpetsc_quick_choose(ksp));
  PetscCall(make_precond(ksp, A, P));
  PetscCall(make_solver(ksp, A));
  PetscCall(ovkpetsc_quick_revise(ksp, &revised));
  if (revised) PetscCall(make_solver(ksp, A));
  PetscCall(PetscLogEventEnd(K->setup_event, ksp, 0, 0, 0));
  PetscFunctionReturn(0);
}

/* Whether the preconditioner has nothing to do about new values: if it is kept, or if it is a PC
 * whose data is not read, and which PETSc has updated. */
static PetscErrorCode keeps_precond(KSP ksp, int changed, bool *keeps)
{
  const ksp_ovk *K = ksp->data;
  PetscBool is_read;
  PetscFunctionBegin;
  PetscCall(ovkpetsc_precond_is_read(ksp->pc, &is_read));
  *keeps = K->precond ? (changed & OVKPETSC_KEEP) != 0 : !is_read;
  PetscFunctionReturn(0);
}

/* Whether nothing in the solver depends on values of A: it has no copy, its method is named, and it
 * has no null spaces, which would be verified, and no guesses. The same on all ranks. */
static bool has_no_values(const ksp_ovk *K)
{
  const ovk_solver_opts *o = &K->now.opts;
  return K->now.quick.method && K->now.in_place && !ovkpetsc_nullspace_is_given(o) && !o->guesses;
}

/* After an error nothing is kept, and the next solve sets all up with the values that it finds. */
static PetscErrorCode update_values(KSP ksp, Mat A, Mat P, int changed)
{
  ksp_ovk *K = ksp->data;
  bool keep = false;
  PetscFunctionBegin;
  PetscCall(keeps_precond(ksp, changed, &keep));
  if (keep && has_no_values(K)) PetscFunctionReturn(0);
  if (changed & OVKPETSC_A_VALUES) PetscCall(ovkpetsc_operator_update(ksp, A, K->now.A));
  if ((changed & OVKPETSC_P_VALUES) && !keep) PetscCall(ovkpetsc_operator_update(ksp, P, K->now.P));
  PetscCall(PetscLogEventBegin(K->setup_event, ksp, 0, 0, 0));
  const ovk_err err =
      keep ? ovk_solver_update_matrix(K->now.solver) : ovk_solver_update(K->now.solver);
  PetscCall(PetscLogEventEnd(K->setup_event, ksp, 0, 0, 0));
  if (err) PetscCall(ovkpetsc_solver_forget(K));
  OVKPETSC_CALL(ksp, K->context->ctx, err);
  PetscFunctionReturn(0);
}

static PetscErrorCode update_tolerances(KSP ksp)
{
  ksp_ovk *K = ksp->data;
  PetscFunctionBegin;
  ovkpetsc_take_tolerances(ksp, &K->now.opts);
  OVKPETSC_CALL(ksp, K->context->ctx,
                ovk_solver_set_tolerances(K->now.solver, K->now.opts.rtol, K->now.opts.atol,
                                          K->now.opts.dtol, K->now.opts.maxit));
  PetscFunctionReturn(0);
}

/* b is only read: ovkrylov has no vector of constants. */
static PetscErrorCode wrap(KSP ksp, const double *array, ovk_vec **v)
{
  const ksp_ovk *K = ksp->data;
  ovk_ctx *ctx = K->context->ctx;
  PetscFunctionBegin;
  ovk_vec_destroy(v);
  OVKPETSC_CALL(ksp, ctx, ovk_vec_wrap(ctx, ovk_mat_local_size(K->now.A), (double *)array, v));
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_solver_prepare(KSP ksp, const double *b, double *x)
{
  ksp_ovk *K = ksp->data;
  Mat A, P;
  ovkpetsc_made_for made_for;
  ovkpetsc_values values;
  int changed;
  PetscFunctionBegin;
  PetscCall(PCGetOperators(ksp->pc, &A, &P));
  K->now.copy.after = 0; /* also for the products that measure A */
  const bool was_flexible = K->now.flexible;
  PetscCall(ovkpetsc_flexible_end(ksp));
  if (!K->precond) PetscCall(PCSetUp(ksp->pc)); /* KSPSetUp() may leave new values to PCApply() */
  PetscCall(ovkpetsc_changes_find(ksp, A, P, b, x, &made_for, &values, &changed));
  K->now.pc_class = changed / OVKPETSC_PC_CLASS;
  K->monitored = changed & OVKPETSC_MONITORED;
  K->now.quick.facts = changed / OVKPETSC_FACTS & OVKPETSC_ALL_FACTS;
  PetscCall(ovkpetsc_flexible_begin(ksp));
  const bool was_in_place = K->now.in_place;
  const bool new_values = changed & (OVKPETSC_MADE_FOR | OVKPETSC_A_VALUES);
  PetscCall(ovkpetsc_choose_in_place(ksp, A, new_values, changed & OVKPETSC_NEEDS_ROWS));
  if (changed & OVKPETSC_MADE_FOR || (K->now.in_place && new_values))
    ovkpetsc_operator_forget_copy(&K->now);
  const bool presumed_wrongly = K->now.quick.presumes && K->now.quick.facts & OVKPETSC_SAMPLE_FACTS;
  const bool single = K->now.made_for_columns && !K->now.columns && new_values;
  if (single || K->now.columns) K->now.made_for_columns = K->now.columns;
  if (K->now.flexible != was_flexible || K->now.in_place != was_in_place || presumed_wrongly ||
      (single && K->now.in_place)) {
    changed |= OVKPETSC_MADE_FOR;
  }
  K->now.made_for = made_for;
  K->now.values = values;
  K->now.b_array = b;
  K->now.x_array = x;
  if (changed & OVKPETSC_MADE_FOR) {
    const int facts_of_A = changed / OVKPETSC_OPERATOR & OVKPETSC_ALL_OF_OPERATOR;
    PetscCall(ksp_solver_create(ksp, A, P, facts_of_A, new_values));
    K->now.missed = false;
    changed = OVKPETSC_ARRAY_B | OVKPETSC_ARRAY_X;
  }
  if (K->now.quick.method && (K->now.quick.failed || K->now.made_for_columns)) {
    PetscCall(ovkpetsc_quick_choose(ksp)); /* none */
    PetscCall(make_solver(ksp, A));
  }
  if (changed & (OVKPETSC_A_VALUES | OVKPETSC_P_VALUES))
    PetscCall(update_values(ksp, A, P, changed));
  if (changed & OVKPETSC_NEW_TOLERANCES) PetscCall(update_tolerances(ksp));
  if (changed & OVKPETSC_ARRAY_B) PetscCall(wrap(ksp, b, &K->now.b));
  if (changed & OVKPETSC_ARRAY_X) PetscCall(wrap(ksp, x, &K->now.x));
  ovkpetsc_choose_copy_within(K);
  PetscFunctionReturn(0);
}
