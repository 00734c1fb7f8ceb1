/* SPDX-License-Identifier: BSD-2-Clause */
/* Builds the levels: strength, aggregates, prolongator, coarse matrix, until the matrix is small or
 * coarsening stalls. */
#include "precond/amg/hierarchy.h"
#include "core/base/hash64.h"
#include "core/context/agree.h"
#include "precond/amg/gather.h"
#include "precond/amg/prolongator/prolongator.h"

#include <stdlib.h>

/* Coarsening stalls where a level has more than this fraction of the rows before it. */
static const double STALLED = 2. / 3;

/* The least degree of the smoother of a level that cannot be made coarser. */
enum { STALLED_DEGREE = 8 };

/* The state of the setup of one level. */
typedef struct step {
  ovk__amg_rows rows;   /* of the matrix, or of its symmetric part */
  ovk__amg_rows points; /* empty if a point has one row */
  ovk__amg_strength strength;
  ovk__amg_aggregates aggregates;
  ovk__amg_tentative T;
  ovk__amg_entries P;
} step;

static void step_free(step *s)
{
  ovk__amg_rows_free(&s->rows);
  ovk__amg_rows_free(&s->points);
  ovk__amg_strength_free(&s->strength);
  ovk__amg_aggregates_free(&s->aggregates);
  ovk__amg_tentative_free(&s->T);
  ovk__amg_entries_free(&s->P);
}

/* Adds the time since the end of the last phase to this one. */
static void hierarchy_end_phase(ovk__amg_hierarchy *H, ovk__amg_phase phase)
{
  const double now = MPI_Wtime();
  H->seconds[phase] += now - H->clock;
  H->clock = now;
}

static void hierarchy_start_clock(ovk__amg_hierarchy *H)
{
  H->cycle_seconds = 0;
  H->cycles = 0;
  for (int k = 0; k < OVK__AMG_PHASES; k++) H->seconds[k] = 0;
  H->clock = MPI_Wtime();
}

/* Adds the hash of level k. */
static void hierarchy_add_hash(ovk__amg_hierarchy *H, int k, uint64_t hash)
{
  H->hash = ovk__mix(H->hash ^ hash) + (uint64_t)k;
}

static ovk_err step_read_rows(const ovk_mat *A, int block, step *s)
{
  OVK_TRY(ovk__amg_rows_create(A, &s->rows));
  return block > 1 ? ovk__amg_points_create(&s->rows, block, &s->points) : OVK_OK;
}

static ovk_err hierarchy_check_memory(const ovk__amg_hierarchy *H, int k)
{
  const ovk__amg_level *level = &H->level[k];
  const ovk_mat *A = level->A;
  const int64_t at_a_time = A->format->mirrors ? A->local_nnz + ovk__csr_nnz(&A->remote) : 0;
  return ovk__amg_check_memory(H->ctx, k, A->layout.local, (double)at_a_time,
                               (double)A->layout.global, (double)A->nnz);
}

/* Finds the aggregates of the last level, or takes those of the setup; *enough <- whether they make
 * it coarser. */
static ovk_err step_aggregate(ovk__amg_hierarchy *H, const ovk__amg_modes *modes, step *s,
                              bool *enough)
{
  const int last = H->n - 1, block = modes->block;
  if (H->renewing && last == H->nkept) return OVK_OK; /* the last level of the setup */
  OVK_TRY(hierarchy_check_memory(H, last));
  OVK_TRY(ovk__agree(H->ctx, step_read_rows(ovk__amg_level_symmetric(&H->level[last]), block, s)));
  ovk__amg_rows *points = block > 1 ? &s->points : &s->rows;
  OVK_TRY(ovk__amg_strength_create(points, H->options.theta, &s->strength));
  if (!modes->val) OVK_TRY(ovk__amg_strength_omit(points, &s->strength));
  if (H->renewing) {
    OVK_TRY(ovk__amg_aggregates_copy(points, &H->kept[last], &s->aggregates));
  } else {
    OVK_TRY(ovk__amg_aggregates_create(points, &s->strength, &s->aggregates));
  }
  const double fine = (double)points->global, coarse = (double)s->aggregates.coarse.global;
  *enough = coarse > 1 && coarse <= STALLED * fine; /* the energy of a single one may be rounding */
  return OVK_OK;
}

/* Gives level k its copy in float. */
static ovk_err hierarchy_copy(ovk__amg_hierarchy *H, int k)
{
  OVK_TRY(ovk__amg_level_copy(&H->options, &H->level[k]));
  hierarchy_end_phase(H, OVK__AMG_FORMATS);
  return OVK_OK;
}

/* A level is visited twice in a mixed cycle if its matrix has at most this part of the entries of
 * A: it gains iterations and costs hardly any time. */
static const double SMALL_PART = 0.05;

/* Whether level k, with so many entries, is visited twice in each visit of the level before. */
static bool hierarchy_visits_twice(const ovk__amg_hierarchy *H, int k, int64_t nnz)
{
  const bool first = k == 1 || (k == 2 && !H->level[1].twice);
  const bool small = k > 0 && (double)nnz <= SMALL_PART * (double)H->level->nnz;
  return H->options.cycle == OVK__AMG_W || (H->options.cycle == OVK__AMG_MIXED && first && small);
}

/* Appends a level with this matrix. */
static ovk_err hierarchy_append(ovk__amg_hierarchy *H, ovk_mat *A, int stride)
{
  const int k = H->n++;
  return ovk__amg_level_create(k, stride, hierarchy_visits_twice(H, k, A->nnz), A, &H->level[k]);
}

