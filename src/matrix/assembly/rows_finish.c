/* SPDX-License-Identifier: BSD-2-Clause */
/* Converts rows under construction to compressed sparse rows. Unsorted entries are inserted after
 * the in-order ones of their rows, from the last row to the first, in place: no second copy of the
 * matrix is needed. */
#include "core/context/mem.h"
#include "matrix/assembly/rows.h"

#include <stdlib.h>
#include <string.h>

static void renumber_bucket(ovk__bucket *bucket, const ovk_lidx *map)
{
  for (ovk__item_block *block = bucket->first; block; block = block->next) {
    for (int k = 0; k < block->count; k++) block->items[k].col = map[block->items[k].col];
  }
}

void ovk__rows_renumber(ovk__rows *rows, const ovk_lidx *map)
{
  for (int64_t k = 0; k < rows->count; k++) rows->col[k] = map[rows->col[k]];
  for (int d = 0; d < rows->buckets.n; d++) renumber_bucket(&rows->buckets.list[d], map);
  rows->unsorted = true; /* conservatively */
}

/* Shifts rows `begin` to `end` - 1 up, each by the unsorted entries of the rows before it; next[i -
 * begin] counts those of row i, and becomes the place of the first. *above: unsorted entries before
 * row `end`, then before row `begin`. */
static void shift_rows(ovk__rows *rows, ovk_lidx begin, ovk_lidx end, int64_t *next, int64_t *above)
{
  int64_t stop = rows->ptr[end] - *above; /* where row i ended before */
  for (ovk_lidx i = end; i-- > begin;) {
    const int64_t from = rows->ptr[i], n = stop - from, unsorted = next[i - begin];
    *above -= unsorted;
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

static void merge_bucket(ovk__rows *rows, int d, int64_t *next, int64_t *above)
{
  ovk__bucket *bucket = &rows->buckets.list[d];
  const ovk_lidx begin = (ovk_lidx)d << rows->buckets.row_bits;
  const ovk_lidx most = (ovk_lidx)1 << rows->buckets.row_bits;
  const ovk_lidx n = rows->n - begin < most ? rows->n - begin : most;
  memset(next, 0, (size_t)n * sizeof *next);
  for (const ovk__item_block *block = bucket->first; block; block = block->next) {
    for (int k = 0; k < block->count; k++) next[block->items[k].row - begin]++;
  }
  shift_rows(rows, begin, begin + n, next, above);
  for (const ovk__item_block *block = bucket->first; block; block = block->next) {
    for (int k = 0; k < block->count; k++) {
      const ovk__item *item = &block->items[k];
      const int64_t at = next[item->row - begin]++;
      rows->col[at] = item->col;
      rows->val[at] = item->value;
    }
  }
  ovk__bucket_clear(bucket);
}

static ovk_err merge_buckets(ovk_ctx *ctx, ovk__rows *rows)
{
  int64_t *next, above = rows->buckets.count;
  OVK_TRY(ovk__rows_reserve(ctx, rows, above));
  OVK_NEW_ARRAY(ctx, next, (size_t)1 << rows->buckets.row_bits);
  rows->count += above;
  rows->ptr[rows->n] = rows->count;
  for (int d = rows->buckets.n; d-- > 0 && above;) merge_bucket(rows, d, next, &above);
  free(next);
  ovk__buckets_clear(&rows->buckets);
  rows->unsorted = true;
  return OVK_OK;
}

/* Frees memory that was reserved but not used. */
static ovk_err rows_fit(ovk_ctx *ctx, ovk__rows *rows)
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
  if (rows->buckets.count) OVK_TRY(merge_buckets(ctx, rows));
  if (rows->unsorted) OVK_TRY(ovk__rows_sort(ctx, rows));
  OVK_TRY(rows_fit(ctx, rows));
  *out = (ovk__csr){.rows = rows->n, .ptr = rows->ptr, .col = rows->col, .val = rows->val};
  *rows = (ovk__rows){.n = rows->n};
  return OVK_OK;
}
