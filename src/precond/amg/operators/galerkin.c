/* SPDX-License-Identifier: BSD-2-Clause */
/* P^T A P, row by row of A: row i of A P is summed in a dense array, and each P_iJ (A P)_iK with
 * J <= K is added to entry (J,K). The other half is its mirror image. A P is not stored. Columns
 * come in groups, one for each mode of an aggregate, whose entries are looked up as one block.
 *
 * Entries are summed in the order of fine rows of the whole problem: first the terms of lower
 * ranks, then own ones, then those of higher ranks. */
#include "precond/amg/operators/galerkin.h"
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "precond/amg/operators/columns.h"
#include "precond/amg/operators/mirror.h"

#include <stdlib.h>

typedef struct product {
  const ovk__amg_rows *rows;
  const ovk__amg_entries *P; /* own rows */
  ovk__amg_entries ghost;    /* rows of ghosts */
  const ovk__layout *layout; /* coarse rows */
  int size;                  /* of groups */
  ovk_gidx *first;           /* coarse rows of ranks */
  ovk__amg_columns groups;
  ovk_lidx *own_col, *ghost_col;     /* of the entries of P and ghost: columns of this rank, */
  ovk_lidx *own_group, *ghost_group; /* and their groups; NULL: the same, of one column each */

  /* row i of A P */
  double *value;  /* of each column */
  ovk_lidx *used; /* the groups in it */
  bool *in_use;   /* of each group */
  ovk_lidx nused;

  ovk__amg_sums sums;
  ovk__amg_parcel parcel;
} product;

static void galerkin_free(product *p)
{
  ovk__amg_entries_free(&p->ghost);
  ovk__amg_columns_free(&p->groups);
  ovk__amg_sums_free(&p->sums);
  ovk__amg_parcel_free(&p->parcel);
  free(p->first);
  free(p->own_col);
  free(p->ghost_col);
  free(p->own_group);
  free(p->ghost_group);
  free(p->value);
  free(p->used);
  free(p->in_use);
}

/* The number of a column on this rank. */
static ovk_lidx galerkin_local(const product *p, ovk_gidx col)
{
  if (ovk__layout_owns(p->layout, col)) return (ovk_lidx)(col - p->layout->first);
  const ovk_lidx group = ovk__amg_columns_local(&p->groups, col / p->size);
  return group * p->size + (ovk_lidx)(col % p->size);
}

static ovk_err galerkin_number(const product *p, const ovk__amg_entries *e, ovk_lidx **cols,
                               ovk_lidx **groups)
{
  const int64_t nnz = e->ptr[e->rows];
  OVK_NEW_ARRAY(p->rows->A->ctx, *cols, nnz);
  for (int64_t k = 0; k < nnz; k++) (*cols)[k] = galerkin_local(p, e->col[k]);
  if (p->size == 1) return OVK_OK;
  OVK_NEW_ARRAY(p->rows->A->ctx, *groups, nnz);
  for (int64_t k = 0; k < nnz; k++) (*groups)[k] = (*cols)[k] / p->size;
  return OVK_OK;
}

static ovk_err galerkin_prepare(product *p)
{
  ovk_ctx *ctx = p->rows->A->ctx;
  const ovk__amg_entries *entries[] = {p->P, &p->ghost};
  OVK_TRY(ovk__amg_columns_create(ctx, p->layout, p->size, entries, 2, &p->groups));
  const ovk_lidx groups = p->groups.own + p->groups.nforeign;
  OVK_TRY(galerkin_number(p, p->P, &p->own_col, &p->own_group));
  OVK_TRY(galerkin_number(p, &p->ghost, &p->ghost_col, &p->ghost_group));
  OVK_NEW_ZEROS(ctx, p->value, (int64_t)groups * p->size);
  OVK_NEW_ZEROS(ctx, p->in_use, groups);
  OVK_NEW_ARRAY(ctx, p->used, groups);
  return ovk__amg_sums_create(ctx, p->groups.own, p->size, &p->sums);
}

/* Adds a times row j of P to the row of A P. */
static inline void galerkin_add_row(product *p, double a, ovk_lidx j)
{
  const bool own = j < p->rows->n;
  const ovk__amg_entries *e = own ? p->P : &p->ghost;
  const ovk_lidx *col = own ? p->own_col : p->ghost_col, row = own ? j : j - p->rows->n;
  const ovk_lidx *group = p->size == 1 ? col : own ? p->own_group : p->ghost_group;
  for (int64_t k = e->ptr[row]; k < e->ptr[row + 1]; k++) {
    if (!p->in_use[group[k]]) {
      p->in_use[group[k]] = true;
      p->used[p->nused++] = group[k];
    }
    p->value[col[k]] += a * e->val[k];
  }
}

static void galerkin_clear_row(product *p)
{
  for (ovk_lidx k = 0; k < p->nused; k++) {
    p->in_use[p->used[k]] = false;
    for (int c = 0; c < p->size; c++) p->value[p->used[k] * p->size + c] = 0;
  }
  p->nused = 0;
}

/* Some entries of row i of P, of one group J. */
typedef struct run {
  ovk_lidx J;
  int n;
  const ovk_lidx *col;
  const double *val;
} run;

/* Adds the terms of group L of the row of A P to a block of this rank. */
static inline void galerkin_add_block(const product *p, const run *r, ovk_lidx L, double *block)
{
  const ptrdiff_t size = p->size;
  const double *value = p->value + L * size;
  for (int k = 0; k < r->n; k++) {
    double *row = block + (r->col[k] - r->J * size) * size;
    for (ptrdiff_t c = 0; c < size; c++) row[c] += r->val[k] * value[c];
  }
}

