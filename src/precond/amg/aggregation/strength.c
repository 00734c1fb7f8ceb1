/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds strong couplings. All comparisons are of products of matrix values, so the result is the
 * same on any number of ranks. */
#include "precond/amg/aggregation/strength.h"
#include "core/base/cpu_dispatch.h"
#include "core/context/agree.h"
#include "core/context/mem.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Couplings that are below the threshold by rounding only are strong. */
static const double ROUNDING = 4 * DBL_EPSILON;

/* m_i: the largest negative coupling, or 0. The diagonal is positive. No maximum waits for the one
 * before. */
OVK_ALWAYS_INLINE double strength_largest(const ovk__amg_rows *rows, ovk_lidx i)
{
  int64_t k = rows->ptr[i];
  const int64_t end = rows->ptr[i + 1];
  double least[4] = {0};
  for (; k + 4 <= end; k += 4) {
    for (int l = 0; l < 4; l++)
      least[l] = rows->val[k + l] < least[l] ? rows->val[k + l] : least[l];
  }
  for (; k < end; k++) least[0] = rows->val[k] < least[0] ? rows->val[k] : least[0];
  for (int l = 1; l < 4; l++) least[0] = least[l] < least[0] ? least[l] : least[0];
  return -least[0];
}

/* The scale of row i: -sqrt of the largest positive coupling if there is no negative one. */
static double strength_scale(const ovk__amg_rows *rows, ovk_lidx i, double largest)
{
  double positive = 0;
  if (largest > 0) return sqrt(largest);
  for (int64_t k = rows->ptr[i]; k < rows->ptr[i + 1]; k++) {
    if (rows->col[k] != i) positive = fmax(positive, rows->val[k]);
  }
  return positive > 0 ? -sqrt(positive) : 0;
}

/* The scales of rows without negative couplings are negative. Positive couplings are strong between
 * two such rows only. Returns whether all couplings are strong. */
OVK_ALWAYS_INLINE bool strength_mark_row(const ovk__amg_rows *rows, ovk__amg_strength *s,
                                         ovk_lidx i)
{
  const int64_t n = rows->ptr[i + 1] - rows->ptr[i];
  const ovk_lidx *restrict col = rows->col + rows->ptr[i];
  const double *restrict val = rows->val + rows->ptr[i], *restrict scale = s->scale;
  const double theta = s->theta, own = scale[i];
  unsigned char *restrict strong = s->strong + rows->ptr[i], all = 1;
  for (int64_t k = 0; k < n; k++) {
    const double other = scale[col[k]];
    const double coupling = ((own < 0) & (other < 0)) ? val[k] : -val[k];
    const double least = theta * fabs(own * other);
    strong[k] = (col[k] != i) & (coupling > 0) & (coupling >= least); /* no branches */
    all &= strong[k] | (col[k] == i);
  }
  return all;
}

/* A row needs no aggregate if its strong couplings are at most the first part of its diagonal, and
 * those with stiffer rows at least the second: the smoother solves it where these are given. A row
 * with few neighbors may be the only connection of two parts of a network. */
static const double MOST_STRONG = 0.55, LEAST_STIFFER = 0.42;
enum { LEAST_NEIGHBORS = 4 };

/* Whether row i needs an aggregate, if only stiffer rows j with counts[j] > 0 are given; NULL: all
 * are. */
OVK_ALWAYS_INLINE bool strength_needs_aggregate(const ovk__amg_rows *rows,
                                                const ovk__amg_strength *s, const double *counts,
                                                ovk_lidx i)
{
  const double most = MOST_STRONG * rows->diagonal[i];
  double strong = 0, stiffer = 0;
  ovk_lidx neighbors = 0;
  for (int64_t k = rows->ptr[i]; k < rows->ptr[i + 1] && strong <= most; k++) {
    if (s->strong[k]) {
      strong += fabs(rows->val[k]);
      neighbors++;
    } else if (ovk__amg_strong_for_row(rows, s, i, k)) {
      if (!counts || counts[rows->col[k]] > 0) stiffer -= rows->val[k];
      neighbors++;
    }
  }
  const bool soft = neighbors >= LEAST_NEIGHBORS && strong <= most &&
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

/* Finds the largest couplings of own rows. */
OVK_FOR_EACH_CPU
static void strength_scale_rows(const ovk__amg_rows *rows, ovk__amg_strength *s)
{
  for (ovk_lidx i = 0; i < rows->n; i++) {
    s->largest[i] = strength_largest(rows, i);
    s->scale[i] = strength_scale(rows, i, s->largest[i]);
  }
}

/* Marks strong couplings, and rows that need an aggregate: one pass over memory for both. */
OVK_FOR_EACH_CPU
static void strength_mark_rows(const ovk__amg_rows *rows, ovk__amg_strength *s)
{
  s->all = true;
  for (ovk_lidx i = 0; i < rows->n; i++) {
    s->all &= strength_mark_row(rows, s, i);
    s->needs[i] = strength_needs_aggregate(rows, s, NULL, i);
  }
}

static ovk_err strength_allocate(const ovk__amg_rows *rows, ovk__amg_strength *s)
{
  OVK_NEW_ARRAY(rows->A->ctx, s->largest, rows->n);
  OVK_NEW_ARRAY(rows->A->ctx, s->scale, rows->all);
  OVK_NEW_ARRAY(rows->A->ctx, s->strong, rows->ptr[rows->n]);
  OVK_NEW_ZEROS(rows->A->ctx, s->single, rows->n);
  OVK_NEW_ARRAY(rows->A->ctx, s->needs, rows->n);
  return OVK_OK;
}

ovk_err ovk__amg_strength_create(const ovk__amg_rows *rows, double theta, ovk__amg_strength *out)
{
  *out = (ovk__amg_strength){.theta = theta * (1 - ROUNDING)};
  OVK_TRY(ovk__agree(rows->A->ctx, strength_allocate(rows, out)));
  strength_scale_rows(rows, out);
  OVK_TRY(ovk__amg_rows_exchange(rows, out->scale));
  strength_mark_rows(rows, out);
  return OVK_OK;
}

ovk_err ovk__amg_strength_omit(const ovk__amg_rows *rows, ovk__amg_strength *s)
{
  double *stays = s->scale; /* which is not needed any more */
  bool all = true;
  for (ovk_lidx i = 0; i < rows->n; i++) stays[i] = s->needs[i];
  OVK_TRY(ovk__amg_rows_exchange(rows, stays));
  for (ovk_lidx i = 0; i < rows->n; i++) { /* -1: it would depend on others that could be omitted */
    if (!(stays[i] > 0) && strength_needs_aggregate(rows, s, stays, i)) stays[i] = -1;
  }
  for (ovk_lidx i = 0; i < rows->n; i++) stays[i] = fabs(stays[i]);
  OVK_TRY(ovk__amg_rows_exchange(rows, stays));
  for (ovk_lidx j = 0; j < rows->all; j++) all &= stays[j] > 0;
  s->all &= all;
  for (ovk_lidx i = 0; i < rows->n && !all; i++) strength_weaken(rows, s, stays, i);
  return OVK_OK;
}

void ovk__amg_strength_free(ovk__amg_strength *strength)
{
  free(strength->largest);
  free(strength->scale);
  free(strength->strong);
  free(strength->single);
  free(strength->needs);
  *strength = (ovk__amg_strength){0};
}
