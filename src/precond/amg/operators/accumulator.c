/* SPDX-License-Identifier: BSD-2-Clause */
/* Sparse rows of blocks, which are appended. */
#include "precond/amg/operators/accumulator.h"
#include "core/context/mem.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 24 };

ovk_err ovk__amg_sums_create(ovk_ctx *ctx, const ovk__amg_numbering *columns, int size,
                             ovk__amg_sums *out)
{
  *out = (ovk__amg_sums){.ctx = ctx, .columns = columns, .size = size};
  OVK_NEW_ZEROS(ctx, out->row, columns->own);
  OVK_NEW_ZEROS(ctx, out->place, (int64_t)columns->n + columns->further);
  OVK_NEW_ARRAY(ctx, out->spare, size * size);
  return OVK_OK;
}

void ovk__amg_sums_free(ovk__amg_sums *sums)
{
  for (ovk_lidx i = 0; sums->row && i < sums->columns->own; i++) {
    free(sums->row[i].col);
    free(sums->row[i].val);
  }
  free(sums->row);
  free(sums->place);
  free(sums->spare);
  *sums = (ovk__amg_sums){0};
}

void ovk__amg_sums_open(ovk__amg_sums *sums, ovk_lidx i)
{
  const ovk__amg_sum_row *r = sums->open = &sums->row[i];
  for (int32_t k = 0; k < r->n; k++) sums->place[r->col[k]] = k + 1;
}

void ovk__amg_sums_close(ovk__amg_sums *sums)
{
  const ovk__amg_sum_row *r = sums->open;
  for (int32_t k = 0; k < r->n; k++) sums->place[r->col[k]] = 0;
  sums->open = NULL;
}

static size_t sums_block_bytes(const ovk__amg_sums *sums)
{
  return (size_t)sums->size * (size_t)sums->size * sizeof(double);
}

static ovk_err sum_row_enlarge(const ovk__amg_sums *sums, ovk__amg_sum_row *r)
{
  const int32_t room = r->room ? 2 * r->room : FIRST_ROOM;
  ovk_lidx *col = realloc(r->col, (size_t)room * sizeof *col);
  if (col) r->col = col;
  double *val = realloc(r->val, (size_t)room * sums_block_bytes(sums));
  if (val) r->val = val;
  OVK_CHECK(col && val, sums->ctx, OVK_ERR_MEMORY, "no memory for a coarse row of %d blocks",
            (int)room);
  r->room = room;
  return OVK_OK;
}

ovk_err ovk__amg_sums_append(ovk__amg_sums *sums, ovk_lidx col)
{
  ovk__amg_sum_row *r = sums->open;
  if (r->n == r->room) OVK_TRY(sum_row_enlarge(sums, r));
  memset((char *)r->val + (size_t)r->n * sums_block_bytes(sums), 0, sums_block_bytes(sums));
  r->col[r->n++] = col;
  sums->place[col] = r->n;
  return OVK_OK;
}

/* Moves block k of a row, and its column, before block `to` < k. */
static void sum_row_move(const ovk__amg_sums *sums, ovk__amg_sum_row *r, int32_t k, int32_t to)
{
  const size_t bytes = sums_block_bytes(sums), n = (size_t)(k - to);
  char *val = (char *)r->val + (size_t)to * bytes;
  const ovk_lidx col = r->col[k];
  memcpy(sums->spare, val + n * bytes, bytes);
  memmove(val + bytes, val, n * bytes);
  memcpy(val, sums->spare, bytes);
  memmove(r->col + to + 1, r->col + to, n * sizeof *r->col);
  r->col[to] = col;
}

/* Insertion sort: rows are short. */
void ovk__amg_sums_sort(ovk__amg_sums *sums, ovk_lidx i)
{
  const ovk_gidx *global = sums->columns->global;
  ovk__amg_sum_row *r = &sums->row[i];
  for (int32_t k = 1; k < r->n; k++) {
    int32_t to = k;
    while (to > 0 && global[r->col[to - 1]] > global[r->col[k]]) to--;
    if (to < k) sum_row_move(sums, r, k, to);
  }
}
