/* SPDX-License-Identifier: BSD-2-Clause */
/* The product of the format "pattern" with blocks of columns, row by row: a vector is a row's
 * columns, so that no row is multiplied in vain. Sums are made in the order of pattern_product.c,
 * which depends on the group of a row, and in others on the rows of its run. */
#include "core/base/columns.h"
#include "matrix/formats/chunks.h"
#include "matrix/formats/pattern/pattern_product.h"

enum { GROUP = OVK__GROUP, ALONE = 4 /* shorter runs of a group are multiplied row by row */ };

/* sum <- sum + the part's entries number v of `width`, times x at row i */
OVK_ALWAYS_INLINE void pattern_many_part(int w, const ovk__group_part *p, const ovk__group_entry *e,
                                         int v, const double *restrict x, ovk__columns *y)
{
  ovk__columns sum;
  ovk__columns_zero(w, &sum);
  for (int32_t k = p->begin; k < p->end; k++) {
    ovk__columns_add_multiple(w, &sum, e[k].value[v], x + (ptrdiff_t)(e[k].offset + v) * w);
  }
  ovk__columns_add(w, y, &sum);
}

/* The same for three neighbors at once, if the row has all of them, and for the next row likewise.
 */
OVK_ALWAYS_INLINE void pattern_many_threes(int w, const ovk__group_part *p,
                                           const ovk__group_entry *e, const double *restrict x,
                                           ovk__columns *y, ovk__columns *next)
{
  ovk__columns a, b, c, d, f, g;
  ovk__columns_zero(w, &a);
  ovk__columns_zero(w, &b);
  ovk__columns_zero(w, &c);
  ovk__columns_zero(w, &d);
  ovk__columns_zero(w, &f);
  ovk__columns_zero(w, &g);
  for (int32_t k = p->begin; k < p->end; k++) {
    const double *value = e[k].value, *at = x + (ptrdiff_t)e[k].offset * w;
    const double *second = at + w, *third = second + w, *fourth = third + w;
    ovk__columns_add_multiple(w, &a, value[0], at);
    ovk__columns_add_multiple(w, &d, value[0], second);
    ovk__columns_add_multiple(w, &b, value[1], second);
    ovk__columns_add_multiple(w, &f, value[1], third);
    ovk__columns_add_multiple(w, &c, value[2], third);
    ovk__columns_add_multiple(w, &g, value[2], fourth);
  }
  ovk__columns_add(w, y, &a);
  ovk__columns_add(w, y, &b);
  ovk__columns_add(w, y, &c);
  ovk__columns_add(w, next, &d);
  ovk__columns_add(w, next, &f);
  ovk__columns_add(w, next, &g);
}

/* A part for row l of a group, x at this row. */
OVK_ALWAYS_INLINE void pattern_many_one(int w, const ovk__group_part *p, const ovk__group_entry *e,
                                        int l, const double *restrict x, ovk__columns *y)
{
  for (int v = 0; v < p->width; v++) {
    if (p->rows[v] >> l & 1) pattern_many_part(w, p, e, v, x, y);
  }
}

/* A group of this kind, x and y at its first row. */
OVK_ALWAYS_INLINE void pattern_many_shared(int w, const ovk__pattern_groups *g, int32_t kind,
                                           const double *restrict x, double *restrict y)
{
  const ptrdiff_t two = 2 * (ptrdiff_t)w;
  for (int l = 0; l < GROUP; l += 2, x += two, y += two) {
    const uint32_t both = UINT32_C(3) << l;
    ovk__columns sum, next;
    ovk__columns_zero(w, &sum);
    ovk__columns_zero(w, &next);
    ovk__prefetch(x, (int64_t)(g->reach + GROUP) * w, sizeof *x, 2 * (int64_t)w);
    ovk__prefetch(y, (int64_t)GROUP * w, sizeof *y, 2 * (int64_t)w);
    for (int32_t k = g->begin[kind]; k < g->begin[kind + 1]; k++) {
      const ovk__group_part *p = &g->parts[k];
      if (p->width == 3 && (p->rows[0] & p->rows[1] & p->rows[2] & both) == both) {
        pattern_many_threes(w, p, g->entries, x, &sum, &next);
      } else {
        pattern_many_one(w, p, g->entries, l, x, &sum);
        pattern_many_one(w, p, g->entries, l + 1, x + w, &next);
      }
    }
    ovk__columns_store(w, y, &sum);
    ovk__columns_store(w, y + w, &next);
  }
}

