/* SPDX-License-Identifier: BSD-2-Clause */
/* sqrt(a^2 + b^2) without overflow, with the same bits everywhere: those of hypot() depend on the
 * C library and, in some, on the processor. */
#ifndef OVK_CORE_MATH_HYPOT_H
#define OVK_CORE_MATH_HYPOT_H

#include <math.h>

static inline double ovk__hypot(double a, double b)
{
  int exponent;
  const double most = fmax(fabs(a), fabs(b));
  if (most == 0 || !isfinite(most)) return most + fmin(fabs(a), fabs(b));
  frexp(most, &exponent);
  const double u = ldexp(a, -exponent), v = ldexp(b, -exponent);
  return ldexp(sqrt(u * u + v * v), exponent);
}

#endif
