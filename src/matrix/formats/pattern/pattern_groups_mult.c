/* SPDX-License-Identifier: BSD-2-Clause */
/* Products of groups that share entries. Entries that the same rows have are summed for all rows,
 * and the sums are added to y in the rows that have them. Each of three neighboring entries has a
 * separate sum. x at the second and third is made from vectors that the first has loaded: a load
 * that crosses the end of a cache line takes as long as two. The order of additions is that of the
 * entries, in both versions. */
#include "core/base/lanes.h"
#include "matrix/formats/pattern/pattern_groups.h"

#include <string.h>

enum { GROUP = OVK__GROUP, LANES = OVK__LANES, VECTORS = GROUP / LANES };

/* The version for processors with vectors of eight, in which the sums of a group stay in
 * registers. */
#ifdef OVK_CLONES
#include <immintrin.h>

typedef double vector __attribute__((vector_size(LANES * sizeof(double))));
typedef int64_t integers __attribute__((vector_size(LANES * sizeof(int64_t))));

#define FOR_EACH_VECTOR _Pragma("GCC unroll 4") for (int j = 0; j < VECTORS; j++)

OVK_WIDE static inline vector pattern_load(const double *x)
{
  vector v;
  memcpy(&v, x, sizeof v);
  return v;
}

/* y <- y + sum in the rows of vector j that have the entries */
OVK_WIDE static inline void pattern_add(vector *y, vector sum, integers rows, int j)
{
  const integers lane = (integers){1, 2, 4, 8, 16, 32, 64, 128} << (LANES * j);
  *y += (vector)((integers)sum & ((rows & lane) != 0));
}

/* The eight elements from `by` on of those of both vectors; of gcc's own permutations each destroys
 * a vector, which is loaded again. */
#define LATER(by, here, next) (vector) _mm512_alignr_epi64((__m512i)(next), (__m512i)(here), by)

OVK_WIDE static inline integers all_lanes(uint32_t rows)
{
  return (integers){0} + (int64_t)rows;
}

OVK_WIDE static inline void pattern_add_ones(const ovk__group_part *p, const ovk__group_entry *e,
                                             const double *restrict x, vector y[VECTORS])
{
  vector sum[VECTORS] = {0};
  for (int32_t k = p->begin; k < p->end; k++) {
    const double a = e[k].value[0], *xk = x + e[k].offset;
    FOR_EACH_VECTOR sum[j] += a * pattern_load(xk + LANES * j);
  }
  FOR_EACH_VECTOR pattern_add(&y[j], sum[j], all_lanes(p->rows[0]), j);
}

OVK_WIDE static inline void pattern_add_threes(const ovk__group_part *p, const ovk__group_entry *e,
                                               const double *restrict x, vector y[VECTORS])
{
  vector sum0[VECTORS] = {0}, sum1[VECTORS] = {0}, sum2[VECTORS] = {0};
  for (int32_t k = p->begin; k < p->end; k++) {
    const double a = e[k].value[0], b = e[k].value[1], c = e[k].value[2];
    const double *xk = x + e[k].offset;
    vector here = pattern_load(xk);
    FOR_EACH_VECTOR
    {
      const vector next = pattern_load(xk + LANES * (j + 1));
      sum0[j] += a * here;
      sum1[j] += b * LATER(1, here, next);
      sum2[j] += c * LATER(2, here, next);
      here = next;
    }
  }
  FOR_EACH_VECTOR
  {
    pattern_add(&y[j], sum0[j], all_lanes(p->rows[0]), j);
    pattern_add(&y[j], sum1[j], all_lanes(p->rows[1]), j);
    pattern_add(&y[j], sum2[j], all_lanes(p->rows[2]), j);
  }
}

OVK_WIDE static ovk_lidx pattern_multiply_wide(const ovk__pattern_groups *g, ovk_lidx group,
                                               ovk_lidx stop, const double *restrict x,
                                               double *restrict y)
{
  for (; group < stop && g->kind[group] >= 0; group++) {
    const int32_t kind = g->kind[group];
    const int64_t first = (int64_t)group * GROUP;
    vector sum[VECTORS] = {0};
    ovk__pattern_ask(g, first, x, y);
    for (int32_t k = g->begin[kind]; k < g->begin[kind + 1]; k++) {
      const ovk__group_part *p = &g->parts[k];
      if (p->width == 3) {
        pattern_add_threes(p, g->entries, x + first, sum);
      } else {
        pattern_add_ones(p, g->entries, x + first, sum);
      }
    }
    memcpy(y + first, sum, sizeof sum);
  }
  return group;
}
#endif

/* The version for all processors, eight rows at a time. */
OVK_ALWAYS_INLINE void pattern_add_rows(int width, const ovk__group_part *p,
                                        const ovk__group_entry *e, int first,
                                        const double *restrict x, ovk__lanes *y)
{
  ovk__lanes sum[3] = {{{0}, {0}}};
  for (int32_t k = p->begin; k < p->end; k++) {
    const double *a = e[k].value, *xk = x + e[k].offset;
    ovk__lanes_add_multiple(&sum[0], a[0], xk);
    if (width == 1) continue;
    ovk__lanes_add_multiple(&sum[1], a[1], xk + 1);
    ovk__lanes_add_multiple(&sum[2], a[2], xk + 2);
  }
  for (int v = 0; v < width; v++) ovk__lanes_add_where(p->rows[v] >> first, y, &sum[v]);
}

OVK_FOR_EACH_CPU
ovk_lidx ovk__pattern_groups_mult_narrow(const ovk__pattern_groups *g, ovk_lidx group,
                                         ovk_lidx stop, const double *restrict x,
                                         double *restrict y)
{
  for (; group < stop && g->kind[group] >= 0; group++) {
    const int32_t kind = g->kind[group];
    ovk__pattern_ask(g, (int64_t)group * GROUP, x, y);
    for (int l = 0; l < GROUP; l += LANES) {
      const double *from = x + (int64_t)group * GROUP + l;
      ovk__lanes sum = {{0}, {0}};
      for (int32_t k = g->begin[kind]; k < g->begin[kind + 1]; k++) {
        const ovk__group_part *p = &g->parts[k];
        if (p->width == 3) {
          pattern_add_rows(3, p, g->entries, l, from, &sum);
        } else {
          pattern_add_rows(1, p, g->entries, l, from, &sum);
        }
      }
      ovk__lanes_to_doubles(y + (int64_t)group * GROUP + l, &sum);
    }
  }
  return group;
}

ovk_lidx ovk__pattern_groups_mult(const ovk__pattern_groups *groups, ovk_lidx group, ovk_lidx stop,
                                  const double *x, double *y)
{
  return OVK_WIDE_OR_NARROW(pattern_multiply_wide, ovk__pattern_groups_mult_narrow, groups, group,
                            stop, x, y);
}
