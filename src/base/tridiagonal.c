/* SPDX-License-Identifier: BSD-2-Clause */
/* Eigenvalues of tridiagonal matrices, by LAPACK. */
#include "base/tridiagonal.h"

#include <lapacke.h>
#include <math.h>

static bool all_finite(int n, const double *x)
{
  for (int k = 0; k < n; k++) {
    if (!isfinite(x[k])) return false;
  }
  return true;
}

bool ovk__tridiagonal_ends(int n, double *d, double *e, double *lambda_min, double *lambda_max)
{
  if (n < 1 || !all_finite(n, d) || !all_finite(n - 1, e)) return false;
  if (LAPACKE_dsterf_work(n, d, e)) return false; /* does not converge */
  *lambda_min = d[0];
  *lambda_max = d[n - 1];
  return true;
}