/* *sum <- the n entries of a pattern times x at a row: in one sum, or in four. */
OVK_ALWAYS_INLINE void pattern_many_row(int w, bool alone, int32_t n,
                                        const ovk_lidx *restrict offset,
                                        const double *restrict value, const double *restrict x,
                                        ovk__columns *sum)
{
  ovk__columns b, c, d;
  int32_t k = 0;
  ovk__columns_zero(w, sum);
  ovk__columns_zero(w, &b);
  ovk__columns_zero(w, &c);
  ovk__columns_zero(w, &d);
  for (; alone && k <= n - 4; k += 4) {
    ovk__columns_add_multiple(w, sum, value[k], x + (ptrdiff_t)offset[k] * w);
    ovk__columns_add_multiple(w, &b, value[k + 1], x + (ptrdiff_t)offset[k + 1] * w);
    ovk__columns_add_multiple(w, &c, value[k + 2], x + (ptrdiff_t)offset[k + 2] * w);
    ovk__columns_add_multiple(w, &d, value[k + 3], x + (ptrdiff_t)offset[k + 3] * w);
  }
  for (; k < n; k++) ovk__columns_add_multiple(w, sum, value[k], x + (ptrdiff_t)offset[k] * w);
  if (!alone) return;
  ovk__columns_add(w, sum, &b);
  ovk__columns_add(w, &c, &d);
  ovk__columns_add(w, sum, &c);
}

/* A group that begins with row `first`, of run r, run by run. */
OVK_ALWAYS_INLINE void pattern_many_runs(int w, const ovk__pattern_block *b, ovk_lidx r,
                                         ovk_lidx first, const double *restrict x,
                                         double *restrict y)
{
  const ovk_lidx stop = b->rows - first < GROUP ? b->rows : first + GROUP;
  for (ovk_lidx end; first < stop; r++, first = end) {
    const int32_t at = b->begin[b->runs[r].pattern], n = b->begin[b->runs[r].pattern + 1] - at;
    end = b->runs[r].end < stop ? b->runs[r].end : stop;
    const bool alone = end - first < ALONE;
    for (ptrdiff_t i = first; i < end; i++) {
      ovk__columns sum;
      pattern_many_row(w, alone, n, b->offset + at, b->value + at, x + i * w, &sum);
      ovk__columns_store(w, y + i * w, &sum);
    }
  }
}

/* The groups from `group` to stop - 1, of rows up to `end`; sum <- sum + (x, y) of their rows */
OVK_ALWAYS_INLINE void pattern_many_groups_of(int w, const ovk__pattern_block *b, ovk_lidx group,
                                              ovk_lidx stop, ovk_lidx end, const double *restrict x,
                                              double *restrict y, double *restrict sum)
{
  for (; group < stop; group++) {
    const ovk_lidx first = group * GROUP, rows = end - first < GROUP ? end - first : GROUP;
    const int32_t kind = b->groups.kind[group];
    const ptrdiff_t at = (ptrdiff_t)first * w;
    if (kind < 0) {
      pattern_many_runs(w, b, ~kind, first, x, y);
    } else {
      pattern_many_shared(w, &b->groups, kind, x + at, y + at);
    }
    ovk__columns_dot(w, GROUP, rows, x + at, y + at, sum);
  }
}

OVK_FOR_EACH_CPU
static void pattern_many_groups(int width, const ovk__pattern_block *b, ovk_lidx group,
                                ovk_lidx stop, ovk_lidx end, const double *x, double *y,
                                double *sum)
{
  OVK__FOR_WIDTH(width, pattern_many_groups_of, b, group, stop, end, x, y, sum);
}

void ovk__pattern_mult_many(const ovk__pattern_block *b, int width, const double *x, double *y,
                            ovk_poll poll, const ovk__finish *finish, double *dots)
{
  double sum[GROUP * OVK__COLUMN_SUMS / OVK__LANES] = {0};
  for (ovk_lidx i = 0, end; i < b->rows; i = end) {
    end = ovk__chunks_until(b->rows, GROUP, poll, i);
    for (ovk_lidx k = i, stop; k < end; k = stop) {
      stop = ovk__finish_block_until(finish, k, end);
      pattern_many_groups(width, b, k / GROUP, stop / GROUP + (stop % GROUP != 0), stop, x, y, sum);
      ovk__finish_block(finish, width, k, stop, y);
    }
    ovk__chunks_poll(b->rows, poll, i, end);
  }
  ovk__columns_totals(width, GROUP, sum, dots);
}
