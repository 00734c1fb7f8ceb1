/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps of the predict-and-recompute method: all updates and inner products in one pass. The
 * predicted w and wt are temporaries in the L1 cache, as the products that follow recompute them.
 */
#include "solvers/kernels/updates/updates_pipeprcg.h"
#include "core/base/cpu_dispatch.h"
#include "solvers/kernels/blocks.h"

/* The inner products of n rows from row i on. */
OVK_ALWAYS_INLINE void add_sums(const ovk__pipeprcg_arrays *v, ovk_lidx i, ovk_lidx n,
                                double lanes[][LANES])
{
  ovk__lanes_dot(n, v->rt + i, v->r + i, lanes[OVK__PIPEPRCG_NU]);
  ovk__lanes_dot(n, v->p + i, v->s + i, lanes[OVK__PIPEPRCG_MU]);
  ovk__lanes_dot(n, v->rt + i, v->s + i, lanes[OVK__PIPEPRCG_DELTA]);
  ovk__lanes_dot(n, v->st + i, v->s + i, lanes[OVK__PIPEPRCG_GAMMA]);
  ovk__lanes_dot(n, v->r + i, v->r + i, lanes[OVK__PIPEPRCG_RR]);
}

OVK_FOR_EACH_CPU
void ovk__dots_pipeprcg(ovk_lidx rows, const ovk__pipeprcg_arrays *v,
                        double sums[OVK__PIPEPRCG_SUMS])
{
  double lanes[OVK__PIPEPRCG_SUMS][LANES] = {{0}};
  for (ovk_lidx i = 0, end; i < rows; i = end) {
    end = block_end(i, rows);
    add_sums(v, i, end - i, lanes);
  }
  ovk__lanes_totals(OVK__PIPEPRCG_SUMS, lanes, sums);
}

OVK_FOR_EACH_CPU
void ovk__update_pipeprcg(ovk_lidx rows, double alpha, double beta, ovk__diagonal D,
                          const ovk__pipeprcg_arrays *v, double sums[OVK__PIPEPRCG_SUMS])
{
  double lanes[OVK__PIPEPRCG_SUMS][LANES] = {{0}}, w[BLOCK], wt[BLOCK];
  for (ovk_lidx i = 0, end; i < rows; i = end) {
    end = block_end(i, rows);
    const ovk_lidx k = end - i;
    block_axpy(k, alpha, v->p + i, v->x + i);  /* x <- x + alpha p */
    block_axpy(k, -alpha, v->s + i, v->r + i); /* r <- r - alpha s */
    if (D.d) {
      block_scale_from(i, k, D, v->r + i, v->rt + i); /* rt <- D r */
    } else {
      block_axpy(k, -alpha, v->st + i, v->rt + i);    /* rt <- rt - alpha st */
      block_sum(k, v->wt + i, -alpha, v->ut + i, wt); /* wt = wt - alpha ut */
    }
    block_sum(k, v->w + i, -alpha, v->u + i, w); /* w = w - alpha u */
    block_xpby(k, v->rt + i, beta, v->p + i);    /* p <- rt + beta p */
    block_xpby(k, w, beta, v->s + i);            /* s <- w + beta s */
    if (D.d) {
      block_scale_from(i, k, D, v->s + i, v->st + i); /* st <- D s */
    } else {
      block_xpby(k, wt, beta, v->st + i); /* st <- wt + beta st */
    }
    add_sums(v, i, k, lanes);
  }
  ovk__lanes_totals(OVK__PIPEPRCG_SUMS, lanes, sums);
}
