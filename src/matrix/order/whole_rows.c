/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows with columns of other ranks, in the order of keys. Four rows that are consecutive in each of
 * their columns, as along the lines of a grid, are multiplied together: their values are stored
 * column by column. */
#include "matrix/order/whole_rows.h"
#include "core/base/lanes.h"
#include "core/context/mem.h"

#include <stddef.h>
#include <stdlib.h>

/* Rows that are multiplied together, one in each lane. */
enum { TOGETHER = OVK__HALF };

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

/* Whether row k and those after it can be multiplied together. */
static bool whole_rows_are_alike(const ovk__whole_rows *w, ovk_lidx k)
{
  const int64_t n = w->begin[k + 1] - w->begin[k], below = w->middle[k] - w->begin[k];
  for (ovk_lidx r = 1; r < TOGETHER; r++) {
    const int64_t at = w->begin[k + r];
    if (w->row[k + r] != w->row[k] + r || w->middle[k + r] - at != below) return false;
    if (w->begin[k + r + 1] - at != n) return false;
    for (int64_t l = 0; l < n; l++) {
      if (w->col[at + l] != w->col[w->begin[k] + l] + r) return false;
    }
  }
  return true;
}

/* All rows are set: finds those that can be multiplied together. */
static ovk_err whole_rows_arrange(ovk_ctx *ctx, ovk__whole_rows *w)
{
  double *val;
  OVK_NEW_ARRAY(ctx, val, w->begin[w->n]);
  for (ovk_lidx k = 0, step; k < w->n; k += step) {
    const int64_t at = w->begin[k], n = w->begin[k + 1] - at;
    const bool alike = k + TOGETHER <= w->n && whole_rows_are_alike(w, k);
    step = alike ? TOGETHER : 1;
    if (alike) w->row[k] = -1 - w->row[k];
    for (int r = 0; r < step; r++) {
      for (int64_t l = 0; l < n; l++) val[at + l * step + r] = w->val[at + r * n + l];
    }
  }
  free(w->val);
  w->val = val;
  return OVK_OK;
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
  return k + 1 < w->n ? OVK_OK : whole_rows_arrange(ctx, w);
}

/* The value of a local column or of a ghost. */
OVK_ALWAYS_INLINE double whole_rows_value(ovk_lidx j, ovk_lidx local, const double *x,
                                          const double *ghosts, ptrdiff_t stride)
{
  return j < local ? x[j] : ghosts[(j - local) * stride];
}

/* sum <- sum + the entries `val` of four rows times x in the columns from j on */
OVK_ALWAYS_INLINE void together_add(const double *val, ovk_lidx j, ovk_lidx local, const double *x,
                                    const double *ghosts, ptrdiff_t stride, ovk__half *sum)
{
  ovk__half v, by;
  ovk__half_of_doubles(&v, val);
  if (j <= local - TOGETHER) {
    ovk__half_of_doubles(&by, x + j);
  } else if (j >= local && stride == 1) {
    ovk__half_of_doubles(&by, ghosts + (j - local));
  } else {
    for (int r = 0; r < TOGETHER; r++) by[r] = whole_rows_value(j + r, local, x, ghosts, stride);
  }
  ovk__half_add(sum, &v, &by);
}

/* Four rows from row number k on. */
OVK_ALWAYS_INLINE void whole_rows_together(const ovk__whole_rows *w, ovk_lidx k, ovk_lidx local,
                                           const double *x, const double *ghosts, ptrdiff_t stride,
                                           double *y)
{
  const ovk_lidx *col = w->col + w->begin[k];
  const double *val = w->val + w->begin[k];
  const int64_t n = w->begin[k + 1] - w->begin[k], middle = w->middle[k] - w->begin[k];
  ovk__half below = {0}, above = {0};
  for (int64_t l = 0; l < middle; l++) {
    together_add(val + l * TOGETHER, col[l], local, x, ghosts, stride, &below);
  }
  for (int64_t l = n - 1; l >= middle; l--) {
    together_add(val + l * TOGETHER, col[l], local, x, ghosts, stride, &above);
  }
  below += above;
  ovk__half_to_doubles(y, &below);
}

/* Row number k alone. */
OVK_ALWAYS_INLINE double whole_rows_one(const ovk__whole_rows *w, ovk_lidx k, ovk_lidx local,
                                        const double *x, const double *ghosts, ptrdiff_t stride)
{
  double below = 0, above = 0;
  for (int64_t l = w->begin[k]; l < w->middle[k]; l++) {
    below += w->val[l] * whole_rows_value(w->col[l], local, x, ghosts, stride);
  }
  for (int64_t l = w->begin[k + 1] - 1; l >= w->middle[k]; l--) {
    above += w->val[l] * whole_rows_value(w->col[l], local, x, ghosts, stride);
  }
  return below + above;
}

OVK_FOR_EACH_CPU
void ovk__whole_rows_mult(const ovk__whole_rows *w, ovk_lidx local, const double *x,
                          const double *ghosts, int stride, double *y)
{
  for (ovk_lidx k = 0, step; k < w->n; k += step) {
    const ovk_lidx i = w->row[k];
    step = i < 0 ? TOGETHER : 1;
    if (i < 0) {
      whole_rows_together(w, k, local, x, ghosts, stride, y + (-1 - i));
    } else {
      y[i] = whole_rows_one(w, k, local, x, ghosts, stride);
    }
  }
}

int64_t ovk__whole_rows_bytes(const ovk__whole_rows *w)
{
  const int64_t entry = (int64_t)(sizeof *w->col + sizeof *w->val);
  const int64_t row = (int64_t)(sizeof *w->row + sizeof *w->begin + sizeof *w->middle);
  return w->n ? w->begin[w->n] * entry + w->n * row : 0;
}
