/* SPDX-License-Identifier: BSD-2-Clause */
/* The constants are nanoseconds a row or entry, fitted to runs with 1e4 to 2e5 rows a rank on an
 * Intel Xeon of model 167; those of rows with a column for each entry are between its ratios and
 * those of AMD's Zen 3 and Zen 5. Only ratios matter. */
#include "precond/auto/cost.h"

#include <math.h>

/* The product with A reads its storage, and computes with each entry: less time where the columns
 * need not be read. */
static const double BYTE = 0.033, PLAIN_ENTRY = 0.1, INDEXED_ENTRY = 0.45, INDEXED_ROW = 0.7;

/* The vectors of an iteration. */
static const double VECTORS = 1.9;

/* Misses of caches, which scattered columns add to each entry, by the bytes of a vector. In amg
 * they are those of all of its operators. */
static const double MISS = 1e-6, MOST_MISSES = 5, AMG_MISSES = 5, AMG_SETUP_MISSES = 200;

static double cost_misses(const ovk__auto_features *A)
{
  const double each = fmin(MISS * sizeof(double) * A->rows, MOST_MISSES);
  return A->scattered ? each * A->entries : 0;
}

static double cost_iteration(const ovk__auto_features *A)
{
  const double indexed = INDEXED_ROW + INDEXED_ENTRY * A->entries + cost_misses(A);
  return fmax(BYTE * A->bytes, A->indexed ? indexed : PLAIN_ENTRY * A->entries) + VECTORS;
}

/* Bytes of a rank that stay in a cache of the core, and in one of several cores. */
static const double CORE_CACHE = 1e6, CACHE = 16e6;

/* By diagonals, a solve processes several rows at once, or waits for the bytes of both sweeps; else
 * each row waits for the one before, long rows less for each entry, and for memory if its columns
 * are scattered. */
static double cost_factor_solve(const ovk__auto_features *A)
{
  const double bytes = sizeof(double) * (A->entries + 5); /* with the diagonal and vectors */
  const double held = A->rows * bytes, memory = held > CACHE ? BYTE * bytes : 0;
  if (A->diagonals) return fmax(0.3 + 0.3 * A->entries, memory);
  if (A->scattered) return 4 + 1.5 * A->entries + 2 * cost_misses(A);
  return held > CORE_CACHE ? 10 + 5 * sqrt(A->entries) : 5.5 + 0.6 * A->entries;
}

static double cost_factor_setup(const ovk__auto_features *A)
{
  return A->diagonals ? 25 + 3.5 * A->entries + A->bytes : 20 + 20 * A->entries;
}

/* The symmetric part of a level takes time, too. */
static const double SPLITTING = 1.4;

/* Seconds of the dense inverse of the last level of amg. */
static const double INVERSE = 4e-3;

/* With a stencil of one unknown coarse levels are regular, too, and smaller. With several ranks
 * rows are exchanged, and coarse levels have few on each. */
static ovk__auto_cost cost_amg(const ovk__auto_features *A)
{
  const bool regular = A->diagonals && !A->points;
  const double larger = regular ? 1 + A->contrast / 10 : 2;
  const double setup = regular ? larger * (1000 + 30 * A->entries) : 1200 + 80 * A->entries;
  const double split = A->symmetric ? 1 : SPLITTING;
  const double misses = cost_misses(A);
  return (ovk__auto_cost){(A->distributed ? 1.7 : 1) * split * (setup + AMG_SETUP_MISSES * misses),
                          cost_iteration(A) + larger * (18 + 1.6 * A->entries) +
                              AMG_MISSES * misses};
}

/* Nanoseconds a row. */
static ovk__auto_cost cost_of_row(const ovk__auto_features *A, ovk__auto_kind kind)
{
  const double plain = cost_iteration(A);
  switch (kind) {
  case OVK__AUTO_IC:
    return (ovk__auto_cost){cost_factor_setup(A), plain + cost_factor_solve(A)};
  case OVK__AUTO_ILU: /* with two factors */
    return (ovk__auto_cost){2 * cost_factor_setup(A), plain + cost_factor_solve(A)};
  case OVK__AUTO_AMG:
    return cost_amg(A);
  default:
    return (ovk__auto_cost){0, plain};
  }
}

ovk__auto_cost ovk__auto_cost_of(const ovk__auto_features *A, ovk__auto_kind kind)
{
  const ovk__auto_cost row = cost_of_row(A, kind);
  const double once = kind == OVK__AUTO_AMG ? INVERSE : 0;
  return (ovk__auto_cost){once + 1e-9 * A->rows * row.setup, 1e-9 * A->rows * row.iteration};
}
