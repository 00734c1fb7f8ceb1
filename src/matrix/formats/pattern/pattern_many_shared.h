/* SPDX-License-Identifier: BSD-2-Clause */
/* The groups that share entries times a block of columns, see pattern_many.c. A block is one long
 * vector, some lanes at a time. The next row begins `w` numbers later: with 8 columns three
 * neighboring entries have all but two of their vectors of x in common. */
#ifndef OVK_MATRIX_FORMATS_PATTERN_PATTERN_MANY_SHARED_H
#define OVK_MATRIX_FORMATS_PATTERN_PATTERN_MANY_SHARED_H

#include "core/base/edges.h"
#include "core/base/lanes.h"
#include "matrix/formats/pattern/pattern_product.h"

#include <stddef.h>

/* Lanes of a batch, whose sums fit into registers; a <- 0; a <- a + b; a <- a + b c for a number b
 */
#ifdef OVK__WIDE_LANES
enum { BATCH = 4 };
OVK_ALWAYS_INLINE void lanes_zero(ovk__lanes *a)
{
  *a = (ovk__lanes){0};
}
OVK_ALWAYS_INLINE void lanes_plus(ovk__lanes *a, const ovk__lanes *b)
{
  *a += *b;
}
OVK_ALWAYS_INLINE void lanes_add_scaled(ovk__lanes *a, double b, const ovk__lanes *c)
{
  *a += b * *c;
}
#else
enum { BATCH = 2 };
OVK_ALWAYS_INLINE void lanes_zero(ovk__lanes *a)
{
  a->low = (ovk__half){0};
  a->high = (ovk__half){0};
}
OVK_ALWAYS_INLINE void lanes_plus(ovk__lanes *a, const ovk__lanes *b)
{
  a->low += b->low;
  a->high += b->high;
}
OVK_ALWAYS_INLINE void lanes_add_scaled(ovk__lanes *a, double b, const ovk__lanes *c)
{
  a->low += b * c->low;
  a->high += b * c->high;
}
#endif
enum { GROUP = OVK__GROUP, LANES = OVK__LANES };

/* The sums of each of three neighboring entries. */
typedef struct shared_sums {
  ovk__lanes of[3][BATCH];
} shared_sums;

#define FOR_EACH_IN_BATCH _Pragma("GCC unroll 4") for (int j = 0; j < BATCH; j++)

/* y <- y + sum in the rows that have a bit, the first one for the first number */
OVK_ALWAYS_INLINE void shared_add_some(int w, uint32_t rows, const ovk__lanes *sum, ovk__lanes *y)
{
  double from[LANES], to[LANES];
  if (w == LANES) {
    if (rows & 1) lanes_plus(y, sum);
    return;
  }
  ovk__lanes_to_doubles(from, sum);
  ovk__lanes_to_doubles(to, y);
  for (int l = 0; l < LANES; l++) {
    if (rows >> (l / w) & 1) to[l] += from[l];
  }
  ovk__lanes_of_doubles(y, to);
}

/* The same for a batch. Loops over it are unrolled, so that its lanes stay in registers. */
OVK_ALWAYS_INLINE void shared_add_where(int w, uint32_t rows, const ovk__lanes *sum, ovk__lanes *y)
{
  const uint32_t all = (UINT32_C(1) << (BATCH * LANES / w)) - 1;
  if ((rows & all) == all) {
    FOR_EACH_IN_BATCH lanes_plus(&y[j], &sum[j]);
  } else {
    FOR_EACH_IN_BATCH shared_add_some(w, rows >> (LANES / w * j), &sum[j], &y[j]);
  }
}

/* sum <- sum + a x */
OVK_ALWAYS_INLINE void shared_add(double a, const ovk__lanes *x, ovk__lanes *sum)
{
  FOR_EACH_IN_BATCH lanes_add_scaled(&sum[j], a, &x[j]);
}

OVK_ALWAYS_INLINE void shared_load(int n, const double *from, ovk__lanes *x)
{
  _Pragma("GCC unroll 6") for (int j = 0; j < n; j++)
      ovk__lanes_of_doubles(&x[j], from + (ptrdiff_t)j * LANES);
}

