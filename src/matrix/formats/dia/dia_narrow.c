/* SPDX-License-Identifier: BSD-2-Clause */
/* Copies of blocks by diagonals with values in float. */
#include "matrix/formats/dia/diagonals.h"
#include "matrix/formats/narrow.h"

ovk_err ovk__diagonals_copy_narrow(ovk_ctx *ctx, const ovk__diagonals *d, ovk__diagonals *out)
{
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
  OVK_NEW_COPY(ctx, out->slice, d->slice, ovk__diagonals_count_slices(d));
  return ovk__slices_copy_narrow(ctx, &d->slices, &out->slices);
}
