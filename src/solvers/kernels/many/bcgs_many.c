/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps of BiCGStab for several columns. */
#include "solvers/kernels/many/bcgs_many.h"
#include "core/base/cpu_dispatch.h"
#include "solvers/kernels/many/blocks_many.h"

/* x <- x + (a y + b z) */
OVK_ALWAYS_INLINE void bcgs_many_add_both(ovk_lidx values, const double a[LANES],
                                          const double *restrict y, const double b[LANES],
                                          const double *restrict z, double *restrict x)
{
  const double ones[LANES] = {1, 1, 1, 1, 1, 1, 1, 1};
  ovk__lanes A, B, X, Y, Z, one;
  ovk_lidx k = 0;
  ovk__lanes_of_doubles(&A, a);
  ovk__lanes_of_doubles(&B, b);
  ovk__lanes_of_doubles(&one, ones);
  for (; k <= values - LANES; k += LANES) {
    ovk__lanes_of_doubles(&X, x + k);
    ovk__lanes_of_doubles(&Y, y + k);
    ovk__lanes_of_doubles(&Z, z + k);
    ovk__lanes_scale(&Y, &A);
    ovk__lanes_add(&Y, &B, &Z);
    ovk__lanes_add(&X, &one, &Y);
    ovk__lanes_to_doubles(x + k, &X);
  }
  OVK_REST
  for (int l = 0; k < values; k++, l++) x[k] += a[l] * y[k] + b[l] * z[k];
}

/* Here and below, D.d NULL: M is not diagonal. */
OVK_ALWAYS_INLINE void bcgs_many_half(ovk_lidx n, int w, const double *alpha, const double *v,
                                      ovk__diagonal D, double *r, double *z)
{
  double a[LANES];
  const int64_t values = (int64_t)n * w;
  many_spread(w, alpha, a);
  for (int64_t k = 0, end; k < values; k = end) {
    end = many_end(k, values);
    const ovk_lidx part = many_part(k, end);
    many_subtract(part, a, v + k, r + k);                  /* r <- r - alpha v */
    if (D.d) many_scale_part(w, part, D, k, r + k, z + k); /* z <- D r */
  }
}

OVK_FOR_EACH_CPU
void ovk__many_bcgs_half(ovk_lidx n, int w, const double *alpha, const double *v, ovk__diagonal D,
                         double *r, double *z)
{
  MANY_WITH_WIDTH(w, W, bcgs_many_half(n, W, alpha, v, D, r, z));
}

OVK_FOR_EACH_CPU
void ovk__many_bcgs_sums(ovk_lidx n, int w, const double *s, const double *t, const double *q,
                         double *sums)
{
  double lanes[OVK__BCGS_SUMS][OVK__COLUMN_SUMS] = {{0}};
  const int64_t values = (int64_t)n * w;
  for (int64_t k = 0, end; k < values; k = end) {
    end = many_end(k, values);
    const ovk_lidx part = many_part(k, end);
    many_dot(w, part, t + k, s + k, lanes[OVK__TS]);
    many_dot(w, part, t + k, t + k, lanes[OVK__TT]);
    many_dot(w, part, s + k, s + k, lanes[OVK__SS_HALF]);
    many_dot(w, part, q + k, s + k, lanes[OVK__QS]);
    many_dot(w, part, q + k, t + k, lanes[OVK__QT]);
  }
  for (int v = 0; v < OVK__BCGS_SUMS; v++) many_totals(w, lanes[v], sums + (ptrdiff_t)v * LANES);
}

OVK_FOR_EACH_CPU
void ovk__many_bcgs_full(ovk_lidx n, int w, const double *alpha, const double *omega,
                         const double *y, const double *z, const double *t, double *x, double *r)
{
  double a[LANES], o[LANES];
  const int64_t values = (int64_t)n * w;
  many_spread(w, alpha, a);
  many_spread(w, omega, o);
  for (int64_t k = 0, end; k < values; k = end) {
    end = many_end(k, values);
    const ovk_lidx part = many_part(k, end);
    bcgs_many_add_both(part, a, y + k, o, z + k, x + k); /* x <- x + alpha y + omega z */
    many_subtract(part, o, t + k, r + k);                /* r <- r - omega t */
  }
}

OVK_ALWAYS_INLINE void bcgs_many_direction(ovk_lidx n, int w, const double *beta,
                                           const double *omega, const double *r, const double *v,
                                           ovk__diagonal D, double *p, double *y)
{
  double b[LANES], o[LANES];
  const int64_t values = (int64_t)n * w;
  many_spread(w, beta, b);
  many_spread(w, omega, o);
  for (int64_t k = 0, end; k < values; k = end) {
    end = many_end(k, values);
    const ovk_lidx part = many_part(k, end);
    many_subtract(part, o, v + k, p + k); /* p <- r + beta (p - omega v) */
    many_sum(part, r + k, b, p + k, p + k);
    if (D.d) many_scale_part(w, part, D, k, p + k, y + k); /* y <- D p */
  }
}

OVK_FOR_EACH_CPU
void ovk__many_bcgs_direction(ovk_lidx n, int w, const double *beta, const double *omega,
                              const double *r, const double *v, ovk__diagonal D, double *p,
                              double *y)
{
  MANY_WITH_WIDTH(w, W, bcgs_many_direction(n, W, beta, omega, r, v, D, p, y));
}
