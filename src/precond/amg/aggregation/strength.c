/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds strong couplings. All comparisons are of products of matrix values, so the result is the
 * same on any number of ranks. */
#include "precond/amg/aggregation/strength.h"
#include "core/context/agree.h"
#include "core/context/mem.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Couplings that are below the threshold by rounding only are strong. */
static const double ROUNDING = 4 * DBL_EPSILON;

/* m_i: the largest negative coupling. Without one, *positive <- the largest positive one. */
static double strength_largest(const ovk__amg_rows *rows, ovk_lidx i, double *positive)
{
  double largest = 0;
  *positive = 0;
  for (int64_t k = rows->ptr[i]; k < rows->ptr[i + 1]; k++) {
    const double value = rows->col[k] == i ? 0 : rows->val[k];
    largest = -value > largest ? -value : largest;
    *positive = value > *positive ? value : *positive;
  }
  if (largest > 0) *positive = 0;
  return largest;
}

/* The scales of rows without negative couplings are negative. Positive couplings are strong between
 * two such rows only. */
static void strength_mark(const ovk__amg_rows *rows, ovk__amg_strength *s)
{
  for (ovk_lidx i = 0; i < rows->n; i++) {
    for (int64_t k = rows->ptr[i]; k < rows->ptr[i + 1]; k++) {
      const ovk_lidx j = rows->col[k];
      const bool positive = (s->scale[i] < 0) & (s->scale[j] < 0);
      const double coupling = positive ? rows->val[k] : -rows->val[k];
      const double least = s->theta * fabs(s->scale[i] * s->scale[j]);
      s->strong[k] = (j != i) & (coupling > 0) & (coupling >= least); /* no branches */
    }
  }
}

/* A row needs no aggregate if its strong couplings are at most the first part of its diagonal, and
 * those with stiffer rows at least the second: the smoother solves it where these are given. A row
 * with few neighbors may be the only connection of two parts of a network. */
static const double MOST_STRONG = 0.55, LEAST_STIFFER = 0.42;
enum { LEAST_NEIGHBORS = 4 };

/* Whether row i needs an aggregate, if only stiffer rows j with counts[j] > 0 are given; NULL: all
 * are. */
static bool strength_needs_aggregate(const ovk__amg_rows *rows, const ovk__amg_strength *s,
                                     const double *counts, ovk_lidx i)
{
  double strong = 0, stiffer = 0;
  ovk_lidx neighbors = 0;
  for (int64_t k = rows->ptr[i]; k < rows->ptr[i + 1]; k++) {
    if (s->strong[k]) {
      strong += fabs(rows->val[k]);
      neighbors++;
    } else if (ovk__amg_strong_for_row(rows, s, i, k)) {
      if (!counts || counts[rows->col[k]] > 0) stiffer -= rows->val[k];
      neighbors++;
    }
  }
  const bool soft = neighbors >= LEAST_NEIGHBORS && strong <= MOST_STRONG * rows->diagonal[i] &&
                    stiffer >= LEAST_STIFFER * rows->diagonal[i];
  return strong > 0 && !soft;
}

/* Makes the couplings of row i with omitted rows weak. A row that stays and loses all of its strong
 * couplings so becomes an aggregate: nothing would interpolate it. */
static void strength_weaken(const ovk__amg_rows *rows, ovk__amg_strength *s, const double *stays,
                            ovk_lidx i)
{
  int before = 0, left = 0;
  for (int64_t k = rows->ptr[i]; k < rows->ptr[i + 1]; k++) {
    before |= s->strong[k];
    s->strong[k] &= (stays[i] > 0) & (stays[rows->col[k]] > 0);
    left |= s->strong[k];
  }
  s->single[i] = stays[i] > 0 && before > left;
}

static ovk_err strength_allocate(const ovk__amg_rows *rows, ovk__amg_strength *s)
{
  OVK_NEW_ARRAY(rows->A->ctx, s->largest, rows->n);
  OVK_NEW_ARRAY(rows->A->ctx, s->scale, rows->all);
  OVK_NEW_ARRAY(rows->A->ctx, s->strong, rows->ptr[rows->n]);
  OVK_NEW_ZEROS(rows->A->ctx, s->single, rows->n);
  return OVK_OK;
}

ovk_err ovk__amg_strength_create(const ovk__amg_rows *rows, double theta, ovk__amg_strength *out)
{
  *out = (ovk__amg_strength){.theta = theta * (1 - ROUNDING)};
  OVK_TRY(ovk__agree(rows->A->ctx, strength_allocate(rows, out)));
  for (ovk_lidx i = 0; i < rows->n; i++) {
    double positive;
    out->largest[i] = strength_largest(rows, i, &positive);
    out->scale[i] = positive > 0 ? -sqrt(positive) : sqrt(out->largest[i]);
  }
  OVK_TRY(ovk__amg_rows_exchange(rows, out->scale));
  strength_mark(rows, out);
  return OVK_OK;
}

ovk_err ovk__amg_strength_omit(const ovk__amg_rows *rows, ovk__amg_strength *s)
{
  double *stays = s->scale; /* which is not needed any more */
  bool all = true;
  for (ovk_lidx i = 0; i < rows->n; i++) stays[i] = strength_needs_aggregate(rows, s, NULL, i);
  OVK_TRY(ovk__amg_rows_exchange(rows, stays));
  for (ovk_lidx i = 0; i < rows->n; i++) { /* -1: it would depend on others that could be omitted */
    if (!(stays[i] > 0) && strength_needs_aggregate(rows, s, stays, i)) stays[i] = -1;
  }
  for (ovk_lidx i = 0; i < rows->n; i++) stays[i] = fabs(stays[i]);
  OVK_TRY(ovk__amg_rows_exchange(rows, stays));
  for (ovk_lidx j = 0; j < rows->all; j++) all &= stays[j] > 0;
  for (ovk_lidx i = 0; i < rows->n && !all; i++) strength_weaken(rows, s, stays, i);
  return OVK_OK;
}

void ovk__amg_strength_free(ovk__amg_strength *strength)
{
  free(strength->largest);
  free(strength->scale);
  free(strength->strong);
  free(strength->single);
  *strength = (ovk__amg_strength){0};
}
