/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps of BiCGStab. */
#include "solvers/kernels/updates/updates_bcgs.h"
#include "core/base/cpu_dispatch.h"
#include "solvers/kernels/blocks.h"

OVK_FOR_EACH_CPU
void ovk__bcgs_half(ovk_lidx n, double alpha, const double *v, ovk__diagonal D, double *r,
                    double *z)
{
  for (ovk_lidx i = 0, end; i < n; i = end) {
    end = block_end(i, n);
    block_axpy(end - i, -alpha, v + i, r + i);              /* r <- r - alpha v */
    if (D.d) block_scale_from(i, end - i, D, r + i, z + i); /* z <- D r */
  }
}

OVK_FOR_EACH_CPU
void ovk__bcgs_sums(ovk_lidx n, const double *s, const double *t, const double *q,
                    double sums[OVK__BCGS_SUMS])
{
  double lanes[OVK__BCGS_SUMS][LANES] = {{0}};
  for (ovk_lidx i = 0, end; i < n; i = end) {
    end = block_end(i, n);
    const ovk_lidx k = end - i;
    ovk__lanes_dot(k, t + i, s + i, lanes[OVK__TS]);
    ovk__lanes_dot(k, t + i, t + i, lanes[OVK__TT]);
    ovk__lanes_dot(k, s + i, s + i, lanes[OVK__SS_HALF]);
    ovk__lanes_dot(k, q + i, s + i, lanes[OVK__QS]);
    ovk__lanes_dot(k, q + i, t + i, lanes[OVK__QT]);
  }
  ovk__lanes_totals(OVK__BCGS_SUMS, lanes, sums);
}

OVK_FOR_EACH_CPU
void ovk__bcgs_full(ovk_lidx n, double alpha, double omega, const double *restrict y,
                    const double *restrict z, const double *restrict t, double *restrict x,
                    double *restrict r)
{
  for (ovk_lidx i = 0; i < n; i++) {
    x[i] += alpha * y[i] + omega * z[i]; /* x <- x + alpha y + omega z */
    r[i] -= omega * t[i];                /* r <- r - omega t */
  }
}

OVK_FOR_EACH_CPU
void ovk__bcgs_direction(ovk_lidx n, double beta, double omega, const double *restrict r,
                         const double *restrict v, ovk__diagonal D, double *restrict p,
                         double *restrict y)
{
  for (ovk_lidx i = 0, end; i < n; i = end) {
    end = block_end(i, n);
    for (ovk_lidx k = i; k < end; k++) {
      p[k] = r[k] + beta * (p[k] - omega * v[k]); /* p <- r + beta (p - omega v) */
    }
    if (D.d) block_scale_from(i, end - i, D, p + i, y + i); /* y <- D p */
  }
}
