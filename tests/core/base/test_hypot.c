/* SPDX-License-Identifier: BSD-2-Clause */
/* The library's own hypot(), compared with that of the C library. */
#include "core/math/hypot.h"
#include "support/random.h"
#include "support/test_main.h"

TEST(results_are_those_of_the_c_library_but_for_rounding)
{
  static const int exponents[] = {0, 5, 60, 1000, -1000};
  for (int i = 0; i < 5000; i++) {
    const double a = ldexp(random_number(1, (uint64_t)i) - 0.5, exponents[i % 5]);
    const double b = ldexp(random_number(2, (uint64_t)i) - 0.5, exponents[i / 5 % 5]);
    const double should = hypot(a, b);
    assert_true(fabs(ovk__hypot(a, b) - should) <= 2 * DBL_EPSILON * should);
    assert_true(ovk__hypot(b, -a) == ovk__hypot(a, b));
  }
}

TEST(exact_results_are_exact)
{
  assert_true(ovk__hypot(3, 4) == 5);
  assert_true(ovk__hypot(0, 0) == 0);
  assert_true(ovk__hypot(-7, 0) == 7);
  assert_true(ovk__hypot(0x3p1000, 0x4p1000) == 0x5p1000);
  assert_true(ovk__hypot(3 * DBL_TRUE_MIN, 4 * DBL_TRUE_MIN) == 5 * DBL_TRUE_MIN);
}

TEST(infinities_prevail_over_nans)
{
  assert_true(isinf(ovk__hypot(-INFINITY, 1)));
  assert_true(isinf(ovk__hypot(NAN, INFINITY)));
  assert_true(isnan(ovk__hypot(NAN, 1)));
  assert_true(isnan(ovk__hypot(NAN, NAN)));
  assert_true(isinf(ovk__hypot(DBL_MAX, DBL_MAX)));
}
