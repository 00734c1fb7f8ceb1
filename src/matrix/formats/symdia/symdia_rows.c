/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of a symmetric block whose upper half is stored by diagonals, and new values for them: left
 * of the diagonal, a row has entries of the rows before it. */
#include "matrix/formats/symdia/symdia_rows.h"
#include "matrix/formats/dia/dia_rows.h"
#include "matrix/formats/sym/symmetry.h"
#include "matrix/formats/symdia/symdia_mult.h"

#include <string.h>

enum { CHUNK_HEIGHT = OVK__SYMDIA_CHUNK_HEIGHT };

/* The runs of the stored entries (j, j + distance), `from` <= j < end; as the entries
 * (j + distance, j) if `lower`. */
OVK_ALWAYS_INLINE void symdia_rows_for_each_run(const ovk__diagonals *d, ovk_lidx distance,
                                                bool lower, ovk_lidx from, ovk_lidx end,
                                                ovk__take_run *take, void *arg)
{
  int32_t list = -1;
  ovk_lidx at = -1; /* of the diagonal in that list */
  for (ovk_lidx j = from, until; j < end; j = until) {
    const ovk_lidx c = j / CHUNK_HEIGHT, stride = ovk__diagonals_stride(d, c),
                   begin = c * CHUNK_HEIGHT;
    until = begin + stride < end ? begin + stride : end;
    if (d->list[c] != list) {
      list = d->list[c];
      at = ovk__offset_list_find(&d->lists, list, distance);
    }
    if (at < 0) continue;
    const int64_t slot = d->first[c] + (int64_t)at * stride + (j - begin);
    ovk__diagonals_runs(d, lower ? j + distance : j, lower ? j : j + distance, until - j, slot,
                        take, arg);
  }
}

/* The runs of the rows `from` to end - 1 left of the diagonal, from left to right. */
OVK_ALWAYS_INLINE void for_each_lower(const ovk__symdia *b, ovk_lidx from, ovk_lidx end,
                                      ovk__take_run *take, void *arg)
{
  for (ovk_lidx k = b->noffsets - 1; k >= 0 && b->offset[k] > 0; k--) {
    const ovk_lidx d = b->offset[k];
    symdia_rows_for_each_run(&b->d, d, true, from > d ? from - d : 0, end - d, take, arg);
  }
}

/* The runs on the diagonal and right of it, from left to right or from right to left. */
OVK_ALWAYS_INLINE void for_each_upper(const ovk__symdia *b, bool back, ovk_lidx from, ovk_lidx end,
                                      ovk__take_run *take, void *arg)
{
  for (ovk_lidx k = 0; k < b->noffsets; k++) {
    const ovk_lidx d = b->offset[back ? b->noffsets - 1 - k : k];
    symdia_rows_for_each_run(&b->d, d, false, from, end, take, arg);
  }
}

void ovk__symdia_lengths(const void *block, ovk_lidx first, ovk_lidx rows, int64_t *length)
{
  ovk__cursors r = {.first = first, .next = length};
  memset(length, 0, (size_t)rows * sizeof *length);
  for_each_lower(block, first, first + rows, ovk__count_run, &r);
  for_each_upper(block, false, first, first + rows, ovk__count_run, &r);
}

ovk_lidx ovk__symdia_row(const void *block, ovk_lidx i, ovk_lidx *col, double *val)
{
  const ovk__symdia *b = block;
  int64_t n = 0;
  ovk__cursors r = {i, &n, col, val, b->d.val, 0};
  if (!col) {
    ovk__symdia_lengths(b, i, 1, &n);
  } else {
    for_each_lower(b, i, i + 1, ovk__give_run, &r);
    for_each_upper(b, false, i, i + 1, ovk__give_run, &r);
  }
  return (ovk_lidx)n;
}

/* Rows that are traversed together: few enough for their entries to stay in the nearest cache. */
enum { ROW_BLOCK = CHUNK_HEIGHT };

/* Entries of such rows on some diagonals, from left to right. They are collected by diagonals and
 * written by rows: both are contiguous. */
