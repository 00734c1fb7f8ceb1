/* SPDX-License-Identifier: BSD-2-Clause */
/* The format "pattern": what is stored once, what is refused, and when it is worth it. */
#include "format_blocks.h"
#include "matrix/formats/format.h"
#include "matrix/formats/pattern/pattern_product.h"
#include "support/matrices.h"
#include "support/test_main.h"

#include <math.h>
#include <stdlib.h>

static const ovk__format *pattern(void)
{
  const ovk__format *format = NULL;
  assert_ok(ovk__format_find(test_ctx(), "pattern", &format));
  return format;
}

/* A band of `rows` rows: value(i, offset) at offsets -below to above. */
typedef double (*values)(ovk_lidx i, ovk_lidx offset);

static ovk__csr band(ovk_lidx rows, ovk_lidx below, ovk_lidx above, values value)
{
  ovk__csr A = {0};
  assert_ok(ovk__csr_alloc(test_ctx(), rows, (int64_t)rows * (below + above + 1), &A));
  int64_t k = 0;
  for (ovk_lidx i = 0; i < rows; i++) {
    for (ovk_lidx j = i - below; j <= i + above; j++) {
      if (j < 0 || j >= rows) continue;
      A.col[k] = j;
      A.val[k++] = value(i, j - i);
    }
    A.ptr[i + 1] = k;
  }
  return A;
}

static double constant(ovk_lidx i, ovk_lidx offset)
{
  (void)i;
  return offset ? -1 : 2;
}

static double by_parity(ovk_lidx i, ovk_lidx offset)
{
  return i % 2 ? 1 + offset : 5;
}

/* Row 40 alone has 2 + 2^-51 on the diagonal. */
static double last_bit(ovk_lidx i, ovk_lidx offset)
{
  return i == 40 && offset == 0 ? 2 + 0x1p-51 : constant(i, offset);
}

static double sign_of_zero(ovk_lidx i, ovk_lidx offset)
{
  return offset ? 1 : i < 50 ? 0.0 : -0.0;
}

static double hashed(ovk_lidx i, ovk_lidx offset)
{
  return random_number(3, (uint64_t)i * 16 + (uint64_t)offset);
}

static ovk__pattern_block *build(ovk__csr A)
{
  void *block = NULL;
  assert_ok(pattern()->build(test_ctx(), &A, &block));
  assert_null(A.ptr);
  assert_null(A.val);
  return block;
}

static void a_constant_band_is_a_pattern_for_the_inside_and_one_for_each_end(void **state)
{
  (void)state;
  ovk__pattern_block *b = build(band(100, 1, 1, constant));
  assert_int_equal(b->npatterns, 3);
  assert_int_equal(b->nruns, 3);
  const ovk_lidx ends[] = {1, 99, 100}, offsets[] = {0, 1, -1, 0, 1, -1, 0};
  for (int r = 0; r < 3; r++) {
    assert_int_equal(b->runs[r].end, ends[r]);
    assert_int_equal(b->runs[r].pattern, r);
  }
  for (int k = 0; k < 7; k++) assert_int_equal(b->offset[k], offsets[k]);
  assert_int_equal(pattern()->bytes(b), 3 * 8 + 4 * 4 + 7 * 12);
  pattern()->destroy(b);
}

static void alternating_rows_are_two_patterns(void **state)
{
  (void)state;
  ovk__pattern_block *b = build(band(1000, 0, 0, by_parity));
  assert_int_equal(b->npatterns, 2);
  assert_int_equal(b->nruns, 1000);
  for (ovk_lidx i = 0; i < 1000; i++) assert_int_equal(b->runs[i].pattern, i % 2);
  pattern()->destroy(b);
}

static void rows_that_differ_in_one_bit_are_not_the_same(void **state)
{
  (void)state;
  ovk__pattern_block *b = build(band(100, 1, 1, last_bit));
  assert_int_equal(b->npatterns, 4);
  assert_int_equal(b->nruns, 5);
  pattern()->destroy(b);
  b = build(band(100, 0, 0, sign_of_zero));
  assert_int_equal(b->npatterns, 2);
  assert_int_equal(b->nruns, 2);
  pattern()->destroy(b);
}

