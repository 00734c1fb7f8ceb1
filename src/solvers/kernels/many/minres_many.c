/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps of MINRES for several columns. */
#include "solvers/kernels/many/minres_many.h"
#include "core/base/cpu_dispatch.h"
#include "solvers/kernels/many/blocks_many.h"

/* y <- a x + b v + c y */
OVK_ALWAYS_INLINE void minres_many_combine(ovk_lidx values, const double a[LANES],
                                           const double *restrict x, const double b[LANES],
                                           const double *restrict v, const double c[LANES],
                                           double *restrict y)
{
  ovk__lanes A, B, C, V, X, Y;
  ovk_lidx k = 0;
  ovk__lanes_of_doubles(&A, a);
  ovk__lanes_of_doubles(&B, b);
  ovk__lanes_of_doubles(&C, c);
  for (; k <= values - LANES; k += LANES) {
    ovk__lanes_of_doubles(&X, x + k);
    ovk__lanes_of_doubles(&V, v + k);
    ovk__lanes_of_doubles(&Y, y + k);
    ovk__lanes_scale(&X, &A);
    ovk__lanes_add(&X, &B, &V);
    ovk__lanes_add(&X, &C, &Y);
    ovk__lanes_to_doubles(y + k, &X);
  }
  OVK_REST
  for (int l = 0; k < values; k++, l++) y[k] = a[l] * x[k] + b[l] * v[k] + c[l] * y[k];
}

/* y <- a y + b x */
OVK_ALWAYS_INLINE void minres_many_axpby(ovk_lidx values, const double a[LANES], double *restrict y,
                                         const double b[LANES], const double *restrict x)
{
  ovk__lanes A, B, X, Y;
  ovk_lidx k = 0;
  ovk__lanes_of_doubles(&A, a);
  ovk__lanes_of_doubles(&B, b);
  for (; k <= values - LANES; k += LANES) {
    ovk__lanes_of_doubles(&X, x + k);
    ovk__lanes_of_doubles(&Y, y + k);
    ovk__lanes_scale(&Y, &A);
    ovk__lanes_add(&Y, &B, &X);
    ovk__lanes_to_doubles(y + k, &Y);
  }
  OVK_REST
  for (int l = 0; k < values; k++, l++) y[k] = a[l] * y[k] + b[l] * x[k];
}

/* The updates of `part` numbers from number k on. */
OVK_ALWAYS_INLINE void minres_many_block(int64_t k, ovk_lidx part, const double c[][LANES],
                                         const ovk__minres_arrays *a)
{
  const double *z = a->z + k, *p = a->p + k, *v = a->v + k;
  /* x <- x + xp p */
  many_add(part, c[OVK__STEP_XP], p, a->x + k);
  /* e <- ee e + ed d */
  minres_many_axpby(part, c[OVK__STEP_EE], a->e + k, c[OVK__STEP_ED], a->d_is_z ? z : v);
  /* p_old <- pz z + pp p + po p_old */
  minres_many_combine(part, c[OVK__STEP_PZ], z, c[OVK__STEP_PP], p, c[OVK__STEP_PO], a->p_old + k);
  /* v_old <- vu u + vv v + vo v_old */
  minres_many_combine(part, c[OVK__STEP_VU], a->u + k, c[OVK__STEP_VV], v, c[OVK__STEP_VO],
                      a->v_old + k);
}

OVK_ALWAYS_INLINE void minres_many_add_dots(int w, ovk_lidx part, const double *v, const double *z,
                                            const double *e, bool d_is_z,
                                            double lanes[][OVK__COLUMN_SUMS])
{
  const double *d = d_is_z ? z : v;
  many_dot(w, part, v, z, lanes[OVK__VZ]);
  many_dot(w, part, e, e, lanes[OVK__EE]);
  many_dot(w, part, e, d, lanes[OVK__ED]);
  many_dot(w, part, d, d, lanes[OVK__DD]);
}

OVK_ALWAYS_INLINE void minres_many_end_sums(int w, double lanes[][OVK__COLUMN_SUMS], double *sums)
{
  for (int k = 0; k < OVK__MINRES_SUMS; k++) {
    if (k != OVK__UZ) many_totals(w, lanes[k], sums + (ptrdiff_t)k * LANES);
  }
}

/* D.d NULL: M is not diagonal. */
OVK_ALWAYS_INLINE void minres_many_sweep(ovk_lidx n, int w, const double *step, ovk__diagonal D,
                                         const ovk__minres_arrays *a, double *sums)
{
  double c[OVK__MINRES_COEFFS][LANES], lanes[OVK__MINRES_SUMS][OVK__COLUMN_SUMS] = {{0}};
  const int64_t values = (int64_t)n * w;
  for (int k = 0; k < OVK__MINRES_COEFFS; k++) many_spread(w, step + (ptrdiff_t)k * LANES, c[k]);
  for (int64_t k = 0, end; k < values; k = end) {
    end = many_end(k, values);
    const ovk_lidx part = many_part(k, end);
    minres_many_block(k, part, (const double(*)[LANES])c, a);
    if (!D.d) continue;
    many_scale_part(w, part, D, k, a->v_old + k, a->z + k); /* z <- D v_old */
    minres_many_add_dots(w, part, a->v_old + k, a->z + k, a->e + k, a->d_is_z, lanes);
  }
  if (D.d) minres_many_end_sums(w, lanes, sums);
}

OVK_FOR_EACH_CPU
void ovk__many_update_minres(ovk_lidx n, int w, const double *step, ovk__diagonal D,
                             const ovk__minres_arrays *a, double *sums)
{
  MANY_WITH_WIDTH(w, W, minres_many_sweep(n, W, step, D, a, sums));
}

OVK_FOR_EACH_CPU
void ovk__many_dots_minres(ovk_lidx n, int w, const double *v, const double *z, const double *e,
                           bool d_is_z, double *sums)
{
  double lanes[OVK__MINRES_SUMS][OVK__COLUMN_SUMS] = {{0}};
  const int64_t values = (int64_t)n * w;
  for (int64_t k = 0, end; k < values; k = end) {
    end = many_end(k, values);
    minres_many_add_dots(w, many_part(k, end), v + k, z + k, e + k, d_is_z, lanes);
  }
  minres_many_end_sums(w, lanes, sums);
}
