/* SPDX-License-Identifier: BSD-2-Clause */
/* P^T A P, by bands of rows of A: the rows of A P of a band are computed; then, coarse row by
 * coarse row, each P_iJ (A P)_iK is added to entry (J,K). Of a symmetric matrix half of the sums or
 * of A is enough. Columns come in groups, one for each mode of an aggregate, whose entries are
 * blocks.
 *
 * Entries are summed in the order of fine rows of the whole problem: first the terms of lower
 * ranks, then those of this rank, then those of higher ranks. */
#include "precond/amg/operators/galerkin.h"
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "precond/amg/operators/mirror.h"
#include "precond/amg/operators/terms.h"

#include <stdlib.h>

typedef struct galerkin {
  ovk_ctx *ctx;
  ovk__amg_rows *rows;
  const ovk__amg_entries *P; /* own rows */
  ovk__amg_entries ghosts;   /* rows of ghosts */
  const ovk__layout *layout; /* coarse rows */
  int size;                  /* of groups */
  ovk__amg_part part;        /* of the sums */
  ovk__amg_sums_pattern *pattern;
  ovk_gidx *first;            /* coarse rows of ranks */
  ovk__amg_numbering columns; /* groups */
  ovk__amg_product AP;
  ovk__amg_terms terms;
  ovk__amg_sums sums;
  ovk__stash stash;
} galerkin;

/* Frees the data of products: the matrix of the sums takes over their memory, as the first use of
 * new memory takes longer than entering the entries. */
static void galerkin_end_products(galerkin *g)
{
  ovk__amg_rows_drop(g->rows);
  ovk__amg_product_free(&g->AP);
  ovk__amg_terms_free(&g->terms);
}

static void galerkin_free(galerkin *g)
{
  galerkin_end_products(g);
  ovk__amg_sums_free(&g->sums);
  ovk__stash_clear(&g->stash);
  ovk__amg_numbering_free(&g->columns);
  ovk__amg_entries_free(&g->ghosts);
  free(g->first);
}

static ovk_err galerkin_number(galerkin *g)
{
  const ovk__amg_entries *entries[] = {g->P, &g->ghosts};
  ovk__amg_columns columns;
  ovk_err err = ovk__amg_columns_create(g->ctx, g->layout, g->size, entries, 2, &columns);
  if (!err) err = ovk__amg_numbering_create(g->ctx, &columns, &g->columns);
  ovk__amg_columns_free(&columns);
  return err;
}

static ovk_err galerkin_prepare(galerkin *g)
{
  OVK_TRY(galerkin_number(g));
  OVK_TRY(ovk__amg_product_create(g->rows, g->P, &g->ghosts, &g->columns, g->size, &g->AP));
  return ovk__amg_terms_create(g->ctx, g->columns.n, &g->terms);
}

/* A symmetric A with at least so many entries a row is halved: then half of the work for A P takes
 * less time than blocks on both sides of the diagonal. */
enum { LEAST_HALVED = 14 };

static ovk__amg_part galerkin_part(const ovk_mat *A, bool symmetric)
{
  const bool halved = A->nnz >= LEAST_HALVED * A->layout.global;
  return !symmetric ? OVK__AMG_WHOLE : halved ? OVK__AMG_HALF : OVK__AMG_UPPER;
}

/* The first group whose sums with group J are made. */
static ovk_lidx galerkin_least(const galerkin *g, ovk_lidx J)
{
  return g->part == OVK__AMG_UPPER ? J : 0;
}

/* Adds a term of coarse group J to the blocks of the open row. */
static ovk_err galerkin_add_term(galerkin *g, ovk_lidx J, const ovk__amg_term *t)
{
  const ovk__amg_product *AP = &g->AP;
  const ptrdiff_t size = g->size;
  const ovk_lidx *col = AP->own.col + t->k;
  const double *val = g->P->val + t->k;
  const ovk_lidx least = galerkin_least(g, J);
  for (int64_t k = AP->ptr[t->row]; k < AP->ptr[t->row + 1]; k++) {
    if (AP->group[k] < least) continue;
    double *block;
    OVK_TRY(ovk__amg_sums_block(&g->sums, AP->group[k], size * size, &block));
    for (int32_t l = 0; l < t->n; l++) {
      double *row = block + (col[l] - J * size) * size;
      for (ptrdiff_t c = 0; c < size; c++) row[c] += val[l] * AP->val[k * size + c];
    }
  }
  return OVK_OK;
}

