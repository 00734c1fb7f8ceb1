/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps of MINRES: the updates of a step in one pass, for a diagonal M and for the pipeline
 * with the inner products. */
#include "solvers/kernels/updates/updates_minres.h"
#include "core/base/cpu_dispatch.h"
#include "solvers/kernels/blocks.h"
#include "solvers/kernels/diagonal_step.h"

/* y <- a x + b w + c y */
OVK_ALWAYS_INLINE void block_combine(ovk_lidx n, double a, const double *restrict x, double b,
                                     const double *restrict w, double c, double *restrict y)
{
  for (ovk_lidx i = 0; i < n; i++) y[i] = a * x[i] + b * w[i] + c * y[i];
}

/* y <- a y + b x */
OVK_ALWAYS_INLINE void block_axpby(ovk_lidx n, double a, double *restrict y, double b,
                                   const double *restrict x)
{
  for (ovk_lidx i = 0; i < n; i++) y[i] = a * y[i] + b * x[i];
}

/* The updates of rows i to i + k, with these rows of z. */
OVK_ALWAYS_INLINE void minres_block(ovk_lidx i, ovk_lidx k, const ovk__minres_coeffs *c,
                                    const double *z, const ovk__minres_arrays *a)
{
  block_axpy(k, c->xp, a->p + i, a->x + i);                         /* x <- x + xp p */
  block_axpby(k, c->ee, a->e + i, c->ed, a->d_is_z ? z : a->v + i); /* e <- ee e + ed d */
  block_combine(k, c->pz, z, c->pp, a->p + i, c->po, a->p_old + i); /* p_old <- pz z + pp p + po
                                                                            p_old */
  block_combine(k, c->vu, a->u + i, c->vv, a->v + i, c->vo,
                a->v_old + i); /* v_old <- vu u + vv v + vo v_old */
}

OVK_ALWAYS_INLINE void minres_add_dots(ovk_lidx n, const double *v, const double *z,
                                       const double *e, const double *d, double lanes[][LANES])
{
  ovk__lanes_dot(n, v, z, lanes[OVK__VZ]);
  ovk__lanes_dot(n, e, e, lanes[OVK__EE]);
  ovk__lanes_dot(n, e, d, lanes[OVK__ED]);
  ovk__lanes_dot(n, d, d, lanes[OVK__DD]);
}

OVK_ALWAYS_INLINE void minres_end_sums(double lanes[][LANES], double sums[OVK__MINRES_SUMS])
{
  for (int k = 0; k < OVK__MINRES_SUMS; k++) {
    if (k != OVK__UZ) sums[k] = ovk__lanes_total(lanes[k]);
  }
}

/* Here and below D is d[i unit] in row i, and d = NULL: M is not diagonal. */
OVK_ALWAYS_INLINE void minres_sweep(ovk_lidx n, const ovk__minres_coeffs *step, const double *d,
                                    ptrdiff_t unit, const ovk__minres_arrays *a, double *sums)
{
  double lanes[OVK__MINRES_SUMS][LANES] = {{0}};
  for (ovk_lidx i = 0, end; i < n; i = end) {
    end = block_end(i, n);
    const ovk_lidx k = end - i;
    minres_block(i, k, step, a->z + i, a);
    if (d) block_scale(k, d + i * unit, unit, a->v_old + i, a->z + i); /* z <- D v_old */
    if (!d || !sums) continue;
    minres_add_dots(k, a->v_old + i, a->z + i, a->e + i, a->d_is_z ? a->z + i : a->v_old + i,
                    lanes);
  }
  if (d && sums) minres_end_sums(lanes, sums);
}

OVK_FOR_EACH_CPU
void ovk__update_minres(ovk_lidx n, const ovk__minres_coeffs *step, ovk__diagonal D,
                        const ovk__minres_arrays *a, double *sums)
{
  OVK_WITH_DIAGONAL(D, d, unit, minres_sweep(n, step, d, unit, a, sums));
}

OVK_FOR_EACH_CPU
void ovk__dots_minres(ovk_lidx n, const double *v, const double *z, const double *e, bool d_is_z,
                      double sums[OVK__MINRES_SUMS])
{
  double lanes[OVK__MINRES_SUMS][LANES] = {{0}};
  for (ovk_lidx i = 0, end; i < n; i = end) {
    end = block_end(i, n);
    minres_add_dots(end - i, v + i, z + i, e + i, d_is_z ? z + i : v + i, lanes);
  }
  minres_end_sums(lanes, sums);
}

/* Rows i to i + k. */
OVK_ALWAYS_INLINE void pipelined_minres_block(ovk_lidx i, ovk_lidx k, const ovk__minres_coeffs *c,
                                              const double *d, ptrdiff_t unit,
                                              const ovk__minres_pipeline *b, double lanes[][LANES])
{
  const ovk__minres_arrays *a = &b->a;
  double temporary[BLOCK], *z = d ? temporary : b->z_old + i;
  if (d) {
    block_scale(k, d + i * unit, unit, a->v + i, z); /* z = D v */
    minres_block(i, k, c, z, a);
  } else {
    minres_block(i, k, c, a->z + i, a);
    block_combine(k, c->vu, b->m + i, c->vv, a->z + i, c->vo, z); /* z_old <- vu m + vv z + ... */
  }
  block_combine(k, c->vu, b->n + i, c->vv, a->u + i, c->vo, b->u_old + i);
  if (d) {
    block_scale(k, d + i * unit, unit, a->v_old + i, z);        /* z_old = D v_old */
    block_scale(k, d + i * unit, unit, b->u_old + i, b->m + i); /* m <- D u_old */
  }
  minres_add_dots(k, a->v_old + i, z, a->e + i, a->d_is_z ? z : a->v_old + i, lanes);
  ovk__lanes_dot(k, b->u_old + i, z, lanes[OVK__UZ]);
}

OVK_ALWAYS_INLINE void pipelined_minres_sweep(ovk_lidx n, const ovk__minres_coeffs *step,
                                              const double *d, ptrdiff_t unit,
                                              const ovk__minres_pipeline *b,
                                              double sums[OVK__MINRES_SUMS])
{
  double lanes[OVK__MINRES_SUMS][LANES] = {{0}};
  for (ovk_lidx i = 0, end; i < n; i = end) {
    end = block_end(i, n);
    pipelined_minres_block(i, end - i, step, d, unit, b, lanes);
  }
  minres_end_sums(lanes, sums);
  sums[OVK__UZ] = ovk__lanes_total(lanes[OVK__UZ]);
}

OVK_FOR_EACH_CPU
void ovk__update_pipelined_minres(ovk_lidx n, const ovk__minres_coeffs *step, ovk__diagonal D,
                                  const ovk__minres_pipeline *b, double sums[OVK__MINRES_SUMS])
{
  OVK_WITH_DIAGONAL(D, d, unit, pipelined_minres_sweep(n, step, d, unit, b, sums));
}
