/* SPDX-License-Identifier: BSD-2-Clause */
/* P^T A P, row by row of A: row i of A P is summed in a dense array, and each P_iJ (A P)_iK with
 * J <= K is added to entry (J,K). The other half is its mirror image. A P is not stored.
 *
 * Entries are summed in the order of fine rows of the whole problem: first the terms of lower
 * ranks, then own ones, then those of higher ranks. */
#include "precond/amg/setup/galerkin.h"
#include "core/base/hash64.h"
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "precond/amg/setup/accumulator.h"

#include <stdlib.h>
#include <string.h>

typedef struct product {
  const ovk__amg_rows *rows;
  const ovk__amg_entries *P; /* own rows */
  ovk__amg_entries ghost;    /* rows of ghosts */
  const ovk__layout *layout; /* coarse rows */
  ovk_gidx *first;           /* coarse rows of ranks */

  /* coarse columns of this rank: own ones, then those in `foreign` */
  ovk_gidx *foreign; /* increasing */
  ovk_lidx nforeign;
  ovk_lidx *own_col, *ghost_col; /* of the entries of P and ghost */

  /* row i of A P */
  double *value;  /* of each column */
  ovk_lidx *used; /* the columns in it */
  bool *in_use;   /* of each column */
  ovk_lidx nused;

  ovk__amg_sums sums;
  ovk__amg_parcel parcel;
} product;

static void product_free(product *p)
{
  ovk__amg_entries_free(&p->ghost);
  ovk__amg_sums_free(&p->sums);
  ovk__amg_parcel_free(&p->parcel);
  free(p->first);
  free(p->foreign);
  free(p->own_col);
  free(p->ghost_col);
  free(p->value);
  free(p->used);
  free(p->in_use);
}

static bool product_owns(const product *p, ovk_gidx col)
{
  return col >= p->layout->first && col < p->layout->first + p->layout->local;
}

/* Appends the foreign columns of e, in any order and repeated. */
static void product_list(product *p, const ovk__amg_entries *e)
{
  for (int64_t k = 0; k < e->ptr[e->rows]; k++) {
    if (!product_owns(p, e->col[k])) p->foreign[p->nforeign++] = e->col[k];
  }
}

static int64_t product_count(const product *p, const ovk__amg_entries *e)
{
  int64_t n = 0;
  for (int64_t k = 0; k < e->ptr[e->rows]; k++) n += !product_owns(p, e->col[k]);
  return n;
}

static ovk_err product_find_foreign(product *p)
{
  const int64_t room = product_count(p, p->P) + product_count(p, &p->ghost);
  OVK_CHECK(room < INT32_MAX, p->rows->A->ctx, OVK_ERR_RANGE,
            "amg: %lld entries interpolate from other ranks", (long long)room);
  OVK_NEW_ARRAY(p->rows->A->ctx, p->foreign, room);
  product_list(p, p->P);
  product_list(p, &p->ghost);
  p->nforeign = ovk__amg_columns_sort(p->foreign, p->nforeign);
  return OVK_OK;
}

/* The number of a coarse column on this rank. */
static ovk_lidx product_local(const product *p, ovk_gidx col)
{
  if (product_owns(p, col)) return (ovk_lidx)(col - p->layout->first);
  return p->layout->local + ovk__amg_columns_find(p->foreign, p->nforeign, col);
}

static ovk_gidx product_global(const product *p, ovk_lidx col)
{
  return col < p->layout->local ? p->layout->first + col : p->foreign[col - p->layout->local];
}

static ovk_err product_number(const product *p, const ovk__amg_entries *e, ovk_lidx **out)
{
  const int64_t nnz = e->ptr[e->rows];
  OVK_NEW_ARRAY(p->rows->A->ctx, *out, nnz);
  for (int64_t k = 0; k < nnz; k++) (*out)[k] = product_local(p, e->col[k]);
  return OVK_OK;
}

static ovk_err product_prepare(product *p)
{
  ovk_ctx *ctx = p->rows->A->ctx;
  OVK_TRY(product_find_foreign(p));
  const ovk_lidx columns = p->layout->local + p->nforeign;
  OVK_TRY(product_number(p, p->P, &p->own_col));
  OVK_TRY(product_number(p, &p->ghost, &p->ghost_col));
  OVK_NEW_ZEROS(ctx, p->value, columns);
  OVK_NEW_ZEROS(ctx, p->in_use, columns);
  OVK_NEW_ARRAY(ctx, p->used, columns);
  return ovk__amg_sums_create(ctx, p->layout->local, &p->sums);
}

/* Adds a times row j of P to the row of A P. */
static void product_add_row(product *p, double a, ovk_lidx j)
{
  const bool own = j < p->rows->n;
  const ovk__amg_entries *e = own ? p->P : &p->ghost;
  const ovk_lidx *col = own ? p->own_col : p->ghost_col, row = own ? j : j - p->rows->n;
  for (int64_t k = e->ptr[row]; k < e->ptr[row + 1]; k++) {
    const ovk_lidx c = col[k];
    if (!p->in_use[c]) {
      p->in_use[c] = true;
      p->used[p->nused++] = c;
    }
    p->value[c] += a * e->val[k];
  }
}

static void product_clear_row(product *p)
{
  for (ovk_lidx k = 0; k < p->nused; k++) {
    p->in_use[p->used[k]] = false;
    p->value[p->used[k]] = 0;
  }
  p->nused = 0;
}

