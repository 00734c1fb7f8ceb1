/* SPDX-License-Identifier: BSD-2-Clause */
/* Extreme eigenvalues of tridiagonal matrices, by bisection: T - x has as many negative pivots as T
 * has eigenvalues below x. */
#include "core/math/tridiagonal.h"

#include <float.h>
#include <math.h>

static bool tridiagonal_all_finite(int n, const double *x)
{
  for (int k = 0; k < n; k++) {
    if (!isfinite(x[k])) return false;
  }
  return true;
}

/* The largest entry of T in size. */
static double tridiagonal_largest(int n, const double *d, const double *e)
{
  double most = 0;
  for (int k = 0; k < n; k++) most = fmax(most, fabs(d[k]));
  for (int k = 0; k < n - 1; k++) most = fmax(most, fabs(e[k]));
  return most;
}

/* How many eigenvalues of T / scale are below x; entries of T / scale are 1 at most. */
static int count_below(int n, const double *d, const double *e, double scale, double x)
{
  int below = 0;
  double pivot = 1, off = 0;
  for (int k = 0; k < n; k++) {
    pivot = d[k] / scale - x - off / pivot * off;
    if (fabs(pivot) < DBL_MIN) pivot = -DBL_MIN;
    below += pivot < 0;
    if (k < n - 1) off = e[k] / scale;
  }
  return below;
}

/* The eigenvalue of T / scale with so many below it. */
static double tridiagonal_bisect(int n, const double *d, const double *e, double scale, int smaller)
{
  enum { STEPS = 55 };       /* to the rounding of T's largest entry */
  double low = -3, high = 3; /* no row has more than three entries */
  for (int step = 0; step < STEPS; step++) {
    const double middle = 0.5 * (low + high);
    if (count_below(n, d, e, scale, middle) > smaller) {
      high = middle;
    } else {
      low = middle;
    }
  }
  return 0.5 * (low + high);
}

bool ovk__tridiagonal_ends(int n, const double *d, const double *e, double *lambda_min,
                           double *lambda_max)
{
  if (n < 1 || !tridiagonal_all_finite(n, d) || !tridiagonal_all_finite(n - 1, e)) return false;
  const double most = tridiagonal_largest(n, d, e), scale = most > 0 ? most : 1;
  *lambda_min = scale * tridiagonal_bisect(n, d, e, scale, 0);
  *lambda_max = scale * tridiagonal_bisect(n, d, e, scale, n - 1);
  return true;
}
