/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows with columns of other ranks, in the order of keys. */
#include "matrix/order/whole_rows.h"
#include "core/context/mem.h"

#include <stdlib.h>

ovk_err ovk__whole_rows_make(ovk_ctx *ctx, ovk_lidx n, int64_t nnz, ovk__whole_rows *out)
{
  *out = (ovk__whole_rows){.n = n};
  OVK_NEW_ARRAY(ctx, out->val, nnz);
  OVK_NEW_ARRAY(ctx, out->col, nnz);
  OVK_NEW_ARRAY(ctx, out->row, n);
  OVK_NEW_ARRAY(ctx, out->middle, n);
  OVK_NEW_ARRAY(ctx, out->begin, (size_t)n + 1);
  out->begin[0] = 0;
  return OVK_OK;
}

void ovk__whole_rows_free(ovk__whole_rows *w)
{
  free(w->row);
  free(w->begin);
  free(w->middle);
  free(w->col);
  free(w->val);
  *w = (ovk__whole_rows){0};
}

static int whole_rows_by_key(const void *a, const void *b)
{
  const int64_t x = ((const ovk__keyed_entry *)a)->key, y = ((const ovk__keyed_entry *)b)->key;
  return (x > y) - (x < y);
}

ovk_err ovk__whole_rows_set(ovk_ctx *ctx, ovk__whole_rows *w, ovk_lidx k, ovk_lidx i, int64_t key,
                            ovk_lidx count, ovk__keyed_entry *entries)
{
  int64_t at = w->begin[k];
  qsort(entries, (size_t)count, sizeof *entries, whole_rows_by_key);
  w->row[k] = i;
  w->middle[k] = at;
  for (ovk_lidx l = 0; l < count; l++, at++) {
    OVK_CHECK(l == 0 || entries[l].key != entries[l - 1].key, ctx, OVK_ERR_ARG,
              "two rows have the key %lld", (long long)entries[l].key);
    w->col[at] = entries[l].col;
    w->val[at] = entries[l].val;
    w->middle[k] += entries[l].key < key;
  }
  w->begin[k + 1] = at;
  return OVK_OK;
}

void ovk__whole_rows_mult(const ovk__whole_rows *w, ovk_lidx local, const double *x,
                          const double *ghosts, int stride, double *y)
{
  for (ovk_lidx k = 0; k < w->n; k++) {
    double below = 0, above = 0;
    for (int64_t l = w->begin[k]; l < w->middle[k]; l++) {
      const ovk_lidx j = w->col[l];
      below += w->val[l] * (j < local ? x[j] : ghosts[(ptrdiff_t)(j - local) * stride]);
    }
    for (int64_t l = w->begin[k + 1] - 1; l >= w->middle[k]; l--) {
      const ovk_lidx j = w->col[l];
      above += w->val[l] * (j < local ? x[j] : ghosts[(ptrdiff_t)(j - local) * stride]);
    }
    y[w->row[k]] = below + above;
  }
}

int64_t ovk__whole_rows_bytes(const ovk__whole_rows *w)
{
  const int64_t entry = (int64_t)(sizeof *w->col + sizeof *w->val);
  const int64_t row = (int64_t)(sizeof *w->row + sizeof *w->begin + sizeof *w->middle);
  return w->n ? w->begin[w->n] * entry + w->n * row : 0;
}
