/* SPDX-License-Identifier: BSD-2-Clause */
/* The solver of a KSP. Before each solve, one reduction determines the changes on any rank
 * since the last solve. Then the solver is created again, updated or kept. */
#include "ksp/ksp.h"
#include "pc/pc.h"
#include "state/errors.h"
#include "system/system.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* The changes since the last solve; KEEP: the preconditioner must not be set up again. */
enum {
  MADE_FOR = 1,
  A_VALUES = 2,
  P_VALUES = 4,
  KEEP = 8,
  TOLERANCES = 16,
  ARRAY_B = 32,
  ARRAY_X = 64,
  NEEDS_ROWS = 128, /* the options have a format, a preconditioner of ovkrylov, or exact sums */
  FACTS = 256,      /* times the bits of quick.c */
  OPERATOR = FACTS * (OVKPETSC_ALL_FACTS + 1),          /* times those of operator.c */
  PC_CLASS = OPERATOR * (OVKPETSC_ALL_OF_OPERATOR + 1), /* times those of the PC */
};
_Static_assert(PC_CLASS << 4 == 1 << OVKPETSC_CHANGES, "these are the bits");

/* All but a copy that products have made. */
static void forget_solver(ksp_ovk *K)
{
  ovk_vec_destroy(&K->b);
  ovk_vec_destroy(&K->x);
  ovk_solver_destroy(&K->solver);
  ovk_precond_destroy(&K->M);
  ovk_mat_destroy(&K->A);
  ovk_mat_destroy(&K->P);
}

void ovkpetsc_solver_forget(ksp_ovk *K)
{
  forget_solver(K);
  ovkpetsc_operator_forget_copy(K);
}

static PetscErrorCode id_of(MatNullSpace space, PetscObjectId *id)
{
  PetscFunctionBegin;
  if (space) PetscCall(PetscObjectGetId((PetscObject)space, id));
  PetscFunctionReturn(0);
}

/* The Pmat, for a preconditioner of ovkrylov. While the preconditioner is kept, the Pmat that it
 * was created from. */
static PetscErrorCode describe_P(KSP ksp, Mat A, Mat P, ovkpetsc_made_for *made_for)
{
  const ksp_ovk *K = ksp->data;
  PetscObjectState values;
  PetscFunctionBegin;
  if (ksp->pc->reusepreconditioner && K->solver) {
    made_for->P = K->made_for.P;
    made_for->P_pattern = K->made_for.P_pattern;
    made_for->near_null_space = K->made_for.near_null_space;
    made_for->coordinates = K->made_for.coordinates;
    PetscFunctionReturn(0);
  }
  if (!K->precond) PetscFunctionReturn(0);
  PetscCall(ovkpetsc_problem_ids(ksp->pc, P, made_for));
  if (P == A) PetscFunctionReturn(0);
  PetscCall(PetscObjectGetId((PetscObject)P, &made_for->P));
  PetscCall(ovkpetsc_rows_state(P, &values, &made_for->P_pattern));
  PetscFunctionReturn(0);
}

static PetscErrorCode describe(KSP ksp, Mat A, Mat P, ovkpetsc_made_for *made_for,
                               ovkpetsc_values *values)
{
  const ksp_ovk *K = ksp->data;
  MatNullSpace right, left;
  PCType type;
  PetscBool known, spd;
  PetscObjectState P_pattern; /* for preconditioners of ovkrylov only */
  PetscFunctionBegin;
  *made_for = (ovkpetsc_made_for){.norm = ovkpetsc_norm(ksp)};
  PetscCall(PetscObjectGetId((PetscObject)A, &made_for->A));
  PetscCall(PetscObjectGetId((PetscObject)ksp->pc, &made_for->pc));
  PetscCall(PCGetType(ksp->pc, &type));
  PetscCall(PetscStrncpy(made_for->pc_type, type, sizeof made_for->pc_type));
  PetscCall(ovkpetsc_rows_state(A, &values->A, &made_for->pattern));
  PetscCall(ovkpetsc_rows_state(P, &values->P, &P_pattern));
  PetscCall(describe_P(ksp, A, P, made_for));
  PetscCall(ovkpetsc_pc_class(ksp->pc, &made_for->pc_class));
  PetscCall(MatIsSPDKnown(A, &known, &spd));
  made_for->spd = (known && spd) || K->spd || ovkpetsc_taken_definite(K);
  made_for->symmetric = K->symmetric;
  made_for->transpose = ksp->transpose_solve;
  made_for->guesses = (int)K->guesses;
  PetscCall(MatGetNullSpace(A, &right));
  PetscCall(MatGetTransposeNullSpace(A, &left));
  PetscCall(id_of(right, &made_for->null_space));
  PetscCall(id_of(left, &made_for->left_null_space));
  PetscCall(PetscObjectGetId((PetscObject)P, &values->pmat));
  PetscCall(ovkpetsc_precond_state(ksp->pc, &values->pc));
  PetscFunctionReturn(0);
}

