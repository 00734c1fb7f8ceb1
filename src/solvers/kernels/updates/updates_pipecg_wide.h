/* SPDX-License-Identifier: BSD-2-Clause */
/* The two versions of ovk__update_pipecg(), which give the same bits. */
#ifndef OVK_SOLVERS_KERNELS_UPDATES_UPDATES_PIPECG_WIDE_H
#define OVK_SOLVERS_KERNELS_UPDATES_UPDATES_PIPECG_WIDE_H

#include "solvers/kernels/updates/updates_overlapped.h"

/* For all processors. */
void ovk__update_pipecg_narrow(ovk_lidx rows, double alpha, double beta, ovk__diagonal D,
                               const ovk__pipecg_arrays *v, double *sums);

/* For processors with vectors of eight; only where OVK_CLONES is defined. */
void ovk__update_pipecg_wide(ovk_lidx rows, double alpha, double beta, ovk__diagonal D,
                             const ovk__pipecg_arrays *v, double *sums);

#endif
