/* SPDX-License-Identifier: BSD-2-Clause */
/* Adds halves of entries and of their mirror images: two numbers for each entry, whose sum does not
 * depend on their order. */
#include "precond/amg/aggregation/symmetric_part.h"
#include "core/context/agree.h"
#include "core/context/mem.h"

#include <math.h>
#include <stdlib.h>

typedef struct halves {
  ovk__amg_rows *rows;
  double *coupled; /* 1 for own rows and ghosts with couplings, else 0 */
  ovk_mat *S;
} halves;

static bool halves_has(const halves *h, ovk_lidx i, ovk_lidx j)
{
  return j == i || (h->coupled[i] > 0 && h->coupled[j] > 0);
}

static ovk_err halves_find_coupled(halves *h)
{
  ovk__amg_rows *rows = h->rows;
  OVK_NEW_ARRAY(rows->A->ctx, h->coupled, rows->all);
  for (ovk_lidx i = 0; i < rows->n; i++) {
    OVK_TRY(ovk__amg_rows_read(rows, i, i + 1));
    const ovk__amg_row row = ovk__amg_rows_row(rows, i);
    h->coupled[i] = 0;
    for (ovk_lidx k = 0; k < row.n; k++) {
      if (row.col[k] != i && row.val[k] != 0) h->coupled[i] = 1;
    }
  }
  return OVK_OK;
}

static ovk_err halves_add(const halves *h)
{
  ovk__amg_rows *rows = h->rows;
  for (ovk_lidx i = 0; i < rows->n; i++) {
    OVK_TRY(ovk__amg_rows_read(rows, i, i + 1));
    const ovk__amg_row row = ovk__amg_rows_row(rows, i);
    const ovk_gidx I = rows->first + i;
    for (ovk_lidx k = 0; k < row.n; k++) {
      const ovk_gidx J = ovk__amg_rows_global(rows, row.col[k]);
      if (!halves_has(h, i, row.col[k])) continue;
      OVK_TRY(ovk_mat_add(h->S, I, J, row.val[k] / 2));
      OVK_TRY(ovk_mat_add(h->S, J, I, row.val[k] / 2));
    }
  }
  return OVK_OK;
}

/* The sums over a row of the skew part A - S and of S, without the diagonal. S has all columns that
 * are kept of A, in the same order. */
static double halves_skewness(const halves *h, const ovk__amg_rows *S, ovk_lidx i)
{
  const ovk__amg_row A_i = ovk__amg_rows_row(h->rows, i), S_i = ovk__amg_rows_row(S, i);
  double skew = 0, symmetric = 0;
  for (ovk_lidx k = 0, l = 0; l < S_i.n; l++) {
    const ovk_gidx col = ovk__amg_rows_global(S, S_i.col[l]);
    double a = 0;
    while (k < A_i.n && ovk__amg_rows_global(h->rows, A_i.col[k]) < col) k++;
    if (k < A_i.n && ovk__amg_rows_global(h->rows, A_i.col[k]) == col) a = A_i.val[k];
    if (S_i.col[l] == i) continue;
    skew += fabs(a - S_i.val[l]);
    symmetric += fabs(S_i.val[l]);
  }
  return skew == 0 ? 0 : skew / symmetric;
}

static ovk_err halves_measure_rows(const halves *h, ovk__amg_rows *S, double *skewness)
{
  *skewness = 0;
  for (ovk_lidx i = 0; i < S->n; i++) {
    OVK_TRY(ovk__amg_rows_read(h->rows, i, i + 1));
    OVK_TRY(ovk__amg_rows_read(S, i, i + 1));
    *skewness = fmax(*skewness, halves_skewness(h, S, i));
  }
  return OVK_OK;
}

static ovk_err halves_measure(const halves *h, double *skewness)
{
  ovk__amg_rows S;
  ovk__amg_rows_begin(h->S, &S);
  const ovk_err err = halves_measure_rows(h, &S, skewness);
  ovk__amg_rows_free(&S);
  return err;
}

static ovk_err halves_make(halves *h, double *skewness)
{
  ovk_ctx *ctx = h->rows->A->ctx;
  OVK_TRY(ovk__agree(ctx, halves_find_coupled(h)));
  OVK_TRY(ovk__amg_rows_exchange(h->rows, h->coupled));
  OVK_TRY(ovk_mat_create(ctx, h->rows->n, &h->S));
  OVK_TRY(ovk__agree(ctx, halves_add(h)));
  OVK_TRY(ovk_mat_assemble(h->S));
  OVK_TRY(ovk__agree(ctx, halves_measure(h, skewness)));
  return ovk__agree(ctx, ovk__total(ctx, skewness, 1, MPI_MAX));
}

ovk_err ovk__amg_symmetric_part(ovk__amg_rows *rows, ovk_mat **out, double *skewness)
{
  halves h = {.rows = rows};
  const ovk_err err = halves_make(&h, skewness);
  free(h.coupled);
  if (err) ovk_mat_destroy(&h.S);
  *out = h.S;
  return err;
}
