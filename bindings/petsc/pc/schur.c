/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a fieldsplit PC with a Schur complement is symmetric positive definite, so that conjugate
 * gradients and MINRES may use it. That depends on its factorization, which PETSc does not return,
 * and on its blocks. Three applications decide. The first is to the second field alone: there the
 * PC of a saddle point is negative, if it is symmetric. */
#include "pc/pc.h"
#include "state/errors.h"

#include <math.h>

/* A larger relative difference is no rounding. */
static const double SYMMETRIC = 1e-10;

/* Vectors, and the PC applied to them. */
typedef struct trial {
  Vec u, v, Cu, Cv;
} trial;

/* Entries that depend on their row only: the same on all numbers of ranks and in each run. */
static PetscErrorCode fill_rows(Vec v, double step)
{
  PetscInt first, end;
  PetscScalar *entries;
  PetscFunctionBegin;
  PetscCall(VecGetOwnershipRange(v, &first, &end));
  PetscCall(VecGetArrayWrite(v, &entries));
  for (PetscInt i = first; i < end; i++) entries[i - first] = fmod((double)(i + 1) * step, 1) - 0.5;
  PetscCall(VecRestoreArrayWrite(v, &entries));
  PetscFunctionReturn(0);
}

/* v <- v in the second field, and 0 elsewhere */
static PetscErrorCode keep_second_field(PC pc, Vec v)
{
  IS second;
  Vec part, all;
  PetscFunctionBegin;
  PetscCall(PCFieldSplitGetISByIndex(pc, 1, &second));
  PetscCall(VecDuplicate(v, &all));
  PetscCall(VecCopy(v, all));
  PetscCall(VecSet(v, 0));
  PetscCall(VecGetSubVector(all, second, &part));
  PetscCall(VecISCopy(v, second, SCATTER_FORWARD, part));
  PetscCall(VecRestoreSubVector(all, second, &part));
  PetscCall(VecDestroy(&all));
  PetscFunctionReturn(0);
}

static PetscErrorCode is_positive(PC pc, Vec v, Vec Cv, bool *is)
{
  PetscScalar product;
  PetscFunctionBegin;
  PetscCall(PCApply(pc, v, Cv));
  PetscCall(VecDot(v, Cv, &product));
  *is = product > 0;
  PetscFunctionReturn(0);
}

/* *symmetric <- whether (v, C u) = (u, C v) up to rounding */
static PetscErrorCode compare(const trial *t, bool *symmetric)
{
  PetscScalar a, b;
  PetscReal u, v, Cu, Cv;
  PetscFunctionBegin;
  PetscCall(VecDot(t->v, t->Cu, &a));
  PetscCall(VecDot(t->u, t->Cv, &b));
  PetscCall(VecNorm(t->u, NORM_2, &u));
  PetscCall(VecNorm(t->v, NORM_2, &v));
  PetscCall(VecNorm(t->Cu, NORM_2, &Cu));
  PetscCall(VecNorm(t->Cv, NORM_2, &Cv));
  *symmetric = fabs(a - b) <= SYMMETRIC * (u * Cv + v * Cu);
  PetscFunctionReturn(0);
}

static PetscErrorCode try_vectors(PC pc, const trial *t, bool *definite)
{
  PetscFunctionBegin;
  PetscCall(fill_rows(t->u, 0.6180339887498949));
  PetscCall(keep_second_field(pc, t->u));
  PetscCall(is_positive(pc, t->u, t->Cu, definite));
  if (!*definite) PetscFunctionReturn(0);
  PetscCall(fill_rows(t->u, 0.6180339887498949));
  PetscCall(fill_rows(t->v, 0.4142135623730951));
  PetscCall(is_positive(pc, t->u, t->Cu, definite));
  if (*definite) PetscCall(is_positive(pc, t->v, t->Cv, definite));
  if (*definite) PetscCall(compare(t, definite));
  PetscFunctionReturn(0);
}

static PetscErrorCode try_pc(PC pc, bool *definite)
{
  trial t;
  PetscFunctionBegin;
  PetscCall(MatCreateVecs(pc->mat, &t.u, &t.Cu));
  PetscCall(VecDuplicate(t.u, &t.v));
  PetscCall(VecDuplicate(t.u, &t.Cv));
  const PetscErrorCode code = try_vectors(pc, &t, definite);
  PetscCall(VecDestroy(&t.u));
  PetscCall(VecDestroy(&t.v));
  PetscCall(VecDestroy(&t.Cu));
  PetscCall(VecDestroy(&t.Cv));
  PetscFunctionReturn(code);
}

/* The result of the last test of a PC, and its state then; stored with the PC. */
typedef struct finding {
  PetscObjectState state;
  bool definite;
} finding;

static PetscErrorCode free_finding(void *found)
{
  return PetscFree(found);
}

static const char NAME[] = "ovkrylov_schur";

static PetscErrorCode need_finding(PC pc, finding **found)
{
  PetscContainer holder;
  PetscFunctionBegin;
  PetscCall(PetscObjectQuery((PetscObject)pc, NAME, (PetscObject *)&holder));
  if (holder) {
    PetscCall(PetscContainerGetPointer(holder, (void **)found));
    PetscFunctionReturn(0);
  }
  PetscCall(PetscNew(found));
  (*found)->state = -1;
  (*found)->definite = true;
  PetscCall(PetscContainerCreate(PetscObjectComm((PetscObject)pc), &holder));
  PetscCall(PetscContainerSetPointer(holder, *found));
  PetscCall(PetscContainerSetUserDestroy(holder, free_finding));
  PetscCall(PetscObjectCompose((PetscObject)pc, NAME, (PetscObject)holder));
  PetscCall(PetscContainerDestroy(&holder));
  PetscFunctionReturn(0);
}

/* A PC that was not definite once is not tried again. */
PetscErrorCode ovkpetsc_schur_is_definite(PC pc, bool *definite)
{
  finding *found;
  PetscObjectState state;
  PetscFunctionBegin;
  PetscCall(need_finding(pc, &found));
  PetscCall(ovkpetsc_precond_state(pc, &state));
  if (found->definite && found->state != state) {
    PetscCall(PetscPushErrorHandler(PetscIgnoreErrorHandler, NULL));
    const PetscErrorCode code = try_pc(pc, &found->definite);
    PetscCall(PetscPopErrorHandler());
    PetscCall(ovkpetsc_agree(PetscObjectComm((PetscObject)pc), code));
    found->state = state;
  }
  *definite = found->definite;
  PetscFunctionReturn(0);
}
