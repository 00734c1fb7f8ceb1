/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks in another order. */
#include "precond/incomplete/reorder.h"
#include "core/context/mem.h"

#include <stdlib.h>

/* An entry of a row that is sorted by columns. */
typedef struct entry {
  ovk_lidx col;
  double val;
} entry;

static int order_compare_columns(const void *a, const void *b)
{
  const entry *x = a, *y = b;
  return (x->col > y->col) - (x->col < y->col);
}

/* place[row of B] is its row in `out`. */
static void reorder_rows(const ovk__block *B, const ovk_lidx *order, const ovk_lidx *place,
                         entry *row, ovk__block *out)
{
  out->ptr[0] = 0;
  for (ovk_lidx i = 0; i < B->n; i++) {
    const int64_t from = B->ptr[order[i]], count = B->ptr[order[i] + 1] - B->ptr[order[i]];
    for (int64_t k = 0; k < count; k++) {
      row[k] = (entry){place[B->col[from + k]], B->val[from + k]};
    }
    qsort(row, (size_t)count, sizeof *row, order_compare_columns);
    for (int64_t k = 0; k < count; k++) {
      out->col[out->ptr[i] + k] = row[k].col;
      out->val[out->ptr[i] + k] = row[k].val;
    }
    out->ptr[i + 1] = out->ptr[i] + count;
  }
}

ovk_err ovk__block_reorder(const ovk__block *B, const ovk_lidx *order, ovk__block *out)
{
  *out = (ovk__block){.ctx = B->ctx, .first = B->first, .n = B->n, .order = order};
  OVK_NEW_ARRAY(B->ctx, out->ptr, B->n + (int64_t)1);
  OVK_NEW_ARRAY(B->ctx, out->col, B->ptr[B->n]);
  OVK_NEW_ARRAY(B->ctx, out->val, B->ptr[B->n]);
  ovk_lidx *place = ovk__array((size_t)B->n, sizeof *place);
  entry *row = ovk__array((size_t)B->n, sizeof *row);
  const bool memory = place && row;
  if (memory) {
    for (ovk_lidx i = 0; i < B->n; i++) place[order[i]] = i;
    reorder_rows(B, order, place, row, out);
  }
  free(place);
  free(row);
  return memory ? OVK_OK : OVK_FAIL(B->ctx, OVK_ERR_MEMORY, "no memory for an order of rows");
}