/* The same for a block of another rank. */
static ovk_err galerkin_send_block(product *p, const run *r, ovk_lidx L)
{
  const ovk_gidx J = ovk__amg_columns_global(&p->groups, r->J),
                 col = ovk__amg_columns_global(&p->groups, L) * p->size;
  for (int k = 0; k < r->n; k++) {
    const ovk_gidx row = J * p->size + (r->col[k] - r->J * p->size);
    for (int c = 0; c < p->size; c++) {
      const double value = r->val[k] * p->value[L * p->size + c];
      const ovk__amg_item item = {row, col + c, value};
      OVK_TRY(ovk__amg_parcel_add(p->rows->A->ctx, &p->parcel, item));
    }
  }
  return OVK_OK;
}

/* Adds the products of a run and the row of A P to the blocks of the upper half. */
static ovk_err galerkin_scatter(product *p, const run *r)
{
  const bool own = r->J < p->groups.own;
  const ovk_gidx J = ovk__amg_columns_global(&p->groups, r->J);
  for (ovk_lidx k = 0; k < p->nused; k++) {
    const ovk_lidx L = p->used[k];
    const ovk_gidx col = ovk__amg_columns_global(&p->groups, L);
    double *block;
    if (col < J) continue;
    if (!own) {
      OVK_TRY(galerkin_send_block(p, r, L));
      continue;
    }
    OVK_TRY(ovk__amg_sums_block(&p->sums, r->J, col, &block));
    galerkin_add_block(p, r, L, block);
  }
  return OVK_OK;
}

/* The run of row i of P that starts with entry k. */
static run galerkin_run(const product *p, ovk_lidx i, int64_t k)
{
  const ovk_lidx *group = p->size == 1 ? p->own_col : p->own_group;
  run r = {group[k], 1, p->own_col + k, p->P->val + k};
  while (k + r.n < p->P->ptr[i + 1] && group[k + r.n] == r.J) r.n++;
  return r;
}

/* The terms of this rank's fine rows for its own coarse rows, or for those of other ranks. */
static ovk_err galerkin_multiply(product *p, bool own)
{
  const ovk__amg_rows *rows = p->rows;
  const ovk__amg_entries *P = p->P;
  for (ovk_lidx i = 0; i < rows->n; i++) {
    bool any = false;
    for (int64_t k = P->ptr[i]; k < P->ptr[i + 1]; k++) {
      any = any || (p->own_col[k] < p->layout->local) == own;
    }
    if (!any) continue;
    for (int64_t k = rows->ptr[i]; k < rows->ptr[i + 1]; k++) {
      galerkin_add_row(p, rows->val[k], rows->col[k]);
    }
    for (int64_t k = P->ptr[i]; k < P->ptr[i + 1];) {
      const run r = galerkin_run(p, i, k);
      if ((r.J < p->groups.own) == own) OVK_TRY(galerkin_scatter(p, &r));
      k += r.n;
    }
    galerkin_clear_row(p);
  }
  return OVK_OK;
}

/* Adds the terms of lower ranks, or of higher ones. */
static ovk_err galerkin_add_received(product *p, const ovk__neighbour_messages *in, bool lower)
{
  const ovk__amg_item *item = in->items;
  for (int m = 0; m < in->n; m++) {
    for (int k = 0; k < in->list[m].count; k++, item++) {
      if ((in->list[m].rank < ovk_ctx_rank(p->rows->A->ctx)) != lower) continue;
      const ovk_lidx row = (ovk_lidx)(item->row - p->layout->first);
      double *block;
      OVK_TRY(ovk__amg_sums_block(&p->sums, row / p->size, item->col / p->size, &block));
      block[(ovk_gidx)(row % p->size) * p->size + item->col % p->size] += item->val;
    }
  }
  return OVK_OK;
}

static ovk_err galerkin_sum(product *p)
{
  ovk__neighbour_messages in;
  OVK_TRY(ovk__amg_parcel_send(p->rows->A->ctx, galerkin_multiply(p, false), p->first, &p->parcel,
                               &in));
  ovk__amg_parcel_free(&p->parcel);
  ovk_err err = galerkin_add_received(p, &in, true);
  if (!err) err = galerkin_multiply(p, true);
  if (!err) err = galerkin_add_received(p, &in, false);
  ovk__neighbour_messages_free(&in);
  return ovk__agree(p->rows->A->ctx, err);
}

static ovk_err galerkin_make(product *p, ovk_mat **coarse, uint64_t *hash)
{
  const ovk_mat *A = p->rows->A;
  ovk_ctx *ctx = A->ctx;
  OVK_TRY(ovk__amg_entries_fetch(ctx, &A->layout, p->P, A->ghosts.col, A->ghosts.count, &p->ghost));
  OVK_TRY(ovk__layout_gather(ctx, p->layout, &p->first));
  OVK_TRY(ovk__agree(ctx, galerkin_prepare(p)));
  OVK_TRY(galerkin_sum(p));
  return ovk__amg_mirror(&p->sums, p->layout, coarse, hash);
}

ovk_err ovk__amg_galerkin(const ovk__amg_rows *rows, const ovk__amg_entries *P, int modes,
                          const ovk__layout *layout, ovk_mat **coarse, uint64_t *hash)
{
  product p = {.rows = rows, .P = P, .size = modes, .layout = layout};
  const ovk_err err = galerkin_make(&p, coarse, hash);
  galerkin_free(&p);
  return err;
}
