/* SPDX-License-Identifier: BSD-2-Clause */
/* The null spaces of a matrix and of its transpose as options of ovkrylov, which copies their
 * vectors. */
#include "state/errors.h"
#include "system/system.h"

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

PetscErrorCode ovkpetsc_vectors_get(KSP ksp, MatNullSpace space, ovkpetsc_vectors *V)
{
  PetscBool constant;
  PetscFunctionBegin;
  *V = (ovkpetsc_vectors){.count = 0};
  if (!space) PetscFunctionReturn(0);
  PetscCheck(!space->remove, PetscObjectComm((PetscObject)ksp), PETSC_ERR_SUP,
             "-ksp_type ovk needs the vectors of a null space: MatNullSpaceSetFunction() has none");
  PetscCall(MatNullSpaceGetVecs(space, &constant, &V->count, &V->basis));
  V->constant = constant;
  PetscCall(PetscCalloc2(V->count, &V->arrays, V->count, &V->vectors));
  for (PetscInt k = 0; k < V->count; k++) {
    PetscCall(wrap(ksp, V->basis[k], &V->arrays[k], &V->vectors[k]));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_nullspace_get(KSP ksp, Mat A, ovkpetsc_nullspace *N, ovk_solver_opts *opts)
{
  MatNullSpace right, left;
  PetscFunctionBegin;
  PetscCall(MatGetNullSpace(A, ksp->transpose_solve ? &left : &right));
  PetscCall(MatGetTransposeNullSpace(A, ksp->transpose_solve ? &right : &left));
  PetscCall(ovkpetsc_vectors_get(ksp, right, &N->right));
  PetscCall(ovkpetsc_vectors_get(ksp, left, &N->left));
  opts->null_constant = N->right.constant;
  opts->null_count = (int)N->right.count;
  opts->null_vectors = (const ovk_vec *const *)N->right.vectors;
  opts->left_null_constant = N->left.constant;
  opts->left_null_count = (int)N->left.count;
  opts->left_null_vectors = (const ovk_vec *const *)N->left.vectors;
  PetscFunctionReturn(0);
}

bool ovkpetsc_nullspace_is_given(const ovk_solver_opts *o)
{
  return o->null_constant || o->null_count || o->left_null_constant || o->left_null_count;
}

PetscErrorCode ovkpetsc_vectors_restore(ovkpetsc_vectors *V)
{
  PetscFunctionBegin;
  for (PetscInt k = 0; k < V->count; k++) {
    ovk_vec_destroy(&V->vectors[k]);
    PetscCall(VecRestoreArrayRead(V->basis[k], &V->arrays[k]));
  }
  PetscCall(PetscFree2(V->arrays, V->vectors));
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_nullspace_restore(ovkpetsc_nullspace *N)
{
  PetscFunctionBegin;
  PetscCall(ovkpetsc_vectors_restore(&N->right));
  PetscCall(ovkpetsc_vectors_restore(&N->left));
  PetscFunctionReturn(0);
}
