/* SPDX-License-Identifier: BSD-2-Clause */
/* Builds the levels until the matrix is small or coarsening stalls, and renews them. */
#include "precond/amg/hierarchy.h"
#include "core/context/agree.h"
#include "precond/amg/coarsen.h"

/* The least degree of the smoother of a level that cannot be made coarser. */
enum { STALLED_DEGREE = 8 };

static void hierarchy_start_clock(ovk__amg_hierarchy *H)
{
  H->cycle_seconds = 0;
  H->cycles = 0;
  for (int k = 0; k < OVK__AMG_PHASES; k++) H->seconds[k] = 0;
  H->clock = MPI_Wtime();
}

/* Gives level k its copy in float. */
static ovk_err hierarchy_copy(ovk__amg_hierarchy *H, int k)
{
  OVK_TRY(ovk__amg_level_copy(&H->options, &H->level[k]));
  ovk__amg_end_phase(H, OVK__AMG_FORMATS);
  return OVK_OK;
}

static ovk_err hierarchy_add_smoother(ovk__amg_hierarchy *H, int k)
{
  OVK_TRY(ovk__amg_level_add_smoother(&H->options, &H->level[k]));
  ovk__amg_end_phase(H, OVK__AMG_SMOOTHERS);
  return OVK_OK;
}

/* Gives the last level its smoother, and the hierarchy a next level if it can be made coarser. */
static ovk_err hierarchy_step(ovk__amg_hierarchy *H, ovk__amg_modes *modes, bool *done)
{
  const int last = H->n - 1;
  bool enough = false;
  OVK_TRY(hierarchy_add_smoother(H, last));
  *done = H->n == H->options.levels;
  if (*done) return OVK_OK;
  OVK_TRY(ovk__amg_coarsen(H, modes, &enough));
  *done = H->stalled = !enough;
  return enough ? hierarchy_copy(H, last) : OVK_OK;
}

static bool hierarchy_is_small(const ovk__amg_hierarchy *H, int rows)
{
  return H->level[H->n - 1].layout.global <= rows;
}

/* Gives the last level its inverse, or its copy in float. */
static ovk_err hierarchy_end(ovk__amg_hierarchy *H)
{
  ovk__amg_level *last = &H->level[H->n - 1];
  if (!H->dense) {
    if (H->stalled && last->smoother.degree < STALLED_DEGREE) {
      last->smoother.degree = STALLED_DEGREE;
    }
    return hierarchy_copy(H, H->n - 1);
  }
  OVK_TRY(ovk__amg_coarsest_create(last->A, H->options.symmetric, &H->coarsest));
  ovk__amg_level_clear_values(last);
  last->bytes = 0;
  ovk__amg_end_phase(H, OVK__AMG_INVERSE);
  return OVK_OK;
}

static ovk_err hierarchy_fill(ovk__amg_hierarchy *H, const ovk_mat *A, ovk__amg_modes *modes)
{
  bool done = false;
  OVK_TRY(ovk__agree(H->ctx, ovk__amg_modes_create(A, H->options.block, modes)));
  H->lacks_modes = (modes->block == 2 || modes->block == 3) && ovk_mat_near_nullspace_size(A) == 0;
  OVK_TRY(ovk__amg_append(H, (ovk_mat *)A, 1)); /* which it does not change, nor destroy */
  while (!done && !hierarchy_is_small(H, H->options.coarse)) {
    OVK_TRY(hierarchy_step(H, modes, &done));
  }
  H->dense = hierarchy_is_small(H, done ? OVK__AMG_MOST_DENSE : H->options.coarse);
  return hierarchy_end(H);
}

/* Builds all levels, on the kept aggregates if the hierarchy is being renewed. */
static ovk_err hierarchy_build(ovk__amg_hierarchy *H, const ovk_mat *A)
{
  ovk__amg_modes modes = {0};
  hierarchy_start_clock(H);
  const ovk_err err = hierarchy_fill(H, A, &modes);
  ovk__amg_modes_free(&modes);
  return err;
}

