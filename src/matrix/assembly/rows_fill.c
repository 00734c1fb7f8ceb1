/* SPDX-License-Identifier: BSD-2-Clause */
/* All rows at once, from arrays that have columns of this rank only: one pass over the arrays, in
 * which nothing depends on single rows, instead of one row after the other. */
#include "core/base/cpu_dispatch.h"
#include "matrix/assembly/rows.h"

#include <string.h>

/* Columns that are converted at once: they stay in cache. */
enum { PIECE = 4096 };

/* to <- n columns minus `first`; *outside <- whether one is not in 0 to rows - 1. Adds the places
 * where a column is not larger than the one before it, which there is, to *descents. */
OVK_ALWAYS_INLINE void fill_piece(int64_t n, const ovk_gidx *col, const int32_t *col32,
                                  ovk_gidx first, ovk_lidx rows, ovk_lidx *restrict to,
                                  bool *outside, int64_t *descents)
{
  uint64_t wrong = 0;
  int64_t falls = 0;
  for (int64_t k = 0; k < n; k++) {
    const uint64_t own = (uint64_t)(col ? col[k] : col32[k]) - (uint64_t)first;
    wrong |= own >= (uint64_t)rows; /* a column before `first` wraps to a huge number */
    to[k] = (ovk_lidx)own;
  }
  for (int64_t k = 0; k < n; k++) {
    falls += col ? col[k - 1] >= col[k] : col32[k - 1] >= col32[k];
  }
  *outside = wrong != 0;
  *descents += falls;
}

OVK_FOR_EACH_CPU
static void rows_fill_piece64(int64_t n, const ovk_gidx *col, ovk_gidx first, ovk_lidx rows,
                              ovk_lidx *restrict to, bool *outside, int64_t *descents)
{
  fill_piece(n, col, NULL, first, rows, to, outside, descents);
}

OVK_FOR_EACH_CPU
static void rows_fill_piece32(int64_t n, const int32_t *col, ovk_gidx first, ovk_lidx rows,
                              ovk_lidx *restrict to, bool *outside, int64_t *descents)
{
  fill_piece(n, NULL, col, first, rows, to, outside, descents);
}

/* rows->col <- the columns; *descents <- the places where they do not increase. Returns whether all
 * are of this rank. */
static bool rows_fill_columns(ovk__rows *rows, ovk_gidx first, const ovk__csr_arrays *a,
                              int64_t begin, int64_t n, int64_t *descents)
{
  bool outside = false;
  *descents = 0;
  if (n == 0) return true;
  const uint64_t own = (uint64_t)(a->col ? a->col[begin] : a->col32[begin]) - (uint64_t)first;
  if (own >= (uint64_t)rows->n) return false;
  rows->col[0] = (ovk_lidx)own;
  for (int64_t k = 1; k < n && !outside; k += PIECE) {
    const int64_t some = n - k < PIECE ? n - k : PIECE;
    if (a->col) {
      rows_fill_piece64(some, a->col + begin + k, first, rows->n, rows->col + k, &outside,
                        descents);
    } else {
      rows_fill_piece32(some, a->col32 + begin + k, first, rows->n, rows->col + k, &outside,
                        descents);
    }
  }
  return !outside;
}

/* Sets the begins of rows; returns the places where columns do not increase from a row to the next.
 */
static int64_t rows_fill_begins(ovk__rows *rows, const ovk__csr_arrays *a, int64_t begin)
{
  int64_t between = 0;
  for (ovk_lidx i = 0; i < rows->n; i++) {
    const int64_t at = ovk__csr_offset(a, i) - begin, end = ovk__csr_offset(a, i + 1) - begin;
    rows->ptr[i] = at;
    between += at > 0 && at < end && rows->col[at - 1] >= rows->col[at];
  }
  return between;
}

ovk_err ovk__rows_fill(ovk_ctx *ctx, ovk__rows *rows, ovk_gidx first, const ovk__csr_arrays *a,
                       bool *filled)
{
  const int64_t begin = ovk__csr_offset(a, 0), n = ovk__csr_offset(a, rows->n) - begin;
  int64_t descents;
  *filled = false;
  if (rows->count || rows->n == 0) return OVK_OK;
  OVK_TRY(ovk__rows_reserve(ctx, rows, n));
  if (!rows_fill_columns(rows, first, a, begin, n, &descents)) return OVK_OK;
  if (n) memcpy(rows->val, a->val + begin, (size_t)n * sizeof *rows->val);
  rows->unsorted = descents != rows_fill_begins(rows, a, begin);
  rows->last = rows->n - 1;
  rows->count = n;
  *filled = true;
  return OVK_OK;
}

void ovk__rows_give(ovk__rows *rows, ovk__csr *all)
{
  const int64_t n = ovk__csr_nnz(all);
  *rows = (ovk__rows){.n = all->rows,
                      .last = all->rows ? all->rows - 1 : 0,
                      .count = n,
                      .room = n,
                      .ptr = all->ptr,
                      .col = all->col,
                      .val = all->val};
  *all = (ovk__csr){0};
}
