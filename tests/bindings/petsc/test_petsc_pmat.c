/* SPDX-License-Identifier: BSD-2-Clause */
/* The KSP type "ovk" with a Pmat that is not the Amat, preconditioners that are kept, and PCs so
 * strong that the Amat is not copied. */
#include "support/petsc/petsc_problem.h"

#include <petsc/private/petscimpl.h> /* states of objects */

enum { N = 12 };
static const double SMALL = 1e-7; /* of an error */

static PetscInt count_of(KSP ksp, Mat A)
{
  assert_true(solve_error(ksp, A) < SMALL);
  return iterations_of(ksp);
}

/* A with a diagonal that grows from row to row. */
static Mat make_uneven(Mat A, double slope)
{
  Mat P;
  assert_petsc(MatDuplicate(A, MAT_COPY_VALUES, &P));
  FOR_EACH_ROW(P, i)
  {
    set_value(P, i, i, 4 + slope * (double)(i % 7));
  }
  assemble(P);
  return P;
}

/* PETSc distinguishes matrices, not their states. */
static void make_states_equal(Mat A, Mat B)
{
  PetscObjectState a, b;
  assert_petsc(PetscObjectStateGet((PetscObject)A, &a));
  assert_petsc(PetscObjectStateGet((PetscObject)B, &b));
  const PetscObjectState most = a > b ? a : b;
  assert_petsc(PetscObjectStateSet((PetscObject)A, most));
  assert_petsc(PetscObjectStateSet((PetscObject)B, most));
}

TEST(another_pmat_is_seen)
{
  static const char *const pcs[] = {"-pc_type jacobi -ksp_ovk_method cg",
                                    "-ksp_ovk_pc jacobi -ksp_ovk_method cg"};
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  scoped_Mat P = make_uneven(A, 0), other = make_uneven(A, 100);
  make_states_equal(P, other);
  scoped_KSP theirs = make_ksp(A, "-ksp_type cg -pc_type jacobi");
  for (int k = 0; k < 2; k++) {
    scoped_KSP ours = make_ksp(A, pcs[k]);
    for (int turn = 0; turn < 4; turn++) {
      Mat pmat = turn % 2 ? other : P;
      assert_petsc(KSPSetOperators(theirs, A, pmat));
      assert_petsc(KSPSetOperators(ours, A, pmat));
      const PetscInt differ = count_of(ours, A) - count_of(theirs, A);
      assert_in_range(differ + 1, 0, 2);
    }
  }
}

TEST(preconditioners_of_ovkrylov_are_made_from_the_pmat)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ), shell = make_shell_of(A);
  scoped_KSP plain = make_ksp(A, "-ksp_ovk_pc ic"), ksp = make_ksp(A, "-ksp_ovk_pc ic");
  const PetscInt wanted = count_of(plain, A);
  assert_petsc(KSPSetOperators(ksp, shell, A));
  for (int k = 0; k < 2; k++) {
    assert_int_equal(count_of(ksp, shell), wanted);
    assert_petsc(MatScale(A, 2)); /* both are new */
    assert_petsc(PetscObjectStateIncrease((PetscObject)shell));
  }
  assert_petsc(KSPSetOperators(ksp, A, shell));
  assert_solve_fails(ksp, A, PETSC_ERR_SUP, "-ksp_ovk_pc is made from the rows of the Pmat");
}

/* Solves with A, then with A + 20 I from the factors of A. */
static PetscInt count_with_kept_factors(const char *options, PetscBool keep)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  scoped_KSP ksp = make_ksp(A, options);
  (void)count_of(ksp, A);
  assert_petsc(KSPSetReusePreconditioner(ksp, keep));
  assert_petsc(MatShift(A, 20));
  return count_of(ksp, A);
}

TEST(a_preconditioner_that_is_to_be_reused_is_kept)
{
  static const char *const options[] = {"-pc_type bjacobi -sub_pc_type icc", "-ksp_ovk_pc ic",
                                        "-ksp_ovk_pc ic -ksp_ovk_method overlap",
                                        "-ksp_ovk_pc ic -ksp_ovk_method pipelcg"};
  for (int k = 0; k < 4; k++) {
    const PetscInt kept = count_with_kept_factors(options[k], PETSC_TRUE);
    const PetscInt fresh = count_with_kept_factors(options[k], PETSC_FALSE);
    if (kept < fresh + 3) fail_msg("%s: %d and %d", options[k], (int)kept, (int)fresh);
  }
}

TEST(a_preconditioner_that_is_not_reused_any_more_gets_the_values_that_it_has_missed)
{
  static const char *const options[] = {"-pc_type bjacobi -sub_pc_type icc", "-ksp_ovk_pc ic"};
  for (int k = 0; k < 2; k++) {
    scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
    scoped_KSP ksp = make_ksp(A, options[k]);
    (void)count_of(ksp, A);
    assert_petsc(KSPSetReusePreconditioner(ksp, PETSC_TRUE));
    assert_petsc(MatShift(A, 20));
    (void)count_of(ksp, A);
    (void)count_of(ksp, A);
    assert_petsc(KSPSetReusePreconditioner(ksp, PETSC_FALSE));
    assert_int_equal(count_of(ksp, A), count_with_kept_factors(options[k], PETSC_FALSE));
  }
}

