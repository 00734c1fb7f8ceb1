/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweep of MINRES with exact sums, LANES rows at a time. For both kinds of lanes
 * (core/base/lanes.h): each includes it in a separate file. */
#ifndef OVK_SOLVERS_KERNELS_EXACT_MINRES_ROWS_H
#define OVK_SOLVERS_KERNELS_EXACT_MINRES_ROWS_H

#include "core/exact/exact_fold_rows.h"
#include "solvers/kernels/diagonal_step.h"
#include "solvers/kernels/exact/updates_exact.h"
#include "solvers/kernels/lanes.h"

enum { XP, EE, ED, PZ, PP, PO, VU, VV, VO, MINRES_COEFFS };

/* A coefficient in each lane, by name, and the inner products. */
typedef struct minres_sweep {
  ovk__lanes k[MINRES_COEFFS], D;
  running sum[OVK__MINRES_MARKS];
  fold_rest rest;
  fold_vector m[OVK__MINRES_MARKS][2];
} minres_sweep;

/* y <- a x + b w + c y */
OVK_ALWAYS_INLINE void lanes_combine(const ovk__lanes *a, const ovk__lanes *x, const ovk__lanes *b,
                                     const ovk__lanes *w, const ovk__lanes *c, ovk__lanes *y)
{
  ovk__lanes sum = *x;
  ovk__lanes_scale(&sum, a);
  ovk__lanes_add(&sum, b, w);
  ovk__lanes_add(&sum, c, y);
  *y = sum;
}

/* LANES rows from the first of the arrays on, as of ovk__update_minres() with a D. */
OVK_ALWAYS_INLINE void minres_rows(const ovk__minres_arrays *a, ptrdiff_t i, minres_sweep *s)
{
  const ovk__lanes *k = s->k;
  ovk__lanes u, v, p, z, v_old, p_old, x, e;
  ovk__lanes_of_doubles(&u, a->u + i);
  ovk__lanes_of_doubles(&v, a->v + i);
  ovk__lanes_of_doubles(&p, a->p + i);
  ovk__lanes_of_doubles(&z, a->z + i);
  ovk__lanes_of_doubles(&v_old, a->v_old + i);
  ovk__lanes_of_doubles(&p_old, a->p_old + i);
  ovk__lanes_of_doubles(&x, a->x + i);
  ovk__lanes_of_doubles(&e, a->e + i);
  ovk__lanes_add(&x, &k[XP], &p);
  ovk__lanes_scale(&e, &k[EE]);
  ovk__lanes_add(&e, &k[ED], a->d_is_z ? &z : &v);
  lanes_combine(&k[PZ], &z, &k[PP], &p, &k[PO], &p_old);
  lanes_combine(&k[VU], &u, &k[VV], &v, &k[VO], &v_old);
  z = s->D;
  ovk__lanes_scale(&z, &v_old);
  ovk__lanes_to_doubles(a->x + i, &x);
  ovk__lanes_to_doubles(a->e + i, &e);
  ovk__lanes_to_doubles(a->p_old + i, &p_old);
  ovk__lanes_to_doubles(a->v_old + i, &v_old);
  ovk__lanes_to_doubles(a->z + i, &z);
  const ovk__lanes *d = a->d_is_z ? &z : &v_old;
  fold_lanes(&s->sum[OVK__MARK_VZ], &s->rest, 2, &v_old, &z, s->m[OVK__MARK_VZ]);
  fold_lanes(&s->sum[OVK__MARK_EE], &s->rest, 2, &e, &e, s->m[OVK__MARK_EE]);
  fold_lanes(&s->sum[OVK__MARK_ED], &s->rest, 2, &e, d, s->m[OVK__MARK_ED]);
  fold_lanes(&s->sum[OVK__MARK_DD], &s->rest, 2, d, d, s->m[OVK__MARK_DD]);
}

/* The last n rows, fewer than LANES, from row i on: as rows that zeros follow. */
OVK_ALWAYS_INLINE void minres_last_rows(ptrdiff_t i, size_t n, const ovk__minres_arrays *a,
                                        minres_sweep *s)
{
  enum { FIXED = 3, VECTORS = 5 };
  const double *const from[FIXED] = {a->u, a->v, a->p};
  double *const to[VECTORS] = {a->z, a->v_old, a->p_old, a->x, a->e};
  double fixed[FIXED][LANES] = {{0}}, rows[VECTORS][LANES] = {{0}};
  const ovk__minres_arrays padded = {.u = fixed[0],
                                     .v = fixed[1],
                                     .p = fixed[2],
                                     .z = rows[0],
                                     .v_old = rows[1],
                                     .p_old = rows[2],
                                     .x = rows[3],
                                     .e = rows[4],
                                     .d_is_z = a->d_is_z};
  for (int k = 0; k < FIXED; k++) memcpy(fixed[k], from[k] + i, n * sizeof(double));
  for (int k = 0; k < VECTORS; k++) memcpy(rows[k], to[k] + i, n * sizeof(double));
  minres_rows(&padded, 0, s);
  for (int k = 0; k < VECTORS; k++) memcpy(to[k] + i, rows[k], n * sizeof(double));
}

OVK_ALWAYS_INLINE void minres_begin(const ovk__minres_coeffs *c, double D, minres_sweep *s,
                                    ovk__exact_sum *const sums[OVK__MINRES_MARKS])
{
  const double values[MINRES_COEFFS + 1] = {c->xp, c->ee, c->ed, c->pz, c->pp,
                                            c->po, c->vu, c->vv, c->vo, D};
  for (int k = 0; k <= MINRES_COEFFS; k++) {
    double all[LANES];
    for (int l = 0; l < LANES; l++) all[l] = values[k];
    ovk__lanes_of_doubles(k < MINRES_COEFFS ? &s->k[k] : &s->D, all);
  }
  memset(&s->rest, 0, sizeof s->rest);
#pragma GCC unroll 4
  for (int k = 0; k < OVK__MINRES_MARKS; k++) {
    fold_begin(&s->sum[k], 2, sums[k]->exponent, s->m[k]);
  }
}

/* D is d[i step] in row i; step is a compile-time constant. */
OVK_ALWAYS_INLINE bool minres_exact_all(ovk_lidx n, const ovk__minres_coeffs *c, const double *d,
                                        ptrdiff_t step, const ovk__minres_arrays *a,
                                        ovk__exact_sum *const sums[OVK__MINRES_MARKS])
{
  minres_sweep s;
  double rest[LANES] = {0};
  ptrdiff_t i = 0;
  minres_begin(c, d[0], &s, sums);
  for (; i <= n - LANES; i += LANES) {
    if (step) ovk__lanes_of_doubles(&s.D, d + i);
    minres_rows(a, i, &s);
  }
  if (i < n) {
    if (step) memcpy(rest, d + i, (size_t)(n - i) * sizeof *d);
    if (step) ovk__lanes_of_doubles(&s.D, rest);
    minres_last_rows(i, (size_t)(n - i), a, &s);
  }
  if (!fold_fits(&s.rest)) return false;
#pragma GCC unroll 4
  for (int k = 0; k < OVK__MINRES_MARKS; k++) fold_end(&s.sum[k], s.m[k], &sums[k]->now, 2, n);
  return true;
}

OVK_ALWAYS_INLINE bool minres_exact_sweep(ovk_lidx n, const ovk__minres_coeffs *c, ovk__diagonal D,
                                          const ovk__minres_arrays *a,
                                          ovk__exact_sum *const sums[OVK__MINRES_MARKS])
{
  OVK_WITH_STEP(D, step, return minres_exact_all(n, c, D.d, step, a, sums));
}

#endif
