/* SPDX-License-Identifier: BSD-2-Clause */
/* KSPSolve() and KSPSolveTranspose() of one KSP: each has a solver, as programs that solve adjoint
 * problems alternate them. That of the last solve is in K->now, the other one in K->other. */
#include "ksp/ksp.h"

PetscErrorCode ovkpetsc_direction_choose(KSP ksp)
{
  ksp_ovk *K = ksp->data;
  const bool changes = K->transposed != ksp->transpose_solve;
  PetscFunctionBegin;
  PetscCheck(!ksp->transpose_solve || !K->precond, PetscObjectComm((PetscObject)ksp), PETSC_ERR_SUP,
             "KSPSolveTranspose() needs a PC of PETSc: -ksp_ovk_pc has no transpose");
  K->transposed = ksp->transpose_solve;
  if (!changes || (!K->now.solver && !K->other)) PetscFunctionReturn(0);
  if (!K->other) PetscCall(PetscNew(&K->other));
  const bool flexible = K->now.flexible; /* as the solver was made */
  PetscCall(ovkpetsc_flexible_end(ksp));
  K->now.flexible = flexible;
  const ovkpetsc_direction last = K->now;
  K->now = *K->other;
  *K->other = last;
  PetscFunctionReturn(0);
}
