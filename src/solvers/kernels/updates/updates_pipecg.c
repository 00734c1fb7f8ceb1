/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps of the pipelined method: eight updates and all inner products in one pass. */
#include "core/base/cpu_dispatch.h"
#include "solvers/kernels/updates/pipecg_rows.h"
#include "solvers/kernels/updates/updates_overlapped.h"

OVK_FOR_NARROW_CPUS
void ovk__update_pipecg_narrow(ovk_lidx rows, double alpha, double beta, ovk__diagonal D,
                               const ovk__pipecg_arrays *v, double *sums)
{
  pipecg_sweep(rows, true, alpha, beta, D, v, sums);
}

void ovk__update_pipecg(ovk_lidx rows, double alpha, double beta, ovk__diagonal D,
                        const ovk__pipecg_arrays *v, double *sums)
{
  OVK_WIDE_OR_NARROW(ovk__update_pipecg_wide, ovk__update_pipecg_narrow, rows, alpha, beta, D, v,
                     sums);
}

OVK_FOR_EACH_CPU
void ovk__dots_pipecg(ovk_lidx rows, ovk__diagonal D, const ovk__pipecg_arrays *v,
                      double sums[OVK__PIPECG_SUMS])
{
  pipecg_sweep(rows, false, 0, 0, D, v, sums);
}
