/* SPDX-License-Identifier: BSD-2-Clause */
/* Inverses of dense symmetric positive definite matrices. */
#include "core/math/dense_inverse.h"
#include "support/random.h"
#include "support/test_main.h"

enum { MOST = 37 };

/* B B^T + I for a random B. The upper triangle is not to be read. */
static void fill_matrix(int n, double *a)
{
  for (int j = 0; j < n; j++) {
    for (int i = 0; i < n; i++) {
      double sum = i == j;
      for (int k = 0; k < n; k++) {
        sum += random_number(4, (uint64_t)(n * i + k)) * random_number(4, (uint64_t)(n * j + k));
      }
      a[n * j + i] = i < j ? NAN : sum;
    }
  }
}

static double entry(int n, const double *a, int i, int j)
{
  return i < j ? a[n * i + j] : a[n * j + i];
}

TEST(the_product_with_the_inverse_is_the_identity)
{
  static double a[MOST * MOST], inverse[MOST * MOST], row[MOST];
  for (int n = 1; n <= MOST; n += 6) {
    fill_matrix(n, a);
    fill_matrix(n, inverse);
    assert_true(ovk__dense_invert(n, inverse, row, 0));
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int k = 0; k < n; k++) sum += entry(n, a, i, k) * entry(n, inverse, k, j);
        assert_true(fabs(sum - (i == j)) < 1e-11);
      }
    }
  }
}

TEST(other_matrices_are_refused)
{
  double row[2], indefinite[] = {1, 2, 2, 1}, singular[] = {1, 1, 1, 1 + 1e-13},
                 wrong[] = {1, NAN, NAN, 1};
  assert_false(ovk__dense_invert(2, indefinite, row, 0));
  assert_false(ovk__dense_invert(2, singular, row, 1e-11));
  assert_false(ovk__dense_invert(2, wrong, row, 0));
  assert_true(ovk__dense_invert(0, wrong, row, 0));
}
