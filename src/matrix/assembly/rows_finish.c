/* SPDX-License-Identifier: BSD-2-Clause */
/* Converts rows under construction to compressed sparse rows. Unsorted entries are inserted after
 * the in-order ones of their rows, from the last row to the first, in place: no second copy of the
 * matrix is needed. */
#include "core/context/mem.h"
#include "matrix/assembly/rows.h"

#include <stdlib.h>
#include <string.h>

enum { SHORT = 32 };

static bool is_increasing(const ovk_lidx *col, int64_t n)
{
  for (int64_t k = 1; k < n; k++) {
    if (col[k - 1] >= col[k]) return false;
  }
  return true;
}

static void insertion_sort(ovk__item *row, int64_t n)
{
  for (int64_t k = 1; k < n; k++) {
    const ovk__item moving = row[k];
    int64_t at = k;
    for (; at > 0 && row[at - 1].col > moving.col; at--) row[at] = row[at - 1];
    row[at] = moving;
  }
}

/* Merge sort. `spare` has room for n / 2 entries. */
static void rows_sort_row(ovk__item *row, int64_t n, ovk__item *spare)
{
  if (n <= SHORT) {
    insertion_sort(row, n);
    return;
  }
  const int64_t half = n / 2;
  rows_sort_row(row, half, spare);
  rows_sort_row(row + half, n - half, spare);
  memcpy(spare, row, (size_t)half * sizeof *row);
  for (int64_t to = 0, a = 0, b = half; a < half; to++) {
    row[to] = b < n && row[b].col < spare[a].col ? row[b++] : spare[a++];
  }
}

/* Sorts a row, sums duplicates, and writes the result to to_col and to_val, which may be the row
 * itself or lie before it; returns how many. `spare` has room for 3/2 n entries. */
static int64_t sort_row(int64_t n, const ovk_lidx *col, const double *val, ovk__item *spare,
                        ovk_lidx *to_col, double *to_val)
{
  for (int64_t k = 0; k < n; k++) spare[k] = (ovk__item){0, col[k], val[k]};
  rows_sort_row(spare, n, spare + n);
  int64_t left = 0;
  for (int64_t k = 0; k < n; k++) {
    if (left && to_col[left - 1] == spare[k].col) {
      to_val[left - 1] += spare[k].value;
    } else {
      to_col[left] = spare[k].col;
      to_val[left++] = spare[k].value;
    }
  }
  return left;
}

/* The same for a row that is sorted already. */
static int64_t move_row(int64_t n, const ovk_lidx *col, const double *val, ovk_lidx *to_col,
                        double *to_val)
{
  if (n && to_col != col) {
    memmove(to_col, col, (size_t)n * sizeof *col);
    memmove(to_val, val, (size_t)n * sizeof *val);
  }
  return n;
}

static int64_t rows_longest_row(const ovk__rows *rows)
{
  int64_t longest = 0;
  for (ovk_lidx i = 0; i < rows->n; i++) {
    const int64_t n = rows->ptr[i + 1] - rows->ptr[i];
    if (n > longest) longest = n;
  }
  return longest;
}

/* Sorts the entries within each row by column and sums duplicates; all entries are in-order ones.
 * Rows that are sorted already are detected and only moved. The sort is stable, so that duplicates
 * keep their order. */
static ovk_err rows_sort(ovk_ctx *ctx, ovk__rows *rows)
{
  const int64_t longest = rows_longest_row(rows);
  ovk__item *spare;
  OVK_NEW_ARRAY(ctx, spare, longest + longest / 2);
  int64_t from = 0, to = 0;
  for (ovk_lidx i = 0; i < rows->n; i++) {
    const int64_t end = rows->ptr[i + 1], n = end - from;
    const ovk_lidx *col = rows->col + from;
    const double *val = rows->val + from;
    rows->ptr[i] = to;
    to += is_increasing(col, n) ? move_row(n, col, val, rows->col + to, rows->val + to)
                                : sort_row(n, col, val, spare, rows->col + to, rows->val + to);
    from = end;
  }
  rows->ptr[rows->n] = to;
  rows->count = to;
  rows->unsorted = false;
  free(spare);
  return OVK_OK;
}

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
  OVK_RESIZE(ctx, rows->col, n);
  OVK_RESIZE(ctx, rows->val, n);
  return OVK_OK;
}

ovk_err ovk__rows_finish(ovk_ctx *ctx, ovk__rows *rows, ovk__csr *out)
{
  OVK_TRY(ovk__rows_reserve(ctx, rows, 0));
  while (rows->last < rows->n) rows->ptr[++rows->last] = rows->count;
  if (rows->buckets.count) OVK_TRY(merge_buckets(ctx, rows));
  if (rows->unsorted) OVK_TRY(rows_sort(ctx, rows));
  OVK_TRY(rows_fit(ctx, rows));
  *out = (ovk__csr){.rows = rows->n, .ptr = rows->ptr, .col = rows->col, .val = rows->val};
  *rows = (ovk__rows){.n = rows->n};
  return OVK_OK;
}
