/* SPDX-License-Identifier: BSD-2-Clause */
/* The MatNullSpace of a matrix as options of ovkrylov, which keeps a copy of its vectors. */
#include "ksp_ovk.h"

#include <petsc/private/matimpl.h>

static PetscErrorCode wrap(KSP ksp, Vec v, const double **array, ovk_vec **out)
{
  const ksp_ovk *K = ksp->data;
  PetscInt rows;
  PetscFunctionBegin;
  PetscCall(VecGetLocalSize(v, &rows));
  PetscCall(VecGetArrayRead(v, array));
  OVKPETSC_CALL(ksp, K->context->ctx,
                ovk_vec_wrap(K->context->ctx, (ovk_lidx)rows, (double *)*array, out)); /* is read */
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_nullspace_get(KSP ksp, Mat A, ovkpetsc_nullspace *N, ovk_pcg_opts *opts)
{
  MatNullSpace space;
  PetscBool constant;
  PetscFunctionBegin;
  *N = (ovkpetsc_nullspace){.count = 0};
  PetscCall(MatGetNullSpace(A, &space));
  if (!space) PetscFunctionReturn(0);
  PetscCheck(!space->remove, PetscObjectComm((PetscObject)ksp), PETSC_ERR_SUP,
             "-ksp_type ovk needs the vectors of a null space: MatNullSpaceSetFunction() has none");
  PetscCall(MatNullSpaceGetVecs(space, &constant, &N->count, &N->basis));
  PetscCall(PetscCalloc2(N->count, &N->arrays, N->count, &N->vectors));
  for (PetscInt k = 0; k < N->count; k++) {
    PetscCall(wrap(ksp, N->basis[k], &N->arrays[k], &N->vectors[k]));
  }
  opts->null_constant = constant;
  opts->null_count = (int)N->count;
  opts->null_vectors = (const ovk_vec *const *)N->vectors;
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_nullspace_restore(ovkpetsc_nullspace *N)
{
  PetscFunctionBegin;
  for (PetscInt k = 0; k < N->count; k++) {
    ovk_vec_destroy(&N->vectors[k]);
    PetscCall(VecRestoreArrayRead(N->basis[k], &N->arrays[k]));
  }
  PetscCall(PetscFree2(N->arrays, N->vectors));
  PetscFunctionReturn(0);
}
