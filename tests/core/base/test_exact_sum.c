/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums of products without rounding errors, compared with a slow reference: any exponents, order
 * and pieces, and terms that are NaN or infinite. */
#include "core/exact/exact_sum.h"
#include "exact_random.h"
#include "support/exact_reference.h"

enum { MOST = 3000 };

static double random_double(uint64_t *state, int range)
{
  const double significand = 1 + 0x1p-52 * (double)(random_bits(state) >> 12);
  const double value = ldexp(significand, random_below(state, 2 * range + 1) - range);
  return random_bits(state) >> 63 ? -value : value;
}

/* Both forms round to the total. */
static void check_total(ovk__exact_sum *sum, double should)
{
  double words[OVK__LONG_WORDS], total;
  ovk__exact_sum_put_long(sum, words);
  check_bits(ovk__long_round(words), should);
  ovk__exact_sum_put(sum, ovk__window_of(should, 0), words);
  if (ovk__window_round(words, ovk__window_of(should, 0), &total)) check_bits(total, should);
}

/* Adds the products in pieces of random length. */
static void add_pieces(uint64_t *state, ovk__exact_sum *sum, int n, const double *x,
                       const double *y)
{
  for (int i = 0, some; i < n; i += some) {
    some = 1 + random_below(state, n - i);
    ovk__exact_sum_add(sum, some, x + i, y + i);
  }
}

static void swap_rows(uint64_t *state, int n, double *x, double *y)
{
  for (int i = n - 1; i > 0; i--) {
    const int j = random_below(state, i + 1);
    const double a = x[i], b = y[i];
    x[i] = x[j];
    x[j] = a;
    y[i] = y[j];
    y[j] = b;
  }
}

static double x[MOST], y[MOST], terms[MOST];

static double reference(int n)
{
  for (int i = 0; i < n; i++) terms[i] = x[i] * y[i];
  return reference_sum(terms, (size_t)n);
}

TEST(the_sum_is_exact_for_any_exponents_order_and_pieces)
{
  static const int ranges[] = {0, 3, 30, 120, 500};
  uint64_t seed = 1;
  for (int k = 0; k < 60; k++) {
    const int n = random_below(&seed, MOST), range = ranges[k % 5];
    for (int i = 0; i < n; i++) {
      x[i] = random_double(&seed, range);
      y[i] = random_below(&seed, 50) ? random_double(&seed, range) : 0;
    }
    const double should = reference(n);
    ovk__exact_sum sum = {0};
    ovk__exact_sum_clear(&sum);
    add_pieces(&seed, &sum, n, x, y);
    check_total(&sum, should);
    swap_rows(&seed, n, x, y);
    ovk__exact_sum_clear(&sum);
    add_pieces(&seed, &sum, n, x, y);
    check_total(&sum, should);
  }
}

TEST(terms_that_cancel_leave_the_rest)
{
  uint64_t seed = 2;
  for (int i = 0; i < 1000; i++) {
    x[i] = random_double(&seed, 200);
    y[i] = random_double(&seed, 200);
    x[i + 1000] = -x[i];
    y[i + 1000] = y[i];
  }
  x[2000] = 0x1p-300;
  y[2000] = -3 * 0x1p-300;
  ovk__exact_sum sum = {0};
  ovk__exact_sum_clear(&sum);
  ovk__exact_sum_add(&sum, 2001, x, y);
  check_total(&sum, -3 * 0x1p-600);
  ovk__exact_sum_add(&sum, 1, x + 2000, (double[]){3 * 0x1p-300});
  check_total(&sum, 0);
}

TEST(terms_at_the_ends_of_the_range_are_exact)
{
  static const double values[] = {DBL_MAX,      -DBL_MAX, 0x1p-1074, -0x1p-1074, DBL_MIN,
                                  -0x1.8p-1060, 0x1p1000, -0x1p1001, -0.0,       1};
  enum { N = sizeof values / sizeof *values };
  uint64_t seed = 3;
  for (int k = 0; k < 50; k++) {
    const int n = 1 + random_below(&seed, 40);
    for (int i = 0; i < n; i++) {
      x[i] = values[random_below(&seed, N)];
      y[i] = 1;
    }
    ovk__exact_sum sum = {0};
    ovk__exact_sum_clear(&sum);
    add_pieces(&seed, &sum, n, x, y);
    check_total(&sum, reference(n));
  }
}

