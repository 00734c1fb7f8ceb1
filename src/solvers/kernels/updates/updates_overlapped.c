/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps of the single-reduction method and of Gropp's. A sweep traverses its arrays once,
 * block by block; within a block, which stays in the L1 cache, each formula is a separate loop. */
#include "solvers/kernels/updates/updates_overlapped.h"
#include "core/base/cpu_dispatch.h"
#include "solvers/kernels/blocks.h"
#include "solvers/kernels/diagonal_step.h"

/* Here and below d is a compile-time NULL if M is not diagonal; row i of D is d[i step]. */
OVK_ALWAYS_INLINE double single_reduction_sweep(ovk_lidx n, double alpha, double beta,
                                                const double *d, ptrdiff_t step, bool of_u,
                                                double *u, const double *w, double *p, double *s,
                                                double *x, double *r, double *ru)
{
  double lane_vv[LANES] = {0}, lane_ru[LANES] = {0};
  for (ovk_lidx i = 0, end; i < n; i = end) {
    end = block_end(i, n);
    const ovk_lidx k = end - i;
    block_xpby(k, u + i, beta, p + i);                       /* p <- u + beta p */
    block_xpby(k, w + i, beta, s + i);                       /* s <- w + beta s */
    block_axpy(k, alpha, p + i, x + i);                      /* x <- x + alpha p */
    block_axpy(k, -alpha, s + i, r + i);                     /* r <- r - alpha s */
    if (d) block_scale(k, d + i * step, step, r + i, u + i); /* u <- D r */
    const double *v = (d && of_u ? u : r) + i;
    ovk__lanes_dot(k, v, v, lane_vv);                /* (u, u) or (r, r) */
    if (d) ovk__lanes_dot(k, r + i, u + i, lane_ru); /* (r, u) */
  }
  if (d) *ru = ovk__lanes_total(lane_ru);
  return ovk__lanes_total(lane_vv);
}

OVK_FOR_EACH_CPU
double ovk__update_single_reduction(ovk_lidx n, double alpha, double beta, ovk__diagonal D,
                                    bool of_u, double *u, const double *w, double *p, double *s,
                                    double *x, double *r, double *ru)
{
  OVK_WITH_DIAGONAL(
      D, d, step,
      return single_reduction_sweep(n, alpha, beta, d, step, of_u, u, w, p, s, x, r, ru));
}

OVK_ALWAYS_INLINE double groppcg_r_z_sweep(ovk_lidx n, double alpha, const double *s,
                                           const double *q, const double *d, ptrdiff_t step,
                                           bool of_z, double *r, double *z, double *rz)
{
  double lane_vv[LANES] = {0}, lane_rz[LANES] = {0};
  for (ovk_lidx i = 0, end; i < n; i = end) {
    end = block_end(i, n);
    const ovk_lidx k = end - i;
    block_axpy(k, -alpha, s + i, r + i); /* r <- r - alpha s */
    if (d) {
      block_scale(k, d + i * step, step, r + i, z + i); /* z <- D r */
    } else {
      block_axpy(k, -alpha, q + i, z + i); /* z <- z - alpha q */
    }
    const double *v = (of_z ? z : r) + i;
    ovk__lanes_dot(k, v, v, lane_vv);         /* (z, z) or (r, r) */
    ovk__lanes_dot(k, r + i, z + i, lane_rz); /* (r, z) */
  }
  *rz = ovk__lanes_total(lane_rz);
  return ovk__lanes_total(lane_vv);
}

OVK_FOR_EACH_CPU
double ovk__groppcg_update_r_z(ovk_lidx n, double alpha, const double *s, const double *q,
                               ovk__diagonal D, bool of_z, double *r, double *z, double *rz)
{
  OVK_WITH_DIAGONAL(D, d, step, return groppcg_r_z_sweep(n, alpha, s, q, d, step, of_z, r, z, rz));
}

OVK_FOR_EACH_CPU
double ovk__groppcg_update_p_s(ovk_lidx n, double beta, const double *restrict z,
                               const double *restrict Z, const double *restrict q,
                               double *restrict p, double *restrict s)
{
  double ps[LANES] = {0};
  for (ovk_lidx i = 0, end; i < n; i = end) {
    end = block_end(i, n);
    for (ovk_lidx k = i; k < end; k++) p[k] = z[k] + beta * q[k]; /* p <- z + beta q */
    block_xpby(end - i, Z + i, beta, s + i);                      /* s <- Z + beta s */
    ovk__lanes_dot(end - i, p + i, s + i, ps);                    /* (p, s) */
  }
  return ovk__lanes_total(ps);
}
