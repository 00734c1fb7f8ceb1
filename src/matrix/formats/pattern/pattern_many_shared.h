/* SPDX-License-Identifier: BSD-2-Clause */
/* The groups that share entries times a block of columns, see pattern_many.c. A block is one long
 * vector, some lanes at a time. The next row begins `w` numbers later: with 8 columns three
 * neighboring entries have all but two of their vectors of x in common. */
#ifndef OVK_MATRIX_FORMATS_PATTERN_PATTERN_MANY_SHARED_H
#define OVK_MATRIX_FORMATS_PATTERN_PATTERN_MANY_SHARED_H

#include "core/base/edges.h"
#include "matrix/formats/pattern/pattern_many_batch.h"

#include <string.h>

/* The sums of each of three neighboring entries. */
typedef struct shared_sums {
  ovk__lanes of[3][BATCH];
} shared_sums;

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
  shared_add_where(w, BATCH, p->rows[0] >> l, sums.of[0], y);
  if (width == 1) return;
  shared_add_where(w, BATCH, p->rows[1] >> l, sums.of[1], y);
  shared_add_where(w, BATCH, p->rows[2] >> l, sums.of[2], y);
}

/* sum <- sum + value[v] of entries from `k` to end - 1 times x, n lanes at the first row of a batch
 */
OVK_ALWAYS_INLINE void shared_sum(int w, int n, int v, const ovk__group_entry *entries, int32_t k,
                                  int32_t end, const double *restrict x, ovk__lanes *sum)
{
  for (; k < end; k++) {
    const double a = entries[k].value[v];
    ovk__lanes from[LONG];
    shared_load(n, x + ((ptrdiff_t)entries[k].offset + v) * w, from);
    FOR_EACH_OF(n) lanes_add_scaled(&sum[j], a, &from[j]);
  }
}

/* Of a mirrored part: the sums of the first entries, before those that differ and with them, for n
 * lanes. The third entries have the same sums two rows earlier. */
OVK_ALWAYS_INLINE void shared_outer(int w, int n, const ovk__group_part *p,
                                    const ovk__group_entry *entries, const double *restrict x,
                                    double *equal, double *outer)
{
  const int32_t differ = p->begin + p->equal;
  ovk__lanes sum[LONG];
  FOR_EACH_OF(n) lanes_zero(&sum[j]);
  shared_sum(w, n, 0, entries, p->begin, differ, x, sum);
  FOR_EACH_OF(n) ovk__lanes_to_doubles(equal + (ptrdiff_t)j * LANES, &sum[j]);
  shared_sum(w, n, 0, entries, differ, p->end, x, sum);
  FOR_EACH_OF(n) ovk__lanes_to_doubles(outer + (ptrdiff_t)j * LANES, &sum[j]);
}

/* A group's first part has `ask`, where x is prefetched for the next group; others have NULL.
 *
 * all <- 0 for the first part, else y, the sum of the parts before */
OVK_ALWAYS_INLINE void shared_begin(int n, const ovk__edges *ask, const double *y, ovk__lanes *all)
{
  if (ask) {
    FOR_EACH_OF(n) lanes_zero(&all[j]);
  } else {
    shared_load(n, y, all);
  }
}

OVK_ALWAYS_INLINE void shared_ask(int w, int n, const ovk__edges *ask, const double *x)
{
  if (ask) ovk__edges_prefetch(ask, w, GROUP, n * LANES / w, x);
}

/* As shared_part(), for a mirrored part and all rows of the group. */
OVK_ALWAYS_INLINE void shared_mirrored(int w, const ovk__group_part *p,
                                       const ovk__group_entry *entries, const ovk__edges *ask,
                                       const double *restrict x, double *restrict y)
{
  enum { MOST = (GROUP + 2) * 8, VALUES = LONG * LANES };
  const int count = (GROUP + 2) * w, rest = (count + LANES - 1) / LANES % LONG;
  const int32_t differ = p->begin + p->equal;
  double equal[MOST], outer[MOST]; /* for w = 2 up to a multiple of LANES */
  int at = 0;
  for (; at <= count - VALUES; at += VALUES) {
    shared_ask(w, LONG, ask, x + at);
    shared_outer(w, LONG, p, entries, x + at, equal + at, outer + at);
  }
  if (rest) shared_outer(w, rest, p, entries, x + at, equal + at, outer + at);
  for (at = 0; at < GROUP * w; at += VALUES) {
    ovk__lanes all[LONG], sum[LONG];
    const int l = at / w;
    shared_begin(LONG, ask, y + at, all);
    shared_load(LONG, outer + at, sum);
    shared_add_where(w, LONG, p->rows[0] >> l, sum, all);
    shared_load(LONG, equal + at + w, sum);
    shared_sum(w, LONG, 1, entries, differ, p->end, x + at, sum);
    shared_add_where(w, LONG, p->rows[1] >> l, sum, all);
    shared_load(LONG, outer + at + (ptrdiff_t)2 * w, sum);
    shared_add_where(w, LONG, p->rows[2] >> l, sum, all);
    shared_store(LONG, y + at, all);
  }
}

/* As shared_part(), for all rows of the group. */
OVK_ALWAYS_INLINE void shared_part_of_group(int w, const ovk__group_part *p,
                                            const ovk__group_entry *entries, const ovk__edges *ask,
                                            const double *restrict x, double *restrict y)
{
  if (p->equal >= 0) {
    shared_mirrored(w, p, entries, ask, x, y);
    return;
  }
  for (int at = 0; at < GROUP * w; at += BATCH * LANES) {
    ovk__lanes all[BATCH];
    shared_ask(w, BATCH, ask, x + at);
    shared_begin(BATCH, ask, y + at, all);
    if (p->width == 3) {
      shared_part(w, 3, p, entries, at / w, x + at, all);
    } else {
      shared_part(w, 1, p, entries, at / w, x + at, all);
    }
    shared_store(BATCH, y + at, all);
  }
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
  ovk__edges edges;
  shared_edges(g, kind, &edges);
  if (g->begin[kind] == g->begin[kind + 1]) memset(y, 0, (size_t)(GROUP * w) * sizeof *y);
  for (int32_t k = g->begin[kind]; k < g->begin[kind + 1]; k++) {
    const ovk__edges *ask = k == g->begin[kind] ? &edges : NULL;
    shared_part_of_group(w, &g->parts[k], g->entries, ask, x, y);
  }
  for (int at = 0; at < GROUP * w; at += LANES) {
    ovk__lanes own, all, dot;
    OVK_PREFETCH(y + at + (ptrdiff_t)GROUP * w);
    ovk__lanes_of_doubles(&own, x + at);
    ovk__lanes_of_doubles(&all, y + at);
    ovk__lanes_of_doubles(&dot, sum + at);
    ovk__lanes_add(&dot, &own, &all);
    ovk__lanes_to_doubles(sum + at, &dot);
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
