/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweep of the pipelined method for processors with vectors of eight. It has a separate file,
 * as the lanes of a file have one width. */
#define OVK__WIDE_LANES
#include "solvers/kernels/updates/pipecg_rows.h"
#include "solvers/kernels/updates/updates_overlapped.h"

OVK_WIDE void ovk__update_pipecg_wide(ovk_lidx rows, double alpha, double beta, ovk__diagonal D,
                                      const ovk__pipecg_arrays *v, double *sums)
{
  pipecg_sweep(rows, true, alpha, beta, D, v, sums);
}
