/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps of pipelined BiCGStab: all updates of half a step and its inner products in one pass.
 */
#include "solvers/kernels/updates/updates_pipebcgs.h"
#include "core/base/cpu_dispatch.h"
#include "solvers/kernels/blocks.h"

/* y <- x + beta (y - omega v) */
OVK_ALWAYS_INLINE void block_turn(ovk_lidx n, const double *restrict x, ovk__bcgs_coeffs k,
                                  const double *restrict v, double *restrict y)
{
  for (ovk_lidx i = 0; i < n; i++) y[i] = x[i] + k.beta * (y[i] - k.omega * v[i]);
}

/* y <- y - omega (x - alpha v) */
OVK_ALWAYS_INLINE void block_stabilise(ovk_lidx n, const double *restrict x, ovk__bcgs_coeffs k,
                                       const double *restrict v, double *restrict y)
{
  for (ovk_lidx i = 0; i < n; i++) y[i] -= k.omega * (x[i] - k.alpha * v[i]);
}

/* x <- x + alpha p + omega y */
OVK_ALWAYS_INLINE void block_advance(ovk_lidx n, const double *restrict p, ovk__bcgs_coeffs k,
                                     const double *restrict y, double *restrict x)
{
  for (ovk_lidx i = 0; i < n; i++) x[i] += k.alpha * p[i] + k.omega * y[i];
}

/* Rows i to i + k. Here and below, D.d NULL: M is not diagonal. */
OVK_ALWAYS_INLINE void half_block(ovk_lidx i, ovk_lidx k, ovk__bcgs_coeffs c, ovk__diagonal D,
                                  const ovk__pb_arrays *a)
{
  double cr[BLOCK], cs[BLOCK];
  if (D.d) {
    block_scale_from(i, k, D, a->r + i, cr);
    block_scale_from(i, k, D, a->s + i, cs);
    block_turn(k, cr, c, cs, a->p + i); /* p <- D r + beta (p - omega D s) */
  } else {
    block_turn(k, a->cr + i, c, a->cs + i, a->p + i);  /* p <- cr + beta (p - omega cs) */
    block_turn(k, a->cw + i, c, a->cz + i, a->cs + i); /* cs <- cw + beta (cs - omega cz) */
    block_axpy(k, -c.alpha, a->cs + i, a->cr + i);     /* cr <- cr - alpha cs */
  }
  block_turn(k, a->w + i, c, a->z + i, a->s + i);          /* s <- w + beta (s - omega z) */
  block_turn(k, a->t + i, c, a->v + i, a->z + i);          /* z <- t + beta (z - omega v) */
  block_axpy(k, -c.alpha, a->s + i, a->r + i);             /* r <- r - alpha s */
  block_axpy(k, -c.alpha, a->z + i, a->w + i);             /* w <- w - alpha z */
  if (D.d) block_scale_from(i, k, D, a->z + i, a->cz + i); /* cz <- D z */
}

OVK_FOR_EACH_CPU
void ovk__pipebcgs_half(ovk_lidx n, const ovk__bcgs_coeffs *step, ovk__diagonal D,
                        const ovk__pb_arrays *a, double sums[OVK__PB_HALF_SUMS])
{
  const ovk__bcgs_coeffs c = *step;
  double lanes[OVK__PB_HALF_SUMS][LANES] = {{0}};
  for (ovk_lidx i = 0, end; i < n; i = end) {
    end = block_end(i, n);
    const ovk_lidx k = end - i;
    half_block(i, k, c, D, a);
    ovk__lanes_dot(k, a->w + i, a->r + i, lanes[OVK__PB_YR]);
    ovk__lanes_dot(k, a->w + i, a->w + i, lanes[OVK__PB_YY]);
    ovk__lanes_dot(k, a->r + i, a->r + i, lanes[OVK__PB_RR_HALF]);
    ovk__lanes_dot(k, a->q + i, a->s + i, lanes[OVK__PB_QS]);
    ovk__lanes_dot(k, a->q + i, a->z + i, lanes[OVK__PB_QZ]);
    ovk__lanes_dot(k, a->s + i, a->s + i, lanes[OVK__PB_SS]);
    ovk__lanes_dot(k, a->z + i, a->z + i, lanes[OVK__PB_ZZ]);
    ovk__lanes_dot(k, a->p + i, a->p + i, lanes[OVK__PB_PP]);
  }
  ovk__lanes_totals(OVK__PB_HALF_SUMS, lanes, sums);
}

/* cw <- D w of rows i to i + k, and their inner products. */
OVK_ALWAYS_INLINE void end_block(ovk_lidx i, ovk_lidx k, ovk__diagonal D, const ovk__pb_arrays *a,
                                 double lanes[][LANES])
{
  if (D.d) block_scale_from(i, k, D, a->w + i, a->cw + i);
  ovk__lanes_dot(k, a->q + i, a->r + i, lanes[OVK__PB_QR]);
  ovk__lanes_dot(k, a->q + i, a->w + i, lanes[OVK__PB_QW]);
  ovk__lanes_dot(k, a->r + i, a->r + i, lanes[OVK__PB_RR]);
  ovk__lanes_dot(k, a->w + i, a->w + i, lanes[OVK__PB_WW]);
  ovk__lanes_dot(k, a->x + i, a->x + i, lanes[OVK__PB_XX]);
}

OVK_FOR_EACH_CPU
void ovk__pipebcgs_full(ovk_lidx n, const ovk__bcgs_coeffs *step, ovk__diagonal D,
                        const ovk__pb_arrays *a, double sums[OVK__PB_FULL_SUMS])
{
  const ovk__bcgs_coeffs c = *step;
  double lanes[OVK__PB_FULL_SUMS][LANES] = {{0}}, cr[BLOCK];
  for (ovk_lidx i = 0, end; i < n; i = end) {
    end = block_end(i, n);
    const ovk_lidx k = end - i;
    if (D.d) {
      block_scale_from(i, k, D, a->r + i, cr);
      block_advance(k, a->p + i, c, cr, a->x + i); /* x <- x + alpha p + omega D r */
    } else {
      block_advance(k, a->p + i, c, a->cr + i, a->x + i);     /* x <- x + alpha p + omega cr */
      block_stabilise(k, a->cw + i, c, a->cz + i, a->cr + i); /* cr <- cr - omega (cw - alpha cz) */
    }
    block_axpy(k, -c.omega, a->w + i, a->r + i);         /* r <- r - omega w */
    block_stabilise(k, a->t + i, c, a->v + i, a->w + i); /* w <- w - omega (t - alpha v) */
    end_block(i, k, D, a, lanes);
  }
  ovk__lanes_totals(OVK__PB_FULL_SUMS, lanes, sums);
}

OVK_FOR_EACH_CPU
void ovk__pipebcgs_sums(ovk_lidx n, ovk__diagonal D, const ovk__pb_arrays *a,
                        double sums[OVK__PB_FULL_SUMS])
{
  double lanes[OVK__PB_FULL_SUMS][LANES] = {{0}};
  for (ovk_lidx i = 0, end; i < n; i = end) {
    end = block_end(i, n);
    end_block(i, end - i, D, a, lanes);
  }
  ovk__lanes_totals(OVK__PB_FULL_SUMS, lanes, sums);
}
