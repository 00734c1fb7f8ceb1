/* SPDX-License-Identifier: BSD-2-Clause */
/* Aggregates around the roots. Each step reads the state before it only, so the result does not
 * depend on the order of rows. */
#include "precond/amg/aggregation/aggregates.h"
#include "core/context/agree.h"
#include "core/context/mem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ATTACH_PASSES = 3 };

/* The state of the setup of aggregates. Arrays have rows->all numbers. */
typedef struct builder {
  ovk__amg_rows *rows;
  const ovk__amg_strength *strength;
  double *root;   /* the root of the aggregate, as a row of the whole problem; -1: none yet */
  double *next;   /* of the step that is being made */
  double *weight; /* of the aggregates next to a row, by a slot of each */
  double *candidate;
  ovk_lidx *open, nopen;       /* own rows without an aggregate */
  ovk_lidx *foreign, nforeign; /* own rows in aggregates of other ranks */
} builder;

static ovk_err builder_allocate(builder *b)
{
  const ovk__amg_rows *rows = b->rows;
  OVK_NEW_ARRAY(rows->A->ctx, b->root, rows->all);
  OVK_NEW_ARRAY(rows->A->ctx, b->next, rows->all);
  OVK_NEW_ARRAY(rows->A->ctx, b->weight, b->strength->strong.most);
  OVK_NEW_ARRAY(rows->A->ctx, b->candidate, b->strength->strong.most);
  OVK_NEW_ARRAY(rows->A->ctx, b->open, rows->n + 1); /* one is written, but not used */
  OVK_NEW_ARRAY(rows->A->ctx, b->foreign, rows->n);
  return OVK_OK;
}

static void builder_free(builder *b)
{
  free(b->root);
  free(b->next);
  free(b->weight);
  free(b->candidate);
  free(b->open);
  free(b->foreign);
}

static const ovk_lidx *builder_neighbors(const builder *b, ovk_lidx i, ovk_lidx *n)
{
  return ovk__amg_neighbors_of(&b->strength->strong, i, n);
}

/* Roots and their strong neighbors: no row is next to two roots. */
static void builder_start(builder *b, const double *is_root)
{
  const ovk__amg_rows *rows = b->rows;
  for (ovk_lidx i = 0, n; i < rows->n; i++) {
    const ovk_lidx *step = builder_neighbors(b, i, &n);
    b->root[i] = is_root[i] > 0 ? (double)(rows->first + i) : -1;
    for (ovk_lidx k = 0; k < n && b->root[i] < 0; k++) {
      const ovk_lidx j = i + step[k];
      if (is_root[j] > 0) b->root[i] = (double)ovk__amg_rows_global(rows, j);
    }
  }
}

/* The aggregate that row i is coupled to most, the first in the order of roots of several; -1:
 * none. */
static double builder_choose(const builder *b, ovk_lidx i)
{
  const ovk__amg_row row = ovk__amg_rows_row(b->rows, i);
  ovk__amg_strong_ones ones = ovk__amg_strong_begin(b->strength, i);
  double best = -1, most = 0;
  ovk_lidx n = 0;
  for (ovk_lidx k = 0; k < row.n; k++) {
    const double root = b->root[row.col[k]];
    ovk_lidx at = 0;
    if (!ovk__amg_strong_next(&ones, i, row.col[k]) || root < 0) continue;
    while (at < n && b->candidate[at] != root) at++;
    if (at == n) {
      b->candidate[n] = root;
      b->weight[n++] = 0;
    }
    b->weight[at] += fabs(row.val[k]);
  }
  for (ovk_lidx k = 0; k < n; k++) {
    if (b->weight[k] < most || (b->weight[k] == most && b->candidate[k] > best)) continue;
    most = b->weight[k];
    best = b->candidate[k];
  }
  return best;
}

/* Lists the own rows without an aggregate. */
static void builder_list_open(builder *b)
{
  for (ovk_lidx i = 0; i < b->rows->n; i++) {
    b->open[b->nopen] = i;
    b->nopen += b->root[i] < 0;
  }
}

static ovk_err builder_choose_all(builder *b)
{
  for (ovk_lidx k = 0; k < b->nopen; k++) {
    const ovk_lidx i = b->open[k];
    OVK_TRY(ovk__amg_rows_read(b->rows, i, i + 1));
    b->next[i] = builder_choose(b, i);
  }
  return OVK_OK;
}

static ovk_err builder_attach(builder *b)
{
  for (int pass = 0; pass < ATTACH_PASSES; pass++) {
    ovk_lidx left = 0;
    OVK_TRY(ovk__agree(b->rows->A->ctx, builder_choose_all(b)));
    for (ovk_lidx k = 0; k < b->nopen; k++) {
      const ovk_lidx i = b->open[k];
      b->root[i] = b->next[i];
      if (b->root[i] < 0) b->open[left++] = i;
    }
    b->nopen = left;
    OVK_TRY(ovk__amg_rows_exchange(b->rows, b->root));
  }
  return OVK_OK;
}

/* A row with strong couplings that has no aggregate still becomes one. */
static void builder_add_singles(builder *b)
{
  for (ovk_lidx k = 0, n; k < b->nopen; k++) {
    const ovk_lidx i = b->open[k];
    (void)builder_neighbors(b, i, &n);
    if (n > 0 || b->strength->single[i]) b->root[i] = (double)(b->rows->first + i);
  }
}

