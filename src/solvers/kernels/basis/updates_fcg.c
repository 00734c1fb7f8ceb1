/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps of the flexible methods. */
#include "solvers/kernels/basis/updates_fcg.h"
#include "core/base/cpu_dispatch.h"
#include "solvers/kernels/basis/rows.h"
#include "solvers/kernels/blocks.h"
#include "solvers/kernels/updates/pipecg_rows.h"

/* y <- x - sum of c_i y_i for n rows from row i */
OVK_ALWAYS_INLINE void direction_rows(ovk_lidx i, ovk_lidx n, const ovk__kept *kept,
                                      void *const *y_i, const double *x, double *y)
{
  memcpy(y + i, x + i, (size_t)n * sizeof *y);
  add_some(i, n, kept->k, (ovk__basis){.v = y_i}, kept->c, -1, y + i);
}

OVK_FOR_EACH_CPU
double ovk__update_fcg(ovk_lidx rows, const ovk__kept *kept, double alpha, const double *z,
                       const double *w, double *p, double *s, double *x, double *r)
{
  double lane[LANES] = {0};
  for (ovk_lidx i = 0, end; i < rows; i = end) {
    end = block_end(i, rows);
    const ovk_lidx n = end - i;
    direction_rows(i, n, kept, kept->p, z, p); /* p <- z - sum of c_i p_i */
    direction_rows(i, n, kept, kept->s, w, s); /* s <- w - sum of c_i s_i */
    block_axpy(n, alpha, p + i, x + i);        /* x <- x + alpha p */
    block_axpy(n, -alpha, s + i, r + i);       /* r <- r - alpha s */
    ovk__lanes_dot(n, r + i, r + i, lane);
  }
  return ovk__lanes_total(lane);
}

OVK_FOR_EACH_CPU
void ovk__update_pipefcg(ovk_lidx rows, const ovk__kept *kept, double alpha, double theta,
                         const ovk__pipecg_arrays *v, double *d, double sums[OVK__PIPECG_SUMS],
                         const ovk__fcg_dots *next)
{
  ovk__lanes sum[OVK__PIPECG_SUMS];
  memset(sum, 0, sizeof sum);
  lane_pair *to_u = begin_pairs(next->k, next->memory);
  for (ovk_lidx i = 0, end; i < rows; i = end) {
    end = block_end(i, rows);
    const ovk_lidx k = end - i;
    direction_rows(i, k, kept, kept->z, v->n, v->z); /* z <- n - sum of c_i z_i */
    direction_rows(i, k, kept, kept->q, v->m, v->q); /* q <- m - sum of c_i q_i */
    direction_rows(i, k, kept, kept->s, v->w, v->s); /* s <- w - sum of c_i s_i */
    direction_rows(i, k, kept, kept->p, v->u, v->p); /* p <- u - sum of c_i p_i */
    block_axpy(k, alpha, v->p + i, v->x + i);        /* x <- x + alpha p */
    block_axpy(k, -alpha, v->s + i, v->r + i);       /* r <- r - alpha s */
    block_axpy(k, -alpha, v->q + i, v->u + i);       /* u <- u - alpha q */
    block_axpy(k, -alpha, v->z + i, v->w + i);       /* w <- w - alpha z */
    block_sum(k, v->w + i, -theta, v->r + i, d + i); /* d <- w - theta r */
    pipecg_block(i, end, false, NULL, NULL, 0, v, sum);
    add_rows(i, k, next->k, (ovk__basis){.v = next->s}, v->u, NULL, to_u);
  }
  pipecg_end_sums(sum, sums);
  end_pairs(next->k, to_u, false, next->dots);
}
