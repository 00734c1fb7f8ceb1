/* SPDX-License-Identifier: BSD-2-Clause */
/* Entries by diagonals: fills in the values after dia_plan.c has planned the slots. */
#include "matrix/formats/dia/diagonals.h"
#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void ovk__diagonals_free(ovk__diagonals *d)
{
  ovk__offset_lists_free(&d->lists);
  free(d->list);
  free(d->first);
  free(d->val);
  free(d->stored);
  *d = (ovk__diagonals){0};
}

int64_t ovk__diagonals_bytes(const ovk__diagonals *d)
{
  const int64_t chunk = (int64_t)(sizeof *d->list + sizeof *d->first);
  return d->first[d->nchunks] * (int64_t)sizeof *d->val + d->nchunks * chunk +
         ovk__offset_lists_bytes(&d->lists);
}

/* Writes a row's n entries, each to slot + place[offset] * stride. */
static inline void fill_row(int64_t n, const ovk_lidx *restrict col, const double *restrict from,
                            ovk_lidx i, const ovk_lidx *restrict place, int64_t slot,
                            int64_t stride, double *restrict val, unsigned char *restrict stored)
{
  for (int64_t k = 0; k < n; k++) {
    const int64_t to = slot + place[col[k] - i] * stride;
    val[to] = from[k];
    stored[to / 8] |= (unsigned char)(1 << to % 8);
  }
}

/* Writes the entries of chunk c; `place` has an element for each offset of the matrix; negative
 * indices are valid. */
static void fill_chunk(const ovk__csr *A, ovk__diagonals *d, ovk_lidx c, ovk_lidx *place)
{
  ovk_lidx n;
  const ovk_lidx *offset = ovk__offset_list(&d->lists, d->list[c], &n);
  const ovk_lidx from = c * d->height, stride = ovk__diagonals_stride(d, c);
  for (ovk_lidx k = 0; k < n; k++) place[offset[k]] = k;
  for (ovk_lidx l = 0; l < stride; l++) {
    const int64_t k = A->ptr[from + l];
    fill_row(A->ptr[from + l + 1] - k, A->col + k, A->val + k, from + l, place, d->first[c] + l,
             stride, d->val, d->stored);
  }
}

static ovk_err make_room(ovk_ctx *ctx, ovk__diagonals *d)
{
  const int64_t slots = d->first[d->nchunks];
  OVK_NEW_ZEROS(ctx, d->stored, slots / 8 + OVK__STORED_AHEAD);
  OVK_NEW_ARRAY(ctx, d->val, slots);
  return OVK_OK;
}

/* Clears and fills chunk by chunk, so that cleared slots are still in cache when they are filled.
 */
ovk_err ovk__diagonals_fill(ovk_ctx *ctx, const ovk__csr *A, ovk__diagonals *d)
{
  ovk_lidx *place;
  OVK_TRY(make_room(ctx, d));
  OVK_NEW_ARRAY(ctx, place, 2 * (size_t)d->rows);
  for (ovk_lidx c = 0; c < d->nchunks; c++) {
    const size_t room = (size_t)(d->first[c + 1] - d->first[c]);
    if (room) memset(d->val + d->first[c], 0, room * sizeof *d->val);
    fill_chunk(A, d, c, place + d->rows);
  }
  free(place);
  return OVK_OK;
}

void ovk__diagonals_diagonal(const ovk__diagonals *d, double *out)
{
  for (ovk_lidx c = 0, i = 0; c < d->nchunks; c++) {
    const ovk_lidx n = ovk__diagonals_stride(d, c);
    const ovk_lidx at = ovk__offset_list_find(&d->lists, d->list[c], 0);
    const int64_t slot = d->first[c] + (int64_t)at * n;
    for (ovk_lidx l = 0; l < n; l++) out[i + l] = at < 0 ? 0 : d->val[slot + l];
    i += n;
  }
}
