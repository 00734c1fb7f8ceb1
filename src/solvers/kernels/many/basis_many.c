/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps over a basis of blocks of columns: a part of each of its vectors while that of the
 * others stays in the L1 cache, so that the basis is read once. */
#include "solvers/kernels/many/basis_many.h"
#include "core/base/cpu_dispatch.h"
#include "solvers/kernels/many/blocks_many.h"

#include <string.h>

/* y <- a y */
OVK_ALWAYS_INLINE void basis_many_scale(ovk_lidx values, const double a[LANES], double *y)
{
  ovk__lanes A, Y;
  ovk_lidx k = 0;
  ovk__lanes_of_doubles(&A, a);
  for (; k <= values - LANES; k += LANES) {
    ovk__lanes_of_doubles(&Y, y + k);
    ovk__lanes_scale(&Y, &A);
    ovk__lanes_to_doubles(y + k, &Y);
  }
  OVK_REST
  for (int l = 0; k < values; k++, l++) y[k] *= a[l];
}

OVK_FOR_EACH_CPU
void ovk__many_basis_dots(ovk_lidx n, int w, int k, double *const *v, const double *u,
                          const double *z, double *memory, double *dots)
{
  double(*lane)[LANES] = (double(*)[LANES])memory;
  const int64_t values = (int64_t)n * w;
  memset(memory, 0, ovk__many_basis_lanes(k) * sizeof *memory);
  for (int64_t from = 0, end; from < values; from = end) {
    end = many_end(from, values);
    const ovk_lidx part = many_part(from, end);
    for (int i = -1; i < k; i++) {
      const double *x = (i < 0 ? u : v[i]) + from;
      const ptrdiff_t at = 2 * ((ptrdiff_t)i + 1);
      ovk__lanes_dot(part, x, u + from, lane[at]);
      if (z) ovk__lanes_dot(part, x, z + from, lane[at + 1]);
    }
  }
  for (ptrdiff_t i = 0; i < 2 * ((ptrdiff_t)k + 1); i++) many_fold(w, lane[i], dots + i * LANES);
}

OVK_FOR_EACH_CPU
void ovk__many_basis_extend(ovk_lidx n, int w, int k, double *const *v, const double *s,
                            const double *t, const double *inverse, const double *z)
{
  double a[LANES], by[LANES];
  const int64_t values = (int64_t)n * w;
  many_spread(w, inverse, by);
  for (int64_t from = 0, end; from < values; from = end) {
    end = many_end(from, values);
    const ovk_lidx part = many_part(from, end);
    double *last = v[k] + from, *next = v[k + 1] + from;
    memcpy(next, z + from, (size_t)part * sizeof *next);
    for (int i = 0; i <= k; i++) {
      if (i == k) basis_many_scale(part, by, last);
      many_spread(w, t + (ptrdiff_t)i * LANES, a);
      many_subtract(part, a, v[i] + from, next);
      if (i == k) continue;
      many_spread(w, s + (ptrdiff_t)i * LANES, a);
      many_subtract(part, a, v[i] + from, last);
    }
    basis_many_scale(part, by, next);
  }
}

OVK_FOR_EACH_CPU
void ovk__many_basis_sum(ovk_lidx n, int w, int k, double *const *v, const double *c, double *y)
{
  double a[LANES];
  const int64_t values = (int64_t)n * w;
  for (int64_t from = 0, end; from < values; from = end) {
    end = many_end(from, values);
    const ovk_lidx part = many_part(from, end);
    memset(y + from, 0, (size_t)part * sizeof *y);
    for (int i = 0; i < k; i++) {
      many_spread(w, c + (ptrdiff_t)i * LANES, a);
      many_add(part, a, v[i] + from, y + from);
    }
  }
}
