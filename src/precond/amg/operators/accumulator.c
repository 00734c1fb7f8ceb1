/* SPDX-License-Identifier: BSD-2-Clause */
/* Sparse rows of blocks, with hash tables. */
#include "precond/amg/operators/accumulator.h"
#include "core/context/mem.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 24, FIRST_PLACES = 64 };

ovk_err ovk__amg_sums_create(ovk_ctx *ctx, ovk_lidx rows, int size, ovk__amg_sums *out)
{
  *out = (ovk__amg_sums){.ctx = ctx, .rows = rows, .size = size};
  OVK_NEW_ZEROS(ctx, out->row, rows);
  return OVK_OK;
}

void ovk__amg_sums_free(ovk__amg_sums *sums)
{
  for (ovk_lidx i = 0; sums->row && i < sums->rows; i++) {
    free(sums->row[i].col);
    free(sums->row[i].val);
    free(sums->row[i].place);
  }
  free(sums->row);
  *sums = (ovk__amg_sums){0};
}

/* The place of a column, or the free one where it belongs. */
static inline int32_t sum_row_place(const ovk__amg_sum_row *r, ovk_gidx col)
{
  const uint32_t mask = (uint32_t)r->places - 1;
  uint32_t at = (uint32_t)(((uint64_t)col * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & mask;
  while (r->place[at] && r->col[r->place[at] - 1] != col) at = (at + 1) & mask;
  return (int32_t)at;
}

static ovk_err sum_row_enlarge_table(ovk_ctx *ctx, ovk__amg_sum_row *r)
{
  const int32_t places = r->places ? 2 * r->places : FIRST_PLACES;
  int32_t *place = calloc((size_t)places, sizeof *place);
  OVK_CHECK(place, ctx, OVK_ERR_MEMORY, "no memory for a coarse row of %d blocks", (int)r->n);
  free(r->place);
  r->place = place;
  r->places = places;
  for (int32_t k = 0; k < r->n; k++) r->place[sum_row_place(r, r->col[k])] = k + 1;
  return OVK_OK;
}

static ovk_err sum_row_enlarge(ovk__amg_sums *sums, ovk__amg_sum_row *r)
{
  const int32_t room = r->room ? 2 * r->room : FIRST_ROOM;
  const size_t size = (size_t)sums->size * (size_t)sums->size;
  ovk_gidx *col = realloc(r->col, (size_t)room * sizeof *col);
  if (col) r->col = col;
  double *val = realloc(r->val, (size_t)room * size * sizeof *val);
  if (val) r->val = val;
  OVK_CHECK(col && val, sums->ctx, OVK_ERR_MEMORY, "no memory for a coarse row of %d blocks",
            (int)room);
  r->room = room;
  return OVK_OK;
}

/* Appends a block of zeros. */
static ovk_err sum_row_append(ovk__amg_sums *sums, ovk__amg_sum_row *r, ovk_gidx col)
{
  const size_t size = (size_t)sums->size * (size_t)sums->size;
  if (r->n == r->room) OVK_TRY(sum_row_enlarge(sums, r));
  if (4 * r->n >= 3 * r->places) OVK_TRY(sum_row_enlarge_table(sums->ctx, r));
  memset(r->val + (size_t)r->n * size, 0, size * sizeof *r->val);
  r->place[sum_row_place(r, col)] = r->n + 1;
  r->col[r->n++] = col;
  return OVK_OK;
}

ovk_err ovk__amg_sums_block(ovk__amg_sums *sums, ovk_lidx i, ovk_gidx col, double **block)
{
  ovk__amg_sum_row *r = &sums->row[i];
  int32_t number = r->places ? r->place[sum_row_place(r, col)] - 1 : -1;
  if (number < 0) {
    OVK_TRY(sum_row_append(sums, r, col));
    number = r->n - 1;
  }
  *block = r->val + (size_t)number * (size_t)sums->size * (size_t)sums->size;
  return OVK_OK;
}

/* Insertion sort: rows are short. */
void ovk__amg_sums_sort(ovk__amg_sums *sums, ovk_lidx i)
{
  ovk__amg_sum_row *r = &sums->row[i];
  for (int32_t k = 0; k < r->n; k++) {
    int32_t at = k;
    for (; at > 0 && r->col[r->place[at - 1]] > r->col[k]; at--) r->place[at] = r->place[at - 1];
    r->place[at] = k;
  }
}
