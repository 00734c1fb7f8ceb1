/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of a block by diagonals in compressed form, and new values for them, chunk by chunk. */
#include "matrix/formats/dia/dia_rows.h"

#include <string.h>

/* The runs of chunk c, from left to right or from right to left. */
OVK_ALWAYS_INLINE void dia_rows_for_each_run(const ovk__diagonals *d, ovk_lidx c, bool back,
                                             ovk__take_run *take, ovk__cursors *r)
{
  ovk_lidx n;
  const ovk_lidx *offset = ovk__offset_list(&d->lists, d->list[c], &n);
  const ovk_lidx i = c * d->chunk_height, stride = ovk__diagonals_stride(d, c);
  for (ovk_lidx k = 0; k < n; k++) {
    const ovk_lidx at = back ? n - 1 - k : k;
    const int64_t slot = d->first[c] + (int64_t)at * stride;
    if (d->slice) {
      r->slot = ovk__diagonals_at(d, true, c, at);
      r->begin = slot;
    }
    ovk__diagonals_runs(d, i, i + offset[at], stride, slot, take, r);
  }
}

void ovk__diagonals_lengths(const void *block, ovk_lidx first, ovk_lidx rows, int64_t *length)
{
  const ovk__diagonals *d = block;
  ovk__cursors r = {.first = first, .next = length};
  memset(length, 0, (size_t)rows * sizeof *length);
  for (ovk_lidx c = first / d->chunk_height; rows > 0; rows -= d->chunk_height) {
    dia_rows_for_each_run(d, c++, false, ovk__count_run, &r);
  }
}

ovk_err ovk__diagonals_unfold(ovk_ctx *ctx, const void *block, ovk_lidx first, ovk__csr *out)
{
  const ovk__diagonals *d = block;
  (void)ctx;
  int64_t next[OVK__MAX_CHUNK_HEIGHT];
  for (ovk_lidx k = 0; k < out->rows; k += d->chunk_height) {
    const ovk_lidx i = first + k, c = i / d->chunk_height;
    ovk__cursors r = {i, next, out->col, out->val, d->val, 0};
    memcpy(next, out->ptr + k, (size_t)ovk__diagonals_stride(d, c) * sizeof *next);
    dia_rows_for_each_run(d, c, false, ovk__give_run, &r);
  }
  return OVK_OK;
}

/* Chunk c's slices of new values, from right to left, each row's up to its cursor; false if there
 * is no room for them. */
static bool dia_refill_slices(ovk__diagonals *d, ovk_lidx c, int64_t *next, double *val)
{
  ovk_lidx n;
  const ovk_lidx *offset = ovk__offset_list(&d->lists, d->list[c], &n);
  const ovk_lidx i = c * d->chunk_height, stride = ovk__diagonals_stride(d, c);
  for (ovk_lidx k = n - 1; k >= 0; k--) {
    double slice[OVK__SLICE] = {0};
    const int64_t slot = d->first[c] + (int64_t)k * stride;
    ovk__cursors r = {i, next, NULL, val, slice, slot};
    ovk__diagonals_runs(d, i, i + offset[k], stride, slot, ovk__put_run, &r);
    const int32_t number = ovk__slices_enter(&d->slices, slice);
    if (number < 0) return false;
    d->slice[d->first[c] / OVK__SLICE + k] = (uint16_t)number;
  }
  return true;
}

/* New values for the chunks from row `first` on; false if there is no room for their slices. */
static bool dia_refill_chunks(const ovk__csr *A, ovk_lidx first, ovk__diagonals *d)
{
  int64_t next[OVK__MAX_CHUNK_HEIGHT];
  for (ovk_lidx k = 0; k < A->rows; k += d->chunk_height) {
    const ovk_lidx i = first + k, c = i / d->chunk_height;
    ovk__cursors r = {i, next, NULL, A->val, d->val, 0};
    memcpy(next, A->ptr + k + 1, (size_t)ovk__diagonals_stride(d, c) * sizeof *next);
    if (!d->slice) {
      dia_rows_for_each_run(d, c, true, ovk__put_run, &r);
    } else if (!dia_refill_slices(d, c, next, A->val)) {
      return false;
    }
  }
  return true;
}

/* The values of rows after the piece are not read again, so their slices may change. */
ovk_err ovk__diagonals_refill(ovk_ctx *ctx, const ovk__csr *A, ovk_lidx first, void *block)
{
  ovk__diagonals *d = block;
  if (d->slice && first == 0) ovk__slices_clear(&d->slices);
  if (dia_refill_chunks(A, first, d)) return OVK_OK;
  OVK_TRY(ovk__diagonals_spread(ctx, d));
  (void)dia_refill_chunks(A, first, d); /* slots have room */
  return OVK_OK;
}