ovk_err ovk__amg_hierarchy_create(const ovk_mat *A, ovk__amg_options options,
                                  ovk__amg_hierarchy *out)
{
  *out = (ovk__amg_hierarchy){.ctx = A->ctx, .options = options, .width = 1};
  return hierarchy_build(out, A);
}

/* Gives the level after k the matrix for the new values of level k. */
static ovk_err hierarchy_renew_matrix(ovk__amg_hierarchy *H, int k)
{
  ovk__amg_level *level = &H->level[k], *next = level + 1;
  ovk__amg_entries P = {0};
  ovk__amg_rows rows;
  ovk_mat *A = NULL;
  ovk__amg_rows_begin(ovk__amg_level_symmetric(level), &rows);
  ovk_err err = ovk__agree(H->ctx, ovk__amg_transfer_entries(H->ctx, &level->P, &P));
  if (!err) err = ovk__amg_multiply(H, k, &rows, &P, &next->layout, &A);
  ovk__amg_rows_free(&rows);
  ovk__amg_entries_free(&P);
  if (!err) ovk__amg_level_set_matrix(next, A);
  return err;
}

/* Frees the data of the old values. */
static void hierarchy_clear_values(ovk__amg_hierarchy *H)
{
  for (int k = 0; k < H->n; k++) ovk__amg_level_clear_values(&H->level[k]);
  ovk__amg_coarsest_free(&H->coarsest);
  H->hash = 0;
}

static ovk_err hierarchy_renew_matrices(ovk__amg_hierarchy *H)
{
  hierarchy_clear_values(H);
  hierarchy_start_clock(H);
  ovk__amg_level_set_matrix(H->level, H->level->A);
  for (int k = 0; k < H->n - 1; k++) {
    OVK_TRY(hierarchy_add_smoother(H, k));
    OVK_TRY(hierarchy_renew_matrix(H, k));
    ovk__amg_end_phase(H, OVK__AMG_PRODUCTS);
    OVK_TRY(hierarchy_copy(H, k));
  }
  if (!H->dense) OVK_TRY(hierarchy_add_smoother(H, H->n - 1));
  return hierarchy_end(H);
}

/* Frees all but the aggregates. */
static void hierarchy_clear(ovk__amg_hierarchy *H)
{
  hierarchy_clear_values(H);
  for (int k = 0; k < H->n; k++) ovk__amg_level_free(&H->level[k]);
  H->n = 0;
}

ovk_err ovk__amg_hierarchy_update(const ovk_mat *A, bool symmetric, ovk__amg_hierarchy *H)
{
  H->options.symmetric = symmetric;
  H->updated = true;
  const bool renew = H->options.update == OVK__AMG_RENEW_MATRICES;
  const bool same_order = H->n <= 1 || H->level[0].P.ordered == A->ordered; /* of the transfers */
  if (renew && same_order) return hierarchy_renew_matrices(H);
  hierarchy_clear(H);
  H->renewing = H->options.update == OVK__AMG_RENEW_PROLONGATORS;
  return hierarchy_build(H, A);
}

void ovk__amg_hierarchy_free(ovk__amg_hierarchy *H)
{
  hierarchy_clear(H);
  for (int k = 0; k < H->nkept; k++) ovk__amg_aggregates_free(&H->kept[k]);
  H->nkept = 0;
}

int64_t ovk__amg_hierarchy_bytes(const ovk__amg_hierarchy *H)
{
  int64_t bytes = ovk__amg_coarsest_bytes(&H->coarsest);
  for (int k = 0; k < H->n; k++) {
    bytes += ovk__amg_level_bytes(&H->level[k]);
    if (k < H->nkept) bytes += H->level[k].layout.local * (int64_t)sizeof *H->kept[k].of;
  }
  return bytes;
}
