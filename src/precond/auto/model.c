/* SPDX-License-Identifier: BSD-2-Clause */
/* The constants are nanoseconds a row or entry, fitted to runs with 1e4 to 2e5 rows a rank on an
 * Intel Xeon of model 167. Only their ratios matter, which are similar on other processors. */
#include "precond/auto/model.h"

#include <math.h>

/* The product with A reads its storage, and computes with each entry: less time where the columns
 * need not be read. */
static const double BYTE = 0.033, PLAIN_ENTRY = 0.1, INDEXED_ENTRY = 0.45;

/* The vectors of an iteration. */
static const double VECTORS = 1.9;

static double model_iteration(const ovk__auto_features *A)
{
  const double entry = A->indexed ? INDEXED_ENTRY : PLAIN_ENTRY;
  return fmax(BYTE * A->bytes, entry * A->entries) + VECTORS;
}

/* By diagonals, several rows at once; else each row waits for the one before, and for memory if its
 * columns are scattered. */
static double model_factor_solve(const ovk__auto_features *A)
{
  if (A->diagonals) return 0.3 + 0.3 * A->entries;
  return 2 + (A->scattered ? 1.5 : 0.5) * A->entries;
}

static double model_factor_setup(const ovk__auto_features *A)
{
  return A->diagonals ? 25 + 3.5 * A->entries + A->bytes : 20 + 20 * A->entries;
}

/* Of coarse levels, which are larger and less regular than with a stencil of one unknown. */
static double model_irregularity(const ovk__auto_features *A)
{
  return A->diagonals && !A->points ? 1 + A->contrast / 10 : 2;
}

ovk__auto_cost ovk__auto_cost_of(const ovk__auto_features *A, ovk__auto_kind kind)
{
  const double row = 1e-9 * A->rows, plain = model_iteration(A);
  switch (kind) {
  case OVK__AUTO_IC:
    return (ovk__auto_cost){row * model_factor_setup(A), row * (plain + model_factor_solve(A))};
  case OVK__AUTO_ILU:
    return (ovk__auto_cost){row * 2 * model_factor_setup(A), row * (plain + model_factor_solve(A))};
  case OVK__AUTO_AMG: {
    const double factor = model_irregularity(A);
    return (ovk__auto_cost){row * factor * (700 + 35 * A->entries),
                            row * (plain + factor * (18 + 1.6 * A->entries))};
  }
  default:
    return (ovk__auto_cost){0, row * plain};
  }
}

/* The factors represent A + R, where R has the fill that they omit, negative off the diagonal, with
 * row sums of 0. For smooth vectors that is D times the fill, instead of D. The mean with all of
 * the fill is closer to measured numbers than either. */
double ovk__auto_gain(const ovk__auto_features *A)
{
  const double fill = fmin(fmax(A->fill, 0.01), 1);
  return sqrt(1 / fill) * (1 + A->contrast / 5);
}

/* Where couplings differ, other vectors than smooth ones have smaller eigenvalues. */
double ovk__auto_jacobi_iterations(const ovk__auto_features *A, double lambda_min,
                                   double lambda_max)
{
  static const double EACH_ROOT = 5, CONTRAST = 1.5;
  if (!(lambda_min > 0)) return INFINITY;
  return EACH_ROOT * sqrt(lambda_max / lambda_min) * (1 + A->contrast / CONTRAST);
}

/* The bound of conjugate gradients, 0.5 sqrt(kappa) log(2 / 1e-8). */
double ovk__auto_jacobi_bound(double lambda_min, double lambda_max)
{
  return lambda_min > 0 ? 9.5 * sqrt(lambda_max / lambda_min) : (double)INFINITY;
}

/* With coefficients of points that jump at random by 1e6: 171 iterations with 30^3 rows, 772 with
 * 60^3. */
double ovk__auto_ic_bound(const ovk__auto_features *A)
{
  return 0.135 * pow(A->global, 0.7);
}
