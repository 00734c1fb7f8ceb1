/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweep of the pipelined method for several columns and processors with vectors of eight; apart
 * as updates/updates_pipecg_wide.c is. */
#define OVK__WIDE_LANES
#include "solvers/kernels/many/pipecg_many.h"

OVK_WIDE void ovk__many_update_pipecg_wide(ovk_lidx n, int w, const double *alpha,
                                           const double *beta, ovk__diagonal D,
                                           const ovk__pipecg_arrays *v, double *sums)
{
  pipecg_many_sweep(n, w, true, alpha, beta, D, v, sums);
}
