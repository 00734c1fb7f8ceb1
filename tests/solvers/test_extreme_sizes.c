/* SPDX-License-Identifier: BSD-2-Clause */
/* Right-hand sides and operators of any size, up to the limits of a double, for every method. */
#include "support/methods.h"
#include "support/problem.h"

TEST(right_hand_sides_of_any_size_are_solved)
{
  const double sizes[] = {1e-290, 1e-170, 1e-130, 1e150, 1e200, 1e290};
  FOR_EACH_METHOD(opts) {
    for (int k = 0; k < 6; k++) {
      scoped_system s = new_tridiagonal_system(3, 2);
      assert_ok(ovk_vec_fill(s.b, sizes[k]));
      const ovk_result res = solve_alike(s.A, s.M, s.b, s.x, &opts);
      assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
      assert_true(res.true_relative_residual <= 1.01 * opts.rtol);
      assert_true(res.rhs_norm >= sizes[k] && res.rhs_norm < 100 * sizes[k]);
    }
  }
}

TEST(an_absolute_tolerance_holds_for_any_right_hand_side)
{
  FOR_EACH_METHOD(opts) {
    opts.atol = 1e-50;
    scoped_system s = new_tridiagonal_system(3, 2);
    assert_ok(ovk_vec_fill(s.b, 1e-271));
    const ovk_result res = solve_alike(s.A, s.M, s.b, s.x, &opts);
    assert_int_equal(res.reason, OVK_REASON_CONVERGED_ATOL);
    assert_int_equal(res.iterations, 0);
    assert_true(res.tolerance == 1e-50);
  }
}

static double of_shell; /* A = 2 of_shell I */

static ovk_err multiply_by_size(void *n, const double *x, double *y, ovk_poll poll)
{
  for (int i = 0; i < *(const int *)n; i++) y[i] = 2 * (of_shell * x[i]);
  return OVK_OK;
}

/* The scale of a shell is measured where a solve fails. */
TEST(shells_of_any_scale_are_solved)
{
  static const double sizes[] = {1e-290, 1e-165, 1e-60, 1e60, 1e165, 1e290};
  FOR_EACH_METHOD(opts) {
    for (int k = 0; k < 6; k++) {
      scoped_system s = new_tridiagonal_system(3, 2);
      int n = 3;
      of_shell = sizes[k];
      scoped_mat *A = new_shell(n, &n, .mult = multiply_by_size);
      assert_ok(ovk_vec_fill(s.b, 1));
      const ovk_result res = solve_alike(A, NULL, s.b, s.x, &opts);
      assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
      assert_true(res.true_relative_residual <= 1.01 * opts.rtol);
    }
  }
}
