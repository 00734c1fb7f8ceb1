/* SPDX-License-Identifier: BSD-2-Clause */
/* The library's own elementary functions, compared with those of the C library. */
#include "core/math/elementary.h"
#include "support/random.h"
#include "support/test_main.h"

enum { N = 20000 };

static void check_near(double is, double should)
{
  assert_true(fabs(is - should) <= 4 * DBL_EPSILON * fabs(should));
}

/* Between -1/2 and 1/2. */
static double draw(uint64_t i)
{
  return random_number(3, i) - 0.5;
}

TEST(logarithms_are_those_of_the_c_library_but_for_rounding)
{
  for (uint64_t i = 0; i < N; i++) {
    const double x = ldexp(draw(i) + 1, (int)(i % 2000) - 1000), near_0 = draw(i) * 1e-6;
    check_near(ovk__log(x), log(x));
    check_near(ovk__log(1 + near_0), log(1 + near_0));
    check_near(ovk__log1p(1.9 * draw(i)), log1p(1.9 * draw(i)));
    check_near(ovk__log1p(near_0), log1p(near_0));
    check_near(ovk__acosh(1 + x), acosh(1 + x));
    check_near(ovk__acosh(1 + fabs(near_0)), acosh(1 + fabs(near_0)));
  }
}

TEST(exponentials_are_those_of_the_c_library_but_for_rounding)
{
  for (uint64_t i = 0; i < N; i++) {
    const double x = 1400 * draw(i), near_0 = draw(i) * 1e-6;
    check_near(ovk__exp(x), exp(x));
    check_near(ovk__exp(near_0), exp(near_0));
    check_near(ovk__expm1(draw(i)), expm1(draw(i)));
    check_near(ovk__expm1(40 * draw(i)), expm1(40 * draw(i)));
    check_near(ovk__expm1(near_0), expm1(near_0));
    check_near(ovk__cosh(x), cosh(x));
  }
}

TEST(cosines_are_those_of_the_c_library_but_for_rounding)
{
  for (uint64_t i = 0; i < N; i++) {
    const double part = draw(i) + 0.5, pi = 3.14159265358979323846;
    assert_true(fabs(ovk__cos_pi(part) - cos(pi * part)) <= 4 * DBL_EPSILON);
  }
  assert_true(ovk__cos_pi(0) == 1 && ovk__cos_pi(0.5) == 0 && ovk__cos_pi(1) == -1);
}

TEST(ends_of_the_range_are_as_in_the_c_library)
{
  assert_true(ovk__log(0) == -INFINITY && ovk__log(INFINITY) == INFINITY && ovk__log(1) == 0);
  assert_true(isnan(ovk__log(-1)) && isnan(ovk__log(NAN)));
  assert_true(ovk__log1p(-1) == -INFINITY && ovk__log1p(INFINITY) == INFINITY);
  assert_true(isnan(ovk__exp(NAN)) && ovk__exp(INFINITY) == INFINITY);
  assert_true(ovk__exp(-INFINITY) == 0 && ovk__exp(0) == 1 && ovk__expm1(-INFINITY) == -1);
  check_near(ovk__log(DBL_TRUE_MIN), log(DBL_TRUE_MIN));
  check_near(ovk__exp(709.7), exp(709.7));
}
