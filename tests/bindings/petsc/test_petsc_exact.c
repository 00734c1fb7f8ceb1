/* SPDX-License-Identifier: BSD-2-Clause */
/* Solves with -ksp_ovk_exact all: x has the bits of a solve on one rank. */
#include "problem.h"

enum { N = 9, ROWS = N * N };

TEST_GROUP(open_petsc, close_petsc)

/* The rows of this rank of the x of a solve over `comm`, from *first on; returns their number. */
static PetscInt solve_over(MPI_Comm comm, const char *options, PetscInt *first, double x[ROWS])
{
  scoped_Mat A = make_laplace(comm, N, false, MATAIJ);
  scoped_KSP ksp = make_ksp(A, options);
  scoped_Vec b = NULL, solution = NULL;
  const PetscScalar *array;
  PetscInt n;
  assert_petsc(MatCreateVecs(A, &solution, &b));
  /* not from a product of PETSc, whose bits depend on the partition */
  FILL_ROWS(b, i, 1. / (double)(3 + i * 7 % 11));
  assert_petsc(KSPSolve(ksp, b, solution));
  assert_true(reason_of(ksp) > 0);
  assert_petsc(VecGetOwnershipRange(solution, first, NULL));
  assert_petsc(VecGetLocalSize(solution, &n));
  assert_petsc(VecGetArrayRead(solution, &array));
  memcpy(x, array, (size_t)n * sizeof *x);
  assert_petsc(VecRestoreArrayRead(solution, &array));
  return n;
}

TEST(every_number_of_ranks_has_the_same_bits)
{
  static const char *const options[] = {
      "-ksp_ovk_exact all -ksp_ovk_method cg -pc_type jacobi",
      "-ksp_ovk_exact all -ksp_ovk_method pipecg -pc_type jacobi",
      "-ksp_ovk_exact all -ksp_ovk_method gmres -pc_type none",
      "-ksp_ovk_exact all -ksp_ovk_method bcgs -ksp_ovk_pc chebyshev",
      "-ksp_ovk_exact all -ksp_ovk_method minres -ksp_ovk_pc amg",
  };
  for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
    double all[ROWS], alone[ROWS];
    PetscInt first, zero;
    const PetscInt n = solve_over(PETSC_COMM_WORLD, options[k], &first, all);
    assert_int_equal(solve_over(PETSC_COMM_SELF, options[k], &zero, alone), ROWS);
    assert_memory_equal(all, alone + first, (size_t)n * sizeof *all);
  }
}
