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
OVK_ALWAYS_INLINE double strength_largest(ovk__amg_row row)
{
  ovk_lidx k = 0;
  double least[4] = {0};
  for (; k + 4 <= row.n; k += 4) {
    for (int l = 0; l < 4; l++) least[l] = row.val[k + l] < least[l] ? row.val[k + l] : least[l];
  }
  for (; k < row.n; k++) least[0] = row.val[k] < least[0] ? row.val[k] : least[0];
  for (int l = 1; l < 4; l++) least[0] = least[l] < least[0] ? least[l] : least[0];
  return -least[0];
}

/* The scale of row i: -sqrt of the largest positive coupling if there is no negative one. */
static double strength_scale(ovk__amg_row row, ovk_lidx i, double largest)
{
  double positive = 0;
  if (largest > 0) return sqrt(largest);
  for (ovk_lidx k = 0; k < row.n; k++) {
    if (row.col[k] != i) positive = fmax(positive, row.val[k]);
  }
  return positive > 0 ? -sqrt(positive) : 0;
}

/* Lists the strong couplings of row i: those of some entries are found together, then listed. The
 * scales of rows without negative couplings are negative. Positive couplings are strong between two
 * such rows only. */
OVK_ALWAYS_INLINE void strength_mark_row(ovk__amg_row row, ovk_lidx i, ovk__amg_strength *s)
{
  enum { PIECE = 64 };
  const double *restrict scale = s->scale;
  const double theta = s->theta, own = scale[i];
  ovk_lidx *next = ovk__amg_neighbors_next(&s->strong), n = 0;
  for (ovk_lidx from = 0; from < row.n; from += PIECE) {
    const ovk_lidx m = row.n - from < PIECE ? row.n - from : PIECE;
    const ovk_lidx *restrict col = row.col + from;
    const double *restrict val = row.val + from;
    unsigned char strong[PIECE];
    for (ovk_lidx k = 0; k < m; k++) {
      const double other = scale[col[k]];
      const double coupling = ((own < 0) & (other < 0)) ? val[k] : -val[k];
      const double least = theta * fabs(own * other);
      strong[k] = (col[k] != i) & (coupling > 0) & (coupling >= least); /* no branches */
    }
    for (ovk_lidx k = 0; k < m; k++) {
      next[n] = col[k] - i;
      n += strong[k];
    }
  }
  ovk__amg_neighbors_add(&s->strong, n);
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
  const ovk__amg_row row = ovk__amg_rows_row(rows, i);
  const double most = MOST_STRONG * rows->diagonal[i];
  ovk__amg_strong_ones ones = ovk__amg_strong_begin(s, i);
  double strong = 0, stiffer = 0;
  ovk_lidx neighbors = 0;
  for (ovk_lidx k = 0; k < row.n && strong <= most; k++) {
    if (ovk__amg_strong_next(&ones, i, row.col[k])) {
      strong += fabs(row.val[k]);
      neighbors++;
    } else if (ovk__amg_strong_for_row(s, i, row.col[k], row.val[k])) {
      if (!counts || counts[row.col[k]] > 0) stiffer -= row.val[k];
      neighbors++;
    }
  }
  const bool soft = neighbors >= LEAST_NEIGHBORS && strong <= most &&
                    stiffer >= LEAST_STIFFER * rows->diagonal[i];
  return strong > 0 && !soft;
}

/* Finds the largest couplings of the rows that are held. */
OVK_FOR_EACH_CPU
static void strength_scale_rows(const ovk__amg_rows *rows, ovk__amg_strength *s)
{
  ovk__amg_distances_add(rows, &s->distances);
  for (ovk_lidx i = rows->begin; i < rows->end; i++) {
    const ovk__amg_row row = ovk__amg_rows_row(rows, i);
    s->largest[i] = strength_largest(row);
    s->scale[i] = strength_scale(row, i, s->largest[i]);
    s->dense[i] = row.n > OVK__AMG_MOST_ENTRIES;
  }
}

/* Lists their strong couplings, and marks rows that need an aggregate. */
OVK_FOR_EACH_CPU
static void strength_mark_rows(const ovk__amg_rows *rows, ovk__amg_strength *s)
{
  for (ovk_lidx i = rows->begin; i < rows->end; i++) {
    strength_mark_row(ovk__amg_rows_row(rows, i), i, s);
    s->needs[i] = strength_needs_aggregate(rows, s, NULL, i);
  }
}

