/* SPDX-License-Identifier: BSD-2-Clause */
/* The two versions of ovk__many_update_pipecg(), which give the same bits. */
#ifndef OVK_SOLVERS_KERNELS_MANY_PIPECG_MANY_WIDE_H
#define OVK_SOLVERS_KERNELS_MANY_PIPECG_MANY_WIDE_H

#include "solvers/kernels/many/overlapped_many.h"

/* For all processors. */
void ovk__many_update_pipecg_narrow(ovk_lidx n, int w, const double *alpha, const double *beta,
                                    ovk__diagonal D, const ovk__pipecg_arrays *v, double *sums);

/* For processors with vectors of eight; only where OVK_CLONES is defined. */
void ovk__many_update_pipecg_wide(ovk_lidx n, int w, const double *alpha, const double *beta,
                                  ovk__diagonal D, const ovk__pipecg_arrays *v, double *sums);

#endif
