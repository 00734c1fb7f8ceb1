/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps of the single-reduction method and of Gropp's for several columns. */
#include "solvers/kernels/many/overlapped_many.h"
#include "core/base/cpu_dispatch.h"
#include "solvers/kernels/many/blocks_many.h"

/* Here and below, D.d NULL: M is not diagonal. */
OVK_ALWAYS_INLINE void many_single_reduction(ovk_lidx n, int w, const double *alpha,
                                             const double *beta, ovk__diagonal D, bool of_u,
                                             double *u, const double *v, double *p, double *s,
                                             double *x, double *r, double *ru, double *rr)
{
  double a[LANES], b[LANES], lane_rr[OVK__COLUMN_SUMS] = {0}, lane_ru[OVK__COLUMN_SUMS] = {0};
  const int64_t values = (int64_t)n * w;
  many_spread(w, alpha, a);
  many_spread(w, beta, b);
  for (int64_t k = 0, end; k < values; k = end) {
    end = many_end(k, values);
    const ovk_lidx part = many_part(k, end);
    many_sum(part, u + k, b, p + k, p + k); /* p <- u + beta p */
    many_sum(part, v + k, b, s + k, s + k); /* s <- v + beta s */
    many_add(part, a, p + k, x + k);        /* x <- x + alpha p */
    many_subtract(part, a, s + k, r + k);   /* r <- r - alpha s */
    if (D.d) {
      many_scale_part(w, part, D, k, r + k, u + k); /* u <- D r */
      many_dot(w, part, r + k, u + k, lane_ru);     /* (r, u) */
    }
    const double *of = (D.d && of_u ? u : r) + k;
    many_dot(w, part, of, of, lane_rr); /* (u, u) or (r, r) */
  }
  if (D.d) many_totals(w, lane_ru, ru);
  many_totals(w, lane_rr, rr);
}

OVK_FOR_EACH_CPU
void ovk__many_update_single_reduction(ovk_lidx n, int w, const double *alpha, const double *beta,
                                       ovk__diagonal D, bool of_u, double *u, const double *v,
                                       double *p, double *s, double *x, double *r, double *ru,
                                       double *rr)
{
  MANY_WITH_WIDTH(w, W,
                  many_single_reduction(n, W, alpha, beta, D, of_u, u, v, p, s, x, r, ru, rr));
}

OVK_ALWAYS_INLINE void many_update_r_z(ovk_lidx n, int w, const double *alpha, const double *s,
                                       const double *q, ovk__diagonal D, bool of_z, double *r,
                                       double *z, double *rz, double *vv)
{
  double a[LANES], lane_vv[OVK__COLUMN_SUMS] = {0}, lane_rz[OVK__COLUMN_SUMS] = {0};
  const int64_t values = (int64_t)n * w;
  many_spread(w, alpha, a);
  for (int64_t k = 0, end; k < values; k = end) {
    end = many_end(k, values);
    const ovk_lidx part = many_part(k, end);
    many_subtract(part, a, s + k, r + k); /* r <- r - alpha s */
    if (D.d) {
      many_scale_part(w, part, D, k, r + k, z + k); /* z <- D r */
    } else {
      many_subtract(part, a, q + k, z + k); /* z <- z - alpha q */
    }
    const double *v = (of_z ? z : r) + k;
    many_dot(w, part, v, v, lane_vv);         /* (z, z) or (r, r) */
    many_dot(w, part, r + k, z + k, lane_rz); /* (r, z) */
  }
  many_totals(w, lane_vv, vv);
  many_totals(w, lane_rz, rz);
}

OVK_FOR_EACH_CPU
void ovk__many_update_r_z(ovk_lidx n, int w, const double *alpha, const double *s, const double *q,
                          ovk__diagonal D, bool of_z, double *r, double *z, double *rz, double *vv)
{
  MANY_WITH_WIDTH(w, W, many_update_r_z(n, W, alpha, s, q, D, of_z, r, z, rz, vv));
}

OVK_FOR_EACH_CPU
void ovk__many_update_p_s(ovk_lidx n, int w, const double *beta, const double *z, const double *Z,
                          const double *q, double *p, double *s, double *ps)
{
  double b[LANES], lane[OVK__COLUMN_SUMS] = {0};
  const int64_t values = (int64_t)n * w;
  many_spread(w, beta, b);
  for (int64_t k = 0, end; k < values; k = end) {
    end = many_end(k, values);
    const ovk_lidx part = many_part(k, end);
    many_sum(part, z + k, b, q + k, p + k); /* p <- z + beta q */
    many_sum(part, Z + k, b, s + k, s + k); /* s <- Z + beta s */
    many_dot(w, part, p + k, s + k, lane);  /* (p, s) */
  }
  many_totals(w, lane, ps);
}
