/* SPDX-License-Identifier: BSD-2-Clause */
/* KSPSolve() and KSPSolveTranspose() of one KSP: each has a solver, as programs that solve adjoint
 * problems alternate them. That of the last solve is in the KSP, the other one in K->other. */
#include "ksp/ksp.h"

#include <string.h>

/* The members from A to x_array. */
enum {
  FIRST = offsetof(ksp_ovk, A),
  BYTES = offsetof(ksp_ovk, x_array) + sizeof(double *) - FIRST
};

static void direction_swap(ksp_ovk *a, ksp_ovk *b)
{
  char kept[BYTES];
  memcpy(kept, (char *)a + FIRST, BYTES);
  memcpy((char *)a + FIRST, (char *)b + FIRST, BYTES);
  memcpy((char *)b + FIRST, kept, BYTES);
}

PetscErrorCode ovkpetsc_direction_choose(KSP ksp)
{
  ksp_ovk *K = ksp->data;
  const bool changes = K->transposed != ksp->transpose_solve;
  PetscFunctionBegin;
  PetscCheck(!ksp->transpose_solve || !K->precond, PetscObjectComm((PetscObject)ksp), PETSC_ERR_SUP,
             "KSPSolveTranspose() needs a PC of PETSc: -ksp_ovk_pc has no transpose");
  K->transposed = ksp->transpose_solve;
  if (!changes || (!K->solver && !K->other)) PetscFunctionReturn(0);
  if (!K->other) PetscCall(PetscNew(&K->other));
  const bool flexible = K->flexible; /* as the solver was made */
  PetscCall(ovkpetsc_flexible_end(ksp));
  K->flexible = flexible;
  direction_swap(K, K->other);
  PetscFunctionReturn(0);
}
