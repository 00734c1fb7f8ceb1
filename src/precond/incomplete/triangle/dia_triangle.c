/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the diagonals of a triangular factor, and stores it by them. */
#include "precond/incomplete/triangle/dia_triangle.h"
#include "core/base/lanes.h"
#include "core/base/reals.h"
#include "core/context/mem.h"

#include <stdlib.h>

/* Diagonals as long as a power of two would all start in the same sets of a cache. */
enum { LINE = 64, APART = 17 * LINE };

/* How far entry k of row i is from the diagonal. */
static ovk_lidx dia_triangle_distance_of(const ovk__sparsity *S, ovk_lidx i, int64_t k)
{
  return S->col[k] < i ? i - S->col[k] : S->col[k] - i;
}

static int dia_triangle_compare(const void *a, const void *b)
{
  const ovk_lidx x = *(const ovk_lidx *)a, y = *(const ovk_lidx *)b;
  return (x < y) - (x > y);
}

bool ovk__dia_triangle_add_distance(ovk__dia_triangle *T, unsigned char *seen, ovk_lidx d)
{
  if (d == 1 || seen[d]) return true;
  if (d < OVK__LANES || T->count == OVK__DIA_MAX_DIAGONALS) return false;
  seen[d] = 1;
  T->distance[T->count++] = d;
  return true;
}

void ovk__dia_triangle_order(ovk__dia_triangle *T)
{
  qsort(T->distance, (size_t)T->count, sizeof *T->distance, dia_triangle_compare);
}

bool ovk__dia_triangle_fits(const ovk__dia_triangle *T, int64_t entries)
{
  return 4 * entries >= 3 * (T->count + (int64_t)1) * T->n;
}

static bool dia_triangle_find_distances(const ovk__sparsity *S, unsigned char *seen,
                                        ovk__dia_triangle *T)
{
  for (ovk_lidx i = 0; i < T->n; i++) {
    for (int64_t k = S->ptr[i]; k < S->ptr[i + 1]; k++) {
      if (!ovk__dia_triangle_add_distance(T, seen, dia_triangle_distance_of(S, i, k))) return false;
    }
  }
  ovk__dia_triangle_order(T);
  return ovk__dia_triangle_fits(T, S->ptr[T->n]);
}

ovk_err ovk__dia_triangle_plan(ovk_ctx *ctx, ovk_lidx n, const ovk__sparsity *S,
                               ovk__dia_triangle *T, bool *fits)
{
  unsigned char *seen;
  *T = (ovk__dia_triangle){.n = n};
  OVK_NEW_ZEROS(ctx, seen, n);
  *fits = dia_triangle_find_distances(S, seen, T);
  free(seen);
  return OVK_OK;
}

/* The diagonal of a distance other than 1. Rows have their entries in the order of the diagonals,
 * or of the diagonals from the last, so the search starts next to the one found before. */
static int dia_triangle_find(const ovk__dia_triangle *T, ovk_lidx d, int before, bool ascending)
{
  int e = before;
  do {
    e += ascending ? 1 : -1;
    if (e == T->count) e = 0;
    if (e < 0) e = T->count - 1;
  } while (T->distance[e] != d);
  return e;
}

/* An entry of T is in the later one of its row and column. */
static void dia_triangle_fill(const ovk__sparsity *S, const double *value, const double *inverse,
                              ovk__dia_triangle *T)
{
  int e = 0;
  for (ovk_lidx i = 0; i < T->n; i++) {
    for (int64_t k = S->ptr[i]; k < S->ptr[i + 1]; k++) {
      const ovk_lidx d = dia_triangle_distance_of(S, i, k), row = S->col[k] < i ? i : S->col[k];
      if (d == 1) {
        ovk__real_put(T->near, T->single, row, value[k]);
      } else {
        e = dia_triangle_find(T, d, e, row == i);
        ovk__real_put(T->value, T->single, e * T->stride + row, value[k]);
      }
    }
    if (inverse) ovk__real_put(T->inverse, T->single, i, inverse[i]);
  }
}

ovk_err ovk__dia_triangle_allocate(ovk_ctx *ctx, bool single, bool diagonal, ovk__dia_triangle *T)
{
  T->single = single;
  const size_t each = ovk__real_size(single), rows = (size_t)T->n, line = LINE / each;
  T->stride = (int64_t)((rows + line - 1) / line * line + APART / each);
  T->value = ovk__zeros((size_t)T->count * (size_t)T->stride, each);
  T->near = ovk__zeros(rows + 1, each);
  if (diagonal) T->inverse = ovk__array(rows, each);
  OVK_CHECK(T->value && T->near && (T->inverse || !diagonal), ctx, OVK_ERR_MEMORY,
            "no memory for the values of a factor");
  return OVK_OK;
}

ovk_err ovk__dia_triangle_fill(ovk_ctx *ctx, const ovk__sparsity *S, const double *value,
                               const double *inverse, bool single, ovk__dia_triangle *T)
{
  OVK_TRY(ovk__dia_triangle_allocate(ctx, single, inverse != NULL, T));
  dia_triangle_fill(S, value, inverse, T);
  return OVK_OK;
}

void ovk__dia_triangle_free(ovk__dia_triangle *T)
{
  free(T->value);
  free(T->near);
  free(T->inverse);
  *T = (ovk__dia_triangle){0};
}

int64_t ovk__dia_triangle_bytes(const ovk__dia_triangle *T)
{
  const int64_t rows = T->n * (T->inverse ? (int64_t)2 : 1);
  return (T->count * T->stride + rows) * (int64_t)ovk__real_size(T->single);
}