/* Adds weight times the row of A P to coarse row J, a column of this rank: to its sums, or to the
 * parcel for other ranks. */
static ovk_err product_scatter(product *p, ovk_lidx J, double weight, bool own)
{
  const ovk_gidx row = product_global(p, J);
  for (ovk_lidx k = 0; k < p->nused; k++) {
    const ovk_gidx col = product_global(p, p->used[k]);
    const double value = weight * p->value[p->used[k]];
    if (col < row) continue;
    if (own) {
      OVK_TRY(ovk__amg_sums_add(&p->sums, J, col, value));
    } else {
      OVK_TRY(ovk__amg_parcel_add(p->rows->A->ctx, &p->parcel, (ovk__amg_item){row, col, value}));
    }
  }
  return OVK_OK;
}

/* The terms of this rank's fine rows for its own coarse rows, or for those of other ranks. */
static ovk_err product_multiply(product *p, bool own)
{
  const ovk__amg_rows *rows = p->rows;
  const ovk__amg_entries *P = p->P;
  for (ovk_lidx i = 0; i < rows->n; i++) {
    bool any = false;
    for (int64_t k = P->ptr[i]; k < P->ptr[i + 1]; k++) {
      any = any || product_owns(p, P->col[k]) == own;
    }
    if (!any) continue;
    for (int64_t k = rows->ptr[i]; k < rows->ptr[i + 1]; k++) {
      product_add_row(p, rows->val[k], rows->col[k]);
    }
    for (int64_t k = P->ptr[i]; k < P->ptr[i + 1]; k++) {
      if (product_owns(p, P->col[k]) != own) continue;
      OVK_TRY(product_scatter(p, p->own_col[k], P->val[k], own));
    }
    product_clear_row(p);
  }
  return OVK_OK;
}

/* Adds the terms of lower ranks, or of higher ones. */
static ovk_err product_add_received(product *p, const ovk__neighbour_messages *in, bool lower)
{
  const ovk__amg_item *item = in->items;
  for (int m = 0; m < in->n; m++) {
    for (int k = 0; k < in->list[m].count; k++, item++) {
      if ((in->list[m].rank < ovk_ctx_rank(p->rows->A->ctx)) != lower) continue;
      const ovk_lidx row = (ovk_lidx)(item->row - p->layout->first);
      OVK_TRY(ovk__amg_sums_add(&p->sums, row, item->col, item->val));
    }
  }
  return OVK_OK;
}

static ovk_err product_sum(product *p)
{
  ovk__neighbour_messages in;
  OVK_TRY(
      ovk__amg_parcel_send(p->rows->A->ctx, product_multiply(p, false), p->first, &p->parcel, &in));
  ovk__amg_parcel_free(&p->parcel);
  ovk_err err = product_add_received(p, &in, true);
  if (!err) err = product_multiply(p, true);
  if (!err) err = product_add_received(p, &in, false);
  ovk__neighbour_messages_free(&in);
  return ovk__agree(p->rows->A->ctx, err);
}

/* Adds the sums and their mirror images to the matrix; *hash <- a hash of this rank's sums. */
static ovk_err product_store(product *p, ovk_mat *coarse, uint64_t *hash)
{
  for (ovk_lidx i = 0; i < p->sums.rows; i++) {
    const ovk__amg_sum_row *r = &p->sums.row[i];
    const ovk_gidx row = p->layout->first + i;
    uint64_t of_row = ovk__mix((uint64_t)row);
    ovk__amg_sums_sort(&p->sums, i);
    for (int32_t k = 0; k < r->n; k++) {
      uint64_t bits;
      memcpy(&bits, &r->val[k], sizeof bits);
      of_row = ovk__mix(of_row + (uint64_t)r->col[k]) ^ ovk__mix(bits);
      OVK_TRY(ovk_mat_add(coarse, row, r->col[k], r->val[k]));
      if (r->col[k] != row) OVK_TRY(ovk_mat_add(coarse, r->col[k], row, r->val[k]));
    }
    *hash += ovk__mix(of_row);
  }
  return OVK_OK;
}

static ovk_err product_make(product *p, ovk_mat **coarse, uint64_t *hash)
{
  const ovk_mat *A = p->rows->A;
  ovk_ctx *ctx = A->ctx;
  uint64_t own = 0;
  OVK_TRY(ovk__amg_entries_fetch(ctx, &A->layout, p->P, A->ghosts.col, A->ghosts.count, &p->ghost));
  OVK_TRY(ovk__layout_gather(ctx, p->layout, &p->first));
  OVK_TRY(ovk__agree(ctx, product_prepare(p)));
  OVK_TRY(product_sum(p));
  OVK_TRY(ovk_mat_create(ctx, p->layout->local, coarse));
  (void)product_store(p, *coarse, &own); /* assembly reports a failure */
  OVK_TRY(ovk_mat_assemble(*coarse));
  OVK_TRY_MPI(ctx, MPI_Allreduce(&own, hash, 1, MPI_UINT64_T, MPI_SUM, ovk_ctx_comm(ctx)));
  return OVK_OK;
}

ovk_err ovk__amg_galerkin(const ovk__amg_rows *rows, const ovk__amg_entries *P,
                          const ovk__layout *layout, ovk_mat **coarse, uint64_t *hash)
{
  product p = {.rows = rows, .P = P, .layout = layout};
  *coarse = NULL;
  const ovk_err err = product_make(&p, coarse, hash);
  if (err) ovk_mat_destroy(coarse);
  product_free(&p);
  return err;
}
