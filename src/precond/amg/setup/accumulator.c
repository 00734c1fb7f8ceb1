/* SPDX-License-Identifier: BSD-2-Clause */
/* Sparse rows as hash tables. */
#include "precond/amg/setup/accumulator.h"
#include "core/base/hash64.h"
#include "core/context/mem.h"

#include <stdlib.h>

enum { FIRST_PLACES = 16 };

ovk_err ovk__amg_sums_create(ovk_ctx *ctx, ovk_lidx rows, ovk__amg_sums *out)
{
  *out = (ovk__amg_sums){.ctx = ctx, .rows = rows};
  OVK_NEW_ZEROS(ctx, out->row, rows);
  return OVK_OK;
}

static void sum_row_free(ovk__amg_sum_row *r)
{
  free(r->col);
  free(r->val);
}

void ovk__amg_sums_free(ovk__amg_sums *sums)
{
  for (ovk_lidx i = 0; sums->row && i < sums->rows; i++) sum_row_free(&sums->row[i]);
  free(sums->row);
  *sums = (ovk__amg_sums){0};
}

/* The place of a column, or the free one where it belongs. */
static int32_t sum_row_place(const ovk__amg_sum_row *r, ovk_gidx col)
{
  const uint32_t mask = (uint32_t)r->places - 1;
  uint32_t at = (uint32_t)(ovk__mix((uint64_t)col)) & mask;
  while (r->col[at] != col && r->col[at] >= 0) at = (at + 1) & mask;
  return (int32_t)at;
}

static ovk_err sum_row_grow(ovk_ctx *ctx, ovk__amg_sum_row *r)
{
  ovk__amg_sum_row larger = {.n = r->n, .places = r->places ? 2 * r->places : FIRST_PLACES};
  larger.col = malloc((size_t)larger.places * sizeof *larger.col);
  larger.val = malloc((size_t)larger.places * sizeof *larger.val);
  if (!larger.col || !larger.val) {
    sum_row_free(&larger);
    return OVK_FAIL(ctx, OVK_ERR_MEMORY, "no memory for a coarse row of %d entries", (int)r->n);
  }
  for (int32_t k = 0; k < larger.places; k++) larger.col[k] = -1;
  for (int32_t k = 0; k < r->places; k++) {
    if (r->col[k] < 0) continue;
    const int32_t at = sum_row_place(&larger, r->col[k]);
    larger.col[at] = r->col[k];
    larger.val[at] = r->val[k];
  }
  sum_row_free(r);
  *r = larger;
  return OVK_OK;
}

ovk_err ovk__amg_sums_add(ovk__amg_sums *sums, ovk_lidx i, ovk_gidx col, double value)
{
  ovk__amg_sum_row *r = &sums->row[i];
  if (4 * r->n >= 3 * r->places) OVK_TRY(sum_row_grow(sums->ctx, r));
  const int32_t at = sum_row_place(r, col);
  if (r->col[at] == col) {
    r->val[at] += value;
  } else {
    r->col[at] = col;
    r->val[at] = value;
    r->n++;
  }
  return OVK_OK;
}

/* Insertion sort: rows are short, and short stretches of them in order. */
void ovk__amg_sums_sort(ovk__amg_sums *sums, ovk_lidx i)
{
  ovk__amg_sum_row *r = &sums->row[i];
  int32_t n = 0;
  for (int32_t k = 0; k < r->places; k++) {
    const ovk_gidx col = r->col[k];
    const double val = r->val[k];
    if (col < 0) continue;
    int32_t at = n++;
    for (; at > 0 && r->col[at - 1] > col; at--) {
      r->col[at] = r->col[at - 1];
      r->val[at] = r->val[at - 1];
    }
    r->col[at] = col;
    r->val[at] = val;
  }
}
