/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows under construction: adding entries. */
#include "matrix/assembly/rows.h"
#include "core/context/mem.h"

#include <stdlib.h>
#include <string.h>

void ovk__rows_clear(ovk__rows *rows)
{
  ovk__buckets_clear(&rows->buckets);
  free(rows->ptr);
  free(rows->col);
  free(rows->val);
  *rows = (ovk__rows){.n = rows->n};
}

static ovk_err rows_allocate(ovk_ctx *ctx, ovk__rows *rows, int64_t room)
{
  OVK_NEW_ARRAY(ctx, rows->ptr, (size_t)rows->n + 1);
  OVK_NEW_ARRAY(ctx, rows->col, room);
  OVK_NEW_ARRAY(ctx, rows->val, room);
  rows->ptr[0] = 0;
  rows->room = room;
  return OVK_OK;
}

/* realloc moves large blocks without copying, and only pages that are written take memory. */
static ovk_err rows_grow(ovk_ctx *ctx, ovk__rows *rows, int64_t room)
{
  OVK_RESIZE(ctx, rows->col, room);
  OVK_RESIZE(ctx, rows->val, room);
  rows->room = room;
  return OVK_OK;
}

ovk_err ovk__rows_reserve(ovk_ctx *ctx, ovk__rows *rows, int64_t more)
{
  enum { LEAST = 64 };
  if (rows->room - rows->count >= more && rows->ptr) return OVK_OK;
  if (!rows->ptr) {
    const ovk_err err = rows_allocate(ctx, rows, more < LEAST ? LEAST : more);
    if (err) ovk__rows_clear(rows);
    return err;
  }
  const int64_t needed = rows->count + more;
  return rows_grow(ctx, rows, needed < 2 * rows->room ? 2 * rows->room : needed);
}

/* Sets the begin of the rows up to i, i >= last, to the current end of the entries. */
static inline void go_to(ovk__rows *rows, ovk_lidx i)
{
  while (rows->last < i) rows->ptr[++rows->last] = rows->count;
}

ovk_err ovk__rows_add(ovk_ctx *ctx, ovk__rows *rows, ovk_lidx i, ovk_lidx col, double value)
{
  if (i < rows->last) {
    return ovk__buckets_add(ctx, &rows->buckets, rows->n, (ovk__item){i, col, value});
  }
  if (rows->count == rows->room) OVK_TRY(ovk__rows_reserve(ctx, rows, 1));
  go_to(rows, i);
  const int64_t at = rows->count++;
  if (at > rows->ptr[i] && rows->col[at - 1] >= col) rows->unsorted = true;
  rows->col[at] = col;
  rows->val[at] = value;
  return OVK_OK;
}

/* How many of the first columns are among the n ones from `first` on. */
static inline int64_t rows_count_own(ovk_gidx first, ovk_lidx n, int64_t columns,
                                     const ovk_gidx *col)
{
  int64_t k = 0;
  /* the difference wraps to a huge number if col < first */
  while (k < columns && (uint64_t)col[k] - (uint64_t)first < (uint64_t)n) k++;
  return k;
}

ovk_err ovk__rows_take(ovk_ctx *ctx, ovk__rows *rows, ovk_lidx i, ovk_gidx first, int64_t n,
                       const ovk_gidx *col, const double *val, int64_t *taken)
{
  *taken = 0;
  if (i < rows->last) return OVK_OK;
  const int64_t own = rows_count_own(first, rows->n, n, col);
  OVK_TRY(ovk__rows_reserve(ctx, rows, n));
  go_to(rows, i);
  ovk_lidx *to_col = rows->col + rows->count;
  const bool continues = own > 0 && rows->count > rows->ptr[i];
  for (int64_t k = 0; k < own; k++) to_col[k] = (ovk_lidx)(col[k] - first); /* in vectors */
  ovk_lidx unsorted = continues && to_col[-1] >= to_col[0];
  for (int64_t k = 1; k < own; k++) unsorted |= to_col[k - 1] >= to_col[k];
  if (own > 0) memcpy(rows->val + rows->count, val, (size_t)own * sizeof *val);
  rows->unsorted |= unsorted != 0;
  rows->count += own;
  *taken = own;
  return OVK_OK;
}
