/* SPDX-License-Identifier: BSD-2-Clause */
/* The operations of sweeps over a basis on a block of its rows. */
#ifndef OVK_SOLVERS_KERNELS_BASIS_ROWS_H
#define OVK_SOLVERS_KERNELS_BASIS_ROWS_H

#include "core/base/reals.h"
#include "solvers/kernels/basis/group.h"
#include "solvers/kernels/lanes.h"

#include <string.h>

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
    for (ovk_lidx l = i; l < r + n; l++)
      lane[j][0][l - i] += ovk__real_at(g.v[j], g.single, l) * u[l];
    for (ovk_lidx l = i; z && l < r + n; l++)
      lane[j][1][l - i] += ovk__real_at(g.v[j], g.single, l) * z[l];
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

OVK_ALWAYS_INLINE lane_pair *begin_pairs(int k, double *memory)
{
  memset(memory, 0, ovk__basis_lanes(k) * sizeof *memory);
  return (lane_pair *)memory;
}

/* The sums of k vectors and u; without z its inner products are not set. */
OVK_ALWAYS_INLINE void end_pairs(int k, lane_pair *lane, bool z, double *dots)
{
  for (int i = 0; i <= k; i++, dots += 2) {
    dots[0] = ovk__lanes_total(lane[i][0]);
    if (z) dots[1] = ovk__lanes_total(lane[i][1]);
  }
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
      y[l] += c0 * ovk__real_at(v0, g.single, r + l);
      if (m == 1) continue;
      y[l] = ((y[l] + c1 * ovk__real_at(v1, g.single, r + l)) +
              c2 * ovk__real_at(v2, g.single, r + l)) +
             c3 * ovk__real_at(v3, g.single, r + l);
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

#endif
