/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads the entries of blocks in the format "pattern". */
#include "core/base/sorted.h"
#include "matrix/formats/pattern/pattern_product.h"

#include <string.h>

/* The diagonal entry of a pattern, where the offset is 0. */
static double pattern_diagonal_of(const ovk__pattern_block *b, int32_t pattern)
{
  const int32_t end = b->begin[pattern + 1];
  OVK_BISECT(int32_t, low, b->begin[pattern], end, b->offset[middle] < 0);
  return low < end && b->offset[low] == 0 ? b->value[low] : 0;
}

void ovk__pattern_diagonal(const void *self, double *d)
{
  const ovk__pattern_block *b = self;
  ovk_lidx i = 0;
  for (ovk_lidx r = 0; r < b->nruns; r++) {
    const double value = pattern_diagonal_of(b, b->runs[r].pattern);
    for (; i < b->runs[r].end; i++) d[i] = value;
  }
}

static ovk_lidx pattern_run_of_row(const ovk__pattern_block *b, ovk_lidx i)
{
  OVK_BISECT(ovk_lidx, run, 0, b->nruns - 1, b->runs[middle].end <= i);
  return run;
}

ovk_lidx ovk__pattern_row(const void *self, ovk_lidx i, ovk_lidx *col, double *val)
{
  const ovk__pattern_block *b = self;
  const int32_t pattern = b->runs[pattern_run_of_row(b, i)].pattern, at = b->begin[pattern];
  const ovk_lidx n = b->begin[pattern + 1] - at;
  for (ovk_lidx k = 0; col && k < n; k++) col[k] = i + b->offset[at + k];
  if (val && n) memcpy(val, b->value + at, (size_t)n * sizeof *val);
  return n;
}

void ovk__pattern_lengths(const void *self, ovk_lidx first, ovk_lidx rows, int64_t *length)
{
  const ovk__pattern_block *b = self;
  for (ovk_lidx k = 0, r = pattern_run_of_row(b, first); k < rows; r++) {
    const int32_t pattern = b->runs[r].pattern, n = b->begin[pattern + 1] - b->begin[pattern];
    for (; k < rows && first + k < b->runs[r].end; k++) length[k] = n;
  }
}

ovk_err ovk__pattern_unfold(ovk_ctx *ctx, const void *self, ovk_lidx first, ovk__csr *out)
{
  const ovk__pattern_block *b = self;
  (void)ctx;
  for (ovk_lidx k = 0, r = pattern_run_of_row(b, first); k < out->rows; r++) {
    const int32_t pattern = b->runs[r].pattern, n = b->begin[pattern + 1] - b->begin[pattern];
    const ovk_lidx *offset = b->offset + b->begin[pattern];
    const double *value = b->value + b->begin[pattern];
    for (; k < out->rows && first + k < b->runs[r].end; k++) {
      const int64_t at = out->ptr[k];
      for (ovk_lidx l = 0; l < n; l++) out->col[at + l] = first + k + offset[l];
      if (n && out->val) memcpy(out->val + at, value, (size_t)n * sizeof *value);
    }
  }
  return OVK_OK;
}
