/* SPDX-License-Identifier: BSD-2-Clause */
/* Entries by diagonals: fills in the values after dia_plan.c has planned the slots. */
#include "matrix/formats/dia/diagonals.h"
#include "core/context/mem.h"
#include "matrix/formats/narrow.h"

#include <stdlib.h>
#include <string.h>

/* The slices of all chunks, equal ones included. */
static int64_t diagonals_count_slices(const ovk__diagonals *d)
{
  if (d->nchunks == 0) return 0;
  const ovk_lidx last = d->nchunks - 1;
  return d->first[last] / OVK__SLICE +
         (d->first[last + 1] - d->first[last]) / ovk__diagonals_stride(d, last);
}

ovk_err ovk__diagonals_copy_narrow(ovk_ctx *ctx, const void *block, void *copy)
{
  const ovk__diagonals *d = block;
  ovk__diagonals *out = copy;
  const int64_t slots = d->first[d->nchunks];
  *out = (ovk__diagonals){.upper = d->upper,
                          .down = d->down,
                          .rows = d->rows,
                          .chunk_height = d->chunk_height,
                          .nchunks = d->nchunks};
  OVK_TRY(ovk__offset_lists_copy(ctx, &d->lists, &out->lists));
  OVK_NEW_COPY(ctx, out->list, d->list, d->nchunks);
  OVK_NEW_COPY(ctx, out->first, d->first, (size_t)d->nchunks + 1);
  if (!d->slice) return ovk__narrow_values(ctx, d->val, (size_t)slots, &out->narrow);
  OVK_NEW_COPY(ctx, out->slice, d->slice, diagonals_count_slices(d));
  return ovk__slices_copy_narrow(ctx, &d->slices, &out->slices);
}

void ovk__diagonals_free(ovk__diagonals *d)
{
  ovk__offset_lists_free(&d->lists);
  free(d->list);
  free(d->first);
  free(d->val);
  free(d->narrow);
  free(d->stored);
  free(d->slice);
  ovk__slices_free(&d->slices);
  *d = (ovk__diagonals){0};
}

int64_t ovk__diagonals_bytes(const void *block)
{
  const ovk__diagonals *d = block;
  const int64_t chunk = (int64_t)(sizeof *d->list + sizeof *d->first), slots = d->first[d->nchunks];
  const int64_t value = d->narrow || d->slices.narrow ? sizeof *d->narrow : sizeof *d->val;
  const int64_t slices = (int64_t)d->slices.n * OVK__SLICE * value;
  const int64_t values =
      d->slice ? diagonals_count_slices(d) * (int64_t)sizeof *d->slice + slices : slots * value;
  return values + d->nchunks * chunk + ovk__offset_lists_bytes(&d->lists);
}

/* Writes a row's n entries, each to the chunk's slot l + place[offset] * stride. */
static inline void diagonals_fill_row(int64_t n, const ovk_lidx *restrict col,
                                      const double *restrict from, ovk_lidx i,
                                      const ovk_lidx *restrict place, int64_t l, int64_t stride,
                                      int64_t first, double *restrict val,
                                      unsigned char *restrict stored)
{
  for (int64_t k = 0; k < n; k++) {
    const int64_t at = l + place[col[k] - i] * stride, to = first + at;
    val[at] = from[k];
    stored[to / 8] |= (unsigned char)(1 << to % 8);
  }
}

/* Writes the entries of chunk c to its slots; `place` has an element for each offset of the matrix;
 * negative indices are valid. */
static void diagonals_fill_chunk(const ovk__csr *A, ovk__diagonals *d, ovk_lidx c, ovk_lidx *place,
                                 double *val)
{
  ovk_lidx n;
  const ovk_lidx *offset = ovk__offset_list(&d->lists, d->list[c], &n);
  const ovk_lidx from = c * d->chunk_height, stride = ovk__diagonals_stride(d, c);
  const int64_t slots = d->first[c + 1] - d->first[c];
  if (slots) memset(val, 0, (size_t)slots * sizeof *val);
  for (ovk_lidx k = 0; k < n; k++) place[offset[k]] = k;
  for (ovk_lidx l = 0; l < stride; l++) {
    const int64_t k = A->ptr[from + l];
    diagonals_fill_row(A->ptr[from + l + 1] - k, A->col + k, A->val + k, from + l, place, l, stride,
                       d->first[c], val, d->stored);
  }
}

/* Bits for all slots, none set. */
static ovk_err diagonals_make_bits(ovk_ctx *ctx, ovk__diagonals *d)
{
  free(d->stored);
  OVK_NEW_ZEROS(ctx, d->stored, d->first[d->nchunks] / 8 + OVK__STORED_PADDING);
  return OVK_OK;
}

/* Clears and fills chunk by chunk, so that cleared slots are still in cache when they are filled.
 */
