/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps with exact sums for all processors. */
#include "solvers/kernels/exact/updates_exact.h"
#include "core/base/cpu_dispatch.h"
#include "solvers/kernels/exact/minres_rows.h"
#include "solvers/kernels/exact/update_r_rows.h"
#include "solvers/kernels/updates/pipecg_rows.h"

OVK_FOR_NARROW_CPUS
static bool exact_update_r_narrow(ovk_lidx n, double alpha, const double *s, ovk__diagonal D,
                                  bool of_z, double *r, ovk__exact_sum *const sums[2])
{
  return update_r_sweep(n, alpha, s, D, of_z, r, sums);
}

bool ovk__cg_update_r_exact(ovk_lidx n, double alpha, const double *s, ovk__diagonal D, bool of_z,
                            double *r, ovk__exact_sum *const sums[2])
{
  return OVK_WIDE_OR_NARROW(ovk__cg_update_r_exact_wide, exact_update_r_narrow, n, alpha, s, D,
                            of_z, r, sums);
}

OVK_FOR_NARROW_CPUS
static bool exact_update_pipecg_narrow(ovk_lidx rows, double alpha, double beta, ovk__diagonal D,
                                       const ovk__pipecg_arrays *v, ovk__exact_sum *const sums[])
{
  return pipecg_exact_sweep(rows, alpha, beta, D, v, sums);
}

bool ovk__update_pipecg_exact(ovk_lidx rows, double alpha, double beta, ovk__diagonal D,
                              const ovk__pipecg_arrays *v, ovk__exact_sum *const sums[])
{
  return OVK_WIDE_OR_NARROW(ovk__update_pipecg_exact_wide, exact_update_pipecg_narrow, rows, alpha,
                            beta, D, v, sums);
}

OVK_FOR_NARROW_CPUS
static bool exact_update_minres_narrow(ovk_lidx n, const ovk__minres_coeffs *step, ovk__diagonal D,
                                       const ovk__minres_arrays *a, ovk__exact_sum *const sums[])
{
  return minres_exact_sweep(n, step, D, a, sums);
}

bool ovk__update_minres_exact(ovk_lidx n, const ovk__minres_coeffs *step, ovk__diagonal D,
                              const ovk__minres_arrays *a,
                              ovk__exact_sum *const sums[OVK__MINRES_MARKS])
{
  return OVK_WIDE_OR_NARROW(ovk__update_minres_exact_wide, exact_update_minres_narrow, n, step, D,
                            a, sums);
}