enum { MOST_COLLECTED = 32 };
typedef struct collection {
  ovk__cursors rows;
  ovk_lidx nrows;
  const int64_t *end; /* of each row */
  int n;
  ovk_lidx offset[MOST_COLLECTED];
  uint32_t held[MOST_COLLECTED]; /* a bit for each row that has the entry */
  double val[MOST_COLLECTED][ROW_BLOCK];
} collection;

/* Whether all rows have all entries, as most rows inside of a lattice do. */
OVK_ALWAYS_INLINE bool collection_is_full(const collection *c)
{
  uint32_t held = (UINT32_C(1) << c->nrows) - 1;
  const uint32_t all = held;
  for (int k = 0; k < c->n; k++) held &= c->held[k];
  return held == all;
}

OVK_ALWAYS_INLINE void collection_write_full(const collection *c)
{
  for (ovk_lidx l = 0; l < c->nrows; l++) {
    ovk_lidx *restrict col = c->rows.col + c->rows.next[l];
    double *restrict val = c->rows.val ? c->rows.val + c->rows.next[l] : NULL;
    for (int k = 0; k < c->n; k++) col[k] = c->rows.first + l + c->offset[k];
    for (int k = 0; val && k < c->n; k++) val[k] = c->val[k][l];
    c->rows.next[l] += c->n;
  }
}

/* Without a branch for each entry: one that a row does not have is overwritten by the next one. */
OVK_ALWAYS_INLINE void collection_write_some(const collection *c)
{
  ovk_lidx *restrict col = c->rows.col;
  double *restrict val = c->rows.val;
  for (ovk_lidx l = 0; l < c->nrows; l++) {
    const int64_t end = c->end[l];
    int64_t at = c->rows.next[l];
    for (int k = 0; k < c->n && at < end; k++) {
      col[at] = c->rows.first + l + c->offset[k];
      if (val) val[at] = c->val[k][l];
      at += c->held[k] >> l & 1;
    }
    c->rows.next[l] = at;
  }
}

OVK_ALWAYS_INLINE void collection_write(collection *c)
{
  if (collection_is_full(c)) {
    collection_write_full(c);
  } else {
    collection_write_some(c);
  }
  c->n = 0;
}

/* Copies up to ROW_BLOCK numbers. Compilers make of a plain loop a call, or an instruction, for
 * long copies, which take longer to start. */
OVK_ALWAYS_INLINE void collect_numbers(ovk_lidx n, const double *from, double *to)
{
  ovk_lidx m = 0;
  for (; m + 8 <= n; m += 8) memcpy(to + m, from + m, 8 * sizeof *to);
  if (n & 4) memcpy(to + m, from + m, 4 * sizeof *to);
  m += n & 4;
  if (n & 2) memcpy(to + m, from + m, 2 * sizeof *to);
  m += n & 2;
  if (n & 1) to[m] = from[m];
}

OVK_ALWAYS_INLINE void collect_run(void *arg, ovk_lidx i, ovk_lidx j, ovk_lidx n, int64_t slot)
{
  collection *c = arg;
  const ovk_lidx l = i - c->rows.first;
  if (c->n == 0 || c->offset[c->n - 1] != j - i) {
    if (c->n == MOST_COLLECTED) collection_write(c);
    c->offset[c->n] = j - i;
    c->held[c->n++] = 0;
  }
  const int k = c->n - 1;
  c->held[k] |= ((UINT32_C(1) << n) - 1) << l;
  ovk__prefetch_entries(c->rows.slot + slot, sizeof *c->rows.slot, n);
  collect_numbers(n, c->rows.slot + slot, c->val[k] + l);
}