static ovk_err builder_group(builder *b, double *is_root)
{
  OVK_TRY(ovk__amg_roots(b->rows, b->strength, is_root));
  builder_start(b, is_root);
  OVK_TRY(ovk__amg_rows_exchange(b->rows, b->root));
  builder_list_open(b);
  OVK_TRY(builder_attach(b));
  builder_add_singles(b);
  return ovk__amg_rows_exchange(b->rows, b->root);
}

/* of[i] <- the coarse row of a strong neighbor of row i that has the same root; -1 if none of these
 * is known yet */
static double builder_known_neighbor(const builder *b, const double *of, ovk_lidx i)
{
  ovk_lidx n;
  const ovk_lidx *step = builder_neighbors(b, i, &n);
  for (ovk_lidx k = 0; k < n; k++) {
    const ovk_lidx j = i + step[k];
    if (b->root[j] == b->root[i] && of[j] >= 0) return of[j];
  }
  return -1;
}

/* The coarse row of row i if its root is a row of this rank, whose coarse row is known; else -1. */
static double builder_own_number(const builder *b, const double *of, ovk_lidx i)
{
  const double root = b->root[i] - (double)b->rows->first;
  return b->root[i] >= 0 && root >= 0 && root < b->rows->n ? of[(ovk_lidx)root] : -1;
}

/* Numbers the aggregates of own roots in their order, and the own rows in them; lists the rows of
 * other aggregates. */
static ovk_err builder_number_own(builder *b, ovk__amg_aggregates *out)
{
  const ovk__amg_rows *rows = b->rows;
  ovk_lidx n = 0;
  for (ovk_lidx i = 0; i < rows->n; i++) n += b->root[i] == (double)(rows->first + i);
  OVK_TRY(ovk__agree(rows->A->ctx, ovk__layout_create(rows->A->ctx, n, &out->coarse)));
  n = 0;
  for (ovk_lidx i = 0; i < rows->n; i++) {
    const bool root = b->root[i] == (double)(rows->first + i);
    out->of[i] = root ? (double)(out->coarse.first + n++) : -1;
  }
  for (ovk_lidx i = 0; i < rows->n; i++) {
    if (out->of[i] < 0) out->of[i] = builder_own_number(b, out->of, i);
    if (b->root[i] >= 0 && out->of[i] < 0) b->foreign[b->nforeign++] = i;
  }
  return OVK_OK;
}

/* Numbers the aggregates, and spreads the numbers to rows of other ranks, one neighbor a step: a
 * row has been attached to a neighbor of the step before. */
static ovk_err builder_number(builder *b, ovk__amg_aggregates *out)
{
  const ovk__amg_rows *rows = b->rows;
  OVK_TRY(builder_number_own(b, out));
  for (int step = 0; step <= ATTACH_PASSES; step++) {
    OVK_TRY(ovk__amg_rows_exchange(rows, out->of));
    for (ovk_lidx k = 0; k < b->nforeign; k++) {
      const ovk_lidx i = b->foreign[k];
      b->next[i] = out->of[i] < 0 ? builder_known_neighbor(b, out->of, i) : out->of[i];
    }
    for (ovk_lidx k = 0; k < b->nforeign; k++) out->of[b->foreign[k]] = b->next[b->foreign[k]];
  }
  return ovk__amg_rows_exchange(rows, out->of);
}

static ovk_err aggregates_allocate(builder *b, ovk__amg_aggregates *out)
{
  OVK_TRY(builder_allocate(b));
  OVK_NEW_ARRAY(b->rows->A->ctx, out->of, b->rows->all);
  return OVK_OK;
}

ovk_err ovk__amg_aggregates_create(ovk__amg_rows *rows, const ovk__amg_strength *strength,
                                   ovk__amg_aggregates *out)
{
  builder b = {.rows = rows, .strength = strength};
  *out = (ovk__amg_aggregates){0};
  ovk_err err = ovk__agree(rows->A->ctx, aggregates_allocate(&b, out));
  if (!err) err = builder_group(&b, out->of); /* which holds the roots until rows are numbered */
  if (!err) err = builder_number(&b, out);
  builder_free(&b);
  return err;
}

static ovk_err aggregates_copy_own(const ovk__amg_rows *rows, const ovk__amg_aggregates *from,
                                   ovk__amg_aggregates *out)
{
  OVK_NEW_ARRAY(rows->A->ctx, out->of, rows->all);
  if (rows->n) memcpy(out->of, from->of, (size_t)rows->n * sizeof *out->of);
  return OVK_OK;
}

ovk_err ovk__amg_aggregates_copy(const ovk__amg_rows *rows, const ovk__amg_aggregates *from,
                                 ovk__amg_aggregates *out)
{
  *out = (ovk__amg_aggregates){.coarse = from->coarse};
  OVK_TRY(ovk__agree(rows->A->ctx, aggregates_copy_own(rows, from, out)));
  return ovk__amg_rows_exchange(rows, out->of);
}

void ovk__amg_aggregates_free(ovk__amg_aggregates *aggregates)
{
  free(aggregates->of);
  *aggregates = (ovk__amg_aggregates){0};
}
