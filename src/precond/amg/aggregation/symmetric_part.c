/* SPDX-License-Identifier: BSD-2-Clause */
/* Adds halves of entries and of their mirror images: two numbers for each entry, whose sum does not
 * depend on their order. */
#include "precond/amg/aggregation/symmetric_part.h"
#include "core/context/agree.h"
#include "core/context/mem.h"

#include <math.h>
#include <stdlib.h>

typedef struct halves {
  const ovk__amg_rows *rows;
  double *coupled; /* 1 for own rows and ghosts with couplings, else 0 */
  ovk_mat *S;
} halves;

static bool halves_has(const halves *h, ovk_lidx i, int64_t k)
{
  const ovk_lidx j = h->rows->col[k];
  return j == i || (h->coupled[i] > 0 && h->coupled[j] > 0);
}

static ovk_err halves_find_coupled(halves *h)
{
  const ovk__amg_rows *rows = h->rows;
  OVK_NEW_ARRAY(rows->A->ctx, h->coupled, rows->all);
  for (ovk_lidx i = 0; i < rows->n; i++) {
    h->coupled[i] = 0;
    for (int64_t k = rows->ptr[i]; k < rows->ptr[i + 1]; k++) {
      if (rows->col[k] != i && rows->val[k] != 0) h->coupled[i] = 1;
    }
  }
  return OVK_OK;
}

static ovk_err halves_add(const halves *h)
{
  const ovk__amg_rows *rows = h->rows;
  for (ovk_lidx i = 0; i < rows->n; i++) {
    const ovk_gidx row = rows->first + i;
    for (int64_t k = rows->ptr[i]; k < rows->ptr[i + 1]; k++) {
      const ovk_gidx col = ovk__amg_rows_global(rows, rows->col[k]);
      if (!halves_has(h, i, k)) continue;
      OVK_TRY(ovk_mat_add(h->S, row, col, rows->val[k] / 2));
      OVK_TRY(ovk_mat_add(h->S, col, row, rows->val[k] / 2));
    }
  }
  return OVK_OK;
}

/* The sums over a row of the skew part A - S and of S, without the diagonal. S has all columns that
 * are kept of A, in the same order. */
static double halves_skewness(const halves *h, const ovk__amg_rows *S, ovk_lidx i)
{
  const ovk__amg_rows *rows = h->rows;
  double skew = 0, symmetric = 0;
  for (int64_t k = rows->ptr[i], l = S->ptr[i]; l < S->ptr[i + 1]; l++) {
    const ovk_gidx col = ovk__amg_rows_global(S, S->col[l]);
    double a = 0;
    while (k < rows->ptr[i + 1] && ovk__amg_rows_global(rows, rows->col[k]) < col) k++;
    if (k < rows->ptr[i + 1] && ovk__amg_rows_global(rows, rows->col[k]) == col) a = rows->val[k];
    if (S->col[l] == i) continue;
    skew += fabs(a - S->val[l]);
    symmetric += fabs(S->val[l]);
  }
  return skew == 0 ? 0 : skew / symmetric;
}

static ovk_err halves_measure(const halves *h, double *skewness)
{
  ovk__amg_rows S;
  *skewness = 0;
  const ovk_err err = ovk__amg_rows_create(h->S, &S);
  for (ovk_lidx i = 0; !err && i < S.n; i++) {
    *skewness = fmax(*skewness, halves_skewness(h, &S, i));
  }
  ovk__amg_rows_free(&S);
  return err;
}

static ovk_err halves_make(halves *h, double *skewness)
{
  ovk_ctx *ctx = h->rows->A->ctx;
  OVK_TRY(ovk__agree(ctx, halves_find_coupled(h)));
  OVK_TRY(ovk__amg_rows_exchange(h->rows, h->coupled));
  OVK_TRY(ovk_mat_create(ctx, h->rows->n, &h->S));
  (void)halves_add(h); /* a failure is kept for assembly to agree on */
  OVK_TRY(ovk_mat_assemble(h->S));
  OVK_TRY(ovk__agree(ctx, halves_measure(h, skewness)));
  return ovk__agree(ctx, ovk__total(ctx, skewness, 1, MPI_MAX));
}

ovk_err ovk__amg_symmetric_part(const ovk__amg_rows *rows, ovk_mat **out, double *skewness)
{
  halves h = {.rows = rows};
  const ovk_err err = halves_make(&h, skewness);
  free(h.coupled);
  if (err) ovk_mat_destroy(&h.S);
  *out = h.S;
  return err;
}
