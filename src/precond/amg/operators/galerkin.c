/* SPDX-License-Identifier: BSD-2-Clause */
/* P^T A P, by bands of rows of A: the rows of A P of a band are computed; then, coarse row by
 * coarse row, each P_iJ (A P)_iK is added to entry (J,K). Of a symmetric matrix half of the sums or
 * of A is enough. Columns come in groups, one for each mode of an aggregate, whose entries are
 * blocks.
 *
 * Entries are summed in the order of fine rows of the whole problem: first the terms of lower
 * ranks, then those of this rank, then those of higher ranks. For the terms of coarse rows of other
 * ranks, rows of A P and of P are sent. */
#include "precond/amg/operators/galerkin.h"
#include "core/base/cpu_dispatch.h"
#include "core/context/agree.h"
#include "core/context/mem.h"
#include "precond/amg/operators/mirror.h"
#include "precond/amg/operators/remote_rows.h"
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

/* block <- block + p^T val, for rows p and val of `size` numbers. */
OVK_ALWAYS_INLINE void galerkin_add_block(ptrdiff_t size, const float *restrict p,
                                          const double *restrict val, double *restrict block)
{
  for (ptrdiff_t l = 0; l < size; l++) {
    for (ptrdiff_t c = 0; c < size; c++) block[l * size + c] += (double)p[l] * val[c];
  }
}

/* Adds a term of coarse group J to the blocks of the open row, which have size^2 numbers. */
OVK_ALWAYS_INLINE ovk_err galerkin_add_blocks(galerkin *g, ovk_lidx J, const ovk__amg_term *t,
                                              ptrdiff_t size)
{
  const ovk__amg_product *AP = &g->AP;
  const ovk_lidx least = galerkin_least(g, J);
  for (int64_t k = AP->ptr[t->row]; k < AP->ptr[t->row + 1]; k++) {
    double *block;
    if (AP->group[k] < least) continue;
    OVK_TRY(ovk__amg_sums_block(&g->sums, AP->group[k], size * size, &block));
    galerkin_add_block(size, AP->own.several + t->k * size, AP->val + k * size, block);
  }
  return OVK_OK;
}

OVK_FOR_EACH_CPU
static ovk_err galerkin_add_several(galerkin *g, ovk_lidx J, const ovk__amg_term *t)
{
  if (g->size == 6) return galerkin_add_blocks(g, J, t, 6);
  if (g->size == 3) return galerkin_add_blocks(g, J, t, 3);
  return galerkin_add_blocks(g, J, t, g->size);
}

/* The same for blocks of one number. Groups below J go to numbers that are not used, as a branch
 * would often be mispredicted. */
static ovk_err galerkin_add_number(galerkin *g, ovk_lidx J, const ovk__amg_term *t)
{
  const ovk__amg_product *AP = &g->AP;
  const ovk_lidx *group = AP->group, least = galerkin_least(g, J);
  const int32_t *place = g->sums.place;
  const double a = AP->own.number[t->k], *val = AP->val;
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

/* Adds the terms from number k to `end` - 1 to the row of own group J. */
static ovk_err galerkin_add_terms(galerkin *g, ovk_lidx J, int64_t k, int64_t end)
{
  const ovk__amg_term *term = g->terms.term;
  ovk_err err = OVK_OK;
  ovk__amg_sums_open(&g->sums, J - g->columns.first);
  for (; !err && k < end; k++) {
    err = (g->size == 1 ? galerkin_add_number : galerkin_add_several)(g, J, &term[k]);
  }
  ovk__amg_sums_close(&g->sums);
  return err;
}

/* The fine rows of a band. */
static ovk_lidx galerkin_end_of_band(const galerkin *g, ovk_lidx from)
{
  return g->rows->n - from > OVK__AMG_BAND ? from + OVK__AMG_BAND : g->rows->n;
}

/* The terms of this rank's fine rows for its own coarse rows. */
static ovk_err galerkin_multiply(galerkin *g)
{
  for (ovk_lidx from = 0, to; from < g->rows->n; from = to) {
    to = galerkin_end_of_band(g, from);
    OVK_TRY(ovk__amg_terms_list(g->ctx, &g->AP.own, from, to, &g->columns, &g->terms));
    if (g->terms.n == 0) continue;
    OVK_TRY(ovk__amg_product_band(&g->AP, from, to, g->terms.needed, g->part));
    int64_t start = 0;
    for (ovk_lidx k = 0; k < g->terms.n; k++) {
      const ovk_lidx J = g->terms.group[k];
      const int64_t end = g->terms.end[J];
      OVK_TRY(galerkin_add_terms(g, J, start, end));
      start = end;
    }
  }
  return OVK_OK;
}

/* Lists the rows for coarse rows of other ranks. */
static ovk_err galerkin_send(galerkin *g)
{
  const ovk_lidx n = g->columns.n > g->columns.own ? g->rows->n : 0;
  for (ovk_lidx from = 0, to; from < n; from = to) {
    bool *needed = g->terms.needed;
    to = galerkin_end_of_band(g, from);
    if (!ovk__amg_remote_rows_mark(&g->AP.own, from, to, &g->columns, needed)) continue;
    OVK_TRY(ovk__amg_product_band(&g->AP, from, to, needed, g->part));
    for (ovk_lidx i = from; i < to; i++) {
      if (!needed[i - from]) continue;
      OVK_TRY(ovk__amg_remote_rows_add(g->ctx, &g->AP, i, &g->columns, g->first, &g->stash));
    }
  }
  return OVK_OK;
}

/* Makes room for sums, those received included. */
static ovk_err galerkin_create_sums(galerkin *g, const ovk__neighbor_messages *in)
{
  OVK_TRY(ovk__amg_remote_rows_number(g->ctx, in, g->size, &g->columns));
  return ovk__amg_sums_create(g->ctx, &g->columns, g->size, g->pattern, &g->sums);
}

static ovk_err galerkin_sum(galerkin *g)
{
  ovk__neighbor_messages in;
  OVK_TRY(ovk__stash_exchange(g->ctx, galerkin_send(g), g->first, &g->stash, &in));
  ovk_err err = galerkin_create_sums(g, &in);
  if (!err) err = ovk__amg_remote_rows_sum(&in, true, g->layout->first, g->part, &g->sums);
  if (!err) err = galerkin_multiply(g);
  if (!err) err = ovk__amg_remote_rows_sum(&in, false, g->layout->first, g->part, &g->sums);
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
