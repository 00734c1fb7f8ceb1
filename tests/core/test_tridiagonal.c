/* SPDX-License-Identifier: BSD-2-Clause */
/* Extreme eigenvalues of tridiagonal matrices. */
#include "core/math/tridiagonal.h"
#include "support/test_main.h"

enum { N = 40 };

/* (-1, 2, -1) has the eigenvalues 2 - 2 cos(k pi / (n + 1)), k = 1, ... n. */
TEST(the_ends_are_those_of_second_differences)
{
  const double pi = acos(-1);
  for (int n = 1; n <= N; n++) {
    double d[N], e[N], low = -1, high = -1;
    for (int k = 0; k < n; k++) {
      d[k] = 2;
      e[k] = -1;
    }
    e[n - 1] = NAN; /* is not read */
    assert_true(ovk__tridiagonal_ends(n, d, e, &low, &high));
    assert_close(low, 2 - 2 * cos(pi / (n + 1)), 1e-14);
    assert_close(high, 2 - 2 * cos(n * pi / (n + 1)), 1e-14);
  }
}

TEST(powers_of_two_scale_the_ends_exactly)
{
  double low[2], high[2];
  for (int k = 0; k < 2; k++) {
    double d[3] = {3, 1, 2}, e[2] = {0.5, 0.25};
    const double scale = k ? 0x1p-300 : 1;
    for (int i = 0; i < 3; i++) d[i] *= scale;
    for (int i = 0; i < 2; i++) e[i] *= scale;
    assert_true(ovk__tridiagonal_ends(3, d, e, &low[k], &high[k]));
  }
  assert_true(low[1] == low[0] * 0x1p-300 && high[1] == high[0] * 0x1p-300);
}

TEST(what_has_no_ends_leaves_them_unchanged)
{
  double d[2] = {1, NAN}, e[1] = {0}, low = 7, high = 9;
  assert_false(ovk__tridiagonal_ends(0, d, e, &low, &high));
  assert_false(ovk__tridiagonal_ends(2, d, e, &low, &high));
  d[1] = 1;
  e[0] = INFINITY;
  assert_false(ovk__tridiagonal_ends(2, d, e, &low, &high));
  assert_true(low == 7 && high == 9);
}
