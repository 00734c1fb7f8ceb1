/* SPDX-License-Identifier: BSD-2-Clause */
/* A strong PC and a matrix of many rows in place: conjugate gradients start without a test of the
 * symmetry of A, which a sample of its rows shows. */
#include "support/petsc/petsc_problem.h"

enum { N = 60 };

/* Multigrid with one level, whose smoother is a step of Jacobi: many iterations. */
#define WEAK                                                                                       \
  "-pc_type mg -pc_mg_levels 1 -mg_levels_ksp_type richardson -mg_levels_ksp_max_it 1 "            \
  "-mg_levels_pc_type jacobi "

/* A Laplacian; `of_right` times the entries right of the diagonal. */
static Mat make_skewed(double of_right)
{
  Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  FOR_EACH_ROW(A, i)
  {
    if (i % N != N - 1) set_value(A, i, i + 1, -of_right);
  }
  assemble(A);
  return A;
}

TEST(a_short_solve_makes_a_product_an_iteration_and_one_to_confirm)
{
  scoped_Mat A = make_skewed(1);
  scoped_KSP ksp = make_ksp(A, "-ksp_rtol 1e-10 -pc_type redundant");
  assert_petsc(PetscLogDefaultBegin());
  assert_int_equal(count_more_products(ksp, A), 1);
  assert_views(ksp, "method cg,");
  assert_views(ksp, "as a sample of the rows of A is symmetric");
}

TEST(a_long_solve_tests_the_symmetry_and_continues)
{
  scoped_Mat A = make_skewed(1);
  scoped_KSP ksp = make_ksp(A, WEAK "-ksp_rtol 1e-10");
  assert_petsc(PetscLogDefaultBegin());
  assert_int_equal(count_more_products(ksp, A), 3);
  assert_true(reason_of(ksp) > 0);
  assert_in_range(iterations_of(ksp), 40, 300);
  assert_views(ksp, "method cg,");
}

TEST(a_matrix_whose_sample_is_not_symmetric_takes_gmres)
{
  scoped_Mat A = make_skewed(0.5);
  scoped_KSP ksp = make_ksp(A, "-ksp_rtol 1e-10 -pc_type redundant");
  assert_true(solve_error(ksp, A) < 1e-8);
  assert_views(ksp, "method gmres");
  assert_views(ksp, "as few products are expected, and A is not symmetric");
}

TEST(new_values_that_are_not_symmetric_take_gmres)
{
  scoped_Mat A = make_skewed(1), skewed = make_skewed(0.5);
  scoped_KSP ksp = make_ksp(A, "-ksp_rtol 1e-10 -pc_type redundant");
  assert_true(solve_error(ksp, A) < 1e-8);
  assert_views(ksp, "method cg,");
  assert_petsc(MatCopy(skewed, A, SAME_NONZERO_PATTERN));
  assert_true(solve_error(ksp, A) < 1e-8);
  assert_views(ksp, "method gmres");
}

/* Of the rows of A, after the sample. */
typedef struct change {
  Mat A, to;
} change;

static PetscErrorCode change_values(KSP ksp, PetscInt iteration, PetscReal norm, void *arg)
{
  const change *c = arg;
  (void)ksp;
  (void)norm;
  return iteration == 1 ? MatCopy(c->to, c->A, SAME_NONZERO_PATTERN) : 0;
}

/* As if the sample had missed entries that are not symmetric. */
TEST(a_wrong_presumption_ends_with_the_choice_of_auto_and_the_right_solution)
{
  scoped_Mat A = make_skewed(1), skewed = make_skewed(0.2);
  scoped_KSP ksp = make_ksp(A, WEAK "-ksp_rtol 1e-10");
  change c = {A, skewed};
  assert_petsc(KSPMonitorSet(ksp, change_values, &c, NULL));
  scoped_Vec x = NULL, b = NULL;
  PetscReal of_b;
  solve_ones(ksp, A, &b, &x);
  assert_true(reason_of(ksp) > 0);
  assert_petsc(VecNorm(b, NORM_2, &of_b));
  assert_true(norm_of_residual(A, b, x) < 1e-7 * of_b);
  assert_views(ksp, "A is not symmetric");
}

/* Conjugate gradients break down with them. */
TEST(a_matrix_that_is_not_definite_ends_as_with_auto)
{
  static const char *const options[] = {
      "-ksp_rtol 1e-10 -ksp_max_it 60 -pc_type redundant",
      "-ksp_rtol 1e-10 -ksp_max_it 60 -pc_type redundant -ksp_ovk_symmetric"};
  scoped_Mat A = make_skewed(1);
  int reasons[2];
  assert_petsc(MatScale(A, -1));
  for (int k = 0; k < 2; k++) {
    scoped_KSP ksp = make_ksp(A, options[k]);
    (void)solve_error(ksp, A);
    reasons[k] = (int)reason_of(ksp);
  }
  assert_int_equal(reasons[0], reasons[1]);
}

TEST_GROUP(open_petsc, close_petsc)
