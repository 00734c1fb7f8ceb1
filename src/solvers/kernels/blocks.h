/* SPDX-License-Identifier: BSD-2-Clause */
/* Building blocks of the fused sweeps, for one block of rows. */
#ifndef OVK_SOLVERS_KERNELS_BLOCKS_H
#define OVK_SOLVERS_KERNELS_BLOCKS_H

#include "core/base/cpu_dispatch.h"
#include "solvers/kernels/diagonal_step.h"
#include "solvers/kernels/lanes.h"

/* y <- y + a x */
OVK_ALWAYS_INLINE void block_axpy(ovk_lidx n, double a, const double *restrict x,
                                  double *restrict y)
{
  for (ovk_lidx i = 0; i < n; i++) y[i] += a * x[i];
}

/* y <- x + b y */
OVK_ALWAYS_INLINE void block_xpby(ovk_lidx n, const double *restrict x, double b,
                                  double *restrict y)
{
  for (ovk_lidx i = 0; i < n; i++) y[i] = x[i] + b * y[i];
}

/* z <- x + a y */
OVK_ALWAYS_INLINE void block_sum(ovk_lidx n, const double *restrict x, double a,
                                 const double *restrict y, double *restrict z)
{
  for (ovk_lidx i = 0; i < n; i++) z[i] = x[i] + a * y[i];
}

/* z <- D r, where D is d[i step] in row i */
OVK_ALWAYS_INLINE void block_scale(ovk_lidx n, const double *restrict d, ptrdiff_t step,
                                   const double *restrict r, double *restrict z)
{
  for (ovk_lidx i = 0; i < n; i++) z[i] = d[i * step] * r[i];
}

/* The same for n rows from row i on. Its cases are for the rows of a block: long sweeps took most
 * of the time to compile this folder where they were compiled for each case. */
OVK_ALWAYS_INLINE void block_scale_from(ovk_lidx i, ovk_lidx n, ovk__diagonal D,
                                        const double *restrict r, double *restrict z)
{
  OVK_WITH_STEP(D, step, block_scale(n, D.d + (ptrdiff_t)i * step, step, r, z));
}

#endif
