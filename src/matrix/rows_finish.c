/* SPDX-License-Identifier: BSD-2-Clause */
/* From rows that took entries to compressed sparse rows. What is in order stays where it is; loose
 * entries are put behind the others of their rows, from the last row to the first, which takes no
 * second copy of the matrix. */
#include "core/mem.h"
#include "matrix/rows.h"

#include <stdlib.h>
#include <string.h>

static void renumber_drawer(ovk__drawer *drawer, const ovk_lidx *map)
{
  for (ovk__item_block *block = drawer->first; block; block = block->next) {
    for (int k = 0; k < block->count; k++) block->items[k].col = map[block->items[k].col];
  }
}

void ovk__rows_renumber(ovk__rows *rows, const ovk_lidx *map)
{
  for (int64_t k = 0; k < rows->count; k++) rows->col[k] = map[rows->col[k]];
  for (int d = 0; d < rows->loose.n; d++) renumber_drawer(&rows->loose.drawers[d], map);
  rows->unsorted = true; /* for all that is known */
}

/* Shifts rows `begin` to `end` - 1 up, each by the loose entries of the rows before it; next[i -
 * begin] counts those of row i, and becomes the place of the first. *above: loose entries before
 * row `end`, then before row `begin`. */
static void shift_rows(ovk__rows *rows, ovk_lidx begin, ovk_lidx end, int64_t *next, int64_t *above)
{
  int64_t stop = rows->ptr[end] - *above; /* where row i ended before */
  for (ovk_lidx i = end; i-- > begin;) {
    const int64_t from = rows->ptr[i], n = stop - from, loose = next[i - begin];
    *above -= loose;
    const int64_t to = from + *above;
    if (n && *above) {
      memmove(rows->col + to, rows->col + from, (size_t)n * sizeof *rows->col);
      memmove(rows->val + to, rows->val + from, (size_t)n * sizeof *rows->val);
    }
    next[i - begin] = to + n;
    rows->ptr[i] = to;
    stop = from;
  }
}

static void merge_drawer(ovk__rows *rows, int d, int64_t *next, int64_t *above)
{
  ovk__drawer *drawer = &rows->loose.drawers[d];
  const ovk_lidx begin = (ovk_lidx)d << rows->loose.row_bits;
  const ovk_lidx most = (ovk_lidx)1 << rows->loose.row_bits;
  const ovk_lidx n = rows->n - begin < most ? rows->n - begin : most;
  memset(next, 0, (size_t)n * sizeof *next);
  for (const ovk__item_block *block = drawer->first; block; block = block->next) {
    for (int k = 0; k < block->count; k++) next[block->items[k].row - begin]++;
  }
  shift_rows(rows, begin, begin + n, next, above);
  for (const ovk__item_block *block = drawer->first; block; block = block->next) {
    for (int k = 0; k < block->count; k++) {
      const ovk__item *item = &block->items[k];
      const int64_t at = next[item->row - begin]++;
      rows->col[at] = item->col;
      rows->val[at] = item->value;
    }
  }
  ovk__drawer_clear(drawer);
}

static ovk_err merge_loose(ovk_ctx *ctx, ovk__rows *rows)
{
  int64_t *next, above = rows->loose.count;
  OVK_TRY(ovk__rows_reserve(ctx, rows, above));
  OVK_NEW_ARRAY(ctx, next, (size_t)1 << rows->loose.row_bits);
  rows->count += above;
  rows->ptr[rows->n] = rows->count;
  for (int d = rows->loose.n; d-- > 0 && above;) merge_drawer(rows, d, next, &above);
  free(next);
  ovk__loose_clear(&rows->loose);
  rows->unsorted = true;
  return OVK_OK;
}

/* Gives back what was reserved in vain. */
static ovk_err fit(ovk_ctx *ctx, ovk__rows *rows)
{
  const size_t n = rows->count ? (size_t)rows->count : 1;
  if (rows->room == (int64_t)n) return OVK_OK;
  ovk_lidx *col = realloc(rows->col, n * sizeof *col);
  if (col) rows->col = col;
  double *val = realloc(rows->val, n * sizeof *val);
  if (val) rows->val = val;
  OVK_CHECK(col && val, ctx, OVK_ERR_MEMORY, "no memory for %zu matrix entries", n);
  return OVK_OK;
}

ovk_err ovk__rows_finish(ovk_ctx *ctx, ovk__rows *rows, ovk__csr *out)
{
  OVK_TRY(ovk__rows_reserve(ctx, rows, 0));
  while (rows->last < rows->n) rows->ptr[++rows->last] = rows->count;
  if (rows->loose.count) OVK_TRY(merge_loose(ctx, rows));
  if (rows->unsorted) OVK_TRY(ovk__rows_sort(ctx, rows));
  OVK_TRY(fit(ctx, rows));
  *out = (ovk__csr){rows->n, rows->ptr, rows->col, rows->val};
  *rows = (ovk__rows){.n = rows->n};
  return OVK_OK;
}
