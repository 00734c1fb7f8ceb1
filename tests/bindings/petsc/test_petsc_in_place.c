/* SPDX-License-Identifier: BSD-2-Clause */
/* Matrices that are declared definite, with a PC that is neither diagonal nor strong: solves start
 * in place and copy the matrix once they are long. */
#include "support/petsc/petsc_problem.h"

enum { N = 120, MOST = 400 };

static KSP make_definite(Mat A, const char *options)
{
  char all[160];
  snprintf(all, sizeof all, "-pc_type bjacobi -ksp_ovk_spd -ksp_norm_type preconditioned %s",
           options);
  return make_ksp(A, all);
}

static int count_copies(void)
{
  return count_events("KSPOvkCopyMat");
}

/* The iterations of a solve with the type cg of PETSc. */
static PetscInt iterations_of_cg(Mat A, const char *options)
{
  PetscInt iterations;
  char all[160];
  snprintf(all, sizeof all, "-ksp_type cg -pc_type bjacobi %s", options);
  (void)solve_once(A, all, &iterations);
  return iterations;
}

TEST(a_long_solve_copies_the_matrix_and_keeps_its_iterations)
{
  static const char tight[] = "-ksp_rtol 1e-10";
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  const PetscInt wanted = iterations_of_cg(A, tight);
  scoped_KSP ksp = make_definite(A, tight);
  assert_petsc(PetscLogDefaultBegin());
  const int copies = count_copies(), products = count_products();
  assert_true(solve_error(ksp, A) < 1e-6);
  assert_in_range(wanted, 100, MOST);
  assert_in_range(iterations_of(ksp), wanted - 2, wanted + 2);
  assert_int_equal(count_copies() - copies, 1);
  assert_in_range(count_products() - products, 40, 90);
  assert_views(ksp, "method cg,");
  assert_views(ksp, "products by format");
}

TEST(the_next_solve_takes_the_copy_over_and_gives_it_new_values)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  scoped_KSP ksp = make_definite(A, "-ksp_rtol 1e-10");
  assert_petsc(PetscLogDefaultBegin());
  int copies = count_copies();
  for (int step = 0; step < 4; step++) { /* two solves with each values */
    if (step == 2) assert_petsc(MatScale(A, 3));
    const int products = count_products();
    assert_true(solve_error(ksp, A) < 1e-6);
    if (step > 0) assert_int_equal(count_products() - products, 1); /* of the right-hand side */
    assert_int_equal(count_copies() - copies, step == 0 || step == 2);
    copies = count_copies();
  }
}

TEST(new_values_after_a_long_solve_in_place_are_those_of_the_next_one)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  scoped_KSP ksp = make_definite(A, "-ksp_rtol 1e-10");
  for (int step = 0; step < 4; step++) {
    assert_true(solve_error(ksp, A) < 1e-6);
    assert_petsc(MatScale(A, 0.5));
    assert_petsc(MatShift(A, 1e-2));
  }
}

TEST(short_solves_with_new_values_are_all_in_place)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  scoped_KSP ksp = make_definite(A, "-ksp_rtol 1e-12 -ksp_max_it 20");
  assert_petsc(PetscLogDefaultBegin());
  const int copies = count_copies();
  for (int step = 0; step < 10; step++) {
    assert_true(count_more_products(ksp, A) >= 0);
    assert_int_equal(iterations_of(ksp), 20);
    assert_petsc(MatScale(A, 1.1));
  }
  assert_int_equal(count_copies(), copies);
  assert_views(ksp, "products by PETSc");
}

/* Each would have paid for new values, and some of them together for the first copy. */
TEST(longer_solves_with_new_values_pay_for_a_copy_together)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  scoped_KSP ksp = make_definite(A, "-ksp_rtol 1e-12 -ksp_max_it 50");
  int step = 0;
  assert_petsc(PetscLogDefaultBegin());
  const int copies = count_copies();
  for (; step < 10 && count_copies() == copies; step++) {
    scoped_Vec x = NULL, b = NULL;
    solve_ones(ksp, A, &b, &x);
    assert_petsc(MatScale(A, 1.1));
  }
  assert_in_range(step, 2, 5);
}

/* Programs that make a KSP for each solve. */
TEST(a_ksp_expects_as_many_products_as_the_last_one_needed)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  assert_petsc(PetscLogDefaultBegin());
  for (int k = 0; k < 2; k++) {
    scoped_KSP ksp = make_definite(A, "-ksp_rtol 1e-10");
    const int products = count_products();
    assert_true(solve_error(ksp, A) < 1e-6);
    if (k == 1) assert_int_equal(count_products() - products, 1);
  }
  scoped_KSP brief = make_definite(A, "-ksp_rtol 1e-1");
  scoped_KSP next = make_definite(A, "-ksp_rtol 1e-1");
  (void)solve_error(brief, A);
  const int copies = count_copies();
  (void)solve_error(next, A);
  assert_int_equal(count_copies(), copies);
}

/* Rank 0 has all rows. */
static Mat make_on_one_rank(PetscInt n)
{
  Mat A;
  const PetscInt rows = test_rank == 0 ? n : 0;
  assert_petsc(MatCreateAIJ(PETSC_COMM_WORLD, rows, rows, n, n, 3, NULL, 1, NULL, &A));
  for (PetscInt i = 0; i < rows; i++) {
    for (PetscInt j = i > 0 ? i - 1 : 0; j < n && j <= i + 1; j++) {
      set_value(A, i, j, i == j ? 2.001 : -1);
    }
  }
  assemble(A);
  return A;
}

TEST(ranks_without_rows_copy_with_the_others)
{
  scoped_Mat A = make_on_one_rank(9000);
  scoped_KSP ksp = make_definite(A, "-ksp_rtol 1e-12 -sub_pc_type none");
  assert_petsc(PetscLogDefaultBegin());
  const int copies = count_copies();
  for (int k = 0; k < 2; k++) {
    assert_true(solve_error(ksp, A) < 1e-6);
    assert_int_equal(count_copies() - copies, 1);
  }
}

/* A shell has no rows to copy. */
TEST(a_shell_stays_in_place)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ), S = make_shell_of(A);
  scoped_KSP ksp = make_definite(A, "-ksp_rtol 1e-10");
  assert_petsc(KSPSetOperators(ksp, S, A));
  for (int k = 0; k < 2; k++) assert_true(solve_error(ksp, A) < 1e-6);
  assert_in_range(iterations_of(ksp), 100, MOST);
}

TEST_GROUP(open_petsc, close_petsc)
