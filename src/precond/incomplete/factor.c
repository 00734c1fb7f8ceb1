/* SPDX-License-Identifier: BSD-2-Clause */
/* Factorizations with an increasing shift of the diagonal, until all pivots can be used. */
#include "precond/incomplete/factor.h"
#include "core/context/mem.h"

#include <stdio.h>
#include <stdlib.h>

static const double FIRST_SHIFT = 1e-3;
enum { ATTEMPTS = 40 }; /* 5e8 times the diagonal */

static ovk_err factor_shift_until_usable(const ovk__block *B, const char *who,
                                         ovk__factorise *factorise, double shift,
                                         const ovk__row_work *work, ovk__factor *F,
                                         char info[OVK__FACTOR_INFO])
{
  double pivot;
  ovk_lidx row = factorise(B, shift, work, F, &pivot);
  info[0] = '\0';
  if (row < 0) return OVK_OK;
  const ovk_gidx first_row = ovk__block_number(B, row);
  const double first_pivot = pivot;
  for (int k = 0; k < ATTEMPTS && ovk__block_diagonal_entry(B, row) != 0; k++) {
    shift = shift > 0 ? 2 * shift : FIRST_SHIFT;
    row = factorise(B, shift, work, F, &pivot);
    if (row >= 0) continue;
    snprintf(info, OVK__FACTOR_INFO, "shift %g after a pivot of %g in row %lld", shift, first_pivot,
             (long long)first_row);
    return OVK_OK;
  }
  return OVK_FAIL(B->ctx, OVK_ERR_ARG,
                  "%s: the pivot of row %lld is %g, and no shift of its diagonal, %g, helps", who,
                  (long long)(ovk__block_number(B, row)), pivot, ovk__block_diagonal_entry(B, row));
}

static ovk_err triangle_factor_allocate(const ovk__block *B, ovk__row_work *work, ovk__factor *F)
{
  const ovk_lidx n = B->n;
  OVK_NEW_ARRAY(B->ctx, F->inverse, n);
  OVK_NEW_ARRAY(B->ctx, F->lower, F->L.ptr[n]);
  if (F->U.ptr) OVK_NEW_ARRAY(B->ctx, F->upper, F->U.ptr[n]);
  OVK_NEW_ZEROS(B->ctx, work->value, n);
  OVK_NEW_ARRAY(B->ctx, work->row, n);
  return OVK_OK;
}

ovk_err ovk__factor_make(const ovk__block *B, const char *who, ovk__factorise *factorise,
                         double shift, ovk__factor *F, char info[OVK__FACTOR_INFO])
{
  ovk__row_work work = {0};
  ovk_err err = triangle_factor_allocate(B, &work, F);
  if (!err) err = factor_shift_until_usable(B, who, factorise, shift, &work, F, info);
  free(work.value);
  free(work.row);
  return err;
}

void ovk__factor_free(ovk__factor *F)
{
  ovk__sparsity_free(&F->L);
  ovk__sparsity_free(&F->U);
  free(F->lower);
  free(F->upper);
  free(F->inverse);
  *F = (ovk__factor){0};
}
