/* SPDX-License-Identifier: BSD-2-Clause */
/* Sorting the entries of rows by column. Stable, so that duplicates keep their order. Rows that are
 * sorted already are detected and only moved. */
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

ovk_err ovk__rows_sort(ovk_ctx *ctx, ovk__rows *rows)
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
