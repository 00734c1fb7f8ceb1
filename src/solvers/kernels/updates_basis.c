/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps over a basis of a Krylov space. */
#include "solvers/kernels/updates_basis.h"
#include "base/clones.h"
#include "solvers/kernels/lanes.h"

#include <stdbool.h>
#include <string.h>

/* Rows of a block: few enough that some 30 vectors' fit in an L2 cache, and enough that each
 * vector's are a stream to prefetch. As many vectors are read at the same time as have their sums
 * in registers. */
enum { ROWS = 2048, ABREAST = 4 };

OVK_ALWAYS_INLINE ovk_lidx rows_end(ovk_lidx from, ovk_lidx n)
{
  return ROWS < n - from ? from + ROWS : n;
}

/* The partial sums of (v, u) and (v, z). */
typedef double lane_pair[2][LANES];

/* Adds those of n rows from row r to the lanes of m vectors v, m and whether z is NULL being
 * compile-time constants. */
OVK_ALWAYS_INLINE void add_pairs(ovk_lidx r, ovk_lidx n, int m, const double *const *v,
                                 const double *u, const double *z, lane_pair *lane)
{
  ovk__lanes to_u[ABREAST], to_z[ABREAST], a, b, c;
  ovk_lidx i = r;
  for (int j = 0; j < m; j++) {
    ovk__lanes_of_doubles(&to_u[j], lane[j][0]);
    if (z) ovk__lanes_of_doubles(&to_z[j], lane[j][1]);
  }
  for (; i <= r + n - LANES; i += LANES) {
    ovk__lanes_of_doubles(&b, u + i);
    if (z) ovk__lanes_of_doubles(&c, z + i);
    for (int j = 0; j < m; j++) {
      ovk__lanes_of_doubles(&a, v[j] + i);
      ovk__lanes_add(&to_u[j], &a, &b);
      if (z) ovk__lanes_add(&to_z[j], &a, &c);
    }
  }
  for (int j = 0; j < m; j++) {
    ovk__lanes_to_doubles(lane[j][0], &to_u[j]);
    if (z) ovk__lanes_to_doubles(lane[j][1], &to_z[j]);
    for (ovk_lidx l = i; l < r + n; l++) lane[j][0][l - i] += v[j][l] * u[l];
    for (ovk_lidx l = i; z && l < r + n; l++) lane[j][1][l - i] += v[j][l] * z[l];
  }
}

/* The same for u itself and k vectors v. */
OVK_ALWAYS_INLINE void add_rows(ovk_lidx r, ovk_lidx n, int k, const double *const *v,
                                const double *u, const double *z, lane_pair *lane)
{
  int i = 0;
  add_pairs(r, n, 1, &u, u, z, lane++);
  for (; i <= k - ABREAST; i += ABREAST) add_pairs(r, n, ABREAST, v + i, u, z, lane + i);
  for (; i < k; i++) add_pairs(r, n, 1, v + i, u, z, lane + i);
}

static lane_pair *begin_sums(int k, double *memory)
{
  memset(memory, 0, ovk__basis_lanes(k) * sizeof *memory);
  return (lane_pair *)memory;
}

/* The sums of k vectors and u; without z its inner products are not set. */
static void end_sums(int k, lane_pair *lane, bool z, double *dots)
{
  for (int i = 0; i <= k; i++, dots += 2) {
    dots[0] = sum_lanes(lane[i][0]);
    if (z) dots[1] = sum_lanes(lane[i][1]);
  }
}

OVK_ALWAYS_INLINE void find_dots(ovk_lidx n, int k, const double *const *v, const double *u,
                                 const double *z, lane_pair *lane)
{
  for (ovk_lidx r = 0, end; r < n; r = end) {
    end = rows_end(r, n);
    add_rows(r, end - r, k, v, u, z, lane);
  }
}

OVK_FOR_EACH_CPU
void ovk__basis_dots(ovk_lidx n, int k, const double *const *v, const double *u, const double *z,
                     double *memory, double *dots)
{
  lane_pair *lane = begin_sums(k, memory);
  if (z) {
    find_dots(n, k, v, u, z, lane);
  } else {
    find_dots(n, k, v, u, NULL, lane);
  }
  end_sums(k, lane, z, dots);
}

/* y <- y + c_i v_i for i < k, one after the other, of n rows from row r */
OVK_ALWAYS_INLINE void add_some(ovk_lidx r, ovk_lidx n, int k, const double *const *v,
                                const double *c, double sign, double *restrict y)
{
  int i = 0;
  for (; i + 3 < k; i += 4) {
    const double *restrict v0 = v[i] + r, *restrict v1 = v[i + 1] + r;
    const double *restrict v2 = v[i + 2] + r, *restrict v3 = v[i + 3] + r;
    const double c0 = sign * c[i], c1 = sign * c[i + 1], c2 = sign * c[i + 2], c3 = sign * c[i + 3];
    for (ovk_lidx m = 0; m < n; m++) {
      y[m] = (((y[m] + c0 * v0[m]) + c1 * v1[m]) + c2 * v2[m]) + c3 * v3[m];
    }
  }
  for (; i < k; i++) {
    const double *restrict v0 = v[i] + r;
    const double c0 = sign * c[i];
    for (ovk_lidx m = 0; m < n; m++) y[m] += c0 * v0[m];
  }
}

