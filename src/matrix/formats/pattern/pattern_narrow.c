/* SPDX-License-Identifier: BSD-2-Clause */
/* Copies of blocks of the format "pattern" with values rounded to float. Values are few, so that
 * they stay in double. */
#include "matrix/formats/narrow.h"
#include "matrix/formats/pattern/pattern_groups.h"

static ovk_err pattern_copy_groups(ovk_ctx *ctx, const ovk__pattern_groups *f,
                                   ovk__pattern_groups *out)
{
  const int32_t entries = f->nparts ? f->parts[f->nparts - 1].end : 0;
  out->count = f->count;
  out->reach = f->reach;
  out->nkinds = f->nkinds;
  out->nparts = f->nparts;
  OVK_NEW_COPY(ctx, out->kind, f->kind, f->count);
  OVK_NEW_COPY(ctx, out->begin, f->begin, (size_t)f->nkinds + 1);
  OVK_NEW_COPY(ctx, out->parts, f->parts, f->nparts);
  OVK_NEW_COPY(ctx, out->entries, f->entries, entries);
  for (int32_t k = 0; k < out->nparts; k++) {
    const ovk__group_part *part = &out->parts[k];
    for (int32_t e = part->begin; e < part->end; e++) {
      OVK_TRY(ovk__round_values(ctx, out->entries[e].value, (size_t)part->width));
    }
  }
  return OVK_OK;
}

ovk_err ovk__pattern_copy_rounded(ovk_ctx *ctx, const void *block, void *copy)
{
  const ovk__pattern_block *b = block;
  ovk__pattern_block *out = copy;
  const int32_t entries = b->begin[b->npatterns];
  out->rows = b->rows;
  out->nruns = b->nruns;
  out->npatterns = b->npatterns;
  OVK_NEW_COPY(ctx, out->begin, b->begin, (size_t)b->npatterns + 1);
  OVK_NEW_COPY(ctx, out->offset, b->offset, entries);
  OVK_NEW_COPY(ctx, out->value, b->value, entries);
  OVK_NEW_COPY(ctx, out->runs, b->runs, b->nruns);
  OVK_TRY(ovk__round_values(ctx, out->value, (size_t)entries));
  return pattern_copy_groups(ctx, &b->groups, &out->groups);
}
