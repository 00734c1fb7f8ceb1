/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweep of the classic methods with exact sums, LANES rows at a time. For both kinds of lanes
 * (core/base/lanes.h): each includes it in a separate file. */
#ifndef OVK_SOLVERS_KERNELS_EXACT_UPDATE_R_ROWS_H
#define OVK_SOLVERS_KERNELS_EXACT_UPDATE_R_ROWS_H

#include "core/exact/exact_fold_rows.h"
#include "solvers/kernels/diagonal_step.h"
#include "solvers/kernels/exact/updates_exact.h"
#include "solvers/kernels/lanes.h"

/* (r, r) or (z, z), and (r, z); `folds` each. */
typedef struct update_r_sums {
  running vv, rz;
  fold_rest rest;
  fold_vector m_vv[2], m_rz[2];
} update_r_sums;

/* LANES rows from the first of the arrays on. */
OVK_ALWAYS_INLINE void update_r_rows(const ovk__lanes *alpha, const double *s, const ovk__lanes *D,
                                     bool of_z, double *r, update_r_sums *sum)
{
  ovk__lanes now, step, z = *D;
  ovk__lanes_of_doubles(&now, r);
  ovk__lanes_of_doubles(&step, s);
  ovk__lanes_subtract(&now, alpha, &step); /* r <- r - alpha s */
  ovk__lanes_to_doubles(r, &now);
  ovk__lanes_scale(&z, &now); /* z = D r */
  fold_lanes(&sum->vv, &sum->rest, 2, of_z ? &z : &now, of_z ? &z : &now, sum->m_vv);
  fold_lanes(&sum->rz, &sum->rest, 2, &now, &z, sum->m_rz);
}

/* D is d[i step] in row i. step and of_z are compile-time constants. */
OVK_ALWAYS_INLINE void update_r_block(ovk_lidx n, double factor, const double *s, const double *d,
                                      ptrdiff_t step, bool of_z, double *r, update_r_sums *sum)
{
  double constant[2][LANES], rest[3][LANES] = {{0}};
  ovk__lanes alpha, D;
  for (int l = 0; l < LANES; l++) {
    constant[0][l] = factor;
    constant[1][l] = step ? 0 : d[0];
  }
  ovk__lanes_of_doubles(&alpha, constant[0]);
  ovk__lanes_of_doubles(&D, constant[1]);
  ovk_lidx i = 0;
  for (; i <= n - LANES; i += LANES) {
    if (step) ovk__lanes_of_doubles(&D, d + i);
    update_r_rows(&alpha, s + i, &D, of_z, r + i, sum);
  }
  if (i == n) return;
  const size_t bytes = (size_t)(n - i) * sizeof *r;
  memcpy(rest[0], s + i, bytes);
  memcpy(rest[1], r + i, bytes);
  if (step) memcpy(rest[2], d + i, bytes);
  if (step) ovk__lanes_of_doubles(&D, rest[2]);
  update_r_rows(&alpha, rest[0], &D, of_z, rest[1], sum);
  memcpy(r + i, rest[1], bytes);
}

OVK_ALWAYS_INLINE bool update_r_all(ovk_lidx n, double alpha, const double *s, const double *d,
                                    ptrdiff_t step, bool of_z, double *r,
                                    ovk__exact_sum *const sums[2])
{
  update_r_sums all;
  memset(&all.rest, 0, sizeof all.rest);
  fold_begin(&all.vv, 2, sums[0]->exponent, all.m_vv);
  fold_begin(&all.rz, 2, sums[1]->exponent, all.m_rz);
  update_r_block(n, alpha, s, d, step, of_z, r, &all);
  if (!fold_fits(&all.rest)) return false;
  fold_end(&all.vv, all.m_vv, &sums[0]->now, 2, n);
  fold_end(&all.rz, all.m_rz, &sums[1]->now, 2, n);
  return true;
}

OVK_ALWAYS_INLINE bool update_r_sweep(ovk_lidx n, double alpha, const double *s, ovk__diagonal D,
                                      bool of_z, double *r, ovk__exact_sum *const sums[2])
{
  if (of_z) {
    OVK_WITH_STEP(D, step, return update_r_all(n, alpha, s, D.d, step, true, r, sums));
  } else {
    OVK_WITH_STEP(D, step, return update_r_all(n, alpha, s, D.d, step, false, r, sums));
  }
}

#endif
