/* SPDX-License-Identifier: BSD-2-Clause */
/* A program of PETSc for the test of `ovk petsc`: two KSPs of its options, three of type cg, or as
 * many as -named says, and a solve with as many columns as -columns says. */
#include <petscksp.h>

static PetscErrorCode solve(Mat A, KSPType type, PetscInt times)
{
  KSP ksp;
  Vec x, b;
  PetscCall(MatCreateVecs(A, &x, &b));
  PetscCall(VecSet(b, 1));
  for (PetscInt k = 0; k < times; k++) {
    PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
    PetscCall(KSPSetOperators(ksp, A, A));
    PetscCall(KSPSetFromOptions(ksp));
    if (type) PetscCall(KSPSetType(ksp, type));
    PetscCall(KSPSolve(ksp, b, x));
    PetscCall(KSPDestroy(&ksp));
  }
  PetscCall(VecDestroy(&x));
  PetscCall(VecDestroy(&b));
  return 0;
}

static PetscErrorCode solve_columns(Mat A, PetscInt columns)
{
  KSP ksp;
  Mat B, X;
  PetscInt rows;
  PetscCall(MatGetLocalSize(A, &rows, NULL));
  PetscCall(MatCreateDense(PETSC_COMM_WORLD, rows, PETSC_DECIDE, PETSC_DECIDE, columns, NULL, &B));
  PetscCall(MatDuplicate(B, MAT_DO_NOT_COPY_VALUES, &X));
  PetscCall(MatSetRandom(B, NULL));
  PetscCall(MatAssemblyBegin(X, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(X, MAT_FINAL_ASSEMBLY));
  PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
  PetscCall(KSPSetOperators(ksp, A, A));
  PetscCall(KSPSetFromOptions(ksp));
  PetscCall(KSPMatSolve(ksp, B, X));
  PetscCall(KSPDestroy(&ksp));
  PetscCall(MatDestroy(&X));
  return MatDestroy(&B);
}

static PetscErrorCode make_matrix(Mat *A)
{
  const PetscInt n = 50;
  PetscInt first, end;
  PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, n, n, 3, NULL, 3, NULL, A));
  PetscCall(MatGetOwnershipRange(*A, &first, &end));
  for (PetscInt i = first; i < end; i++) {
    PetscCall(MatSetValue(*A, i, i, 3, INSERT_VALUES));
    if (i > 0) PetscCall(MatSetValue(*A, i, i - 1, -1, INSERT_VALUES));
    if (i + 1 < n) PetscCall(MatSetValue(*A, i, i + 1, -1, INSERT_VALUES));
  }
  PetscCall(MatAssemblyBegin(*A, MAT_FINAL_ASSEMBLY));
  return MatAssemblyEnd(*A, MAT_FINAL_ASSEMBLY);
}

int main(int argc, char **argv)
{
  Mat A;
  PetscInt named = 3, columns = 0;
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-named", &named, NULL));
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-columns", &columns, NULL));
  PetscCall(make_matrix(&A));
  PetscCall(solve(A, NULL, 2));
  PetscCall(solve(A, KSPCG, named));
  if (columns > 0) PetscCall(solve_columns(A, columns));
  PetscCall(MatDestroy(&A));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "done\n"));
  PetscCall(PetscFinalize());
  return 4;
}