/* The same for blocks of one number. Groups below J go to numbers that are not used, as a branch
 * would often be mispredicted. */
static ovk_err galerkin_add_number(galerkin *g, ovk_lidx J, const ovk__amg_term *t)
{
  const ovk__amg_product *AP = &g->AP;
  const ovk_lidx *group = AP->group, least = galerkin_least(g, J);
  const int32_t *place = g->sums.place;
  const double a = g->P->val[t->k], *val = AP->val;
  double unused[4] = {0};
  for (int64_t k = AP->ptr[t->row]; k < AP->ptr[t->row + 1]; k++) {
    const ovk_lidx K = group[k];
    const bool counts = K >= least;
    if (counts & (place[K] == 0)) OVK_TRY(ovk__amg_sums_append(&g->sums, K));
    double *sum = counts ? g->sums.open->val + (place[K] - 1) : unused + k % 4;
    *sum += a * val[k];
  }
  return OVK_OK;
}

/* Sends the numbers of a term to the rank that owns coarse group J. */
static ovk_err galerkin_send_term(galerkin *g, ovk_lidx J, const ovk__amg_term *t)
{
  const ovk__amg_product *AP = &g->AP;
  for (int64_t k = AP->ptr[t->row]; k < AP->ptr[t->row + 1]; k++) {
    if (AP->group[k] < galerkin_least(g, J)) continue;
    for (int32_t l = 0; l < t->n; l++) {
      for (int c = 0; c < g->size; c++) {
        const ovk__entry item = {.row = g->P->col[t->k + l],
                                 .col = g->columns.global[AP->group[k]] * g->size + c,
                                 .value = g->P->val[t->k + l] * AP->val[k * g->size + c]};
        OVK_TRY(ovk__stash_add(g->ctx, &g->stash, item));
      }
    }
  }
  return OVK_OK;
}

/* Adds the terms from number k to `end` - 1 to the row of own group J. */
static ovk_err galerkin_add_terms(galerkin *g, ovk_lidx J, int64_t k, int64_t end)
{
  const ovk__amg_term *term = g->terms.term;
  ovk_err err = OVK_OK;
  ovk__amg_sums_open(&g->sums, J - g->columns.first);
  for (; !err && k < end; k++) {
    err = (g->size == 1 ? galerkin_add_number : galerkin_add_term)(g, J, &term[k]);
  }
  ovk__amg_sums_close(&g->sums);
  return err;
}

static ovk_err galerkin_send_terms(galerkin *g, ovk_lidx J, int64_t k, int64_t end)
{
  for (; k < end; k++) OVK_TRY(galerkin_send_term(g, J, &g->terms.term[k]));
  return OVK_OK;
}

/* The terms of this rank's fine rows for its own coarse rows, or for those of other ranks. */
static ovk_err galerkin_multiply(galerkin *g, bool own)
{
  const ovk_lidx n = own || g->columns.n > g->columns.own ? g->rows->n : 0;
  for (ovk_lidx from = 0, to; from < n; from = to) {
    to = n - from > OVK__AMG_BAND ? from + OVK__AMG_BAND : n;
    OVK_TRY(ovk__amg_terms_list(g->ctx, &g->AP.own, from, to, &g->columns, own, &g->terms));
    if (g->terms.n == 0) continue;
    OVK_TRY(ovk__amg_product_band(&g->AP, from, to, g->terms.needed, g->part));
    int64_t start = 0;
    for (ovk_lidx k = 0; k < g->terms.n; k++) {
      const ovk_lidx J = g->terms.group[k];
      const int64_t end = g->terms.end[J];
      OVK_TRY((own ? galerkin_add_terms : galerkin_send_terms)(g, J, start, end));
      start = end;
    }
  }
  return OVK_OK;
}

