/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps over a basis of a Krylov space. */
#include "solvers/kernels/updates_basis.h"
#include "base/clones.h"
#include "solvers/kernels/lanes.h"

/* Rows of a block, a page of each vector; and vectors whose lanes are summed in one pass. */
enum { PAGE = 512, MOST = 32 };

OVK_ALWAYS_INLINE ovk_lidx page_end(ovk_lidx from, ovk_lidx n)
{
  return PAGE < n - from ? from + PAGE : n;
}

/* Adds (v, u) and (v, z) to the lanes. */
OVK_ALWAYS_INLINE void add_two_dots(ovk_lidx n, const double *v, const double *u, const double *z,
                                    double to_u[LANES], double to_z[LANES])
{
  double a[LANES], b[LANES];
  ovk_lidx i = 0;
  for (int l = 0; l < LANES; l++) {
    a[l] = to_u[l];
    b[l] = to_z[l];
  }
  for (; i <= n - LANES; i += LANES) {
    for (int l = 0; l < LANES; l++) a[l] += v[i + l] * u[i + l];
    for (int l = 0; l < LANES; l++) b[l] += v[i + l] * z[i + l];
  }
  for (int l = 0; i < n; i++, l++) {
    a[l] += v[i] * u[i];
    b[l] += v[i] * z[i];
  }
  for (int l = 0; l < LANES; l++) {
    to_u[l] = a[l];
    to_z[l] = b[l];
  }
}

/* The same for two v. */
OVK_ALWAYS_INLINE void add_four_dots(ovk_lidx n, const double *v, const double *w, const double *u,
                                     const double *z, double lane[2][2][LANES])
{
  double a[LANES], b[LANES], c[LANES], d[LANES];
  ovk_lidx i = 0;
  for (int l = 0; l < LANES; l++) {
    a[l] = lane[0][0][l];
    b[l] = lane[0][1][l];
    c[l] = lane[1][0][l];
    d[l] = lane[1][1][l];
  }
  for (; i <= n - LANES; i += LANES) {
    for (int l = 0; l < LANES; l++) a[l] += v[i + l] * u[i + l];
    for (int l = 0; l < LANES; l++) b[l] += v[i + l] * z[i + l];
    for (int l = 0; l < LANES; l++) c[l] += w[i + l] * u[i + l];
    for (int l = 0; l < LANES; l++) d[l] += w[i + l] * z[i + l];
  }
  for (int l = 0; i < n; i++, l++) {
    a[l] += v[i] * u[i];
    b[l] += v[i] * z[i];
    c[l] += w[i] * u[i];
    d[l] += w[i] * z[i];
  }
  for (int l = 0; l < LANES; l++) {
    lane[0][0][l] = a[l];
    lane[0][1][l] = b[l];
    lane[1][0][l] = c[l];
    lane[1][1][l] = d[l];
  }
}

/* dots[2 i] <- (v_i, u), dots[2 i + 1] <- (v_i, z) for i < k <= MOST; without z the latter are not
 * set. */
OVK_ALWAYS_INLINE void dots_of_some(ovk_lidx rows, int k, const double *const *v, const double *u,
                                    const double *z, double *dots)
{
  double lane[MOST][2][LANES];
  for (int i = 0; i < k; i++) {
    for (int l = 0; l < LANES; l++) lane[i][0][l] = lane[i][1][l] = 0;
  }
  for (ovk_lidx r = 0, end; r < rows; r = end) {
    end = page_end(r, rows);
    int i = 0;
    if (!z) {
      for (; i < k; i++) add_dot(end - r, v[i] + r, u + r, lane[i][0]);
      continue;
    }
    for (; i + 1 < k; i += 2) {
      add_four_dots(end - r, v[i] + r, v[i + 1] + r, u + r, z + r, &lane[i]);
    }
    if (i < k) add_two_dots(end - r, v[i] + r, u + r, z + r, lane[i][0], lane[i][1]);
  }
  for (int i = 0; i < k; i++, dots += 2) {
    dots[0] = sum_lanes(lane[i][0]);
    if (z) dots[1] = sum_lanes(lane[i][1]);
  }
}

OVK_FOR_EACH_CPU
void ovk__basis_dots(ovk_lidx n, int k, const double *const *v, const double *u, const double *z,
                     double *dots)
{
  dots_of_some(n, 1, &u, u, z, dots);
  for (int i = 0; i < k; i += MOST) {
    dots_of_some(n, k - i < MOST ? k - i : MOST, v + i, u, z, dots + ovk__basis_vu(i));
  }
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
    end = page_end(r, n);
    add_some(r, end - r, k, v, c, 1, y + r);
  }
}

/* y <- a y */
OVK_ALWAYS_INLINE void scale_page(ovk_lidx n, double a, double *restrict y)
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

OVK_FOR_EACH_CPU
void ovk__basis_extend(ovk_lidx rows, int k, const double *const *v, const ovk__basis_step *step,
                       double *u, double *z, const double *q, double *next)
{
  const double inverse = 1 / step->alpha;
  for (ovk_lidx r = 0, end; r < rows; r = end) {
    end = page_end(r, rows);
    const ovk_lidx n = end - r;
    for (ovk_lidx m = r; m < end; m++) next[m] = z[m];
    if (q) subtract_from(n, q + r, step->a, z + r);
    add_some(r, n, k, v, step->s, -1, u + r);
    add_some(r, n, k, v, step->t, -1, next + r);
    if (q) add_some(r, n, k, v, step->c, -1, z + r);
    scale_page(n, inverse, u + r);
    subtract(n, step->t[k], u + r, next + r);
    scale_page(n, inverse, next + r);
    if (!q) continue;
    subtract(n, step->c[k], u + r, z + r);
    scale_page(n, inverse, z + r);
  }
}

OVK_FOR_EACH_CPU
void ovk__scale(ovk_lidx n, double a, double *y)
{
  scale_page(n, a, y);
}
