/* SPDX-License-Identifier: BSD-2-Clause */
/* Elementary functions from + - * / and powers of two alone. */
#include "core/math/elementary.h"

#include <math.h>

/* log(2) in two parts; multiples of the first by up to 2^11 are exact. */
static const double LN2_HIGH = 0x1.62e42fefa38p-1, LN2_LOW = 0x1.ef35793c7673p-45;
static const double PI = 3.14159265358979323846;

/* 2 artanh(f) = 2 (f + f^3 / 3 + f^5 / 5 + ...) for |f| <= 0.2: the omitted terms are below
 * 2^-65 of it. */
static double twice_artanh(double f)
{
  double sum = 0;
  for (int k = 27; k >= 3; k -= 2) sum = (sum + 1.0 / k) * (f * f);
  return 2 * f + 2 * f * sum;
}

/* x = 2^e m with m between sqrt(1/2) and sqrt(2) */
double ovk__log(double x)
{
  int e;
  if (!(x > 0) || isinf(x)) return x == 0 ? -INFINITY : x > 0 ? x : (double)NAN;
  double m = frexp(x, &e);
  if (m < 0.70710678118654752) {
    m *= 2;
    e--;
  }
  return e * LN2_HIGH + (e * LN2_LOW + twice_artanh((m - 1) / (m + 1)));
}

double ovk__log1p(double x)
{
  return x > -0.3 && x < 0.4 ? twice_artanh(x / (2 + x)) : ovk__log(1 + x);
}

/* The Taylor series of e^r - 1 for |r| <= 0.35: the omitted terms are below 2^-64 of it. */
static double taylor_expm1(double r)
{
  double sum = 0;
  for (int k = 15; k >= 2; k--) sum = (sum + 1) * r / k;
  return r + r * sum;
}

/* x = n log(2) + r */
double ovk__exp(double x)
{
  if (isnan(x)) return x;
  if (x > 710) return INFINITY;
  if (x < -746) return 0;
  const int n = (int)(x * 1.4426950408889634 + (x < 0 ? -0.5 : 0.5));
  return ldexp(1 + taylor_expm1(x - n * LN2_HIGH - n * LN2_LOW), n);
}

double ovk__expm1(double x)
{
  return x > -0.35 && x < 0.35 ? taylor_expm1(x) : ovk__exp(x) - 1;
}

double ovk__cosh(double x)
{
  const double e = ovk__exp(x);
  return 0.5 * (e + 1 / e);
}

double ovk__acosh(double x)
{
  const double more = x - 1;
  return ovk__log1p(more + sqrt(more) * sqrt(more + 2));
}

/* The Taylor series of sine or, with first = 0, cosine, for |x| <= pi / 4. */
static double taylor_wave(double x, int first)
{
  double sum = 1;
  for (int k = 20 + first; k > first; k -= 2) sum = 1 - sum * (x * x) / (k * (k - 1));
  return first ? x * sum : sum;
}

double ovk__cos_pi(double part)
{
  if (part > 0.75) return -taylor_wave(PI * (1 - part), 0);
  return part > 0.25 ? taylor_wave(PI * (0.5 - part), 1) : taylor_wave(PI * part, 0);
}
