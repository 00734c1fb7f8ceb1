/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps of the pipelined method for several columns, for all processors. */
#include "solvers/kernels/many/pipecg_many.h"
#include "core/base/cpu_dispatch.h"

OVK_FOR_NARROW_CPUS
void ovk__many_update_pipecg_narrow(ovk_lidx n, int w, const double *alpha, const double *beta,
                                    ovk__diagonal D, const ovk__pipecg_arrays *v, double *sums)
{
  pipecg_many_sweep(n, w, true, alpha, beta, D, v, sums);
}

void ovk__many_update_pipecg(ovk_lidx n, int w, const double *alpha, const double *beta,
                             ovk__diagonal D, const ovk__pipecg_arrays *v, double *sums)
{
  OVK_WIDE_OR_NARROW(ovk__many_update_pipecg_wide, ovk__many_update_pipecg_narrow, n, w, alpha,
                     beta, D, v, sums);
}

OVK_FOR_EACH_CPU
void ovk__many_dots_pipecg(ovk_lidx n, int w, ovk__diagonal D, const ovk__pipecg_arrays *v,
                           double *sums)
{
  const double none[LANES] = {0};
  pipecg_many_sweep(n, w, false, none, none, D, v, sums);
}
