/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps of the deep pipeline: all levels and all inner products in one pass. */
#include "solvers/kernels/updates/updates_pipelcg.h"
#include "core/base/cpu_dispatch.h"
#include "solvers/kernels/blocks.h"
#include "solvers/kernels/compensated_dot.h"

/* t <- a x + b y + c t */
OVK_ALWAYS_INLINE void block_step(ovk_lidx n, double a, const double *restrict x, double b,
                                  const double *restrict y, double c, double *restrict t)
{
  for (ovk_lidx i = 0; i < n; i++) t[i] = a * x[i] + b * y[i] + c * t[i];
}

/* t <- a x + b y + c s */
OVK_ALWAYS_INLINE void block_step_to(ovk_lidx n, double a, const double *restrict x, double b,
                                     const double *restrict y, double c, const double *restrict s,
                                     double *restrict t)
{
  for (ovk_lidx i = 0; i < n; i++) t[i] = a * x[i] + b * y[i] + c * s[i];
}

/* p <- zeta v + beta p; y <- y + alpha p */
OVK_ALWAYS_INLINE void block_advance(ovk_lidx n, double zeta, const double *restrict v, double beta,
                                     double alpha, double *restrict p, double *restrict y)
{
  for (ovk_lidx i = 0; i < n; i++) {
    p[i] = zeta * v[i] + beta * p[i];
    y[i] += alpha * p[i];
  }
}

OVK_FOR_EACH_CPU
void ovk__pipelcg_advance(ovk_lidx n, double zeta, const double *v, double beta, double alpha,
                          double *p, double *y)
{
  block_advance(n, zeta, v, beta, alpha, p, y);
}

OVK_FOR_EACH_CPU
double ovk__pipelcg_dot(ovk_lidx rows, const double *x, const double *y)
{
  ovk__compensated t = {0};
  for (ovk_lidx i = 0, end; i < rows; i = end) {
    end = block_end(i, rows);
    compensated_dot(end - i, x + i, y + i, &t);
  }
  return compensated_sum(&t);
}

OVK_FOR_EACH_CPU
void ovk__scale_add(ovk_lidx n, double a, const double *restrict x, double b, double *restrict y)
{
  if (b == 0) {
    for (ovk_lidx i = 0; i < n; i++) y[i] = a * x[i];
  } else {
    for (ovk_lidx i = 0; i < n; i++) y[i] = a * x[i] + b * y[i];
  }
}

OVK_FOR_EACH_CPU
void ovk__combine(ovk_lidx n, double a, const double *restrict w, double b,
                  const double *restrict x, double *restrict y)
{
  for (ovk_lidx i = 0; i < n; i++) y[i] = a * w[i] + b * x[i];
}

/* Updates all vectors except z, for n rows from row i. Level k is computed before level k + 1, as
 * it needs now[k + 1]. */
OVK_ALWAYS_INLINE void update_levels(ovk_lidx i, ovk_lidx n, const ovk__pipelcg_arrays *v,
                                     const ovk__pipelcg_coeffs *c)
{
  const int l = v->depth;
  const double a = c->scale / c->delta, b = -c->before / c->delta;
  if (c->alpha != 0) block_advance(n, c->zeta, v->v + i, c->beta, c->alpha, v->p + i, v->y + i);
  block_step_to(n, a, v->now[1] + i, (c->shift[0] - c->gamma) / c->delta, v->now[0] + i, b,
                v->old[0] + i, v->next + i);
  for (int k = 1; k < l; k++) {
    block_step(n, a, v->now[k + 1] + i, (c->shift[k] - c->gamma) / c->delta, v->now[k] + i, b,
               v->old[k] + i);
  }
  block_step(n, 1 / c->delta, v->w + i, -c->gamma / c->delta, v->now[l] + i, b, v->old[l] + i);
}

/* The y of the sum (z, y), from which z_i+1 was computed. */
OVK_ALWAYS_INLINE const double *find_y(const ovk__pipelcg_arrays *v)
{
  return v->depth > 1 ? v->old[v->depth - 1] : v->next;
}

OVK_ALWAYS_INLINE void add_sums(ovk_lidx i, ovk_lidx n, const ovk__pipelcg_arrays *v,
                                ovk__compensated *t)
{
  compensated_dot(n, v->z + i, v->old[v->depth] + i, &t[OVK__ZZ_PIPELCG]);
  compensated_dot(n, v->z + i, find_y(v) + i, &t[OVK__ZY_PIPELCG]);
  compensated_dot(n, v->next + i, v->next + i, &t[OVK__VV_PIPELCG]);
}

OVK_ALWAYS_INLINE void end_sums(const ovk__compensated *t, double sums[OVK__PIPELCG_SUMS])
{
  for (int k = 0; k < OVK__PIPELCG_SUMS; k++) sums[k] = compensated_sum(&t[k]);
}

OVK_FOR_EACH_CPU
void ovk__update_pipelcg(ovk_lidx rows, const ovk__pipelcg_arrays *v, const ovk__pipelcg_coeffs *c,
                         double sums[OVK__PIPELCG_SUMS])
{
  ovk__compensated t[OVK__PIPELCG_SUMS] = {0};
  for (ovk_lidx i = 0, end; i < rows; i = end) {
    end = block_end(i, rows);
    const ovk_lidx n = end - i;
    update_levels(i, n, v, c);
    compensated_dot(n, v->z_now + i, v->next + i, &t[OVK__CHECK_PIPELCG]);
    block_step(n, 1 / c->delta, v->m + i, -c->gamma / c->delta, v->z_now + i, -c->before / c->delta,
               v->z + i); /* z <- (m - gamma z_now - before z) / delta */
    add_sums(i, n, v, t);
  }
  end_sums(t, sums);
}

OVK_FOR_EACH_CPU
void ovk__update_pipelcg_diagonal(ovk_lidx rows, ovk__diagonal D, const ovk__pipelcg_arrays *v,
                                  const ovk__pipelcg_coeffs *c, double sums[OVK__PIPELCG_SUMS])
{
  ovk__compensated t[OVK__PIPELCG_SUMS] = {0};
  double u[BLOCK];
  for (ovk_lidx i = 0, end; i < rows; i = end) {
    end = block_end(i, rows);
    const ovk_lidx n = end - i;
    update_levels(i, n, v, c);
    block_scale_from(i, n, D, v->next + i, u);
    compensated_dot(n, u, v->next + i, &t[OVK__CHECK_PIPELCG]);
    block_scale_from(i, n, D, v->old[v->depth] + i, v->z + i); /* z <- D old[l] */
    add_sums(i, n, v, t);
  }
  end_sums(t, sums);
}
