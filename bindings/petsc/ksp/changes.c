/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares a solve of a KSP with the one before: one reduction unites the changes of all ranks. */
#include "ksp/changes.h"
#include "pc/pc.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

_Static_assert(OVKPETSC_PC_CLASS << 5 == 1 << OVKPETSC_CHANGES, "these are the bits");

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
  if (ksp->pc->reusepreconditioner && K->now.solver) {
    made_for->P = K->now.made_for.P;
    made_for->P_pattern = K->now.made_for.P_pattern;
    made_for->near_null_space = K->now.made_for.near_null_space;
    made_for->coordinates = K->now.made_for.coordinates;
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
         a->symmetric == b->symmetric && a->guesses == b->guesses && a->pc_class == b->pc_class &&
         strcmp(a->pc_type, b->pc_type) == 0;
}

void ovkpetsc_take_tolerances(KSP ksp, ovk_solver_opts *opts)
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

static int compare(KSP ksp, const ovkpetsc_made_for *made_for, const ovkpetsc_values *values,
                   const ovk_solver_opts *tolerances, const double *b, const double *x)
{
  const ksp_ovk *K = ksp->data;
  const ovkpetsc_values *old = &K->now.values;
  int changed =
      OVKPETSC_PC_CLASS * made_for->pc_class + (ksp->pc->reusepreconditioner ? OVKPETSC_KEEP : 0);
  if (!K->now.solver || !same_made_for(&K->now.made_for, made_for)) changed |= OVKPETSC_MADE_FOR;
  if (old->A != values->A) changed |= OVKPETSC_A_VALUES;
  if (old->P != values->P || old->pmat != values->pmat || old->pc != values->pc) {
    changed |= OVKPETSC_P_VALUES;
  }
  if (K->format || K->precond || K->exact || K->context->exact) changed |= OVKPETSC_NEEDS_ROWS;
  if (ksp->numbermonitors || K->test == OVKPETSC_FUNCTION) changed |= OVKPETSC_MONITORED;
  if (!same_tolerances(&K->now.opts, tolerances)) changed |= OVKPETSC_NEW_TOLERANCES;
  if (!K->now.b || K->now.b_array != b) changed |= OVKPETSC_ARRAY_B;
  if (!K->now.x || K->now.x_array != x) changed |= OVKPETSC_ARRAY_X;
  return changed;
}

/* Values that a preconditioner of ovkrylov has missed while it was kept are new ones for it once it
 * is not kept any more. */
static int add_missed_values(ksp_ovk *K, int changed)
{
  const bool keep = K->precond && changed & OVKPETSC_KEEP;
  if (K->now.missed && !keep) changed |= OVKPETSC_P_VALUES;
  K->now.missed = keep && (K->now.missed || changed & OVKPETSC_P_VALUES);
  return changed;
}

PetscErrorCode ovkpetsc_changes_find(KSP ksp, Mat A, Mat P, const double *b, const double *x,
                                     ovkpetsc_made_for *made_for, ovkpetsc_values *values,
                                     int *changed)
{
  ovk_solver_opts tolerances;
  int facts = 0, of_operator;
  PetscFunctionBegin;
  PetscCall(describe(ksp, A, P, made_for, values));
  ovkpetsc_take_tolerances(ksp, &tolerances);
  PetscCall(ovkpetsc_quick_facts(ksp, A, made_for, values->A, &facts));
  PetscCall(ovkpetsc_operator_facts(ksp, A, &of_operator));
  *changed = OVKPETSC_FACTS * facts | OVKPETSC_OPERATOR * of_operator |
             compare(ksp, made_for, values, &tolerances, b, x);
  PetscCall(ovkpetsc_context_combine(ksp, changed));
  *changed = add_missed_values(ksp->data, *changed);
  PetscFunctionReturn(0);
}