OVK_FOR_EACH_CPU
void ovk__basis_add(ovk_lidx n, int k, const double *const *v, const double *c, double *y)
{
  for (ovk_lidx r = 0, end; r < n; r = end) {
    end = rows_end(r, n);
    add_some(r, end - r, k, v, c, 1, y + r);
  }
}

/* y <- a y */
OVK_ALWAYS_INLINE void scale_rows(ovk_lidx n, double a, double *restrict y)
{
  for (ovk_lidx m = 0; m < n; m++) y[m] *= a;
}

/* z <- q - a z */
OVK_ALWAYS_INLINE void subtract_from(ovk_lidx n, const double *restrict q, double a,
                                     double *restrict z)
{
  for (ovk_lidx m = 0; m < n; m++) z[m] = q[m] - a * z[m];
}

/* y <- y - a x */
OVK_ALWAYS_INLINE void subtract(ovk_lidx n, double a, const double *restrict x, double *restrict y)
{
  for (ovk_lidx m = 0; m < n; m++) y[m] -= a * x[m];
}

/* The formulas of ovk__basis_extend() for n rows from row r. */
OVK_ALWAYS_INLINE void extend_rows(ovk_lidx r, ovk_lidx n, int k, const double *const *v,
                                   const ovk__basis_step *step, double *u, double *z,
                                   const double *q, double *next)
{
  const double inverse = 1 / step->alpha;
  memcpy(next + r, z + r, (size_t)n * sizeof *z);
  if (q) subtract_from(n, q + r, step->a, z + r);
  add_some(r, n, k, v, step->s, -1, u + r);
  add_some(r, n, k, v, step->t, -1, next + r);
  if (q) add_some(r, n, k, v, step->c, -1, z + r);
  scale_rows(n, inverse, u + r);
  subtract(n, step->t[k], u + r, next + r);
  scale_rows(n, inverse, next + r);
  if (!q) return;
  subtract(n, step->c[k], u + r, z + r);
  scale_rows(n, inverse, z + r);
}

OVK_FOR_EACH_CPU
void ovk__basis_extend(ovk_lidx n, int k, const double *const *v, const ovk__basis_step *step,
                       double *u, double *z, double *next)
{
  for (ovk_lidx r = 0, end; r < n; r = end) {
    end = rows_end(r, n);
    extend_rows(r, end - r, k, v, step, u, z, NULL, next);
  }
}

OVK_ALWAYS_INLINE void extend_and_sum(ovk_lidx n, int k, const double *const *v,
                                      const ovk__basis_step *step, double *u, double *z,
                                      const double *q, double *next, lane_pair *lane)
{
  for (ovk_lidx r = 0, end; r < n; r = end) {
    end = rows_end(r, n);
    extend_rows(r, end - r, k, v, step, u, z, q, next);
    add_rows(r, end - r, k + 1, v, next, q ? z : NULL, lane);
  }
}

OVK_FOR_EACH_CPU
void ovk__basis_extend_dots(ovk_lidx n, int k, const double *const *v, const ovk__basis_step *step,
                            double *u, double *z, const double *q, double *next, double *memory,
                            double *dots)
{
  lane_pair *lane = begin_sums(k + 1, memory);
  if (q) {
    extend_and_sum(n, k, v, step, u, z, q, next, lane);
  } else {
    extend_and_sum(n, k, v, step, u, z, NULL, next, lane);
  }
  end_sums(k + 1, lane, q, dots);
}

OVK_FOR_EACH_CPU
double ovk__basis_direction(ovk_lidx rows, int k, const double *const *p_i,
                            const double *const *s_i, const double *c, double alpha,
                            const double *z, const double *w, double *p, double *s, double *x,
                            double *r)
{
  double lane[LANES] = {0};
  for (ovk_lidx i = 0, end; i < rows; i = end) {
    end = block_end(i, rows);
    const ovk_lidx n = end - i;
    memcpy(p + i, z + i, (size_t)n * sizeof *p);
    memcpy(s + i, w + i, (size_t)n * sizeof *s);
    add_some(i, n, k, p_i, c, -1, p + i);
    add_some(i, n, k, s_i, c, -1, s + i);
    subtract(n, -alpha, p + i, x + i);
    subtract(n, alpha, s + i, r + i);
    add_dot(n, r + i, r + i, lane);
  }
  return sum_lanes(lane);
}

OVK_FOR_EACH_CPU
void ovk__scale(ovk_lidx n, double a, double *y)
{
  scale_rows(n, a, y);
}
