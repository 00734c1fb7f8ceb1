/* SPDX-License-Identifier: BSD-2-Clause */
/* When BiCGStab restarts, with the residual as its shadow vector q: its inner products have
 * rounding errors of about DBL_EPSILON times the norms of their factors, and q is kept while r
 * changes, so those with q lose digits in the course of a solve. */
#ifndef OVK_SOLVERS_METHODS_BCGS_SHADOW_RESIDUAL_H
#define OVK_SOLVERS_METHODS_BCGS_SHADOW_RESIDUAL_H

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* Whether an inner product is at most `fraction` of the product of its factors' norms, whose
 * squares are given; also if it is not a number. */
static inline bool ovk__bcgs_is_below(double fraction, double value, double square, double other)
{
  return !(fabs(value) > fraction * sqrt(square) * sqrt(other));
}

/* Whether an inner product is rounding. */
static inline bool ovk__bcgs_vanished(double value, double square, double other)
{
  return ovk__bcgs_is_below(DBL_EPSILON, value, square, other);
}

/* Whether an inner product with q has fewer than three digits left; with a fresh q, which a new
 * start would not change, whether it has vanished. */
static inline bool ovk__bcgs_restart_needed(bool fresh, double value, double qq, double square)
{
  return ovk__bcgs_is_below(fresh ? DBL_EPSILON : 1e-13, value, qq, square);
}

#endif
