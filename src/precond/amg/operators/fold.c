/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows are visited in their order, so in each of them the place of the next block that is added to
 * moves to the right. */
#include "precond/amg/operators/fold.h"
#include "core/context/mem.h"

#include <stdlib.h>

static double fold_sum(double a, double b)
{
  const double sum = a + b;
  return sum == 0 && a != 0 ? -0. : sum;
}

/* The upper half of S + S^T for a block on the diagonal. */
static void fold_diagonal(int size, double *block)
{
  for (int k = 0; k < size; k++) {
    for (int l = k; l < size; l++) {
      block[k * size + l] = fold_sum(block[k * size + l], block[l * size + k]);
    }
  }
}

static void fold_transpose(int size, const double *from, double *to)
{
  for (int k = 0; k < size; k++) {
    for (int l = 0; l < size; l++)
      to[k * size + l] = fold_sum(to[k * size + l], from[l * size + k]);
  }
}

/* *place <- that of column `col` in row I, from *place on, which is inserted if it is missing. */
static ovk_err fold_find(ovk__amg_sums *sums, ovk_lidx I, ovk_lidx col, int32_t *place)
{
  const ovk_gidx *global = sums->columns->global;
  const ovk__amg_sum_row *r = &sums->row[I];
  double *block;
  while (*place < r->n && global[r->col[*place]] < global[col]) ++*place;
  if (*place < r->n && r->col[*place] == col) return OVK_OK;
  ovk__amg_sums_open(sums, I);
  const ovk_err err = ovk__amg_sums_block(sums, col, (ptrdiff_t)sums->size * sums->size, &block);
  ovk__amg_sums_close(sums);
  if (!err) ovk__amg_sums_sort(sums, I);
  return err;
}

/* Adds the blocks of row J left of its diagonal to the rows of their columns. */
static ovk_err fold_row(ovk__amg_sums *sums, ovk_lidx J, int32_t *place)
{
  const ovk__amg_numbering *columns = sums->columns;
  const ptrdiff_t numbers = (ptrdiff_t)sums->size * sums->size;
  const ovk__amg_sum_row *r = &sums->row[J];
  for (int32_t k = 0; k < r->n; k++) {
    const ovk_lidx I = r->col[k] - columns->first;
    if (!ovk__amg_numbering_owns(columns, r->col[k])) continue;
    if (I == J) fold_diagonal(sums->size, r->val + k * numbers);
    if (I >= J) break;
    OVK_TRY(fold_find(sums, I, columns->first + J, &place[I]));
    fold_transpose(sums->size, r->val + k * numbers, sums->row[I].val + place[I] * numbers);
  }
  return OVK_OK;
}

ovk_err ovk__amg_sums_fold(ovk__amg_sums *sums)
{
  int32_t *place; /* in each row */
  ovk_err err = OVK_OK;
  OVK_NEW_ZEROS(sums->ctx, place, sums->columns->own);
  for (ovk_lidx J = 0; J < sums->columns->own && !err; J++) err = fold_row(sums, J, place);
  free(place);
  return err;
}
