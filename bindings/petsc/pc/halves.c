/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a PC has factors: PCApplySymmetricLeft() and PCApplySymmetricRight(). */
#include "pc/pc.h"

/* Whether the PC of a block, or of all rows, can apply both halves: it knows only when it does. */
static PetscErrorCode try_halves(PC pc, bool *can)
{
  Mat A;
  Vec r, t;
  PetscFunctionBegin;
  *can = pc->ops->applysymmetricleft && pc->ops->applysymmetricright;
  if (!*can) PetscFunctionReturn(0);
  PetscCall(PCGetOperators(pc, NULL, &A));
  PetscCall(MatCreateVecs(A, &r, &t));
  PetscCall(VecSet(r, 0));
  PetscCall(PetscPushErrorHandler(PetscIgnoreErrorHandler, NULL));
  PetscErrorCode code = PCApplySymmetricLeft(pc, r, t);
  if (!code) code = PCApplySymmetricRight(pc, r, t);
  PetscCall(PetscPopErrorHandler());
  *can = !code;
  PetscCall(VecDestroy(&r));
  PetscCall(VecDestroy(&t));
  PetscFunctionReturn(0);
}

/* Block Jacobi whose halves fail within a block is unusable after that: the blocks are tried. */
PetscErrorCode ovkpetsc_pc_has_halves(PC pc, bool *has)
{
  PetscBool blocks;
  PetscInt n;
  KSP *inner;
  PetscFunctionBegin;
  *has = pc->ops->applysymmetricleft && pc->ops->applysymmetricright;
  if (!*has) PetscFunctionReturn(0);
  PetscCall(PetscObjectTypeCompare((PetscObject)pc, PCBJACOBI, &blocks));
  if (!blocks) {
    PetscCall(try_halves(pc, has));
    PetscFunctionReturn(0);
  }
  PetscCall(PCBJacobiGetSubKSP(pc, &n, NULL, &inner));
  for (PetscInt k = 0; *has && k < n; k++) PetscCall(ovkpetsc_pc_has_halves(inner[k]->pc, has));
  PetscFunctionReturn(0);
}
