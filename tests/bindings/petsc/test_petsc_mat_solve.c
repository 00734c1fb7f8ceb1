/* SPDX-License-Identifier: BSD-2-Clause */
/* KSPMatSolve() of the KSP type "ovk": each column has the solution and the view of KSPSolve(). */
#include "support/petsc/petsc_problem.h"

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
    Vec b, x;
    PetscReal norm_b;
    assert_petsc(MatDenseGetColumnVecRead(B, j, &b));
    assert_petsc(MatDenseGetColumnVecRead(X, j, &x));
    assert_petsc(VecNorm(b, NORM_2, &norm_b));
    largest = fmax(largest, norm_of_residual(A, b, x) / norm_b);
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

/* A solve's applications to several columns, of the PC and of its blocks. */
static int matrix_applications(const char *options)
{
  const int before = count_events("PCMatApply");
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  scoped_Mat B = make_columns(A, true, 1), X = make_columns(A, false, 1);
  scoped_KSP ksp = make_ksp(A, options);
  assert_petsc(KSPMatSolve(ksp, B, X));
  assert_true(largest_residual(A, B, X) < 1e-7);
  return count_events("PCMatApply") - before;
}

/* Factors of other packages than PETSc are read once for all columns. */
TEST(a_pc_that_is_faster_so_gets_the_columns_together)
{
  static const char *const together[] = {
      "-pc_type bjacobi -sub_pc_type lu -sub_pc_factor_mat_solver_type mumps -ksp_ovk_method gmres",
      "-pc_type bjacobi -sub_pc_type cholesky -sub_pc_factor_mat_solver_type mumps"};
  static const char *const alone[] = {"-pc_type bjacobi -sub_pc_type icc -ksp_ovk_method cg",
                                      "-pc_type gamg -ksp_ovk_method cg"};
  assert_petsc(PetscLogDefaultBegin());
  for (int k = 0; k < 2; k++) {
    assert_in_range(matrix_applications(together[k]), 2, 200);
    assert_int_equal(matrix_applications(alone[k]), 0);
  }
}

/* z <- r / 4 for vectors and for matrices of several columns. */
static int vectors, matrices;

static PetscErrorCode quarter(PC pc, Vec r, Vec z)
{
  (void)pc;
  vectors++;
  assert_petsc(VecCopy(r, z));
  return VecScale(z, 0.25);
}

static PetscErrorCode quarter_columns(PC pc, Mat R, Mat Z)
{
  PetscInt columns;
  (void)pc;
  matrices++;
  assert_petsc(MatGetSize(R, NULL, &columns));
  assert_in_range(columns, 2, 8);
  assert_petsc(MatCopy(R, Z, SAME_NONZERO_PATTERN));
  return MatScale(Z, 0.25);
}

static PetscErrorCode quarter_fails(PC pc, Mat R, Mat Z)
{
  (void)pc;
  (void)R;
  (void)Z;
  return PETSC_ERR_USER;
}

static KSP make_shell(Mat A, PetscErrorCode (*columns)(PC, Mat, Mat))
{
  PC pc;
  KSP ksp = make_ksp(A, "-pc_type shell -ksp_ovk_method cg");
  assert_petsc(KSPGetPC(ksp, &pc));
  assert_petsc(PCShellSetApply(pc, quarter));
  assert_petsc(PCShellSetMatApply(pc, columns));
  return ksp;
}

TEST(a_shell_gets_the_columns_together_if_it_can)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  scoped_Mat B = make_columns(A, true, 1), X = make_columns(A, false, 1);
  for (int can = 0; can < 2; can++) {
    scoped_KSP ksp = make_shell(A, can ? quarter_columns : NULL);
    vectors = matrices = 0;
    assert_petsc(KSPMatSolve(ksp, B, X));
    assert_true(largest_residual(A, B, X) < 1e-7);
    assert_true(can ? matrices > 10 : vectors > 10 * COLUMNS);
    assert_true(can || matrices == 0);
    assert_true(solve_error(ksp, A) < 1e-6);
  }
}

TEST(an_error_of_a_shell_with_columns_is_that_of_the_solve)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  scoped_Mat B = make_columns(A, true, 1), X = make_columns(A, false, 1);
  scoped_KSP ksp = make_shell(A, quarter_fails);
  assert_refused(KSPMatSolve(ksp, B, X), PETSC_ERR_LIB, NULL);
}

TEST(monitored_columns_are_solved)
{
  solve_columns("-pc_type jacobi -ksp_ovk_method cg", true, 1e-7);
}

/* A history may be set on one rank only. */
TEST(columns_that_one_rank_watches_are_solved)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  scoped_Mat B = make_columns(A, true, 1), X = make_columns(A, false, 1);
  scoped_KSP ksp = make_ksp(A, "-pc_type jacobi -ksp_ovk_method cg");
  if (test_rank == 0) assert_petsc(KSPSetResidualHistory(ksp, NULL, 1000, PETSC_TRUE));
  assert_petsc(KSPMatSolve(ksp, B, X));
  assert_true(largest_residual(A, B, X) < 1e-4);
}

static PetscErrorCode count_failures(KSP ksp, void *arg)
{
  counts *all = arg;
  all->views += reason_of(ksp) < 0;
  return 0;
}

/* The first column has NaN, the others converge. */
TEST(a_watched_column_that_fails_is_the_reason)
{
  counts all = {0};
  Vec first;
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  scoped_Mat B = make_columns(A, true, 1), X = make_columns(A, false, 1);
  scoped_KSP ksp = make_ksp(A, "-pc_type jacobi -ksp_ovk_method cg");
  assert_petsc(MatDenseGetColumnVec(B, 0, &first));
  assert_petsc(VecScale(first, NAN));
  assert_petsc(MatDenseRestoreColumnVec(B, 0, &first));
  assert_petsc(KSPSetResidualHistory(ksp, NULL, 1000, PETSC_TRUE));
  assert_petsc(KSPConvergedReasonViewSet(ksp, count_failures, &all, NULL));
  assert_petsc(KSPMatSolve(ksp, B, X));
  assert_int_equal((int)reason_of(ksp), (int)KSP_DIVERGED_NANORINF);
  assert_int_equal(all.views, 1);
  assert_views(ksp, "last solve: ");
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

TEST(columns_after_a_solve_with_the_transpose_are_those_of_A)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  FOR_EACH_ROW(A, i) set_value(A, i, i, 6);
  if (row_begin(A) == 0) set_value(A, 0, 1, -3);
  assemble(A);
  scoped_Mat B = make_columns(A, true, 1), X = make_columns(A, false, 1);
  scoped_KSP ksp = make_ksp(A, "-pc_type jacobi -ksp_ovk_method gmres");
  assert_petsc(KSPSetTolerances(ksp, 1e-9, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
  for (int k = 0; k < 2; k++) {
    assert_true(transpose_error(ksp, A) < 1e-6);
    assert_petsc(KSPMatSolve(ksp, B, X));
    assert_true(largest_residual(A, B, X) < 1e-7);
  }
}