TEST(nan_and_infinite_terms_reach_the_total)
{
  const double bad[][2] = {{NAN, 1}, {INFINITY, 2}, {-INFINITY, 2}, {INFINITY, 0}, {1e300, 1e300}};
  for (int k = 0; k < 5; k++) {
    for (int at = 0; at < 100; at += 33) {
      for (int i = 0; i < 100; i++) x[i] = y[i] = 1;
      x[at] = bad[k][0];
      y[at] = bad[k][1];
      ovk__exact_sum sum = {0};
      ovk__exact_sum_clear(&sum);
      ovk__exact_sum_add(&sum, 100, x, y);
      check_total(&sum, bad[k][0] * bad[k][1]);
    }
  }
}

TEST(a_copy_has_the_same_sum)
{
  ovk__exact_sum sum = {0}, copy = {0};
  ovk__exact_sum_clear(&sum);
  ovk__exact_sum_add(&sum, 1, (double[]){0x1p900}, (double[]){1});
  ovk__exact_sum_copy(&sum, &copy);
  ovk__exact_sum_clear(&sum);
  ovk__exact_sum_add(&sum, 1, (double[]){3}, (double[]){0x1p-900});
  check_total(&copy, 0x1p900);
  ovk__exact_sum_copy(&sum, &copy);
  check_total(&copy, 3 * 0x1p-900);
}

/* More rows than the lanes of a sum hold; all but the last terms cancel. */
TEST(long_sums_are_exact)
{
  enum { TURNS = 20 };
  uint64_t seed = 4;
  ovk__exact_sum sum = {0};
  ovk__exact_sum_clear(&sum);
  for (int i = 0; i < MOST; i++) x[i] = y[i] = random_double(&seed, 1);
  for (int k = 0; k < TURNS; k++) add_pieces(&seed, &sum, MOST, x, y);
  ovk__exact_sum_settle(&sum);
  for (int i = 0; i < MOST; i++) y[i] = -y[i];
  for (int k = 1; k < TURNS; k++) add_pieces(&seed, &sum, MOST, x, y);
  for (int i = 0; i < MOST; i++) y[i] = x[i];
  check_total(&sum, reference(MOST));
}

/* Of as many terms as lanes hold, in units of 2^-50, with vectors of four and with the widest. */
TEST(lanes_hold_the_largest_terms)
{
  static const double largest[] = {2 - 0x1p-50, -2};
  for (int k = 0; k < 4; k++) {
    const double term = largest[k / 2];
    ovk__folds f = {0};
    int64_t high, low;
    for (int i = 0; i < OVK__EXACT_BLOCK; i++) {
      x[i] = term;
      y[i] = 1;
    }
    while (f.terms < OVK__MOST_FOLDED) {
      assert_true(
          (k % 2 ? ovk__folds_add : ovk__folds_add_narrow)(&f, 2, 0, OVK__EXACT_BLOCK, x, y));
    }
    ovk__folds_total(&f, 0, &high, &low);
    check_bits(0x1p-18 * (double)high + 0x1p-50 * (double)low, OVK__MOST_FOLDED * term);
  }
}

/* Of a term, in units of 2^unit. */
static double rounded(double term, int unit)
{
  return fabs(term) < ldexp(1, unit + 51) ? ldexp(nearbyint(ldexp(term, -unit)), unit) : term;
}

/* Terms from far below the unit to far above the window. */
TEST(rough_sums_round_each_term_in_any_order_and_pieces)
{
  uint64_t seed = 5;
  for (int k = 0; k < 40; k++) {
    const int n = random_below(&seed, MOST), unit = random_below(&seed, 200) - 100;
    const int range = k % 2 ? 60 : 15;
    for (int i = 0; i < n; i++) {
      x[i] = ldexp(random_double(&seed, range), unit + 20);
      y[i] = random_below(&seed, 50) ? 1 : 0;
      terms[i] = rounded(x[i] * y[i], unit);
    }
    const double should = reference_sum(terms, (size_t)n);
    ovk__exact_sum sum = {0};
    for (int turn = 0; turn < 2; turn++) {
      ovk__exact_sum_clear(&sum);
      ovk__exact_sum_clear_rough(&sum, unit);
      add_pieces(&seed, &sum, n, x, y);
      check_total(&sum, should);
      swap_rows(&seed, n, x, y);
    }
  }
}

TEST(rough_sums_keep_nan_and_infinity)
{
  static const double bad[] = {NAN, INFINITY, -INFINITY};
  for (int k = 0; k < 3; k++) {
    ovk__exact_sum sum = {0};
    ovk__exact_sum_clear(&sum);
    ovk__exact_sum_clear_rough(&sum, -40);
    for (int i = 0; i < 100; i++) x[i] = y[i] = 1;
    x[50] = bad[k];
    ovk__exact_sum_add(&sum, 100, x, y);
    check_total(&sum, bad[k]);
  }
}
