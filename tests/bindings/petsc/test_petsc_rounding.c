/* SPDX-License-Identifier: BSD-2-Clause */
/* Rounding errors. A solve whose recomputed residual they keep above the tolerance has converged,
 * as with the types of PETSc: if b - A x is as small as asked for, or as small as it can get. With
 * -ksp_ovk_exact all x has the bits of a solve on one rank. */
#include "support/petsc/petsc_problem.h"

#include <float.h>

enum { N = 20, COLUMNS = 3, SIDE = 9, ROWS = SIDE * SIDE };

TEST_GROUP(open_petsc, close_petsc)

/* ||b - A x|| / ||b|| of a solve from x = 0; b = A v with a random v, or random itself. */
static double solve_random(KSP ksp, Mat A, bool in_range)
{
  PetscReal norm;
  scoped_Vec b = NULL, x = NULL;
  assert_petsc(MatCreateVecs(A, &x, &b));
  assert_petsc(VecSetRandom(in_range ? x : b, NULL));
  if (in_range) assert_petsc(MatMult(A, x, b));
  assert_petsc(KSPSolve(ksp, b, x));
  assert_petsc(VecNorm(b, NORM_2, &norm));
  return norm_of_residual(A, b, x) / norm;
}

/* GAMG factors a singular matrix on its coarsest level. In the null space that enlarges rounding
 * errors by 1e16. */
TEST(a_singular_matrix_without_its_null_space_converges_with_multigrid)
{
  for (PetscInt n = 24; n <= 40; n += 8) {
    scoped_Mat A = make_laplace(PETSC_COMM_WORLD, n, true, MATAIJ);
    scoped_KSP ksp = make_ksp(A, "-pc_type gamg -ksp_ovk_method gmres -ksp_rtol 1e-5");
    for (int again = 0; again < 2; again++) {
      assert_true(solve_random(ksp, A, true) <= 1e-5);
      assert_true(reason_of(ksp) > 0);
    }
    assert_true(solve_random(ksp, A, false) > 1e-5); /* there is no solution */
    assert_true(reason_of(ksp) < 0);
  }
}

/* Rows and columns of different sizes: the condition is 1e8, and ||A|| ||x|| is far above ||b||. */
static Mat make_scaled(void)
{
  Mat A = make_laplace(PETSC_COMM_WORLD, 8, false, MATAIJ);
  scoped_Vec d = NULL;
  assert_petsc(MatCreateVecs(A, &d, NULL));
  FILL_ROWS(d, i, pow(1e-4, (double)(i % 8) / 7));
  assert_petsc(MatDiagonalScale(A, d, d));
  return A;
}

TEST(a_tolerance_below_the_rounding_errors_of_a_product_is_met)
{
  static const char *const methods[] = {"-ksp_ovk_method cg",
                                        "-ksp_ovk_method minres",
                                        "-ksp_ovk_method bcgs",
                                        "-ksp_ovk_method gmres",
                                        "-ksp_ovk_method gmres -ksp_ovk_format csr",
                                        "-ksp_ovk_method cg -ksp_norm_type unpreconditioned"};
  scoped_Mat A = make_scaled();
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
    char options[200] = "-pc_type jacobi -ksp_rtol 1e-18 ";
    scoped_KSP ksp = make_ksp(A, strcat(options, methods[k]));
    scoped_Vec b = NULL, x = NULL;
    PetscReal norm;
    solve_ones(ksp, A, &b, &x);
    assert_int_equal((int)reason_of(ksp), (int)KSP_CONVERGED_RTOL);
    assert_petsc(VecNorm(x, NORM_2, &norm));
    assert_true(norm_of_residual(A, b, x) <= 1000 * DBL_EPSILON * norm);
  }
}

TEST(so_is_that_of_each_column)
{
  scoped_Mat A = make_scaled();
  scoped_Mat B = NULL, X = NULL;
  PetscInt rows;
  assert_petsc(MatGetLocalSize(A, &rows, NULL));
  assert_petsc(MatCreateDense(PETSC_COMM_WORLD, rows, PETSC_DECIDE, 64, COLUMNS, NULL, &B));
  assert_petsc(MatSetRandom(B, NULL));
  assert_petsc(MatDuplicate(B, MAT_DO_NOT_COPY_VALUES, &X));
  scoped_KSP ksp = make_ksp(A, "-pc_type jacobi -ksp_rtol 1e-18 -ksp_ovk_method cg");
  assert_petsc(KSPMatSolve(ksp, B, X));
  assert_int_equal((int)reason_of(ksp), (int)KSP_CONVERGED_RTOL);
}

/* The residual of gmres is not that of the system, which rounding does not explain. */
TEST(a_pc_that_varies_is_no_rounding)
{
  static const MatType types[] = {MATAIJ, MATBAIJ, MATSBAIJ}; /* a bound is known for the first */
  for (int k = 0; k < 3; k++) {
    scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, types[k]);
    scoped_KSP ksp = make_ksp(A, "-ksp_ovk_method gmres -pc_type ksp -ksp_ksp_type gmres "
                                 "-ksp_ksp_max_it 7 -ksp_pc_type none -ksp_rtol 1e-9");
    const double residual = solve_random(ksp, A, true);
    assert_int_equal(reason_of(ksp) > 0, residual <= 1e-9);
  }
}

/* The rows of this rank of the x of a solve over `comm`, from *first on; returns their number. */
static PetscInt solve_over(MPI_Comm comm, const char *options, PetscInt *first, double x[ROWS])
{
  scoped_Mat A = make_laplace(comm, SIDE, false, MATAIJ);
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
