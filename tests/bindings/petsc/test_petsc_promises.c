/* SPDX-License-Identifier: BSD-2-Clause */
/* -ksp_ovk_spd and -ksp_ovk_symmetric: properties of A that the user declares, true and false. */
#include "support/petsc/petsc_problem.h"

enum { N = 12, DOWN = N };

/* The Laplacian, with `down` added to the entries below the block diagonal of grid lines, and
 * `shift` to the diagonal. */
static Mat make_changed(double down, double shift)
{
  Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  assert_petsc(MatSetOption(A, MAT_SYMMETRIC, PETSC_FALSE));
  FOR_EACH_ROW(A, i)
  {
    if (i >= DOWN) add_value(A, i, i - DOWN, down);
    add_value(A, i, i, shift);
  }
  assemble(A);
  return A;
}

/* A is less symmetric than rounding leaves it, which its entries show. */
TEST(a_true_promise_gives_conjugate_gradients)
{
  static const struct {
    const char *options, *said;
  } promises[] = {
      {"-pc_type jacobi -ksp_rtol 1e-6 -ksp_ovk_spd", "the options declare A positive definite"},
      {"-pc_type jacobi -ksp_rtol 1e-6 -ksp_ovk_symmetric", "the options declare A symmetric"},
      {"-pc_type jacobi -ksp_rtol 1e-6 -ksp_ovk_symmetric -ksp_ovk_format shell",
       "the options declare A symmetric"}};
  scoped_Mat A = make_changed(1e-9, 0);
  PetscInt ours, theirs;
  assert_true(solve_once(A, "-ksp_type cg -pc_type jacobi -ksp_rtol 1e-6", &theirs) < 1e-4);
  assert_true(solve_once(A, "-pc_type jacobi -ksp_rtol 1e-6 -ksp_ovk_format auto", &ours) < 1e-4);
  assert_in_range(ours, 1, theirs - 3); /* bcgs: two products each */
  for (int k = 0; k < 3; k++) {
    scoped_KSP ksp = make_ksp(A, promises[k].options);
    assert_true(solve_error(ksp, A) < 1e-4);
    assert_true(reason_of(ksp) > 0);
    assert_in_range(iterations_of(ksp), theirs - 1, theirs + 1);
    assert_views(ksp, promises[k].said);
  }
}

TEST(a_false_promise_is_named_and_never_counts_as_converged)
{
  static const struct {
    double down, shift;
    const char *options, *why;
  } promises[] = {{6, 0, "-pc_type none -ksp_max_it 200 -ksp_ovk_spd",
                   "A is not symmetric, though the options say so"},
                  {6, 0, "-pc_type none -ksp_max_it 200 -ksp_ovk_symmetric",
                   "A is not symmetric, though the options say so"},
                  {0, -3.8, "-pc_type none -ksp_max_it 200 -ksp_ovk_spd",
                   "A is not positive definite, though the options say so"}};
  for (int k = 0; k < 3; k++) {
    scoped_Mat A = make_changed(promises[k].down, promises[k].shift);
    scoped_KSP ksp = make_ksp(A, promises[k].options);
    (void)solve_error(ksp, A);
    assert_true(reason_of(ksp) < 0);
    assert_views(ksp, promises[k].why);
  }
}

TEST(a_promise_of_some_ranks_is_an_error_on_all)
{
  if (test_size == 1) return;
  scoped_Mat A = make_changed(0, 0);
  scoped_KSP first = make_ksp(A, test_rank ? "" : "-ksp_ovk_spd");
  scoped_KSP last = make_ksp(A, is_last() ? "-ksp_ovk_symmetric" : "");
  assert_solve_fails(first, A, PETSC_ERR_ARG_WRONG, "spd");
  assert_solve_fails(last, A, PETSC_ERR_ARG_WRONG, "symmetric");
}

TEST_GROUP(open_petsc, close_petsc)