ovk_err ovk__diagonals_fill(ovk_ctx *ctx, const ovk__csr *A, ovk__diagonals *d)
{
  ovk_lidx *place;
  OVK_TRY(diagonals_make_bits(ctx, d));
  OVK_NEW_ARRAY(ctx, d->val, d->first[d->nchunks]);
  OVK_NEW_ARRAY(ctx, place, 2 * (size_t)d->rows);
  for (ovk_lidx c = 0; c < d->nchunks; c++) {
    diagonals_fill_chunk(A, d, c, place + d->rows, d->val + d->first[c]);
  }
  free(place);
  return OVK_OK;
}

/* The slots of chunk c to slices; false if there is no room for them. */
static bool diagonals_take_slices(ovk__diagonals *d, ovk_lidx c, const double *val)
{
  const ovk_lidx stride = ovk__diagonals_stride(d, c);
  double slice[OVK__SLICE] = {0};
  uint16_t *number = d->slice + d->first[c] / OVK__SLICE;
  for (int64_t slots = d->first[c + 1] - d->first[c]; slots > 0; slots -= stride, val += stride) {
    memcpy(slice, val, (size_t)stride * sizeof *slice);
    const int32_t k = ovk__slices_enter(&d->slices, slice);
    if (k < 0) return false;
    *number++ = (uint16_t)k;
  }
  return true;
}

static int64_t diagonals_most_slots(const ovk__diagonals *d)
{
  int64_t most = 0;
  for (ovk_lidx c = 0; c < d->nchunks; c++) {
    if (d->first[c + 1] - d->first[c] > most) most = d->first[c + 1] - d->first[c];
  }
  return most;
}

static ovk_err diagonals_fill_slices(ovk_ctx *ctx, const ovk__csr *A, ovk__diagonals *d, bool *few)
{
  ovk_lidx *place = ovk__array(2 * (size_t)d->rows, sizeof *place);
  double *val = ovk__array((size_t)diagonals_most_slots(d), sizeof *val);
  const bool room = place && val;
  for (ovk_lidx c = 0; room && *few && c < d->nchunks; c++) {
    diagonals_fill_chunk(A, d, c, place + d->rows, val);
    *few = diagonals_take_slices(d, c, val);
  }
  free(place);
  free(val);
  OVK_CHECK(room, ctx, OVK_ERR_MEMORY, "no memory for a chunk of %d rows", d->chunk_height);
  return OVK_OK;
}

static void diagonals_drop_slices(ovk__diagonals *d)
{
  free(d->slice);
  d->slice = NULL;
  ovk__slices_free(&d->slices);
}

ovk_err ovk__diagonals_fill_few(ovk_ctx *ctx, const ovk__csr *A, ovk__diagonals *d, bool *few)
{
  const int64_t slices = diagonals_count_slices(d), most = slices / 4;
  *few = true;
  OVK_TRY(diagonals_make_bits(ctx, d));
  OVK_NEW_ARRAY(ctx, d->slice, slices);
  OVK_TRY(
      ovk__slices_make(ctx, most < OVK__MAX_SLICES ? (int32_t)most : OVK__MAX_SLICES, &d->slices));
  OVK_TRY(diagonals_fill_slices(ctx, A, d, few));
  if (!*few) diagonals_drop_slices(d);
  return OVK_OK;
}

ovk_err ovk__diagonals_spread(ovk_ctx *ctx, ovk__diagonals *d)
{
  double *val;
  OVK_NEW_ARRAY(ctx, val, d->first[d->nchunks]);
  for (ovk_lidx c = 0; c < d->nchunks; c++) {
    const ovk_lidx stride = ovk__diagonals_stride(d, c);
    int64_t slot = d->first[c];
    for (ovk_lidx k = 0; slot < d->first[c + 1]; k++) {
      const double *from = ovk__diagonals_at(d, true, c, k);
      for (ovk_lidx l = 0; l < stride; l++, slot++) {
        val[slot] = ovk__diagonals_holds(d, slot) ? from[l] : 0;
      }
    }
  }
  diagonals_drop_slices(d);
  d->val = val;
  return OVK_OK;
}

/* out <- n values from a place on */
static void diagonals_read(const ovk__diagonals *d, int64_t place, ovk_lidx n, double *restrict out)
{
  const double *val = d->slice ? d->slices.val : d->val;
  const float *narrow = d->slice ? d->slices.narrow : d->narrow;
  for (ovk_lidx l = 0; l < n; l++) out[l] = narrow ? narrow[place + l] : val[place + l];
}

void ovk__diagonals_diagonal(const void *block, double *out)
{
  const ovk__diagonals *d = block;
  int32_t list = -1;
  ovk_lidx at = -1; /* of the diagonal in that list */
  for (ovk_lidx c = 0; c < d->nchunks; c++) {
    const ovk_lidx n = ovk__diagonals_stride(d, c);
    if (d->list[c] != list) {
      list = d->list[c];
      at = ovk__offset_list_find(&d->lists, list, 0);
    }
    if (at >= 0) diagonals_read(d, ovk__diagonals_place(d, d->slice, c, at), n, out);
    for (ovk_lidx l = 0; at < 0 && l < n; l++) out[l] = 0;
    out += n;
  }
}