static bool same_made_for(const ovkpetsc_made_for *a, const ovkpetsc_made_for *b)
{
  return a->A == b->A && a->P == b->P && a->pc == b->pc && a->null_space == b->null_space &&
         a->left_null_space == b->left_null_space && a->near_null_space == b->near_null_space &&
         a->coordinates == b->coordinates && a->pattern == b->pattern &&
         a->P_pattern == b->P_pattern && a->norm == b->norm && a->spd == b->spd &&
         a->symmetric == b->symmetric && a->transpose == b->transpose && a->guesses == b->guesses &&
         a->pc_class == b->pc_class && strcmp(a->pc_type, b->pc_type) == 0;
}

/* The tolerances of the KSP. A negative one is never met, like 0, and a negative number of
 * iterations is none. If PETSc or the program tests for convergence, the tolerances of ovkrylov are
 * 0. */
static void take_tolerances(KSP ksp, ovk_solver_opts *opts)
{
  const ksp_ovk *K = ksp->data;
  const bool tests = K->test == OVKPETSC_TOLERANCES;
  opts->rtol = tests ? fmax(ksp->rtol, 0) : 0;
  opts->atol = tests ? fmax(ksp->abstol, 0) : 0;
  opts->dtol = tests ? ksp->divtol : DBL_MAX;
  opts->maxit = ksp->max_it < INT_MAX ? (int)PetscMax(ksp->max_it, 0) : INT_MAX;
  opts->maxit = ovkpetsc_quick_maxit(K, opts->maxit - K->before);
}

static bool same_tolerances(const ovk_solver_opts *a, const ovk_solver_opts *b)
{
  return a->rtol == b->rtol && a->atol == b->atol && a->dtol == b->dtol && a->maxit == b->maxit;
}

static PetscErrorCode make_precond(KSP ksp, Mat A, Mat P)
{
  ksp_ovk *K = ksp->data;
  PetscBool none;
  PetscFunctionBegin;
  if (K->precond && P != A) PetscCall(ovkpetsc_operator_create_P(ksp, P));
  PetscCall(PetscObjectTypeCompare((PetscObject)ksp->pc, PCNONE, &none));
  const char *spec = K->precond ? K->precond : none ? "none" : "petsc";
  if (K->precond) PetscCall(ovkpetsc_problem_describe(ksp, P, K->P ? K->P : K->A));
  K->context->making = ksp;
  OVKPETSC_CALL(ksp, K->context->ctx, ovk_precond_create(K->P ? K->P : K->A, spec, &K->M));
  PetscFunctionReturn(0);
}

static PetscErrorCode make_solver(KSP ksp, Mat A)
{
  ksp_ovk *K = ksp->data;
  ovkpetsc_nullspace null_space;
  PetscFunctionBegin;
  K->opts = ovk_solver_opts_default();
  K->opts.method = ovkpetsc_method(K);
  K->opts.backend = K->backend;
  K->opts.exact = K->exact;
  K->opts.norm = ovkpetsc_norm(ksp);
  K->opts.spd = K->made_for.spd;
  K->opts.symmetric = K->made_for.symmetric;
  K->opts.guesses = K->made_for.guesses;
  K->opts.monitor = ovkpetsc_monitor;
  K->opts.monitor_arg = ksp;
  take_tolerances(ksp, &K->opts);
  PetscCall(ovkpetsc_nullspace_get(ksp, A, &null_space, &K->opts));
  const ovk_err err = ovk_solver_create(K->A, K->M, &K->opts, &K->solver);
  PetscCall(ovkpetsc_nullspace_restore(&null_space));
  OVKPETSC_CALL(ksp, K->context->ctx, err);
  PetscFunctionReturn(0);
}

