/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps over a basis of a Krylov space. */
#include "solvers/kernels/updates_basis.h"
#include "base/clones.h"
#include "solvers/kernels/basis_group.h"
#include "solvers/kernels/lanes.h"

#include <string.h>

/* Rows of a block: few enough that some 30 vectors' fit in an L2 cache, and enough that each
 * vector's are a stream to prefetch. */
enum { ROWS = 2048 };

OVK_ALWAYS_INLINE ovk_lidx rows_end(ovk_lidx from, ovk_lidx n)
{
  return ROWS < n - from ? from + ROWS : n;
}

/* The partial sums of (v, u) and (v, z). */
typedef double lane_pair[2][LANES];

/* Adds those of n rows from row r to the lanes of m vectors, m and whether z is NULL being
 * compile-time constants. */
OVK_ALWAYS_INLINE void add_pairs(ovk_lidx r, ovk_lidx n, int m, group g, const double *u,
                                 const double *z, lane_pair *lane)
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
    ask_ahead(&g, m, i, LANES);
    for (int j = 0; j < m; j++) {
      ovk__lanes_of(&a, g.v[j], g.single, i);
      ovk__lanes_add(&to_u[j], &a, &b);
      if (z) ovk__lanes_add(&to_z[j], &a, &c);
    }
  }
  for (int j = 0; j < m; j++) {
    ovk__lanes_to_doubles(lane[j][0], &to_u[j]);
    if (z) ovk__lanes_to_doubles(lane[j][1], &to_z[j]);
    for (ovk_lidx l = i; l < r + n; l++) lane[j][0][l - i] += element(g.v[j], g.single, l) * u[l];
    for (ovk_lidx l = i; z && l < r + n; l++)
      lane[j][1][l - i] += element(g.v[j], g.single, l) * z[l];
  }
}