/* An entry or three, x at the first row of the batch. */
OVK_ALWAYS_INLINE void shared_entry(int w, int width, const ovk__group_entry *e,
                                    const double *restrict x, shared_sums *sums)
{
  ovk__lanes v[BATCH + 2];
  x += (ptrdiff_t)e->offset * w;
  shared_load(w == LANES && width == 3 ? BATCH + 2 : BATCH, x, v);
  shared_add(e->value[0], v, sums->of[0]);
  if (width == 1) return;
  if (w != LANES) shared_load(BATCH, x + w, v);
  shared_add(e->value[1], w == LANES ? v + 1 : v, sums->of[1]);
  if (w != LANES) shared_load(BATCH, x + (ptrdiff_t)2 * w, v);
  shared_add(e->value[2], w == LANES ? v + 2 : v, sums->of[2]);
}

/* y <- y + a part's entries times x in the rows of a batch, from row l of the group on. */
OVK_ALWAYS_INLINE void shared_part(int w, int width, const ovk__group_part *p,
                                   const ovk__group_entry *entries, int l, const double *restrict x,
                                   ovk__lanes *y)
{
  shared_sums sums;
  FOR_EACH_IN_BATCH for (int v = 0; v < 3; v++) lanes_zero(&sums.of[v][j]);
  for (int32_t k = p->begin; k < p->end; k++) shared_entry(w, width, &entries[k], x, &sums);
  shared_add_where(w, p->rows[0] >> l, sums.of[0], y);
  if (width == 1) return;
  shared_add_where(w, p->rows[1] >> l, sums.of[1], y);
  shared_add_where(w, p->rows[2] >> l, sums.of[2], y);
}

/* Neighboring entries are adjacent in a part, which has them in ascending order. */
OVK_ALWAYS_INLINE void shared_edges(const ovk__pattern_groups *g, int32_t kind, ovk__edges *edges)
{
  edges->n = 0;
  for (int32_t k = g->begin[kind]; k < g->begin[kind + 1]; k++) {
    const ovk__group_part *p = &g->parts[k];
    for (int32_t e = p->begin; e < p->end; e++) {
      const ovk_lidx last = g->entries[e].offset + (p->width == 3 ? 2 : 0);
      if (e + 1 == p->end || g->entries[e + 1].offset - last > OVK__NEAR) {
        ovk__edges_add(edges, last);
      }
    }
  }
}

/* A group of this kind, x, y and sum at its first row; sum <- sum + x y */
OVK_ALWAYS_INLINE void shared_group(int w, const ovk__pattern_groups *g, int32_t kind,
                                    const double *restrict x, double *restrict y,
                                    double *restrict sum)
{
  enum { VALUES = BATCH * LANES };
  ovk__edges edges;
  shared_edges(g, kind, &edges);
  for (int at = 0; at < GROUP * w; at += VALUES) {
    ovk__lanes all[BATCH];
    FOR_EACH_IN_BATCH lanes_zero(&all[j]);
    ovk__edges_prefetch(&edges, w, GROUP, VALUES / w, x + at);
    ovk__prefetch(y + at, (int64_t)GROUP * w, sizeof *y, VALUES);
    for (int32_t k = g->begin[kind]; k < g->begin[kind + 1]; k++) {
      const ovk__group_part *p = &g->parts[k];
      if (p->width == 3) {
        shared_part(w, 3, p, g->entries, at / w, x + at, all);
      } else {
        shared_part(w, 1, p, g->entries, at / w, x + at, all);
      }
    }
    FOR_EACH_IN_BATCH
    {
      const ptrdiff_t here = at + (ptrdiff_t)j * LANES;
      ovk__lanes own, dot;
      ovk__lanes_to_doubles(y + here, &all[j]);
      ovk__lanes_of_doubles(&own, x + here);
      ovk__lanes_of_doubles(&dot, sum + here);
      ovk__lanes_add(&dot, &own, &all[j]);
      ovk__lanes_to_doubles(sum + here, &dot);
    }
  }
}

/* As ovk__pattern_groups_many_narrow(). */
OVK_ALWAYS_INLINE ovk_lidx shared_groups(int w, const ovk__pattern_groups *g, ovk_lidx group,
                                         ovk_lidx stop, const double *restrict x,
                                         double *restrict y, double *restrict sum)
{
  for (; group < stop && g->kind[group] >= 0; group++) {
    const ptrdiff_t at = (ptrdiff_t)group * GROUP * w;
    shared_group(w, g, g->kind[group], x + at, y + at, sum);
  }
  return group;
}

#endif
