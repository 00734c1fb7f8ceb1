/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of a 27-point matrix with variable, symmetric coefficients, as arrays. */
#include "bench/assembly/rows.h"
#include "splitmix64.h"
#include "tool.h"

#include <stdlib.h>

enum { POINTS = 27 };

/* The coefficient of an edge: -1.5 to -0.5, the same from both ends. */
static double weight(ovk_gidx i, ovk_gidx j)
{
  const uint64_t low = (uint64_t)(i < j ? i : j), high = (uint64_t)(i < j ? j : i);
  return -0.5 - (double)(splitmix64(splitmix64(low) ^ high) >> 11) * 0x1p-53;
}

/* Adds the row of the point `at`, of the box with n points of all ranks. */
static void add_row(rows *r, const int n[3], const ovk_gidx at[3], ovk_lidx i)
{
  const ovk_gidx row = r->first + i;
  int64_t end = r->ptr[i];
  for (int k = 0; k < POINTS; k++) {
    const ovk_gidx to[3] = {at[0] + k % 3 - 1, at[1] + k / 3 % 3 - 1, at[2] + k / 9 - 1};
    if (to[0] < 0 || to[0] >= n[0] || to[1] < 0 || to[1] >= n[1] || to[2] < 0 || to[2] >= n[2]) {
      continue;
    }
    const ovk_gidx col = to[0] + n[0] * (to[1] + n[1] * to[2]);
    r->col[end] = col;
    r->val[end++] = col == row ? POINTS : weight(row, col);
  }
  r->ptr[i + 1] = end;
}

ovk_err rows_create(ovk_ctx *ctx, const int n[3], rows *out)
{
  const double all = (double)n[0] * n[1] * n[2] * ovk_ctx_size(ctx);
  *out = (rows){0};
  if (all > INT32_MAX) {
    return ovk_ctx_fail(ctx, OVK_ERR_RANGE, "--box: %g points are too many", all);
  }
  const size_t points = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
  out->n = (ovk_lidx)points;
  out->first = (ovk_gidx)out->n * ovk_ctx_rank(ctx);
  out->ptr = malloc((points + 1) * sizeof *out->ptr);
  out->col = malloc(points * POINTS * sizeof *out->col);
  out->val = malloc(points * POINTS * sizeof *out->val);
  TRY(tool_got_memory(ctx, out->ptr && out->col && out->val));
  const int whole[3] = {n[0], n[1], n[2] * ovk_ctx_size(ctx)};
  out->ptr[0] = 0;
  for (ovk_lidx i = 0; i < out->n; i++) {
    const ovk_gidx row = out->first + i;
    add_row(out, whole, (ovk_gidx[]){row % n[0], row / n[0] % n[1], row / n[0] / n[1]}, i);
  }
  return OVK_OK;
}

void rows_destroy(rows *r)
{
  free(r->ptr);
  free(r->col);
  free(r->val);
}
