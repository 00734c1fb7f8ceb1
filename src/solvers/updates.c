/* SPDX-License-Identifier: BSD-2-Clause */
/* The vector sweeps. Inner products are summed in LANES interleaved parts: faster than one chain of
 * additions, more accurate, and the order is fixed, so that results do not depend on the compiler.
 */
#include "solvers/updates.h"

enum { LANES = 8 };

/* The lanes of one inner product, summed up pairwise. */
static double sum_lanes(const double lane[LANES])
{
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

double ovk__dot(ovk_lidx n, const double *x, const double *y)
{
  double lane[LANES] = {0};
  ovk_lidx i = 0;
  for (; i <= n - LANES; i += LANES) {
    for (int l = 0; l < LANES; l++) lane[l] += x[i + l] * y[i + l];
  }
  for (int l = 0; i < n; i++, l++) lane[l] += x[i] * y[i];
  return sum_lanes(lane);
}

double ovk__residual(ovk_lidx n, const double *restrict b, double *restrict r, double *restrict bb)
{
  double lane_b[LANES] = {0}, lane_r[LANES] = {0};
  ovk_lidx i = 0;
  for (; i <= n - LANES; i += LANES) {
    for (int l = 0; l < LANES; l++) {
      r[i + l] = b[i + l] - r[i + l];   /* r <- b - r */
      lane_b[l] += b[i + l] * b[i + l]; /* (b, b) */
      lane_r[l] += r[i + l] * r[i + l]; /* (r, r) */
    }
  }
  for (int l = 0; i < n; i++, l++) {
    r[i] = b[i] - r[i];
    lane_b[l] += b[i] * b[i];
    lane_r[l] += r[i] * r[i];
  }
  *bb = sum_lanes(lane_b);
  return sum_lanes(lane_r);
}

void ovk__axpy(ovk_lidx n, double alpha, const double *restrict p, double *restrict x,
               ovk_poll poll)
{
  for (ovk_lidx i = 0, end; i < n; i = end) {
    end = ovk_poll_until(poll, i, n);
    for (ovk_lidx k = i; k < end; k++) x[k] += alpha * p[k]; /* x <- x + alpha p */
    ovk_poll_call(poll);
  }
}

double ovk__axpy_norm(ovk_lidx n, double alpha, const double *restrict s, double *restrict r)
{
  double lane[LANES] = {0};
  ovk_lidx i = 0;
  for (; i <= n - LANES; i += LANES) {
    for (int l = 0; l < LANES; l++) {
      r[i + l] -= alpha * s[i + l];   /* r <- r - alpha s */
      lane[l] += r[i + l] * r[i + l]; /* (r, r) */
    }
  }
  for (int l = 0; i < n; i++, l++) {
    r[i] -= alpha * s[i];
    lane[l] += r[i] * r[i];
  }
  return sum_lanes(lane);
}

double ovk__update_x_r(ovk_lidx n, double alpha, const double *restrict p, const double *restrict s,
                       double *restrict x, double *restrict r)
{
  double lane[LANES] = {0};
  ovk_lidx i = 0;
  for (; i <= n - LANES; i += LANES) {
    for (int l = 0; l < LANES; l++) {
      x[i + l] += alpha * p[i + l];   /* x <- x + alpha p */
      r[i + l] -= alpha * s[i + l];   /* r <- r - alpha s */
      lane[l] += r[i + l] * r[i + l]; /* (r, r) */
    }
  }
  for (int l = 0; i < n; i++, l++) {
    x[i] += alpha * p[i];
    r[i] -= alpha * s[i];
    lane[l] += r[i] * r[i];
  }
  return sum_lanes(lane);
}

double ovk__scale_dot(ovk_lidx n, const double *restrict d, const double *restrict r,
                      double *restrict z)
{
  double lane[LANES] = {0};
  ovk_lidx i = 0;
  for (; i <= n - LANES; i += LANES) {
    for (int l = 0; l < LANES; l++) {
      z[i + l] = d[i + l] * r[i + l]; /* z <- d r */
      lane[l] += r[i + l] * z[i + l]; /* (r, z) */
    }
  }
  for (int l = 0; i < n; i++, l++) {
    z[i] = d[i] * r[i];
    lane[l] += r[i] * z[i];
  }
  return sum_lanes(lane);
}

void ovk__direction(ovk_lidx n, const double *z, double beta, const double *q, double *p)
{
  for (ovk_lidx i = 0; i < n; i++) p[i] = z[i] + beta * q[i]; /* p <- z + beta q */
}
