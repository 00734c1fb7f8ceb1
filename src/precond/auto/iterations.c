/* SPDX-License-Identifier: BSD-2-Clause */
#include "precond/auto/iterations.h"

#include <math.h>

/* The factors represent A + R, where R has the fill that they omit, negative off the diagonal, with
 * row sums of 0. For smooth vectors that is D times the fill, instead of D. The mean with all of
 * the fill is closer to measured numbers than either. Of long rows it is too much: measured gains
 * are at least 1.6. */
double ovk__auto_gain(const ovk__auto_features *A)
{
  static const double LEAST_FILL = 0.01, MOST_FILL = 0.4;
  const double fill = fmin(fmax(A->fill, LEAST_FILL), MOST_FILL);
  return sqrt(1 / fill) * (1 + A->contrast / 5);
}

/* If couplings differ, other vectors than smooth ones have smaller eigenvalues. */
static double contrast_factor(const ovk__auto_features *A)
{
  static const double CONTRAST = 1.5;
  return 1 + A->contrast / CONTRAST;
}

double ovk__auto_jacobi_iterations(const ovk__auto_features *A, double lambda_min,
                                   double lambda_max)
{
  static const double EACH_ROOT = 7;
  if (!(lambda_min > 0)) return INFINITY;
  return EACH_ROOT * sqrt(lambda_max / lambda_min) * contrast_factor(A);
}

/* Each step sees one more layer of points at the boundary. If the domain has more layers, the least
 * Ritz value is shift + boundary / steps, where the quotient is shift + boundary. The smallest
 * eigenvalue is that shift and about the square of the boundary, up to a factor for the shape. */
double ovk__auto_extent_iterations(const ovk__auto_features *A, double quotient, int steps,
                                   double lambda_min, double lambda_max)
{
  static const double EXTENT = 1.6;
  const double shift = fmax((steps * lambda_min - quotient) / (steps - 1), 0);
  const double extent = 1 / (quotient - shift);
  return fmin(EXTENT * extent * sqrt(lambda_max) * contrast_factor(A),
              ovk__auto_jacobi_bound(shift, lambda_max));
}

/* The bound of conjugate gradients, 0.5 sqrt(kappa) log(2 / 1e-8). */
double ovk__auto_jacobi_bound(double lambda_min, double lambda_max)
{
  return lambda_min > 0 ? 9.5 * sqrt(lambda_max / lambda_min) : (double)INFINITY;
}

/* Fitted to coefficients of points that jump at random by 1e6: 171 iterations with 30^3 rows, 772
 * with 60^3. In the plane they take more, as there are fewer ways around soft couplings: 3302 with
 * 100^2. */
double ovk__auto_ic_bound(const ovk__auto_features *A)
{
  const double part = A->planar ? 5 : A->diagonals ? 0.135 : 1;
  return part * pow(A->global, 0.7);
}
