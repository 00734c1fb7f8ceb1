/* SPDX-License-Identifier: BSD-2-Clause */
/* The vector sweeps for several columns. */
#include "solvers/kernels/many/updates_many.h"
#include "core/base/cpu_dispatch.h"
#include "solvers/kernels/many/updates_many_rows.h"

/* x <- x + a p; p <- z + b p */
OVK_ALWAYS_INLINE void many_step(ovk_lidx values, const double a[LANES], const double *restrict z,
                                 const double b[LANES], double *restrict p, double *restrict x)
{
  ovk__lanes A, B, P, X, Z;
  ovk_lidx k = 0;
  ovk__lanes_of_doubles(&A, a);
  ovk__lanes_of_doubles(&B, b);
  for (; k <= values - LANES; k += LANES) {
    ovk__lanes_of_doubles(&P, p + k);
    ovk__lanes_of_doubles(&X, x + k);
    ovk__lanes_of_doubles(&Z, z + k);
    ovk__lanes_add(&X, &A, &P);
    ovk__lanes_add(&Z, &B, &P);
    ovk__lanes_to_doubles(x + k, &X);
    ovk__lanes_to_doubles(p + k, &Z);
  }
  OVK_REST
  for (int l = 0; k < values; k++, l++) {
    x[k] += a[l] * p[k];
    p[k] = z[k] + b[l] * p[k];
  }
}

OVK_FOR_EACH_CPU
static void many_dots_narrow(int w, ovk_lidx n, const double *x, const double *y, double *xy,
                             double *yy)
{
  double lane_xy[OVK__COLUMN_SUMS] = {0}, lane_yy[OVK__COLUMN_SUMS] = {0};
  const int64_t values = (int64_t)n * w;
  for (int64_t k = 0, end; k < values; k = end) {
    end = many_end(k, values);
    many_dot(w, many_part(k, end), x + k, y + k, lane_xy); /* (x, y) */
    many_dot(w, many_part(k, end), y + k, y + k, lane_yy); /* (y, y) */
  }
  many_totals(w, lane_xy, xy);
  many_totals(w, lane_yy, yy);
}

void ovk__many_dots(ovk_lidx n, int w, const double *x, const double *y, double *xy, double *yy)
{
  OVK__NARROW_OR_WIDE(w, many_dots_narrow, ovk__many_dots_wide, n, x, y, xy, yy);
}

OVK_FOR_EACH_CPU
void ovk__many_axpy(ovk_lidx n, int w, const double *alpha, const double *restrict p,
                    double *restrict x, ovk_poll poll)
{
  double a[LANES];
  many_spread(w, alpha, a);
  for (ovk_lidx i = 0, end; i < n; i = end) {
    end = ovk_poll_until(poll, i, n);
    const int64_t last = (int64_t)end * w;
    for (int64_t k = (int64_t)i * w, to; k < last; k = to) {
      to = many_end(k, last);
      many_add(many_part(k, to), a, p + k, x + k); /* x <- x + alpha p */
    }
    ovk_poll_call(poll);
  }
}

OVK_FOR_EACH_CPU
void ovk__many_residual(ovk_lidx n, int w, const double *restrict s, double *restrict r, double *bb,
                        double *rr)
{
  double one[LANES], lane_b[OVK__COLUMN_SUMS] = {0}, lane_r[OVK__COLUMN_SUMS] = {0};
  const int64_t values = (int64_t)n * w;
  for (int l = 0; l < LANES; l++) one[l] = 1;
  for (int64_t k = 0, end; k < values; k = end) {
    end = many_end(k, values);
    many_dot(w, many_part(k, end), r + k, r + k, lane_b); /* (b, b) */
    many_subtract(many_part(k, end), one, s + k, r + k);  /* r <- b - s */
    many_dot(w, many_part(k, end), r + k, r + k, lane_r); /* (r, r) */
  }
  many_totals(w, lane_b, bb);
  many_totals(w, lane_r, rr);
}

OVK_FOR_EACH_CPU
static void many_axpy_norm_narrow(int w, ovk_lidx n, const double *alpha, const double *restrict s,
                                  double *restrict r, double *rr)
{
  double a[LANES], lane[OVK__COLUMN_SUMS] = {0};
  const int64_t values = (int64_t)n * w;
  many_spread(w, alpha, a);
  for (int64_t k = 0, end; k < values; k = end) {
    end = many_end(k, values);
    many_subtract(many_part(k, end), a, s + k, r + k);  /* r <- r - alpha s */
    many_dot(w, many_part(k, end), r + k, r + k, lane); /* (r, r) */
  }
  many_totals(w, lane, rr);
}