/* Makes room for sums, those received included. */
static ovk_err galerkin_create_sums(galerkin *g, const ovk__neighbor_messages *in)
{
  const ovk__entry *item = in->items;
  ovk_gidx *col;
  OVK_CHECK(in->total < INT32_MAX, g->ctx, OVK_ERR_RANGE,
            "amg: other ranks have %zu terms for the rows of a rank, 2^31 - 2 are the most",
            in->total);
  OVK_NEW_ARRAY(g->ctx, col, in->total);
  for (size_t k = 0; k < in->total; k++) col[k] = item[k].col / g->size;
  const ovk_err err = ovk__amg_numbering_extend(g->ctx, &g->columns, col, (ovk_lidx)in->total);
  free(col);
  return err ? err : ovk__amg_sums_create(g->ctx, &g->columns, g->size, g->pattern, &g->sums);
}

/* Adds one number of another rank. */
static ovk_err galerkin_add_item(galerkin *g, const ovk__entry *item)
{
  const int size = g->size;
  const ovk_lidx row = (ovk_lidx)(item->row - g->layout->first);
  double *block;
  ovk__amg_sums_open(&g->sums, row / size);
  const ovk_err err =
      ovk__amg_sums_block(&g->sums, ovk__amg_numbering_local(&g->columns, item->col / size),
                          (ptrdiff_t)size * size, &block);
  if (!err) block[(ovk_gidx)(row % size) * size + item->col % size] += item->value;
  ovk__amg_sums_close(&g->sums);
  return err;
}

/* Adds the terms of lower ranks, or of higher ones. */
static ovk_err galerkin_add_received(galerkin *g, const ovk__neighbor_messages *in, bool lower)
{
  const ovk__entry *item = in->items;
  for (int m = 0; m < in->n; m++) {
    for (int k = 0; k < in->list[m].count; k++, item++) {
      if ((in->list[m].rank < ovk_ctx_rank(g->ctx)) != lower) continue;
      OVK_TRY(galerkin_add_item(g, item));
    }
  }
  return OVK_OK;
}

static ovk_err galerkin_sum(galerkin *g)
{
  ovk__neighbor_messages in;
  OVK_TRY(ovk__stash_exchange(g->ctx, galerkin_multiply(g, false), g->first, &g->stash, &in));
  ovk_err err = galerkin_create_sums(g, &in);
  if (!err) err = galerkin_add_received(g, &in, true);
  if (!err) err = galerkin_multiply(g, true);
  if (!err) err = galerkin_add_received(g, &in, false);
  ovk__neighbor_messages_free(&in);
  return ovk__agree(g->ctx, err);
}

static ovk_err galerkin_make(galerkin *g, ovk_mat **coarse, uint64_t *hash)
{
  const ovk_mat *A = g->rows->A;
  OVK_TRY(
      ovk__amg_entries_fetch(g->ctx, &A->layout, g->P, A->ghosts.col, A->ghosts.count, &g->ghosts));
  OVK_TRY(ovk__layout_gather(g->ctx, g->layout, &g->first));
  OVK_TRY(ovk__agree(g->ctx, galerkin_prepare(g)));
  OVK_TRY(galerkin_sum(g));
  galerkin_end_products(g);
  OVK_TRY(ovk__amg_mirror(&g->sums, g->layout, g->part, coarse, hash));
  const bool keeps = g->pattern && !g->pattern->count;
  return ovk__agree(g->ctx, keeps ? ovk__amg_sums_pattern_create(&g->sums, g->pattern) : OVK_OK);
}

ovk_err ovk__amg_galerkin(ovk__amg_rows *rows, const ovk__amg_entries *P, int modes,
                          const ovk__layout *layout, bool symmetric, ovk__amg_sums_pattern *pattern,
                          ovk_mat **coarse, uint64_t *hash)
{
  galerkin g = {.ctx = rows->A->ctx,
                .rows = rows,
                .P = P,
                .size = modes,
                .part = galerkin_part(rows->A, symmetric),
                .pattern = pattern,
                .layout = layout};
  *coarse = NULL;
  const ovk_err err = galerkin_make(&g, coarse, hash);
  if (err) ovk_mat_destroy(coarse);
  galerkin_free(&g);
  return err;
}
