/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps over a basis of a Krylov space. */
#include "solvers/kernels/basis/updates_basis.h"
#include "core/base/cpu_dispatch.h"
#include "solvers/kernels/basis/rows.h"

#include <string.h>

/* Rows of a block: few enough that those of some 30 vectors fit in an L2 cache, and enough that
 * those of each vector are a stream to prefetch. */
enum { ROWS = 2048 };

OVK_ALWAYS_INLINE ovk_lidx rows_end(ovk_lidx from, ovk_lidx n)
{
  return ROWS < n - from ? from + ROWS : n;
}

/* add_rows() and add_some() of a block of rows, compiled once for each kind of vectors. */
OVK_FOR_EACH_CPU
static void basis_add_rows(ovk_lidx r, ovk_lidx n, int k, ovk__basis V, const double *u,
                           const double *z, lane_pair *lane)
{
  const ovk__basis D = {.v = V.v, .ahead = V.ahead};
  if (V.single && z) {
    add_rows(r, n, k, singles(V.v), u, z, lane);
  } else if (V.single) {
    add_rows(r, n, k, singles(V.v), u, NULL, lane);
  } else if (z) {
    add_rows(r, n, k, D, u, z, lane);
  } else {
    add_rows(r, n, k, D, u, NULL, lane);
  }
}

OVK_FOR_EACH_CPU
static void basis_add_some(ovk_lidx r, ovk_lidx n, int k, ovk__basis V, const double *c,
                           double sign, double *y)
{
  if (V.single) {
    add_some(r, n, k, singles(V.v), c, sign, y);
  } else {
    add_some(r, n, k, (ovk__basis){.v = V.v, .ahead = V.ahead}, c, sign, y);
  }
}

/* V as k vectors of n rows: they decide whether it is prefetched. */
static ovk__basis basis_of(ovk__basis V, ovk_lidx n, int k)
{
  return V.single ? singles(V.v) : doubles(V.v, n, k);
}

void ovk__basis_dots(ovk_lidx n, int k, ovk__basis V, const double *u, const double *z,
                     double *memory, double *dots)
{
  lane_pair *lane = begin_pairs(k, memory);
  V = basis_of(V, n, k);
  for (ovk_lidx r = 0, end; r < n; r = end) {
    end = rows_end(r, n);
    basis_add_rows(r, end - r, k, V, u, z, lane);
  }
  end_pairs(k, lane, z, dots);
}

void ovk__basis_add(ovk_lidx n, int k, ovk__basis V, const double *c, double *y)
{
  V = basis_of(V, n, k);
  for (ovk_lidx r = 0, end; r < n; r = end) {
    end = rows_end(r, n);
    basis_add_some(r, end - r, k, V, c, 1, y + r);
  }
}

/* y <- a y */
OVK_ALWAYS_INLINE void basis_scale_rows(ovk_lidx n, double a, double *restrict y)
{
  for (ovk_lidx m = 0; m < n; m++) y[m] *= a;
}

/* z <- q - a z */
OVK_ALWAYS_INLINE void basis_subtract_from(ovk_lidx n, const double *restrict q, double a,
                                           double *restrict z)
{
  for (ovk_lidx m = 0; m < n; m++) z[m] = q[m] - a * z[m];
}

/* y <- y - a x */
OVK_ALWAYS_INLINE void basis_subtract(ovk_lidx n, double a, const double *restrict x,
                                      double *restrict y)
{
  for (ovk_lidx m = 0; m < n; m++) y[m] -= a * x[m];
}

/* v <- a u; u <- v */
OVK_ALWAYS_INLINE void basis_store_single(ovk_lidx n, double a, double *restrict u,
                                          float *restrict v)
{
  for (ovk_lidx m = 0; m < n; m++) u[m] = v[m] = (float)(a * u[m]);
}

/* The formulas of ovk__basis_extend() for n rows from row r. */
OVK_ALWAYS_INLINE void basis_extend_block(ovk_lidx r, ovk_lidx n, int k, ovk__basis V,
                                          const ovk__basis_step *step, const double *u, double *z,
                                          const double *q, double *next)
{
  const double inverse = 1 / step->alpha;
  double v[ROWS];
  memcpy(v, u + r, (size_t)n * sizeof *v);
  memcpy(next + r, z + r, (size_t)n * sizeof *z);
  if (q) basis_subtract_from(n, q + r, step->a, z + r);
  basis_add_some(r, n, k, V, step->s, -1, v);
  basis_add_some(r, n, k, V, step->t, -1, next + r);
  if (q) basis_add_some(r, n, k, V, step->c, -1, z + r);
  if (V.single) {
    basis_store_single(n, inverse, v, (float *)V.v[k] + r);
  } else {
    basis_scale_rows(n, inverse, v);
    memcpy((double *)V.v[k] + r, v, (size_t)n * sizeof *v);
  }
  basis_subtract(n, step->t[k], v, next + r);
  basis_scale_rows(n, inverse, next + r);
  if (!q) return;
  basis_subtract(n, step->c[k], v, z + r);
  basis_scale_rows(n, inverse, z + r);
}

OVK_FOR_EACH_CPU
void ovk__basis_extend(ovk_lidx n, int k, ovk__basis V, const ovk__basis_step *step,
                       const double *u, const double *z, double *next)
{
  V = basis_of(V, n, k);
  for (ovk_lidx r = 0, end; r < n; r = end) {
    end = rows_end(r, n);
    basis_extend_block(r, end - r, k, V, step, u, (double *)z, NULL, next);
  }
}

OVK_FOR_EACH_CPU
void ovk__basis_extend_dots(ovk_lidx n, int k, void *const *v, const ovk__basis_step *step,
                            const double *u, double *z, const double *q, double *next,
                            double *memory, double *dots)
{
  const ovk__basis V = doubles(v, n, k);
  lane_pair *lane = begin_pairs(k + 1, memory);
  for (ovk_lidx r = 0, end; r < n; r = end) {
    end = rows_end(r, n);
    basis_extend_block(r, end - r, k, V, step, u, z, q, next);
    basis_add_rows(r, end - r, k + 1, V, next, q ? z : NULL, lane);
  }
  end_pairs(k + 1, lane, q, dots);
}

OVK_FOR_EACH_CPU
void ovk__basis_scale(ovk_lidx n, double a, double *y)
{
  basis_scale_rows(n, a, y);
}
