/* SPDX-License-Identifier: BSD-2-Clause */
/* The hierarchy for blocks of columns: a copy that shares matrices, entries of transfers and the
 * inverse with that for vectors. It has separate vectors and exchanges, with several values a row.
 */
#include "precond/amg/wide.h"
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "matrix/many.h"

#include <stdlib.h>

/* Forgets the parts that are not shared. */
static void wide_begin_level(ovk__amg_level *level, int width)
{
  level->smoother.width = width;
  level->smoother.d = level->smoother.t = NULL;
  level->b = level->x = level->kept = NULL;
  level->P.width = width;
  level->P.halo = NULL;
  level->P.sums = (ovk__amg_partial_sums){0};
}

static ovk_err wide_begin(const ovk__amg_hierarchy *H, int width, ovk__amg_hierarchy **out)
{
  OVK_NEW(H->ctx, *out);
  **out = *H;
  for (int k = 0; k < H->n; k++) wide_begin_level(&(*out)->level[k], width);
  (*out)->width = width;
  (*out)->coarsest.b = NULL;
  (*out)->coarsest.count = (*out)->coarsest.first = NULL;
  return OVK_OK;
}

/* The vectors that the level `from` has. */
static ovk_err wide_allocate_level(const ovk__amg_hierarchy *H, const ovk__amg_level *from,
                                   ovk__amg_level *level)
{
  const size_t n = ovk__panel_size(level->layout.local, H->width);
  if (level->smoother.A) {
    OVK_NEW_ARRAY(H->ctx, level->smoother.d, n);
    OVK_NEW_ARRAY(H->ctx, level->smoother.t, n);
  }
  if (from->b) OVK_NEW_ZEROS(H->ctx, level->b, n);
  if (from->x) OVK_NEW_ZEROS(H->ctx, level->x, n);
  if (from->kept) OVK_NEW_ZEROS(H->ctx, level->kept, n);
  return OVK_OK;
}

/* The counts of values, not of rows. */
static ovk_err wide_allocate_coarsest(const ovk__amg_coarsest *from, int width,
                                      ovk__amg_coarsest *C)
{
  const int size = ovk_ctx_size(C->ctx);
  C->width = width;
  if (from->b) OVK_NEW_ARRAY(C->ctx, C->b, (size_t)C->n * (size_t)width);
  OVK_NEW_ARRAY(C->ctx, C->count, size);
  OVK_NEW_ARRAY(C->ctx, C->first, size);
  for (int k = 0; k < size; k++) {
    C->count[k] = width * from->count[k];
    C->first[k] = width * from->first[k];
  }
  return OVK_OK;
}

static ovk_err wide_allocate(const ovk__amg_hierarchy *H, ovk__amg_hierarchy *W)
{
  for (int k = 0; k < W->n; k++) OVK_TRY(wide_allocate_level(W, &H->level[k], &W->level[k]));
  return W->dense ? wide_allocate_coarsest(&H->coarsest, W->width, &W->coarsest) : OVK_OK;
}

static ovk_err wide_exchanges(ovk__amg_hierarchy *W)
{
  for (int k = 0; k < W->n; k++) {
    const ovk_mat *A = W->level[k].smoother.A;
    if (A) OVK_TRY(ovk__mat_prepare_many(A, W->width));
    if (k == W->n - 1) continue;
    OVK_TRY(ovk__amg_transfer_connect(W->ctx, &W->level[k + 1].layout, &W->level[k].P));
  }
  return OVK_OK;
}

ovk_err ovk__amg_wide_create(const ovk__amg_hierarchy *H, int width, ovk__amg_hierarchy **out)
{
  *out = NULL;
  ovk_err err = wide_begin(H, width, out);
  if (!err) err = wide_allocate(H, *out);
  err = ovk__agree(H->ctx, err);
  if (!err) err = wide_exchanges(*out);
  if (err) ovk__amg_wide_free(out);
  return err;
}

void ovk__amg_wide_free(ovk__amg_hierarchy **wide)
{
  ovk__amg_hierarchy *W = *wide;
  if (!W) return;
  for (int k = 0; k < W->n; k++) {
    ovk__amg_level *level = &W->level[k];
    free(level->smoother.d);
    free(level->smoother.t);
    free(level->b);
    free(level->x);
    free(level->kept);
    ovk__halo_destroy(&level->P.halo);
    ovk__amg_partial_sums_free(&level->P.sums);
  }
  free(W->coarsest.b);
  free(W->coarsest.count);
  free(W->coarsest.first);
  free(W);
  *wide = NULL;
}