ovk_err ovk__symdia_unfold(ovk_ctx *ctx, const void *block, ovk_lidx first, ovk__csr *out)
{
  const ovk__symdia *b = block;
  int64_t next[ROW_BLOCK];
  collection c = {.rows = {first, next, out->col, out->val, b->d.val, 0}};
  (void)ctx;
  for (ovk_lidx k = 0; k < out->rows; k += c.nrows) {
    c.nrows = out->rows - k < ROW_BLOCK ? out->rows - k : ROW_BLOCK;
    c.rows.first = first + k;
    c.end = out->ptr + k + 1;
    memcpy(next, out->ptr + k, (size_t)c.nrows * sizeof *next);
    for_each_lower(b, first + k, first + k + c.nrows, collect_run, &c);
    for_each_upper(b, false, first + k, first + k + c.nrows, collect_run, &c);
    collection_write(&c);
  }
  return OVK_OK;
}

/* Rows whose lower entries are compared, and one of them that has no equal counterpart; -1: none.
 */
typedef struct comparison {
  ovk__cursors rows;
  ovk_lidx row, col;
} comparison;

/* Compares the values of compressed rows, from left to right, with those of the block. */
OVK_ALWAYS_INLINE void compare_run(void *arg, ovk_lidx i, ovk_lidx j, ovk_lidx n, int64_t slot)
{
  comparison *c = arg;
  int64_t *next = c->rows.next + (i - c->rows.first);
  const double *val = c->rows.val, *stored = c->rows.slot + slot;
  ovk_lidx odd = -1;
  ovk__prefetch_entries(stored, sizeof *stored, n);
  for (ovk_lidx l = 0; l < n; l++) {
    if (!ovk__same_bits(&val[next[l]++], &stored[l])) odd = l;
  }
  if (odd < 0) return;
  c->row = i + odd;
  c->col = j + odd;
}

ovk_err ovk__symdia_refill(ovk_ctx *ctx, const ovk__csr *A, ovk_lidx first, void *block)
{
  const ovk__symdia *b = block;
  int64_t next[ROW_BLOCK];
  for (ovk_lidx k = 0, end; k < A->rows; k = end) {
    end = A->rows - k < ROW_BLOCK ? A->rows : k + ROW_BLOCK;
    comparison c = {{first + k, next, NULL, A->val, b->d.val, 0}, -1, -1};
    memcpy(next, A->ptr + k + 1, (size_t)(end - k) * sizeof *next);
    for_each_upper(b, true, first + k, first + end, ovk__put_run, &c.rows);
    memcpy(next, A->ptr + k, (size_t)(end - k) * sizeof *next);
    for_each_lower(b, first + k, first + end, compare_run, &c);
    if (c.row >= 0) return ovk__symmetry_refuse(ctx, c.row, c.col);
  }
  return OVK_OK;
}

/* Exchanges two slots. */
static void symdia_rows_exchange(ovk__diagonals *d, int64_t a, int64_t b)
{
  if (d->narrow) {
    const float value = d->narrow[a];
    d->narrow[a] = d->narrow[b];
    d->narrow[b] = value;
  } else {
    const double value = d->val[a];
    d->val[a] = d->val[b];
    d->val[b] = value;
  }
  if (!d->stored || ovk__diagonals_holds(d, a) == ovk__diagonals_holds(d, b)) return;
  d->stored[a / 8] ^= (unsigned char)(1 << a % 8);
  d->stored[b / 8] ^= (unsigned char)(1 << b % 8);
}

void ovk__symdia_flip(ovk__diagonals *d, bool down)
{
  ovk__offset_lists *lists = &d->lists;
  if (d->down == down) return;
  d->down = down;
  for (ovk_lidx c = 0, n; c < d->nchunks; c++) {
    const ovk_lidx stride = ovk__diagonals_stride(d, c);
    (void)ovk__offset_list(lists, d->list[c], &n);
    int64_t low = d->first[c], high = low + (int64_t)(n - 1) * stride;
    for (; low < high; low += stride, high -= stride) {
      for (ovk_lidx l = 0; l < stride; l++) symdia_rows_exchange(d, low + l, high + l);
    }
  }
  for (int32_t k = 0; k < lists->n; k++) {
    ovk_lidx *low = lists->offset + lists->begin[k], *high = lists->offset + lists->begin[k + 1];
    for (; high - low > 1; low++) {
      const ovk_lidx offset = *low;
      *low = *--high;
      *high = offset;
    }
  }
}
