/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps of the pipelined method: eight updates and all inner products in one pass. */
#include "base/clones.h"
#include "solvers/kernels/blocks.h"
#include "solvers/kernels/pipelined_sums.h"

OVK_FOR_EACH_CPU
void ovk__sums_pipelined(ovk_lidx rows, const ovk__pipelined *v, double sums[OVK__PIPELINED_SUMS])
{
  double lanes[OVK__PIPELINED_SUMS][LANES] = {{0}};
  for (ovk_lidx i = 0, end; i < rows; i = end) {
    end = block_end(i, rows);
    add_pipelined_sums(v, i, end - i, v->u + i, v->q + i, lanes);
  }
  end_pipelined_sums(lanes, sums);
}

OVK_FOR_EACH_CPU
void ovk__update_pipelined(ovk_lidx rows, double alpha, double beta, const ovk__pipelined *v,
                           double sums[OVK__PIPELINED_SUMS])
{
  double lanes[OVK__PIPELINED_SUMS][LANES] = {{0}};
  for (ovk_lidx i = 0, end; i < rows; i = end) {
    end = block_end(i, rows);
    const ovk_lidx k = end - i;
    block_xpby(k, v->n + i, beta, v->z + i);   /* z <- n + beta z */
    block_xpby(k, v->m + i, beta, v->q + i);   /* q <- m + beta q */
    block_xpby(k, v->w + i, beta, v->s + i);   /* s <- w + beta s */
    block_xpby(k, v->u + i, beta, v->p + i);   /* p <- u + beta p */
    block_axpy(k, alpha, v->p + i, v->x + i);  /* x <- x + alpha p */
    block_axpy(k, -alpha, v->s + i, v->r + i); /* r <- r - alpha s */
    block_axpy(k, -alpha, v->q + i, v->u + i); /* u <- u - alpha q */
    block_axpy(k, -alpha, v->z + i, v->w + i); /* w <- w - alpha z */
    add_pipelined_sums(v, i, k, v->u + i, v->q + i, lanes);
  }
  end_pipelined_sums(lanes, sums);
}

OVK_ALWAYS_INLINE void sums_diagonal(ovk_lidx rows, const double *d, ptrdiff_t step,
                                     const ovk__pipelined *v, double sums[OVK__PIPELINED_SUMS])
{
  double lanes[OVK__PIPELINED_SUMS][LANES] = {{0}}, u[BLOCK], q[BLOCK];
  for (ovk_lidx i = 0, end; i < rows; i = end) {
    end = block_end(i, rows);
    const ovk_lidx k = end - i;
    block_scale(k, d + i * step, step, v->r + i, u);        /* u = D r */
    block_scale(k, d + i * step, step, v->s + i, q);        /* q = D s */
    block_scale(k, d + i * step, step, v->w + i, v->m + i); /* m <- D w */
    add_pipelined_sums(v, i, k, u, q, lanes);
  }
  end_pipelined_sums(lanes, sums);
}

OVK_FOR_EACH_CPU
void ovk__sums_pipelined_diagonal(ovk_lidx rows, ovk__diagonal D, const ovk__pipelined *v,
                                  double sums[OVK__PIPELINED_SUMS])
{
  if (D.constant) {
    sums_diagonal(rows, D.d, 0, v, sums);
  } else {
    sums_diagonal(rows, D.d, 1, v, sums);
  }
}

OVK_ALWAYS_INLINE void update_diagonal(ovk_lidx rows, double alpha, double beta, const double *d,
                                       ptrdiff_t step, const ovk__pipelined *v,
                                       double sums[OVK__PIPELINED_SUMS])
{
  double lanes[OVK__PIPELINED_SUMS][LANES] = {{0}}, u[BLOCK], q[BLOCK];
  for (ovk_lidx i = 0, end; i < rows; i = end) {
    end = block_end(i, rows);
    const ovk_lidx k = end - i;
    block_scale(k, d + i * step, step, v->r + i, u);        /* u = D r */
    block_xpby(k, v->n + i, beta, v->z + i);                /* z <- n + beta z */
    block_xpby(k, v->w + i, beta, v->s + i);                /* s <- w + beta s */
    block_xpby(k, u, beta, v->p + i);                       /* p <- u + beta p */
    block_axpy(k, alpha, v->p + i, v->x + i);               /* x <- x + alpha p */
    block_axpy(k, -alpha, v->s + i, v->r + i);              /* r <- r - alpha s */
    block_axpy(k, -alpha, v->z + i, v->w + i);              /* w <- w - alpha z */
    block_scale(k, d + i * step, step, v->r + i, u);        /* u = D r */
    block_scale(k, d + i * step, step, v->s + i, q);        /* q = D s */
    block_scale(k, d + i * step, step, v->w + i, v->m + i); /* m <- D w */
    add_pipelined_sums(v, i, k, u, q, lanes);
  }
  end_pipelined_sums(lanes, sums);
}

OVK_FOR_EACH_CPU
void ovk__update_pipelined_diagonal(ovk_lidx rows, double alpha, double beta, ovk__diagonal D,
                                    const ovk__pipelined *v, double sums[OVK__PIPELINED_SUMS])
{
  if (D.constant) {
    update_diagonal(rows, alpha, beta, D.d, 0, v, sums);
  } else {
    update_diagonal(rows, alpha, beta, D.d, 1, v, sums);
  }
}