void ovk__many_axpy_norm(ovk_lidx n, int w, const double *alpha, const double *s, double *r,
                         double *rr)
{
  OVK__NARROW_OR_WIDE(w, many_axpy_norm_narrow, ovk__many_axpy_norm_wide, n, alpha, s, r, rr);
}

OVK_ALWAYS_INLINE void many_update_r(ovk_lidx n, int w, const double *alpha,
                                     const double *restrict s, ovk__diagonal D, bool of_z,
                                     double *restrict r, double *rz, double *vv)
{
  double a[LANES], lane_vv[OVK__COLUMN_SUMS] = {0}, lane_rz[OVK__COLUMN_SUMS] = {0}, z[BLOCK];
  const int64_t values = (int64_t)n * w;
  many_spread(w, alpha, a);
  for (int64_t k = 0, end; k < values; k = end) {
    end = many_end(k, values);
    many_subtract(many_part(k, end), a, s + k, r + k);     /* r <- r - alpha s */
    many_scale_part(w, many_part(k, end), D, k, r + k, z); /* z = D r */
    const double *v = of_z ? z : r + k;
    many_dot(w, many_part(k, end), v, v, lane_vv);     /* (z, z) or (r, r) */
    many_dot(w, many_part(k, end), r + k, z, lane_rz); /* (r, z) */
  }
  many_totals(w, lane_vv, vv);
  many_totals(w, lane_rz, rz);
}

OVK_FOR_EACH_CPU
static void many_cg_update_r_narrow(int w, ovk_lidx n, const double *alpha, const double *s,
                                    ovk__diagonal D, bool of_z, double *r, double *rz, double *vv)
{
  MANY_WITH_WIDTH(w, W, many_update_r(n, W, alpha, s, D, of_z, r, rz, vv));
}

void ovk__many_cg_update_r(ovk_lidx n, int w, const double *alpha, const double *s, ovk__diagonal D,
                           bool of_z, double *r, double *rz, double *vv)
{
  OVK__NARROW_OR_WIDE(w, many_cg_update_r_narrow, ovk__many_cg_update_r_wide, n, alpha, s, D, of_z,
                      r, rz, vv);
}

OVK_ALWAYS_INLINE void many_update_x_p(ovk_lidx n, int w, const double *alpha, ovk__diagonal D,
                                       const double *restrict r, const double *beta,
                                       double *restrict p, double *restrict x)
{
  double a[LANES], b[LANES], z[BLOCK];
  const int64_t values = (int64_t)n * w;
  many_spread(w, alpha, a);
  many_spread(w, beta, b);
  for (int64_t k = 0, end; k < values; k = end) {
    end = many_end(k, values);
    many_scale_part(w, many_part(k, end), D, k, r + k, z); /* z = D r */
    many_step(many_part(k, end), a, z, b, p + k, x + k);   /* x <- x + alpha p; p <- z + beta p */
  }
}

OVK_FOR_EACH_CPU
static void many_cg_update_x_p_narrow(int w, ovk_lidx n, const double *alpha, ovk__diagonal D,
                                      const double *r, const double *beta, double *p, double *x)
{
  if (w == LANES) {
    OVK_WITH_STEP(D, step, many_rows_update_x_p(n, alpha, D.d, step, r, beta, p, x));
  } else {
    MANY_WITH_WIDTH(w, W, many_update_x_p(n, W, alpha, D, r, beta, p, x));
  }
}

void ovk__many_cg_update_x_p(ovk_lidx n, int w, const double *alpha, ovk__diagonal D,
                             const double *r, const double *beta, double *p, double *x)
{
  OVK__NARROW_OR_WIDE(w, many_cg_update_x_p_narrow, ovk__many_cg_update_x_p_wide, n, alpha, D, r,
                      beta, p, x);
}

OVK_FOR_EACH_CPU
void ovk__many_apply(ovk_lidx n, int w, ovk__diagonal D, const double *restrict r,
                     double *restrict z)
{
  OVK_WITH_STEP(D, step, MANY_WITH_WIDTH(w, W, many_scale(W, n, D.d, step, r, z)));
}
