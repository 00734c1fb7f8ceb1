/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps with exact sums for processors with vectors of eight. They have a separate file, as
 * the lanes of a file have one width. */
#define OVK__WIDE_LANES
#include "solvers/kernels/exact/minres_rows.h"
#include "solvers/kernels/exact/update_r_rows.h"
#include "solvers/kernels/exact/updates_exact.h"
#include "solvers/kernels/updates/pipecg_rows.h"

OVK_WIDE bool ovk__cg_update_r_exact_wide(ovk_lidx n, double alpha, const double *s,
                                          ovk__diagonal D, bool of_z, double *r,
                                          ovk__exact_sum *const sums[2])
{
  return update_r_sweep(n, alpha, s, D, of_z, r, sums);
}

OVK_WIDE bool ovk__update_pipecg_exact_wide(ovk_lidx rows, double alpha, double beta,
                                            ovk__diagonal D, const ovk__pipecg_arrays *v,
                                            ovk__exact_sum *const sums[])
{
  return pipecg_exact_sweep(rows, alpha, beta, D, v, sums);
}

OVK_WIDE bool ovk__update_minres_exact_wide(ovk_lidx n, const ovk__minres_coeffs *step,
                                            ovk__diagonal D, const ovk__minres_arrays *a,
                                            ovk__exact_sum *const sums[OVK__MINRES_MARKS])
{
  return minres_exact_sweep(n, step, D, a, sums);
}
