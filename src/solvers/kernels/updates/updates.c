/* SPDX-License-Identifier: BSD-2-Clause */
/* The vector sweeps of the methods with blocking reductions, and those shared by all methods. */
#include "solvers/kernels/updates/updates.h"
#include "core/base/cpu_dispatch.h"
#include "solvers/kernels/diagonal_step.h"
#include "solvers/kernels/lanes.h"

OVK_FOR_EACH_CPU
double ovk__dot(ovk_lidx n, const double *x, const double *y)
{
  double lane[LANES] = {0};
  ovk__lanes_dot(n, x, y, lane);
  return ovk__lanes_total(lane);
}

/* The row at which to stop and poll: a multiple of LANES rows, so that polls do not change the sum.
 */
static inline ovk_lidx updates_poll_end(ovk_poll poll, ovk_lidx from, ovk_lidx n)
{
  const ovk_lidx end = ovk_poll_until(poll, from, n), more = (LANES - (end - from) % LANES) % LANES;
  return more < n - end ? end + more : n;
}

OVK_ALWAYS_INLINE double updates_scaled_dot(ovk_lidx n, const double *restrict d, ptrdiff_t step,
                                            const double *restrict r, ovk_poll poll)
{
  double lane[LANES] = {0};
  for (ovk_lidx i = 0, end; i < n; i = end) {
    end = updates_poll_end(poll, i, n);
    add_scaled_dot(end - i, d + i * step, step, r + i, lane);
    ovk_poll_call(poll);
  }
  return ovk__lanes_total(lane);
}

OVK_FOR_EACH_CPU
double ovk__scaled_dot(ovk_lidx n, ovk__diagonal D, const double *r, ovk_poll poll)
{
  OVK_WITH_STEP(D, step, return updates_scaled_dot(n, D.d, step, r, poll));
}

OVK_ALWAYS_INLINE double updates_scaled_norm(ovk_lidx n, const double *restrict d, ptrdiff_t step,
                                             const double *restrict r)
{
  double lane[LANES] = {0}, z[BLOCK];
  for (ovk_lidx i = 0, end; i < n; i = end) {
    end = block_end(i, n);
    for (ovk_lidx k = i; k < end; k++) z[k - i] = d[k * step] * r[k]; /* z = D r */
    ovk__lanes_dot(end - i, z, z, lane);                              /* (z, z) */
  }
  return ovk__lanes_total(lane);
}

OVK_FOR_EACH_CPU
double ovk__scaled_norm(ovk_lidx n, ovk__diagonal D, const double *r)
{
  OVK_WITH_STEP(D, step, return updates_scaled_norm(n, D.d, step, r));
}

OVK_FOR_EACH_CPU
double ovk__residual(ovk_lidx n, const double *restrict b, double *restrict r, double *restrict bb)
{
  double lane_b[LANES] = {0}, lane_r[LANES] = {0};
  for (ovk_lidx i = 0, end; i < n; i = end) {
    end = block_end(i, n);
    for (ovk_lidx k = i; k < end; k++) r[k] = b[k] - r[k]; /* r <- b - r */
    ovk__lanes_dot(end - i, b + i, b + i, lane_b);         /* (b, b) */
    ovk__lanes_dot(end - i, r + i, r + i, lane_r);         /* (r, r) */
  }
  *bb = ovk__lanes_total(lane_b);
  return ovk__lanes_total(lane_r);
}

OVK_FOR_EACH_CPU
void ovk__axpy(ovk_lidx n, double alpha, const double *restrict p, double *restrict x,
               ovk_poll poll)
{
  for (ovk_lidx i = 0, end; i < n; i = end) {
    end = ovk_poll_until(poll, i, n);
    for (ovk_lidx k = i; k < end; k++) x[k] += alpha * p[k]; /* x <- x + alpha p */
    ovk_poll_call(poll);
  }
}

OVK_FOR_EACH_CPU
void ovk__aypx(ovk_lidx n, double beta, const double *restrict t, double *restrict u)
{
  for (ovk_lidx i = 0; i < n; i++) u[i] = t[i] + beta * u[i]; /* u <- t + beta u */
}

OVK_FOR_EACH_CPU
double ovk__axpy_norm(ovk_lidx n, double alpha, const double *restrict s, double *restrict r)
{
  double lane[LANES] = {0};
  for (ovk_lidx i = 0, end; i < n; i = end) {
    end = block_end(i, n);
    for (ovk_lidx k = i; k < end; k++) r[k] -= alpha * s[k]; /* r <- r - alpha s */
    ovk__lanes_dot(end - i, r + i, r + i, lane);             /* (r, r) */
  }
  return ovk__lanes_total(lane);
}

OVK_ALWAYS_INLINE double updates_update_r(ovk_lidx n, double alpha, const double *restrict s,
                                          const double *restrict d, ptrdiff_t step, bool of_z,
                                          double *restrict r, double *restrict rz)
{
  double lane_vv[LANES] = {0}, lane_rz[LANES] = {0}, z[BLOCK];
  for (ovk_lidx i = 0, end; i < n; i = end) {
    end = block_end(i, n);
    for (ovk_lidx k = i; k < end; k++) r[k] -= alpha * s[k];          /* r <- r - alpha s */
    for (ovk_lidx k = i; k < end; k++) z[k - i] = d[k * step] * r[k]; /* z = D r */
    const double *v = of_z ? z : r + i;
    ovk__lanes_dot(end - i, v, v, lane_vv);     /* (z, z) or (r, r) */
    ovk__lanes_dot(end - i, r + i, z, lane_rz); /* (r, z) */
  }
  *rz = ovk__lanes_total(lane_rz);
  return ovk__lanes_total(lane_vv);
}

OVK_FOR_EACH_CPU
double ovk__cg_update_r(ovk_lidx n, double alpha, const double *s, ovk__diagonal D, bool of_z,
                        double *r, double *rz)
{
  OVK_WITH_STEP(D, step, return updates_update_r(n, alpha, s, D.d, step, of_z, r, rz));
}

OVK_ALWAYS_INLINE void updates_update_x_p(ovk_lidx n, double alpha, const double *restrict d,
                                          ptrdiff_t step, const double *restrict r, double beta,
                                          double *restrict p, double *restrict x)
{
  for (ovk_lidx i = 0; i < n; i++) {
    x[i] += alpha * p[i];                    /* x <- x + alpha p */
    p[i] = d[i * step] * r[i] + beta * p[i]; /* p <- D r + beta p */
  }
}

OVK_FOR_EACH_CPU
void ovk__cg_update_x_p(ovk_lidx n, double alpha, ovk__diagonal D, const double *r, double beta,
                        double *p, double *x)
{
  OVK_WITH_STEP(D, step, updates_update_x_p(n, alpha, D.d, step, r, beta, p, x));
}

OVK_ALWAYS_INLINE void updates_direction(ovk_lidx n, const double *restrict d, ptrdiff_t step,
                                         const double *restrict r, double beta,
                                         const double *restrict q, double *restrict p)
{
  for (ovk_lidx i = 0; i < n; i++) p[i] = d[i * step] * r[i] + beta * q[i]; /* p <- D r + beta q */
}

OVK_FOR_EACH_CPU
void ovk__cg_direction(ovk_lidx n, ovk__diagonal D, const double *r, double beta, const double *q,
                       double *p)
{
  OVK_WITH_STEP(D, step, updates_direction(n, D.d, step, r, beta, q, p));
}
