/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations on vectors: row by row, and reductions over all ranks; misuse. */
#include "support/problem.h"

/* Three vectors; rank r has r rows, so that rank 0 has none. */
typedef struct operands {
  ovk_vec *x, *y, *w;
} operands;

/* x(i) = i + 1, y(i) = 1 / (i + 1), w(i) = 7 */
static operands new_operands(void)
{
  operands o = {0};
  assert_ok(ovk_vec_create(test_ctx(), test_rank, &o.x));
  assert_ok(ovk_vec_duplicate(o.x, &o.y));
  assert_ok(ovk_vec_duplicate(o.x, &o.w));
  for (ovk_lidx k = 0; k < test_rank; k++) {
    const double number = (double)(ovk_vec_first(o.x) + k + 1);
    ovk_vec_array(o.x)[k] = number;
    ovk_vec_array(o.y)[k] = 1 / number;
    ovk_vec_array(o.w)[k] = 7;
  }
  return o;
}

static void free_operands(operands *o)
{
  ovk_vec_destroy(&o->x);
  ovk_vec_destroy(&o->y);
  ovk_vec_destroy(&o->w);
}

/* Row k of v is `a` x + `b` / x of new_operands(), up to rounding. */
static void assert_rows(const ovk_vec *v, double a, double b)
{
  for (ovk_lidx k = 0; k < test_rank; k++) {
    const double x = (double)(ovk_vec_first(v) + k + 1);
    assert_close(ovk_vec_array_const(v)[k], a * x + b / x, 1e-14);
  }
}

TEST(row_by_row_operations_follow_their_formulas)
{
  SCOPED(free_operands) operands o = new_operands();
  assert_ok(ovk_vec_waxpy(3, o.x, o.y, o.w));
  assert_rows(o.w, 3, 1);
  assert_ok(ovk_vec_scale(-2, o.w));
  assert_rows(o.w, -6, -2);
  assert_ok(ovk_vec_aypx(2, o.x, o.w));
  assert_rows(o.w, -11, -4);
  assert_ok(ovk_vec_pointwise_mult(o.x, o.y, o.w));
  for (ovk_lidx k = 0; k < test_rank; k++) assert_close(ovk_vec_array(o.w)[k], 1, 1e-15);
  assert_ok(ovk_vec_pointwise_divide(o.w, o.y, o.w)); /* the result may be an operand */
  assert_rows(o.w, 1, 0);
}

TEST(a_division_by_zero_is_infinite)
{
  scoped_vec *x = NULL, *y = NULL;
  assert_ok(ovk_vec_create(test_ctx(), 2, &x));
  assert_ok(ovk_vec_create(test_ctx(), 2, &y));
  assert_ok(ovk_vec_fill(x, -1));
  assert_ok(ovk_vec_pointwise_divide(x, y, y));
  assert_true(isinf(ovk_vec_array(y)[1]) && ovk_vec_array(y)[1] < 0);
}

TEST(reductions_are_over_the_rows_of_all_ranks)
{
  SCOPED(free_operands) operands o = new_operands();
  const double n = (double)ovk_vec_size(o.x);
  ovk_vec *const two[2] = {o.y, o.x};
  double value = NAN, dots[2] = {NAN, NAN};
  assert_ok(ovk_vec_mdot(o.x, 2, two, dots));
  assert_true(fabs(dots[0] - n) <= 1e-13 * n);
  assert_true(fabs(dots[1] - n * (n + 1) * (2 * n + 1) / 6) <= 1e-13 * dots[1]);
  assert_ok(ovk_vec_mdot(o.x, 0, NULL, NULL));
  assert_ok(ovk_vec_scale(-1, o.x));
  assert_ok(ovk_vec_norm1(o.x, &value));
  assert_true(value == n * (n + 1) / 2);
  assert_ok(ovk_vec_norm_inf(o.x, &value));
  assert_true(value == n);
  assert_ok(ovk_vec_min(o.x, &value));
  assert_true(value == (n > 0 ? -n : INFINITY));
  assert_ok(ovk_vec_max(o.x, &value));
  assert_true(value == (n > 0 ? -1 : -INFINITY));
}

TEST(a_nan_on_one_rank_is_returned_on_all)
{
  ovk_err (*const reductions[])(const ovk_vec *, double *) = {
      ovk_vec_norm, ovk_vec_norm1, ovk_vec_norm_inf, ovk_vec_max, ovk_vec_min};
  scoped_vec *x = NULL;
  assert_ok(ovk_vec_create(test_ctx(), 3, &x));
  if (is_last()) ovk_vec_array(x)[1] = NAN;
  for (size_t k = 0; k < sizeof reductions / sizeof *reductions; k++) {
    double value = 0;
    assert_ok(reductions[k](x, &value));
    assert_true(isnan(value));
    assert_error(reductions[k](x, is_last() ? NULL : &value), OVK_ERR_ARG, "value is NULL");
  }
}

TEST(one_ranks_bad_argument_of_mdot_fails_on_all)
{
  SCOPED(free_operands) operands o = new_operands();
  ovk_vec *const two[2] = {o.y, is_last() ? NULL : o.x};
  double dots[2];
  assert_error(ovk_vec_mdot(o.x, 2, two, dots), OVK_ERR_ARG, "y is NULL");
  assert_error(ovk_vec_mdot(o.x, is_last() ? -1 : 1, &o.y, dots), OVK_ERR_ARG, "must be >= 0");
  assert_error(ovk_vec_mdot(o.x, 1, &o.y, is_last() ? NULL : dots), OVK_ERR_ARG, "dots is NULL");
  assert_error(ovk_vec_mdot(is_last() ? NULL : o.x, 1, &o.y, dots), OVK_ERR_ARG, "x is NULL");
  if (test_size > 1) {
    ovk_vec *const same[2] = {o.y, o.y};
    assert_error(ovk_vec_mdot(o.x, is_last() ? 1 : 2, same, dots), OVK_ERR_ARG,
                 "different numbers of vectors");
  }
}

TEST(wrong_operands_are_refused)
{
  double array[6] = {0};
  scoped_vec *x = NULL, *overlapping = NULL, *other = NULL;
  assert_ok(ovk_vec_wrap(test_ctx(), 4, array, &x));
  assert_ok(ovk_vec_wrap(test_ctx(), 4, array + 2, &overlapping));
  assert_ok(ovk_vec_create(test_ctx(), 5, &other));
  assert_error(ovk_vec_aypx(1, x, overlapping), OVK_ERR_ARG, "x and y share memory");
  assert_error(ovk_vec_waxpy(1, x, x, overlapping), OVK_ERR_ARG, "x and w share memory");
  assert_error(ovk_vec_pointwise_mult(x, overlapping, x), OVK_ERR_ARG, "y and w share memory");
  assert_error(ovk_vec_pointwise_divide(x, x, other), OVK_ERR_ARG, "layouts do not match");
  assert_error(ovk_vec_waxpy(1, x, NULL, other), OVK_ERR_ARG, "layouts do not match");
  assert_error(ovk_vec_aypx(1, NULL, x), OVK_ERR_ARG, "x is NULL");
  assert_int_equal(ovk_vec_scale(2, NULL), OVK_ERR_ARG);
}
