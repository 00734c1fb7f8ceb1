/* SPDX-License-Identifier: BSD-2-Clause */
/* A program of PETSc that solves with ovkrylov. Nothing in it is of ovkrylov: it reads its options,
 * and these load the library and choose the KSP type.
 *
 *   export PETSC_OPTIONS="-dll_append $PREFIX/lib/libovkpetsc.so"
 *   mpiexec -n 2 ./ex10_petsc -n 40 -ksp_type ovk -pc_type bjacobi -sub_pc_type icc
 *   mpiexec -n 2 ./ex10_petsc -n 40 -ksp_type ovk -ksp_ovk_method pipecg -pc_type gamg -ksp_view
 *
 * The matrix is the 7-point Laplace operator on n x n x n points, and the solution is 1. */
#include <petscksp.h>

/* Row `row` of the matrix. */
static PetscErrorCode set_row(Mat A, PetscInt n, PetscInt row)
{
  const PetscInt at[3] = {row % n, row / n % n, row / n / n}, step[3] = {1, n, n * n};
  PetscInt col[7] = {row}, entries = 1;
  const PetscScalar val[7] = {6, -1, -1, -1, -1, -1, -1};
  PetscFunctionBeginUser;
  for (int d = 0; d < 3; d++) {
    if (at[d] > 0) col[entries++] = row - step[d];
    if (at[d] < n - 1) col[entries++] = row + step[d];
  }
  PetscCall(MatSetValues(A, 1, &row, entries, col, val, INSERT_VALUES));
  PetscFunctionReturn(0);
}

static PetscErrorCode make_matrix(PetscInt n, Mat *A)
{
  PetscInt first, end;
  PetscFunctionBeginUser;
  PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, n * n * n, n * n * n, 7,
                         NULL, 6, NULL, A));
  PetscCall(MatGetOwnershipRange(*A, &first, &end));
  for (PetscInt row = first; row < end; row++) PetscCall(set_row(*A, n, row));
  PetscCall(MatAssemblyBegin(*A, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*A, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(0);
}

/* *error is the largest entry of the error of x; *reason is positive if the solve converged. */
static PetscErrorCode solve(Mat A, KSPConvergedReason *reason, PetscInt *iterations,
                            PetscReal *error)
{
  KSP ksp;
  Vec b, x;
  PetscFunctionBeginUser;
  PetscCall(MatCreateVecs(A, &x, &b));
  PetscCall(VecSet(x, 1));
  PetscCall(MatMult(A, x, b));
  PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
  PetscCall(KSPSetOperators(ksp, A, A));
  PetscCall(KSPSetTolerances(ksp, 1e-8, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
  PetscCall(KSPSetFromOptions(ksp)); /* -ksp_type ovk is read here */
  PetscCall(KSPSolve(ksp, b, x));
  PetscCall(KSPGetConvergedReason(ksp, reason));
  PetscCall(KSPGetIterationNumber(ksp, iterations));
  PetscCall(VecShift(x, -1));
  PetscCall(VecNorm(x, NORM_INFINITY, error));
  PetscCall(KSPDestroy(&ksp));
  PetscCall(VecDestroy(&b));
  PetscCall(VecDestroy(&x));
  PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
  Mat A;
  PetscInt n = 20, iterations;
  PetscReal error;
  KSPConvergedReason reason;
  PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
  PetscCall(PetscOptionsGetInt(NULL, NULL, "-n", &n, NULL));
  PetscCall(make_matrix(n, &A));
  PetscCall(solve(A, &reason, &iterations, &error));
  PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%s after %d iterations, error %.1e\n",
                        KSPConvergedReasons[reason], (int)iterations, (double)error));
  PetscCall(MatDestroy(&A));
  PetscCall(PetscFinalize());
  return reason > 0 ? 0 : 1;
}
