/* SPDX-License-Identifier: BSD-2-Clause */
/* KSPMatSolve() of the KSP type "ovk": each column has the solution and the view of KSPSolve(). */
#include "problem.h"

enum { N = 12, COLUMNS = 5 };

TEST_GROUP(open_petsc, close_petsc)

/* Random columns, or zeros; `scale` in the last one. */
static Mat make_columns(Mat A, bool random, double scale)
{
  Mat B;
  Vec v;
  PetscInt rows, all;
  assert_petsc(MatGetLocalSize(A, &rows, NULL));
  assert_petsc(MatGetSize(A, &all, NULL));
  assert_petsc(MatCreateDense(PETSC_COMM_WORLD, rows, PETSC_DECIDE, all, COLUMNS, NULL, &B));
  if (random) assert_petsc(MatSetRandom(B, NULL));
  assemble(B);
  assert_petsc(MatDenseGetColumnVec(B, COLUMNS - 1, &v));
  assert_petsc(VecScale(v, scale));
  assert_petsc(MatDenseRestoreColumnVec(B, COLUMNS - 1, &v));
  return B;
}

/* The largest ||b - A x|| / ||b|| of all columns. */
static double largest_residual(Mat A, Mat B, Mat X)
{
  double largest = 0;
  for (PetscInt j = 0; j < COLUMNS; j++) {
    Vec b, x, r;
    PetscReal norm, norm_b;
    assert_petsc(MatDenseGetColumnVecRead(B, j, &b));
    assert_petsc(MatDenseGetColumnVecRead(X, j, &x));
    assert_petsc(VecDuplicate(b, &r));
    assert_petsc(MatMult(A, x, r));
    assert_petsc(VecAYPX(r, -1, b));
    assert_petsc(VecNorm(r, NORM_2, &norm));
    assert_petsc(VecNorm(b, NORM_2, &norm_b));
    largest = fmax(largest, norm / norm_b);
    assert_petsc(VecDestroy(&r));
    assert_petsc(MatDenseRestoreColumnVecRead(X, j, &x));
    assert_petsc(MatDenseRestoreColumnVecRead(B, j, &b));
  }
  return largest;
}

/* The views of reasons, and the iterations of the columns that are viewed. */
typedef struct counts {
  PetscInt views, iterations;
} counts;

static PetscErrorCode count_view(KSP ksp, void *arg)
{
  counts *all = arg;
  assert_true(reason_of(ksp) > 0);
  all->views++;
  all->iterations += iterations_of(ksp);
  return 0;
}

/* The reason of each column is viewed once, and its iterations are counted, as by KSPSolve(). */
static void solve_columns(const char *options, bool monitor, double most)
{
  counts all = {0};
  PetscInt total;
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  scoped_Mat B = make_columns(A, true, 1), X = make_columns(A, false, 1);
  scoped_KSP ksp = make_ksp(A, options);
  if (monitor) assert_petsc(KSPSetResidualHistory(ksp, NULL, 1000, PETSC_TRUE));
  assert_petsc(KSPSetTolerances(ksp, 1e-9, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
  assert_petsc(KSPConvergedReasonViewSet(ksp, count_view, &all, NULL));
  for (int k = 0; k < 2; k++) {
    assert_petsc(KSPMatSolve(ksp, B, X));
    assert_petsc(KSPGetTotalIterations(ksp, &total));
    assert_int_equal(all.views, (k + 1) * COLUMNS);
    assert_int_equal(total, all.iterations);
    assert_true(reason_of(ksp) > 0);
    assert_true(iterations_of(ksp) > 3);
    assert_true(largest_residual(A, B, X) < most);
  }
}

TEST(each_column_is_solved)
{
  solve_columns("-pc_type jacobi -ksp_ovk_method cg", false, 1e-7);
  solve_columns("-ksp_ovk_pc ic -ksp_ovk_method cg", false, 1e-7);
  solve_columns("-pc_type bjacobi -ksp_ovk_method gmres", false, 1e-7);
  solve_columns("-pc_type bjacobi", false, 1e-7);
}

TEST(monitored_columns_are_solved)
{
  solve_columns("-pc_type jacobi -ksp_ovk_method cg", true, 1e-7);
}

TEST(a_column_that_fails_is_the_reason)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  scoped_Mat B = make_columns(A, true, NAN), X = make_columns(A, false, 1);
  scoped_KSP ksp = make_ksp(A, "-pc_type jacobi -ksp_ovk_method cg");
  assert_petsc(KSPMatSolve(ksp, B, X));
  assert_int_equal((int)reason_of(ksp), (int)KSP_DIVERGED_NANORINF);
}

/* On few rows, where single solves take gmres if A is not symmetric. */
TEST(single_solves_with_new_values_have_the_method_of_single_solves_again)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  FOR_EACH_ROW(A, i) set_value(A, i, i, 8.0 + 0.01 * (double)i);
  if (row_begin(A) == 0) set_value(A, 0, 1, -3);
  assemble(A);
  scoped_Mat B = make_columns(A, true, 1), X = make_columns(A, false, 1);
  scoped_KSP ksp = make_ksp(A, "-pc_type jacobi -ksp_rtol 1e-3");
  for (int k = 0; k < 2; k++) {
    assert_true(solve_error(ksp, A) < 0.1);
    assert_views(ksp, "ortho=cgs");
    assert_petsc(KSPMatSolve(ksp, B, X));
    assert_views_without(ksp, "ortho=cgs");
    assert_true(largest_residual(A, B, X) < 0.01);
    assert_petsc(MatScale(A, 2));
  }
}