/* The same with another K->quick. */
static PetscErrorCode remake_solver(KSP ksp, Mat A)
{
  ksp_ovk *K = ksp->data;
  PetscFunctionBegin;
  ovk_solver_destroy(&K->solver);
  PetscCall(make_solver(ksp, A));
  PetscFunctionReturn(0);
}

static PetscErrorCode ksp_solver_create(KSP ksp, Mat A, Mat P, int facts, bool new_values)
{
  ksp_ovk *K = ksp->data;
  bool revised;
  PetscFunctionBegin;
  forget_solver(K);
  PetscCall(VecDestroy(&K->in));
  PetscCall(VecDestroy(&K->out));
  PetscCall(ovkpetsc_operator_create(ksp, A, facts, new_values));
  PetscCall(PetscLogEventBegin(K->setup_event, ksp, 0, 0, 0));
  PetscCall(ovkpetsc_quick_choose(ksp));
  PetscCall(make_precond(ksp, A, P));
  PetscCall(make_solver(ksp, A));
  PetscCall(ovkpetsc_quick_revise(ksp, &revised));
  if (revised) PetscCall(remake_solver(ksp, A));
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
  *keeps = K->precond ? (changed & KEEP) != 0 : !is_read;
  PetscFunctionReturn(0);
}

/* Whether nothing in the solver depends on values of A: it has no copy, its method is named, and it
 * has no null spaces, which would be verified, and no guesses. The same on all ranks. */
static bool has_no_values(const ksp_ovk *K)
{
  const ovk_solver_opts *o = &K->opts;
  const bool spaces =
      o->null_constant || o->null_count || o->left_null_constant || o->left_null_count;
  return K->quick && K->in_place && !spaces && !o->guesses;
}

/* After an error nothing is kept, and the next solve sets all up with the values that it finds. */
static PetscErrorCode update_values(KSP ksp, Mat A, Mat P, int changed)
{
  ksp_ovk *K = ksp->data;
  bool keep = false;
  PetscFunctionBegin;
  PetscCall(keeps_precond(ksp, changed, &keep));
  if (keep && has_no_values(K)) PetscFunctionReturn(0);
  if (changed & A_VALUES) PetscCall(ovkpetsc_operator_update(ksp, A, K->A));
  if ((changed & P_VALUES) && !keep) PetscCall(ovkpetsc_operator_update(ksp, P, K->P));
  PetscCall(PetscLogEventBegin(K->setup_event, ksp, 0, 0, 0));
  const ovk_err err = keep ? ovk_solver_update_matrix(K->solver) : ovk_solver_update(K->solver);
  PetscCall(PetscLogEventEnd(K->setup_event, ksp, 0, 0, 0));
  if (err) ovkpetsc_solver_forget(K);
  OVKPETSC_CALL(ksp, K->context->ctx, err);
  PetscFunctionReturn(0);
}

static PetscErrorCode update_tolerances(KSP ksp)
{
  ksp_ovk *K = ksp->data;
  PetscFunctionBegin;
  take_tolerances(ksp, &K->opts);
  OVKPETSC_CALL(ksp, K->context->ctx,
                ovk_solver_set_tolerances(K->solver, K->opts.rtol, K->opts.atol, K->opts.dtol,
                                          K->opts.maxit));
  PetscFunctionReturn(0);
}

/* b is only read: ovkrylov has no vector of constants. */
static PetscErrorCode wrap(KSP ksp, const double *array, ovk_vec **v)
{
  const ksp_ovk *K = ksp->data;
  ovk_ctx *ctx = K->context->ctx;
  PetscFunctionBegin;
  ovk_vec_destroy(v);
  OVKPETSC_CALL(ksp, ctx, ovk_vec_wrap(ctx, ovk_mat_local_size(K->A), (double *)array, v));
  PetscFunctionReturn(0);
}

