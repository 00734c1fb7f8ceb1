/* SPDX-License-Identifier: BSD-2-Clause */
/* The product of the format "pattern" with blocks of columns. Sums are made in the order of
 * pattern_product.c, which depends on the group of a row, and in others on the rows of its run. */
#include "matrix/formats/pattern/pattern_many.h"
#include "core/base/columns.h"
#include "matrix/formats/chunks.h"

enum { GROUP = OVK__GROUP, ALONE = 4 /* shorter runs of a group are multiplied row by row */ };

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

/* The same; sum <- sum + (x, y) of its rows */
OVK_ALWAYS_INLINE void pattern_many_group_of(int w, const ovk__pattern_block *b, ovk_lidx r,
                                             ovk_lidx first, const double *restrict x,
                                             double *restrict y, double *restrict sum)
{
  const ovk_lidx rest = b->rows - first;
  const ptrdiff_t at = (ptrdiff_t)first * w;
  pattern_many_runs(w, b, r, first, x, y);
  ovk__columns_dot(w, GROUP, rest < GROUP ? rest : GROUP, x + at, y + at, sum);
}

OVK_FOR_EACH_CPU
static void pattern_many_group(int width, const ovk__pattern_block *b, ovk_lidx r, ovk_lidx first,
                               const double *x, double *y, double *sum)
{
  OVK__FOR_WIDTH(width, pattern_many_group_of, b, r, first, x, y, sum);
}

static ovk_lidx pattern_many_shared(int width, const ovk__pattern_groups *groups, ovk_lidx group,
                                    ovk_lidx stop, const double *x, double *y, double *sum)
{
  return OVK_WIDE_OR_NARROW(ovk__pattern_groups_many_wide, ovk__pattern_groups_many_narrow, width,
                            groups, group, stop, x, y, sum);
}

/* The groups from `group` to stop - 1; sum <- sum + (x, y) of their rows */
static void pattern_many_groups(int width, const ovk__pattern_block *b, ovk_lidx group,
                                ovk_lidx stop, const double *x, double *y, double *sum)
{
  const int32_t *kind = b->groups.kind;
  while (group < stop) {
    group = pattern_many_shared(width, &b->groups, group, stop, x, y, sum);
    for (; group < stop && kind[group] < 0; group++) {
      pattern_many_group(width, b, ~kind[group], group * GROUP, x, y, sum);
    }
  }
}

void ovk__pattern_mult_many(const void *block, int width, const double *x, double *y, ovk_poll poll,
                            const ovk__finish *finish, double *dots)
{
  const ovk__pattern_block *b = block;
  double sum[GROUP * OVK__COLUMN_SUMS / OVK__LANES] = {0};
  for (ovk_lidx i = 0, end; i < b->rows; i = end) {
    end = ovk__chunks_until(b->rows, GROUP, poll, i);
    for (ovk_lidx k = i, stop; k < end; k = stop) {
      stop = ovk__finish_block_until(finish, k, end);
      pattern_many_groups(width, b, k / GROUP, stop / GROUP + (stop % GROUP != 0), x, y, sum);
      ovk__finish_block(finish, width, k, stop, y);
    }
    ovk__chunks_poll(b->rows, poll, i, end);
  }
  ovk__columns_totals(width, GROUP, sum, dots);
}
