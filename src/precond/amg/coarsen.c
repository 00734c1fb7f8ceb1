/* SPDX-License-Identifier: BSD-2-Clause */
/* From a level to the next one: strength, aggregates, prolongator, coarse matrix. */
#include "precond/amg/coarsen.h"
#include "core/base/hash64.h"
#include "core/context/agree.h"
#include "precond/amg/gather.h"
#include "precond/amg/prolongator/prolongator.h"

/* Coarsening stalls where a level has more than this fraction of the rows before it. */
static const double STALLED = 2. / 3;

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

void ovk__amg_end_phase(ovk__amg_hierarchy *H, ovk__amg_phase phase)
{
  const double now = MPI_Wtime();
  H->seconds[phase] += now - H->clock;
  H->clock = now;
}

/* A level is visited twice in a mixed cycle if its matrix has at most this part of the entries of
 * A: it gains iterations and costs hardly any time. */
static const double SMALL_PART = 0.05;

/* Whether level k, with so many entries, is visited twice in each visit of the level before. */
static bool coarsen_visits_twice(const ovk__amg_hierarchy *H, int k, int64_t nnz)
{
  const bool first = k == 1 || (k == 2 && !H->level[1].twice);
  const bool small = k > 0 && (double)nnz <= SMALL_PART * (double)H->level->nnz;
  return H->options.cycle == OVK__AMG_W || (H->options.cycle == OVK__AMG_MIXED && first && small);
}

ovk_err ovk__amg_append(ovk__amg_hierarchy *H, ovk_mat *A, int stride)
{
  const int k = H->n++;
  return ovk__amg_level_create(k, stride, coarsen_visits_twice(H, k, A->nnz), A, &H->level[k]);
}

/* Whether the bits of a cycle must not depend on the partition: then all levels are in order. */
static bool coarsen_ordered(const ovk__amg_hierarchy *H)
{
  return H->level[0].A->ordered;
}

ovk_err ovk__amg_multiply(ovk__amg_hierarchy *H, int k, ovk__amg_rows *rows,
                          const ovk__amg_entries *P, const ovk__layout *coarse, ovk_mat **A)
{
  uint64_t hash = 0;
  OVK_TRY(ovk__amg_level_multiply(&H->options, &H->level[k], rows, P, coarse, A, &hash));
  H->hash = ovk__mix(H->hash ^ hash) + (uint64_t)(k + 1);
  const ovk_err err = coarsen_ordered(H) ? ovk__mat_put_in_order(*A) : OVK_OK;
  if (err) ovk_mat_destroy(A);
  return err;
}

static ovk_err step_read_rows(const ovk_mat *A, int block, step *s)
{
  OVK_TRY(ovk__amg_rows_create(A, &s->rows));
  return block > 1 ? ovk__amg_points_create(&s->rows, block, &s->points) : OVK_OK;
}

static ovk_err coarsen_check_memory(const ovk__amg_hierarchy *H, int k)
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
  OVK_TRY(coarsen_check_memory(H, last));
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

/* Makes the transfers and the next level; *modes <- its modes. */
static ovk_err step_coarsen(ovk__amg_hierarchy *H, step *s, ovk__amg_modes *modes)
{
  ovk__amg_level *level = &H->level[H->n - 1];
  const ovk__layout *coarse = &s->T.coarse;
  const ovk__amg_strength *strength = modes->val ? NULL : &s->strength; /* keeps constants only */
  int stride = level->stride;
  ovk__amg_modes next;
  ovk_mat *A;
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
  ovk__amg_end_phase(H, OVK__AMG_PROLONGATORS);
  OVK_TRY(ovk__amg_multiply(H, H->n - 1, &s->rows, &s->P, coarse, &A));
  ovk__amg_end_phase(H, OVK__AMG_PRODUCTS);
  ovk__amg_rows_free(&s->rows);
  OVK_TRY(ovk__amg_append(H, A, stride));
  OVK_TRY(ovk__amg_transfer_create(H->ctx, &s->P, &level->layout, coarse, coarsen_ordered(H),
                                   &level->P));
  ovk__amg_end_phase(H, OVK__AMG_PROLONGATORS);
  return OVK_OK;
}

/* Keeps the aggregates of a level for updates that need them. */
static void step_keep_aggregates(ovk__amg_hierarchy *H, step *s)
{
  if (H->options.update != OVK__AMG_RENEW_PROLONGATORS || H->renewing) return;
  H->kept[H->nkept++] = s->aggregates;
  s->aggregates = (ovk__amg_aggregates){0};
}

ovk_err ovk__amg_coarsen(ovk__amg_hierarchy *H, ovk__amg_modes *modes, bool *enough)
{
  step s = {0};
  *enough = false;
  ovk_err err = step_aggregate(H, modes, &s, enough);
  ovk__amg_end_phase(H, OVK__AMG_AGGREGATES);
  if (!err && *enough) err = step_coarsen(H, &s, modes);
  if (!err && *enough) step_keep_aggregates(H, &s);
  step_free(&s);
  return err;
}