static int changes(KSP ksp, const ovkpetsc_made_for *made_for, const ovkpetsc_values *values,
                   const ovk_solver_opts *tolerances, const double *b, const double *x)
{
  const ksp_ovk *K = ksp->data;
  const ovkpetsc_values *old = &K->values;
  int changed = PC_CLASS * made_for->pc_class + (ksp->pc->reusepreconditioner ? KEEP : 0);
  if (!K->solver || !same_made_for(&K->made_for, made_for)) changed |= MADE_FOR;
  if (old->A != values->A) changed |= A_VALUES;
  if (old->P != values->P || old->pmat != values->pmat || old->pc != values->pc) {
    changed |= P_VALUES;
  }
  if (K->format || K->precond || K->exact || K->context->exact) changed |= NEEDS_ROWS;
  if (!same_tolerances(&K->opts, tolerances)) changed |= TOLERANCES;
  if (!K->b || K->b_array != b) changed |= ARRAY_B;
  if (!K->x || K->x_array != x) changed |= ARRAY_X;
  return changed;
}

/* Values that a preconditioner of ovkrylov has missed while it was kept are new ones for it once it
 * is not kept any more. */
static int add_missed_values(ksp_ovk *K, int changed)
{
  const bool keep = K->precond && changed & KEEP;
  if (K->missed && !keep) changed |= P_VALUES;
  K->missed = keep && (K->missed || changed & P_VALUES);
  return changed;
}

PetscErrorCode ovkpetsc_solver_prepare(KSP ksp, const double *b, double *x)
{
  ksp_ovk *K = ksp->data;
  Mat A, P;
  ovkpetsc_made_for made_for;
  ovkpetsc_values values;
  ovk_solver_opts tolerances;
  int facts = 0, of_operator;
  PetscFunctionBegin;
  PetscCall(PCGetOperators(ksp->pc, &A, &P));
  K->copy_after = 0; /* also for the products that measure A */
  const bool was_flexible = K->flexible;
  PetscCall(ovkpetsc_flexible_end(ksp));
  PetscCall(describe(ksp, A, P, &made_for, &values));
  take_tolerances(ksp, &tolerances);
  PetscCall(ovkpetsc_quick_facts(ksp, A, &made_for, values.A, &facts));
  PetscCall(ovkpetsc_operator_facts(ksp, A, &of_operator));
  int changed =
      FACTS * facts | OPERATOR * of_operator | changes(ksp, &made_for, &values, &tolerances, b, x);
  PetscCall(ovkpetsc_context_combine(ksp, &changed));
  changed = add_missed_values(K, changed);
  K->pc_class = changed / PC_CLASS;
  K->facts = changed / FACTS & OVKPETSC_ALL_FACTS;
  PetscCall(ovkpetsc_flexible_begin(ksp));
  const bool was_in_place = K->in_place;
  PetscCall(
      ovkpetsc_choose_in_place(ksp, A, changed & (MADE_FOR | A_VALUES), changed & NEEDS_ROWS));
  const bool same_values = !(changed & (MADE_FOR | A_VALUES));
  if (changed & MADE_FOR || (K->in_place && !same_values)) ovkpetsc_operator_forget_copy(K);
  const bool presumed_wrongly = K->presumes && K->facts & OVKPETSC_SAMPLE_FACTS;
  const bool single = K->made_for_columns && !K->columns && !same_values;
  if (single || K->columns) K->made_for_columns = K->columns;
  if (K->flexible != was_flexible || K->in_place != was_in_place || presumed_wrongly ||
      (single && K->in_place)) {
    changed |= MADE_FOR;
  }
  K->made_for = made_for;
  K->values = values;
  K->b_array = b;
  K->x_array = x;
  if (changed & MADE_FOR) {
    const int facts_of_A = changed / OPERATOR & OVKPETSC_ALL_OF_OPERATOR;
    PetscCall(ksp_solver_create(ksp, A, P, facts_of_A, !same_values));
    K->missed = false;
    changed = ARRAY_B | ARRAY_X;
  }
  if (K->quick && (K->quick_failed || K->made_for_columns)) {
    K->quick = NULL;
    K->restarts = K->presumes = false;
    PetscCall(remake_solver(ksp, A));
  }
  if (changed & (A_VALUES | P_VALUES)) PetscCall(update_values(ksp, A, P, changed));
  if (changed & TOLERANCES) PetscCall(update_tolerances(ksp));
  if (changed & ARRAY_B) PetscCall(wrap(ksp, b, &K->b));
  if (changed & ARRAY_X) PetscCall(wrap(ksp, x, &K->x));
  ovkpetsc_choose_copy_within(K);
  PetscFunctionReturn(0);
}