/* Whether the bits of a cycle must not depend on the partition: then all levels are in order. */
static bool hierarchy_ordered(const ovk__amg_hierarchy *H)
{
  return H->level[0].A->ordered;
}

/* Puts the matrix of a level in order, or destroys it. */
static ovk_err hierarchy_order(ovk_mat **A)
{
  const ovk_err err = ovk__mat_put_in_order(*A);
  if (err) ovk_mat_destroy(A);
  return err;
}

/* Makes the transfers and the next level; *modes <- its modes. */
static ovk_err step_coarsen(ovk__amg_hierarchy *H, step *s, ovk__amg_modes *modes)
{
  ovk__amg_level *level = &H->level[H->n - 1];
  const ovk__layout *coarse = &s->T.coarse;
  const ovk__amg_strength *strength = modes->val ? NULL : &s->strength; /* keeps constants only */
  int stride = level->stride;
  ovk__amg_modes next;
  ovk_mat *A;
  uint64_t hash;
  ovk__amg_rows_free(&s->points); /* later steps use their memory */
  if (!strength) ovk__amg_strength_free(&s->strength);
  OVK_TRY(ovk__amg_gather(H->ctx, H->options.gather, modes->count, &s->aggregates.coarse, &stride));
  const ovk_err err = ovk__amg_tentative_create(&s->rows, &s->aggregates, modes, &s->T, &next);
  level->modes = next.count;
  ovk__amg_modes_free(modes);
  *modes = next;
  if (err) return err;
  OVK_TRY(ovk__amg_prolongator_create(&s->rows, strength, &s->T,
                                      ovk__amg_level_damping(&H->options, level), &s->P));
  ovk__amg_strength_free(&s->strength);
  ovk__amg_entries_free(&s->T.own);
  hierarchy_end_phase(H, OVK__AMG_PROLONGATORS);
  OVK_TRY(ovk__amg_level_multiply(&H->options, level, &s->rows, &s->P, coarse, &A, &hash));
  if (hierarchy_ordered(H)) OVK_TRY(hierarchy_order(&A));
  hierarchy_end_phase(H, OVK__AMG_PRODUCTS);
  ovk__amg_rows_free(&s->rows);
  hierarchy_add_hash(H, H->n, hash);
  OVK_TRY(hierarchy_append(H, A, stride));
  OVK_TRY(ovk__amg_transfer_create(H->ctx, &s->P, &level->layout, coarse, hierarchy_ordered(H),
                                   &level->P));
  hierarchy_end_phase(H, OVK__AMG_PROLONGATORS);
  return OVK_OK;
}

/* Keeps the aggregates of a level for updates that need them. */
static void step_keep_aggregates(ovk__amg_hierarchy *H, step *s)
{
  if (H->options.update != OVK__AMG_RENEW_PROLONGATORS || H->renewing) return;
  H->kept[H->nkept++] = s->aggregates;
  s->aggregates = (ovk__amg_aggregates){0};
}

static ovk_err hierarchy_add_smoother(ovk__amg_hierarchy *H, int k)
{
  OVK_TRY(ovk__amg_level_add_smoother(&H->options, &H->level[k]));
  hierarchy_end_phase(H, OVK__AMG_SMOOTHERS);
  return OVK_OK;
}

/* Gives the last level its smoother, and the hierarchy a next level if it can be made coarser. */
static ovk_err hierarchy_step(ovk__amg_hierarchy *H, ovk__amg_modes *modes, bool *done)
{
  const int last = H->n - 1;
  step s = {0};
  bool enough = false;
  OVK_TRY(hierarchy_add_smoother(H, last));
  *done = H->n == H->options.levels;
  if (*done) return OVK_OK;
  ovk_err err = step_aggregate(H, modes, &s, &enough);
  hierarchy_end_phase(H, OVK__AMG_AGGREGATES);
  if (!err && enough) err = step_coarsen(H, &s, modes);
  if (!err && enough) step_keep_aggregates(H, &s);
  *done = H->stalled = !enough;
  step_free(&s);
  if (!err && enough) err = hierarchy_copy(H, last);
  return err;
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
  hierarchy_end_phase(H, OVK__AMG_INVERSE);
  return OVK_OK;
}

static ovk_err hierarchy_fill(ovk__amg_hierarchy *H, const ovk_mat *A, ovk__amg_modes *modes)
{
  bool done = false;
  OVK_TRY(ovk__agree(H->ctx, ovk__amg_modes_create(A, H->options.block, modes)));
  H->lacks_modes = (modes->block == 2 || modes->block == 3) && ovk_mat_near_nullspace_size(A) == 0;
  OVK_TRY(hierarchy_append(H, (ovk_mat *)A, 1)); /* which it does not change, nor destroy */
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
  uint64_t hash = 0;
  ovk__amg_rows_begin(ovk__amg_level_symmetric(level), &rows);
  ovk_err err = ovk__agree(H->ctx, ovk__amg_transfer_entries(H->ctx, &level->P, &P));
  if (!err) err = ovk__amg_level_multiply(&H->options, level, &rows, &P, &next->layout, &A, &hash);
  ovk__amg_rows_free(&rows);
  ovk__amg_entries_free(&P);
  if (!err && hierarchy_ordered(H)) err = hierarchy_order(&A);
  if (err) return err;
  ovk__amg_level_set_matrix(next, A);
  hierarchy_add_hash(H, k + 1, hash);
  return OVK_OK;
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
    hierarchy_end_phase(H, OVK__AMG_PRODUCTS);
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
