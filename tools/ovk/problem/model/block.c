/* SPDX-License-Identifier: BSD-2-Clause */
/* One rank's rows of a model problem. */
#include "block.h"
#include "splitmix64.h"

#include <stdlib.h>
#include <string.h>

ovk_err block_create(ovk_ctx *ctx, ovk_gidx first, ovk_gidx size, ovk_lidx rows, int most,
                     block *out)
{
  const size_t room = (size_t)rows * (size_t)most + 1; /* unused pages take no memory */
  *out = (block){.first = first, .size = size, .rows = rows};
  out->ptr = calloc((size_t)rows + 1, sizeof *out->ptr);
  out->col = malloc(room * sizeof *out->col);
  out->val = malloc(room * sizeof *out->val);
  if (out->ptr && out->col && out->val) return OVK_OK;
  block_free(out);
  return ovk_ctx_fail(ctx, OVK_ERR_MEMORY, "no memory for %d rows of %d entries", rows, most);
}

void block_free(block *b)
{
  free(b->ptr);
  free(b->col);
  free(b->val);
  b->ptr = NULL;
  b->col = NULL;
  b->val = NULL;
}

void block_begin_rows(block *b, ovk_lidx rows)
{
  for (; b->begun < rows; b->begun++) b->ptr[b->begun + 1] = b->ptr[b->begun];
}

void block_add(block *b, ovk_gidx col, double val)
{
  const int64_t start = b->ptr[b->begun - 1];
  int64_t at = b->ptr[b->begun]++;
  for (; at > start && b->col[at - 1] > col; at--) { /* insertion sort, as rows are short */
    b->col[at] = b->col[at - 1];
    b->val[at] = b->val[at - 1];
  }
  b->col[at] = col;
  b->val[at] = val;
}

int64_t block_nnz(const block *b)
{
  return b->ptr[b->rows];
}

uint64_t block_checksum(const block *b)
{
  uint64_t sum = 0, total = 0;
  for (ovk_lidx i = 0; i < b->rows; i++) {
    const uint64_t row = splitmix64((uint64_t)(b->first + i));
    for (int64_t k = b->ptr[i]; k < b->ptr[i + 1]; k++) {
      uint64_t bits;
      memcpy(&bits, &b->val[k], sizeof bits);
      sum += hash_pair(row + (uint64_t)b->col[k], bits);
    }
  }
  MPI_Allreduce(&sum, &total, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  return total;
}