static void an_empty_block_has_no_runs(void **state)
{
  (void)state;
  ovk__pattern_block *b = build(band(0, 1, 1, constant));
  assert_int_equal(b->nruns, 0);
  assert_true(pattern()->mult_dot(b, NULL, NULL, ovk_poll_none()) == 0);
  pattern()->destroy(b);
}

static void rows_that_do_not_repeat_are_refused_and_left_alone(void **state)
{
  (void)state;
  ovk__csr A = band(1000, 0, 2, hashed);
  void *block = NULL;
  assert_error(pattern()->build(test_ctx(), &A, &block), OVK_ERR_UNSUPPORTED,
               "too rarely the same");
  assert_int_equal(A.rows, 1000);
  assert_int_equal(ovk__csr_nnz(&A), 2997);
  assert_true(A.val[0] == hashed(0, 0));
  ovk__csr_free(&A);
}

static int64_t cost(ovk__csr A, int64_t limit)
{
  const int64_t result = format_estimate(pattern(), &A, limit);
  ovk__csr_free(&A);
  return result;
}

static void its_cost_is_a_small_part_of_csr_where_rows_repeat_and_none_elsewhere(void **state)
{
  (void)state;
  ovk__csr A = band(10000, 3, 3, constant);
  const int64_t csr = ovk__csr_bytes(&A);
  ovk__csr_free(&A);
  assert_in_range(cost(band(10000, 3, 3, constant), csr), 1, csr / 5);
  assert_int_equal(cost(band(10000, 3, 3, constant), csr / 100), -1);
  assert_int_equal(cost(band(10000, 3, 3, hashed), csr), -1);
}

static void nothing(void *arg)
{
  (void)arg;
}

/* Rows are computed ahead and some twice: none is missing. */
static void runs_of_any_length_multiply_in_pieces_of_any_length(void **state)
{
  (void)state;
  enum { MOST = 80 };
  double x[MOST + 2], y[MOST + 4];
  for (ovk_lidx i = 0; i < MOST + 2; i++) x[i] = (double)(i * i);
  for (ovk_lidx rows = 2; rows <= MOST + 2; rows++) { /* a run of rows - 2 between two rows */
    ovk__pattern_block *b = build(band(rows, 1, 1, constant));
    for (ovk_lidx every = 1; every <= rows; every++) {
      for (ovk_lidx i = 0; i < MOST + 4; i++) y[i] = 77;
      const ovk_poll poll = {nothing, NULL, every};
      double dot = 0;
      const double result = pattern()->mult_dot(b, x, y + 1, poll);
      for (ovk_lidx i = 0; i < rows; i++) {
        const double left = i > 0 ? x[i - 1] : 0, right = i < rows - 1 ? x[i + 1] : 0;
        assert_true(y[1 + i] == 2 * x[i] - left - right);
        dot += x[i] * y[1 + i];
      }
      assert_true(result == dot); /* all are whole numbers */
      assert_true(y[0] == 77 && y[rows + 1] == 77);
    }
    pattern()->destroy(b);
  }
}

static void other_rows_may_have_infinite_x(void **state)
{
  (void)state;
  ovk__pattern_block *b = build(band(100, 1, 1, constant));
  double x[100], y[100];
  for (int i = 0; i < 100; i++) x[i] = i == 50 ? INFINITY : 1;
  pattern()->mult_dot(b, x, y, ovk_poll_none());
  for (int i = 0; i < 100; i++) assert_int_equal(isfinite(y[i]), i < 49 || i > 51);
  pattern()->destroy(b);
}

int run_all_tests(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_constant_band_is_a_pattern_for_the_inside_and_one_for_each_end),
      cmocka_unit_test(alternating_rows_are_two_patterns),
      cmocka_unit_test(rows_that_differ_in_one_bit_are_not_the_same),
      cmocka_unit_test(an_empty_block_has_no_runs),
      cmocka_unit_test(rows_that_do_not_repeat_are_refused_and_left_alone),
      cmocka_unit_test(its_cost_is_a_small_part_of_csr_where_rows_repeat_and_none_elsewhere),
      cmocka_unit_test(runs_of_any_length_multiply_in_pieces_of_any_length),
      cmocka_unit_test(other_rows_may_have_infinite_x),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
