/* SPDX-License-Identifier: BSD-2-Clause */
/* The constants are nanoseconds a row or entry, fitted to runs with 1e4 to 2e5 rows a rank on an
 * Intel Xeon of model 167; those of rows with a column for each entry are between its ratios and
 * those of AMD's Zen 3 and Zen 5. Only ratios matter. */
#include "precond/auto/model.h"

#include <math.h>

/* The product with A reads its storage, and computes with each entry: less time where the columns
 * need not be read. */
static const double BYTE = 0.033, PLAIN_ENTRY = 0.1, INDEXED_ENTRY = 0.45, INDEXED_ROW = 0.7;

/* The vectors of an iteration. */
static const double VECTORS = 1.9;

/* Misses of caches, which scattered columns add to each entry, by the bytes of a vector. In amg
 * they are those of all of its operators. */
static const double MISS = 1e-6, MOST_MISSES = 5, AMG_MISSES = 5, AMG_SETUP_MISSES = 200;

static double model_misses(const ovk__auto_features *A)
{
  const double each = fmin(MISS * sizeof(double) * A->rows, MOST_MISSES);
  return A->scattered ? each * A->entries : 0;
}

static double model_iteration(const ovk__auto_features *A)
{
  const double indexed = INDEXED_ROW + INDEXED_ENTRY * A->entries + model_misses(A);
  return fmax(BYTE * A->bytes, A->indexed ? indexed : PLAIN_ENTRY * A->entries) + VECTORS;
}

/* Bytes of a rank that stay in a cache of the core, and in one of several cores. */
static const double CORE_CACHE = 1e6, CACHE = 16e6;

/* By diagonals, a solve processes several rows at once, or waits for the bytes of both sweeps; else
 * each row waits for the one before, long rows less for each entry, and for memory if its columns
 * are scattered. */
static double model_factor_solve(const ovk__auto_features *A)
{
  const double bytes = sizeof(double) * (A->entries + 5); /* with the diagonal and vectors */
  const double held = A->rows * bytes, memory = held > CACHE ? BYTE * bytes : 0;
  if (A->diagonals) return fmax(0.3 + 0.3 * A->entries, memory);
  if (A->scattered) return 4 + 1.5 * A->entries + 2 * model_misses(A);
  return held > CORE_CACHE ? 10 + 5 * sqrt(A->entries) : 5.5 + 0.6 * A->entries;
}

static double model_factor_setup(const ovk__auto_features *A)
{
  return A->diagonals ? 25 + 3.5 * A->entries + A->bytes : 20 + 20 * A->entries;
}

/* The symmetric part of a level takes time, too. */
static const double SPLITTING = 1.4;

/* Seconds of the dense inverse of the last level of amg. */
static const double INVERSE = 4e-3;

/* With a stencil of one unknown coarse levels are regular, too, and smaller. With several ranks
 * rows are exchanged, and coarse levels have few on each. */
static ovk__auto_cost model_amg(const ovk__auto_features *A)
{
  const bool regular = A->diagonals && !A->points;
  const double larger = regular ? 1 + A->contrast / 10 : 2;
  const double setup = regular ? larger * (1000 + 30 * A->entries) : 1200 + 80 * A->entries;
  const double split = A->symmetric ? 1 : SPLITTING;
  const double misses = model_misses(A);
  return (ovk__auto_cost){(A->distributed ? 1.7 : 1) * split * (setup + AMG_SETUP_MISSES * misses),
                          model_iteration(A) + larger * (18 + 1.6 * A->entries) +
                              AMG_MISSES * misses};
}

/* Nanoseconds a row. */
static ovk__auto_cost model_row(const ovk__auto_features *A, ovk__auto_kind kind)
{
  const double plain = model_iteration(A);
  switch (kind) {
  case OVK__AUTO_IC:
    return (ovk__auto_cost){model_factor_setup(A), plain + model_factor_solve(A)};
  case OVK__AUTO_ILU: /* with two factors */
    return (ovk__auto_cost){2 * model_factor_setup(A), plain + model_factor_solve(A)};
  case OVK__AUTO_AMG:
    return model_amg(A);
  default:
    return (ovk__auto_cost){0, plain};
  }
}

ovk__auto_cost ovk__auto_cost_of(const ovk__auto_features *A, ovk__auto_kind kind)
{
  const ovk__auto_cost row = model_row(A, kind);
  const double once = kind == OVK__AUTO_AMG ? INVERSE : 0;
  return (ovk__auto_cost){once + 1e-9 * A->rows * row.setup, 1e-9 * A->rows * row.iteration};
}

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
double ovk__auto_jacobi_iterations(const ovk__auto_features *A, double lambda_min,
                                   double lambda_max)
{
  static const double EACH_ROOT = 7, CONTRAST = 1.5;
  if (!(lambda_min > 0)) return INFINITY;
  return EACH_ROOT * sqrt(lambda_max / lambda_min) * (1 + A->contrast / CONTRAST);
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

/* Fitted to convdiff7 with skewnesses from 0.05 to 2.5: 4 to 44. */
double ovk__auto_general_gain(const ovk__auto_features *A)
{
  return ovk__auto_gain(A) * (1 + 4 * A->skewness);
}

/* Fitted to convdiff7: 22 with 8^3 points to 1466 with 800^2. The estimates by four steps are too
 * low for many iterations. */
double ovk__auto_general_iterations(double iterations)
{
  static const double FEW = 50;
  return iterations * sqrt(fmax(iterations / FEW, 1));
}