static ovk_err strength_allocate(const ovk__amg_rows *rows, ovk__amg_strength *s)
{
  ovk_ctx *ctx = rows->A->ctx;
  OVK_NEW_ARRAY(ctx, s->largest, rows->n);
  OVK_NEW_ARRAY(ctx, s->scale, rows->all);
  OVK_NEW_ZEROS(ctx, s->single, rows->n);
  OVK_NEW_ARRAY(ctx, s->needs, rows->n);
  OVK_NEW_ARRAY(ctx, s->dense, rows->n);
  return ovk__amg_neighbors_create(ctx, rows->n, ovk__amg_rows_entries(rows), &s->strong);
}

/* Calls a function for all rows, some at a time. */
static ovk_err strength_for_each_band(ovk__amg_rows *rows, ovk__amg_strength *s,
                                      void (*take)(const ovk__amg_rows *, ovk__amg_strength *))
{
  for (ovk_lidx i = 0; i < rows->n; i = rows->end) {
    OVK_TRY(ovk__amg_rows_read(rows, i, i + 1));
    take(rows, s);
  }
  return OVK_OK;
}

static ovk_err strength_find_scales(ovk__amg_rows *rows, ovk__amg_strength *s)
{
  OVK_TRY(strength_allocate(rows, s));
  return strength_for_each_band(rows, s, strength_scale_rows);
}

ovk_err ovk__amg_strength_create(ovk__amg_rows *rows, double theta, ovk__amg_strength *out)
{
  ovk_ctx *ctx = rows->A->ctx;
  *out = (ovk__amg_strength){.theta = theta * (1 - ROUNDING)};
  OVK_TRY(ovk__agree(ctx, strength_find_scales(rows, out)));
  OVK_TRY(ovk__amg_rows_exchange(rows, out->scale));
  return ovk__agree(ctx, strength_for_each_band(rows, out, strength_mark_rows));
}

/* stays[i] <- -1 for rows that would depend on others that could be omitted. */
static ovk_err strength_keep_dependent(ovk__amg_rows *rows, const ovk__amg_strength *s,
                                       double *stays)
{
  for (ovk_lidx i = 0; i < rows->n; i++) {
    if (stays[i] > 0) continue;
    OVK_TRY(ovk__amg_rows_read(rows, i, i + 1));
    if (strength_needs_aggregate(rows, s, stays, i)) stays[i] = -1;
  }
  return OVK_OK;
}

/* Makes the couplings with omitted rows weak. A row that stays and loses all of its strong
 * couplings so becomes an aggregate: nothing would interpolate it. */
static ovk_err strength_weaken(const ovk__amg_rows *rows, const double *stays, ovk__amg_strength *s)
{
  ovk__amg_neighbors before = s->strong;
  const ovk_err err =
      ovk__amg_neighbors_create(rows->A->ctx, rows->n, ovk__amg_rows_entries(rows), &s->strong);
  for (ovk_lidx i = 0; !err && i < rows->n; i++) {
    ovk_lidx n, left = 0, *next = ovk__amg_neighbors_next(&s->strong);
    const ovk_lidx *near = ovk__amg_neighbors_of(&before, i, &n);
    for (ovk_lidx k = 0; k < n; k++) {
      next[left] = near[k];
      left += (stays[i] > 0) & (stays[i + near[k]] > 0);
    }
    ovk__amg_neighbors_add(&s->strong, left);
    s->single[i] = stays[i] > 0 && n > 0 && left == 0;
  }
  ovk__amg_neighbors_free(&before);
  return err;
}

ovk_err ovk__amg_strength_omit(ovk__amg_rows *rows, ovk__amg_strength *s)
{
  ovk_ctx *ctx = rows->A->ctx;
  double *stays = s->scale; /* which is not needed any more */
  bool all = true;
  for (ovk_lidx i = 0; i < rows->n; i++) stays[i] = s->needs[i];
  OVK_TRY(ovk__amg_rows_exchange(rows, stays));
  OVK_TRY(ovk__agree(ctx, strength_keep_dependent(rows, s, stays)));
  for (ovk_lidx i = 0; i < rows->n; i++) stays[i] = fabs(stays[i]);
  OVK_TRY(ovk__amg_rows_exchange(rows, stays));
  for (ovk_lidx j = 0; j < rows->all; j++) all &= stays[j] > 0;
  return ovk__agree(ctx, all ? OVK_OK : strength_weaken(rows, stays, s));
}

void ovk__amg_strength_free(ovk__amg_strength *strength)
{
  free(strength->largest);
  free(strength->scale);
  free(strength->single);
  free(strength->needs);
  free(strength->dense);
  ovk__amg_neighbors_free(&strength->strong);
  *strength = (ovk__amg_strength){0};
}