TEST(values_that_a_preconditioner_refuses_do_not_spoil_the_ksp)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  scoped_KSP ksp = make_ksp(A, "-ksp_ovk_pc amg");
  const PetscInt wanted = count_of(ksp, A);
  assert_petsc(MatScale(A, -1));
  assert_solve_fails(ksp, A, PETSC_ERR_LIB, "amg: the matrix is not positive definite");
  assert_petsc(KSPSetReusePreconditioner(ksp, PETSC_TRUE));
  assert_petsc(MatScale(A, -1));
  assert_int_equal(count_of(ksp, A), wanted);
}

/* Copies of A in a solve with the KSP. */
static int copies_of(KSP ksp, Mat A)
{
  const int before = count_events("KSPOvkCopyMat");
  assert_true(solve_error(ksp, A) < SMALL);
  return count_events("KSPOvkCopyMat") - before;
}

/* Work of a solve. */
typedef struct work {
  PetscInt iterations;
  int products, applications;
} work;

/* The second solve with these options: the first one sets up the PC. */
static work work_of(Mat A, const char *options)
{
  double error;
  work w;
  scoped_KSP ksp = make_ksp(A, options);
  assert_petsc(try_solve(ksp, A, &error));
  const int products = count_products(), applications = count_events("PCApply");
  assert_petsc(try_solve(ksp, A, &error));
  w.products = count_products() - products - 1; /* that of the right-hand side */
  w.applications = count_events("PCApply") - applications;
  w.iterations = iterations_of(ksp);
  return w;
}

/* An application of a costly PC more would take one of the iterations. A product confirms x where
 * no bound of the rounding errors does: they are bounded for AIJ matrices. */
TEST(a_solve_applies_the_pc_as_often_as_that_of_petsc_and_a_once_more_at_most)
{
  static const MatType types[] = {MATAIJ, MATBAIJ};
  for (int more = 0; more < 2; more++) {
    scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 30, false, types[more]);
    assert_petsc(PetscLogDefaultBegin());
    const work theirs = work_of(A, "-ksp_type cg -pc_type bjacobi -ksp_rtol 1e-6");
    const work ours = work_of(A, "-pc_type bjacobi -ksp_rtol 1e-6 -ksp_ovk_method cg "
                                 "-ksp_ovk_format shell");
    assert_true(theirs.iterations > 10);
    assert_int_equal(ours.iterations, theirs.iterations);
    assert_int_equal(ours.applications, theirs.applications);
    assert_int_equal(ours.products, theirs.products + more);
  }
}

/* LU factors of all of A: one iteration a solve. */
TEST(a_copy_is_made_where_it_pays)
{
  enum { SIDE = 64 }; /* not few rows, on 3 ranks either */
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, SIDE, false, MATAIJ);
  scoped_KSP ksp = make_ksp(A, "-pc_type redundant -ksp_ovk_method cg"),
             weak = make_ksp(A, "-pc_type bjacobi -ksp_ovk_method cg"),
             asked = make_ksp(A, "-pc_type redundant -ksp_ovk_method cg -ksp_ovk_format auto");
  int solves = 0;
  assert_petsc(PetscLogDefaultBegin());
  assert_int_equal(copies_of(weak, A), 1);
  assert_int_equal(copies_of(asked, A), 1);
  for (int k = 0; k < 20; k++) { /* new values, for few products */
    assert_int_equal(copies_of(ksp, A), 0);
    assert_int_equal(copies_of(ksp, A), 0);
    assert_petsc(MatScale(A, 1.1));
  }
  while (copies_of(ksp, A) == 0) solves++;
  assert_in_range(solves, 40, 100);
  assert_int_equal(copies_of(ksp, A), 0);
  assert_petsc(MatScale(A, 2)); /* as the last one was worth a copy */
  assert_int_equal(copies_of(ksp, A), 1);
  assert_petsc(MatScale(A, 2));
  assert_int_equal(copies_of(ksp, A), 0);
}

/* Where a copy takes longer than the products of many short solves. */
TEST(a_matrix_of_few_rows_is_copied_once_it_has_needed_many_products)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  scoped_KSP ksp = make_ksp(A, "-pc_type jacobi -ksp_ovk_method cg");
  PetscInt all = 0;
  assert_petsc(PetscLogDefaultBegin());
  while (copies_of(ksp, A) == 0) {
    all += iterations_of(ksp);
    assert_in_range(all, 1, 400);
  }
  assert_in_range(all, 100, 400);
}

/* LU has none, which shows only when it is asked to apply one. */
TEST(a_pc_whose_factors_were_looked_for_can_be_used)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  scoped_KSP ksp = make_ksp(A, "-pc_type bjacobi -sub_pc_type lu -ksp_ovk_method overlap");
  PC pc;
  scoped_Vec x = NULL, y = NULL;
  assert_petsc(MatCreateVecs(A, &x, &y));
  assert_petsc(VecSet(x, 1));
  for (int k = 0; k < 2; k++) {
    assert_solve_fails(ksp, A, PETSC_ERR_SUP, "'bjacobi' has no factors");
  }
  assert_petsc(KSPGetPC(ksp, &pc));
  assert_petsc(PCApply(pc, x, y));
}

TEST_GROUP(open_petsc, close_petsc)
