/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweep of the pipelined method for several columns: that of updates/pipecg_rows.h over a block
 * as one long vector; only the diagonal is spread by a constant width. */
#ifndef OVK_SOLVERS_KERNELS_MANY_PIPECG_MANY_H
#define OVK_SOLVERS_KERNELS_MANY_PIPECG_MANY_H

#include "solvers/kernels/many/blocks_many.h"
#include "solvers/kernels/many/overlapped_many.h"
#include "solvers/kernels/updates/pipecg_rows.h"

/* The rows of D from number k of a block on, for each of its numbers. */
OVK_ALWAYS_INLINE void pipecg_many_diagonal(int w, ovk_lidx values, const double *d, int64_t k,
                                            double *D)
{
  for (int64_t i = 0; i < values / w; i++) {
    for (int c = 0; c < w; c++) D[i * w + c] = d[k / w + i];
  }
}

OVK_ALWAYS_INLINE void pipecg_many_all(ovk_lidx n, int w, bool update, const double *alpha,
                                       const double *beta, const double *d, ptrdiff_t step,
                                       const ovk__pipecg_arrays *v, double *sums)
{
  ovk__lanes sum[OVK__PIPECG_SUMS];
  pipecg_scalars scalars;
  double D[BLOCK], lane[LANES];
  const int64_t values = (int64_t)n * w;
  memset(sum, 0, sizeof sum);
  many_spread(w, alpha, scalars.alpha);
  many_spread(w, beta, scalars.beta);
  for (int l = 0; l < LANES; l++) scalars.D[l] = d && !step ? d[0] : 0;
  for (int64_t k = 0, end; k < values; k = end) {
    end = many_end(k, values);
    const ovk_lidx part = many_part(k, end);
    const ovk__pipecg_arrays from = ovk__pipecg_arrays_from(v, k);
    if (step) MANY_WITH_WIDTH(w, W, pipecg_many_diagonal(W, part, d, k, D));
    pipecg_block(0, part, update, &scalars, d ? D : NULL, step, &from, sum);
  }
  for (int l = 0; l < OVK__PIPECG_SUMS; l++) {
    ovk__lanes_to_doubles(lane, &sum[l]);
    many_fold(w, lane, sums + (ptrdiff_t)l * LANES);
  }
}

OVK_ALWAYS_INLINE void pipecg_many_sweep(ovk_lidx n, int w, bool update, const double *alpha,
                                         const double *beta, ovk__diagonal D,
                                         const ovk__pipecg_arrays *v, double *sums)
{
  OVK_WITH_DIAGONAL(D, d, step, pipecg_many_all(n, w, update, alpha, beta, d, step, v, sums));
}

#endif
