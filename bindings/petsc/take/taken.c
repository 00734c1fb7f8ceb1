/* SPDX-License-Identifier: BSD-2-Clause */
/* A KSP of a replaced type: methods, norms, and the change back to the original type. */
#include "ksp/ksp.h"
#include "state/arrays.h"
#include "take/take.h"

#include <stdio.h>

enum { NO = 0, SECOND = 2, FIRST = 9 };

static PetscErrorCode allow(KSP ksp, KSPNormType norm, PCSide side, PetscInt priority)
{
  PetscFunctionBegin;
  ksp->normsupporttable[norm][side] = NO; /* else the greater one counts */
  if (priority) PetscCall(KSPSetSupportedNorm(ksp, norm, side, priority));
  PetscFunctionReturn(0);
}

/* PETSc has the PC on both sides in types of gmres: they are given back where that is asked for. */
static PetscErrorCode allow_symmetric(KSP ksp, ovkpetsc_family family)
{
  const PetscInt priority = family == OVKPETSC_GMRES ? 1 : NO;
  PetscFunctionBegin;
  PetscCall(allow(ksp, KSP_NORM_PRECONDITIONED, PC_SYMMETRIC, priority));
  PetscFunctionReturn(0);
}

/* Norms and sides, and which of them are the default, as the type has them in PETSc. */
static PetscErrorCode set_norms(KSP ksp, ovkpetsc_family family)
{
  const bool cg = family <= OVKPETSC_PIPEFCG;
  const bool left = cg || family == OVKPETSC_MINRES;
  const bool right =
      family == OVKPETSC_FGMRES || family == OVKPETSC_GCR || family == OVKPETSC_RIGHT;
  const PetscInt natural = family == OVKPETSC_PIPELCG ? FIRST : cg ? SECOND : NO;
  PetscFunctionBegin;
  PetscCall(allow(ksp, KSP_NORM_PRECONDITIONED, PC_LEFT, right ? NO : SECOND + 1));
  PetscCall(allow(ksp, KSP_NORM_UNPRECONDITIONED, PC_LEFT, left ? SECOND : NO));
  PetscCall(allow(ksp, KSP_NORM_NATURAL, PC_LEFT, natural));
  PetscCall(allow(ksp, KSP_NORM_UNPRECONDITIONED, PC_RIGHT, left ? NO : SECOND));
  PetscCall(allow(ksp, KSP_NORM_NONE, PC_LEFT, right ? NO : 1));
  PetscCall(allow(ksp, KSP_NORM_NONE, PC_RIGHT, left ? NO : 1));
  PetscCall(allow_symmetric(ksp, family));
  PetscFunctionReturn(0);
}

/* The KSP gets the original type of the same name, with its options and settings. */
static PetscErrorCode give_back(KSP ksp)
{
  const ksp_ovk *K = ksp->data;
  const char *name = K->taken->name;
  const ovkpetsc_family family = K->taken->family;
  const ovkpetsc_settings settings = K->settings;
  char original[OVKPETSC_TYPE_SIZE];
  PCSide side;
  PetscFunctionBegin;
  snprintf(original, sizeof original, OVKPETSC_ORIGINAL "%s", name);
  PetscCall(KSPSetType(ksp, original));
  PetscCall(PetscObjectChangeTypeName((PetscObject)ksp, name));
  PetscCall(KSPGetPCSide(ksp, &side)); /* settles norm and side, which KSPSetType() has undone */
  PetscCall(ovkpetsc_setters_hand_on(ksp, family, &settings));
  if (ksp->setfromoptionscalled && ksp->ops->setfromoptions) {
    PetscObjectOptionsBegin((PetscObject)ksp);
    PetscCall((*ksp->ops->setfromoptions)(ksp, PetscOptionsObject));
    PetscOptionsEnd();
  }
  PetscFunctionReturn(0);
}

/* Whether vectors of A have an array, if A itself creates them. It may create others later: those
 * of SLEPc have as many parts as their search space has directions, and must be as long as the
 * longest one. So the original type creates its work vectors in this setup, not in the first solve.
 */
static PetscErrorCode has_array(KSP ksp, bool *has)
{
  Mat A;
  Vec v;
  PetscBool set, creates;
  PetscFunctionBegin;
  PetscCall(KSPGetOperatorsSet(ksp, &set, NULL));
  if (!set) PetscFunctionReturn(0);
  PetscCall(KSPGetOperators(ksp, &A, NULL));
  PetscCall(MatHasOperation(A, MATOP_CREATE_VECS, &creates));
  if (!creates) PetscFunctionReturn(0);
  PetscCall(MatCreateVecs(A, &v, NULL));
  *has = ovkpetsc_lend_has_array(v);
  PetscCall(VecDestroy(&v));
  PetscFunctionReturn(0);
}

/* Chebyshev and GAMG have a KSP that estimates eigenvalues, and request this before its setup.
 * Davidson methods of SLEPc have vectors of several vectors. */
static PetscErrorCode set_up(KSP ksp)
{
  bool has = true;
  PetscFunctionBegin;
  PetscCall(ovkpetsc_directions_settle(ksp, &has));
  if (has) PetscCall(has_array(ksp, &has));
  if (!has || ksp->calc_sings || ksp->calc_ritz || ksp->pc_side == PC_SYMMETRIC) {
    PetscCall(give_back(ksp));
    PetscCall((*ksp->ops->setup)(ksp));
  }
  PetscFunctionReturn(0);
}

/* Vectors of the program may have no array where those of A have one. */
static PetscErrorCode solve(KSP ksp)
{
  PetscFunctionBegin;
  if (ovkpetsc_can_solve(ksp)) {
    PetscCall(ovkpetsc_solve(ksp));
    PetscFunctionReturn(0);
  }
  PetscCall(give_back(ksp));
  PetscCall(KSPSetUp(ksp));
  PetscCall((*ksp->ops->solve)(ksp));
  PetscFunctionReturn(0);
}

static PetscErrorCode set_from_options(KSP ksp, ovkpetsc_options PetscOptionsObject)
{
  PetscFunctionBegin;
  PetscCall(ovkpetsc_setters_from_options(ksp, PetscOptionsObject));
  PetscCall(ovkpetsc_directions_from_options(ksp, PetscOptionsObject));
  PetscCall(ovkpetsc_others_from_options(ksp, PetscOptionsObject));
  PetscCall(ovkpetsc_set_from_options(ksp, PetscOptionsObject));
  PetscFunctionReturn(0);
}

static PetscErrorCode taken_destroy(KSP ksp)
{
  PetscFunctionBegin;
  PetscCall(ovkpetsc_setters_compose(ksp, false));
  PetscCall(ovkpetsc_destroy(ksp));
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_taken_create(KSP ksp, const ovkpetsc_taken *taken)
{
  PetscFunctionBegin;
  PetscCall(ovkpetsc_create(ksp));
  ksp_ovk *K = ksp->data;
  K->taken = taken;
  PetscCall(set_norms(ksp, taken->family));
  PetscCall(ovkpetsc_setters_compose(ksp, true));
  PetscCall(ovkpetsc_directions_default(ksp));
  ksp->ops->setup = set_up;
  ksp->ops->solve = solve;
  ksp->ops->setfromoptions = set_from_options;
  ksp->ops->destroy = taken_destroy;
  PetscFunctionReturn(0);
}