/* The same for u itself and k vectors of V. */
OVK_ALWAYS_INLINE void add_rows(ovk_lidx r, ovk_lidx n, int k, ovk__basis V, const double *u,
                                const double *z, lane_pair *lane)
{
  void *const self = (void *)u;
  int i = 0;
  add_pairs(r, n, 1, group_of((ovk__basis){.v = &self}, 0, 1, n), u, z, lane++);
  for (; i <= k - ABREAST; i += ABREAST) {
    add_pairs(r, n, ABREAST, group_of(V, i, k, n), u, z, lane + i);
  }
  for (; i < k; i++) add_pairs(r, n, 1, group_of(V, i, k, n), u, z, lane + i);
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

/* Here and below, V.single is a compile-time constant. */
OVK_ALWAYS_INLINE void find_dots(ovk_lidx n, int k, ovk__basis V, const double *u, const double *z,
                                 lane_pair *lane)
{
  for (ovk_lidx r = 0, end; r < n; r = end) {
    end = rows_end(r, n);
    add_rows(r, end - r, k, V, u, z, lane);
  }
}

OVK_FOR_EACH_CPU
void ovk__basis_dots(ovk_lidx n, int k, ovk__basis V, const double *u, const double *z,
                     double *memory, double *dots)
{
  lane_pair *lane = begin_sums(k, memory);
  if (V.single && z) {
    find_dots(n, k, singles(V.v), u, z, lane);
  } else if (V.single) {
    find_dots(n, k, singles(V.v), u, NULL, lane);
  } else if (z) {
    find_dots(n, k, doubles(V.v, n, k), u, z, lane);
  } else {
    find_dots(n, k, doubles(V.v, n, k), u, NULL, lane);
  }
  end_sums(k, lane, z, dots);
}

/* y <- y + sign c_j v_j, one after the other, of m vectors, ABREAST or one, and n rows from row r.
 */
OVK_ALWAYS_INLINE void add_group(ovk_lidx r, ovk_lidx n, int m, group g, const double *c,
                                 double sign, double *restrict y)
{
  const int second = m > 1, third = 2 * second, fourth = 3 * second;
  const double c0 = sign * c[0], c1 = sign * c[second], c2 = sign * c[third], c3 = sign * c[fourth];
  const void *v0 = g.v[0], *v1 = g.v[second], *v2 = g.v[third], *v3 = g.v[fourth];
  for (ovk_lidx from = 0, end; from < n; from = end) {
    end = g.ahead ? block_end(from, n) : n;
    ask_ahead(&g, m, r + from, end - from);
    for (ovk_lidx l = from; l < end; l++) {
      y[l] += c0 * element(v0, g.single, r + l);
      if (m == 1) continue;
      y[l] = ((y[l] + c1 * element(v1, g.single, r + l)) + c2 * element(v2, g.single, r + l)) +
             c3 * element(v3, g.single, r + l);
    }
  }
}

/* The same of k vectors. */
OVK_ALWAYS_INLINE void add_some(ovk_lidx r, ovk_lidx n, int k, ovk__basis V, const double *c,
                                double sign, double *restrict y)
{
  int i = 0;
  for (; i <= k - ABREAST; i += ABREAST) {
    add_group(r, n, ABREAST, group_of(V, i, k, n), c + i, sign, y);
  }
  for (; i < k; i++) add_group(r, n, 1, group_of(V, i, k, n), c + i, sign, y);
}

OVK_ALWAYS_INLINE void add(ovk_lidx n, int k, ovk__basis V, const double *c, double *y)
{
  for (ovk_lidx r = 0, end; r < n; r = end) {
    end = rows_end(r, n);
    add_some(r, end - r, k, V, c, 1, y + r);
  }
}

OVK_FOR_EACH_CPU
void ovk__basis_add(ovk_lidx n, int k, ovk__basis V, const double *c, double *y)
{
  if (V.single) {
    add(n, k, singles(V.v), c, y);
  } else {
    add(n, k, doubles(V.v, n, k), c, y);
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

/* v <- a u; u <- v */
OVK_ALWAYS_INLINE void store(ovk_lidx n, double a, double *restrict u, float *restrict v)
{
  for (ovk_lidx m = 0; m < n; m++) u[m] = v[m] = (float)(a * u[m]);
}

/* The formulas of ovk__basis_extend() for n rows from row r. */
OVK_ALWAYS_INLINE void extend_rows(ovk_lidx r, ovk_lidx n, int k, ovk__basis V,
                                   const ovk__basis_step *step, const double *u, double *z,
                                   const double *q, double *next)
{
  const double inverse = 1 / step->alpha;
  double v[ROWS];
  memcpy(v, u + r, (size_t)n * sizeof *v);
  memcpy(next + r, z + r, (size_t)n * sizeof *z);
  if (q) subtract_from(n, q + r, step->a, z + r);
  add_some(r, n, k, V, step->s, -1, v);
  add_some(r, n, k, V, step->t, -1, next + r);
  if (q) add_some(r, n, k, V, step->c, -1, z + r);
  if (V.single) {
    store(n, inverse, v, (float *)V.v[k] + r);
  } else {
    scale_rows(n, inverse, v);
    memcpy((double *)V.v[k] + r, v, (size_t)n * sizeof *v);
  }
  subtract(n, step->t[k], v, next + r);
  scale_rows(n, inverse, next + r);
  if (!q) return;
  subtract(n, step->c[k], v, z + r);
  scale_rows(n, inverse, z + r);
}

OVK_ALWAYS_INLINE void extend(ovk_lidx n, int k, ovk__basis V, const ovk__basis_step *step,
                              const double *u, const double *z, double *next)
{
  for (ovk_lidx r = 0, end; r < n; r = end) {
    end = rows_end(r, n);
    extend_rows(r, end - r, k, V, step, u, (double *)z, NULL, next);
  }
}

OVK_FOR_EACH_CPU
void ovk__basis_extend(ovk_lidx n, int k, ovk__basis V, const ovk__basis_step *step,
                       const double *u, const double *z, double *next)
{
  if (V.single) {
    extend(n, k, singles(V.v), step, u, z, next);
  } else {
    extend(n, k, doubles(V.v, n, k), step, u, z, next);
  }
}

OVK_ALWAYS_INLINE void extend_and_sum(ovk_lidx n, int k, ovk__basis V, const ovk__basis_step *step,
                                      const double *u, double *z, const double *q, double *next,
                                      lane_pair *lane)
{
  for (ovk_lidx r = 0, end; r < n; r = end) {
    end = rows_end(r, n);
    extend_rows(r, end - r, k, V, step, u, z, q, next);
    add_rows(r, end - r, k + 1, V, next, q ? z : NULL, lane);
  }
}

OVK_FOR_EACH_CPU
void ovk__basis_extend_dots(ovk_lidx n, int k, void *const *v, const ovk__basis_step *step,
                            const double *u, double *z, const double *q, double *next,
                            double *memory, double *dots)
{
  lane_pair *lane = begin_sums(k + 1, memory);
  if (q) {
    extend_and_sum(n, k, doubles(v, n, k), step, u, z, q, next, lane);
  } else {
    extend_and_sum(n, k, doubles(v, n, k), step, u, z, NULL, next, lane);
  }
  end_sums(k + 1, lane, q, dots);
}

OVK_FOR_EACH_CPU
double ovk__basis_direction(ovk_lidx rows, int k, void *const *p_i, void *const *s_i,
                            const double *c, double alpha, const double *z, const double *w,
                            double *p, double *s, double *x, double *r)
{
  double lane[LANES] = {0};
  for (ovk_lidx i = 0, end; i < rows; i = end) {
    end = block_end(i, rows);
    const ovk_lidx n = end - i;
    memcpy(p + i, z + i, (size_t)n * sizeof *p);
    memcpy(s + i, w + i, (size_t)n * sizeof *s);
    add_some(i, n, k, (ovk__basis){.v = p_i}, c, -1, p + i);
    add_some(i, n, k, (ovk__basis){.v = s_i}, c, -1, s + i);
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
