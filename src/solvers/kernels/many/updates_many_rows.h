/* SPDX-License-Identifier: BSD-2-Clause */
/* The sweeps of conjugate gradients over a block of 8 columns, with a row in each vector: vectors
 * and sums are read and written once. */
#ifndef OVK_SOLVERS_KERNELS_MANY_UPDATES_MANY_ROWS_H
#define OVK_SOLVERS_KERNELS_MANY_UPDATES_MANY_ROWS_H

#include "solvers/kernels/many/blocks_many.h"

/* a <- d b for a number d */
OVK_ALWAYS_INLINE void many_row_scale(double d, const ovk__lanes *b, ovk__lanes *a)
{
#ifdef OVK__WIDE_LANES
  *a = d * *b;
#else
  a->low = d * b->low;
  a->high = d * b->high;
#endif
}

/* A row: r <- r - a s; z = D r; vv <- vv + (z, z) if `of_z`, else + (r, r); rz <- rz + (r, z). D is
 * *d, or not wanted if that is NULL: then there is no rz. */
OVK_ALWAYS_INLINE void many_row_update_r(const ovk__lanes *a, const double *restrict s,
                                         const double *restrict d, bool of_z, double *restrict r,
                                         ovk__lanes *vv, ovk__lanes *rz)
{
  ovk__lanes S, R, Z = {0};
  ovk__lanes_of_doubles(&S, s);
  ovk__lanes_of_doubles(&R, r);
  ovk__lanes_subtract(&R, a, &S);
  ovk__lanes_to_doubles(r, &R);
  if (d) many_row_scale(*d, &R, &Z);
  ovk__lanes_add(vv, of_z ? &Z : &R, of_z ? &Z : &R);
  if (d) ovk__lanes_add(rz, &R, &Z);
}

/* The same of n rows. Sums are those of many_dot(). */
OVK_ALWAYS_INLINE void many_rows_update_r(ovk_lidx n, const double *alpha, const double *restrict s,
                                          const double *restrict d, ptrdiff_t step, bool of_z,
                                          double *restrict r, double vv[OVK__COLUMN_SUMS],
                                          double rz[OVK__COLUMN_SUMS])
{
  const ptrdiff_t block = (ptrdiff_t)LANES * LANES; /* numbers of LANES rows */
  ovk__lanes A, VV[LANES], RZ[LANES], v, z;
  ovk_lidx i = 0;
  ovk__lanes_of_doubles(&A, alpha);
  memset(VV, 0, sizeof VV);
  memset(RZ, 0, sizeof RZ);
  for (; i <= n - LANES; i += LANES, s += block, r += block) {
    _Pragma("GCC unroll 8") for (ptrdiff_t l = 0; l < LANES; l++)
    {
      many_row_update_r(&A, s + l * LANES, d ? d + (i + l) * step : NULL, of_z, r + l * LANES,
                        &VV[l], &RZ[l]);
    }
  }
  _Pragma("GCC unroll 8") for (ptrdiff_t l = 0; l < LANES; l++)
  {
    ovk__lanes_to_doubles(vv + l * LANES, &VV[l]);
    ovk__lanes_to_doubles(rz + l * LANES, &RZ[l]);
  }
  for (; i < n; i++, s += LANES, r += LANES, vv += LANES, rz += LANES) {
    ovk__lanes_of_doubles(&v, vv);
    ovk__lanes_of_doubles(&z, rz);
    many_row_update_r(&A, s, d ? d + i * step : NULL, of_z, r, &v, &z);
    ovk__lanes_to_doubles(vv, &v);
    ovk__lanes_to_doubles(rz, &z);
  }
}

/* A row: xy <- xy + x y; yy <- yy + y y */
OVK_ALWAYS_INLINE void many_row_dots(const double *x, const double *y, ovk__lanes *xy,
                                     ovk__lanes *yy)
{
  ovk__lanes X, Y;
  ovk__lanes_of_doubles(&X, x);
  ovk__lanes_of_doubles(&Y, y);
  ovk__lanes_add(xy, &X, &Y);
  ovk__lanes_add(yy, &Y, &Y);
}

/* The same of n rows. Sums are those of many_dot(). */
OVK_ALWAYS_INLINE void many_rows_dots(ovk_lidx n, const double *x, const double *y,
                                      double xy[OVK__COLUMN_SUMS], double yy[OVK__COLUMN_SUMS])
{
  const ptrdiff_t block = (ptrdiff_t)LANES * LANES; /* numbers of LANES rows */
  ovk__lanes XY[LANES], YY[LANES];
  ovk_lidx i = 0;
  memset(XY, 0, sizeof XY);
  memset(YY, 0, sizeof YY);
  for (; i <= n - LANES; i += LANES, x += block, y += block) {
    _Pragma("GCC unroll 8") for (ptrdiff_t l = 0; l < LANES; l++)
    {
      many_row_dots(x + l * LANES, y + l * LANES, &XY[l], &YY[l]);
    }
  }
  for (ptrdiff_t l = 0; l < n - i; l++) many_row_dots(x + l * LANES, y + l * LANES, &XY[l], &YY[l]);
  memcpy(xy, XY, sizeof XY);
  memcpy(yy, YY, sizeof YY);
}

/* n rows: x <- x + alpha p; p <- D r + beta p. The sweep descends: it begins with rows of r that
 * are still in the caches, and it ends with the rows of p that the next product reads first. */
OVK_ALWAYS_INLINE void many_rows_update_x_p(ovk_lidx n, const double *alpha,
                                            const double *restrict d, ptrdiff_t step,
                                            const double *restrict r, const double *beta,
                                            double *restrict p, double *restrict x)
{
  ovk__lanes A, B, P, X, R, Z;
  ovk__lanes_of_doubles(&A, alpha);
  ovk__lanes_of_doubles(&B, beta);
  for (ptrdiff_t i = n - 1; i >= 0; i--) {
    const ptrdiff_t at = i * LANES;
    ovk__lanes_of_doubles(&P, p + at);
    ovk__lanes_of_doubles(&X, x + at);
    ovk__lanes_of_doubles(&R, r + at);
    many_row_scale(d[i * step], &R, &Z);
    ovk__lanes_add(&X, &A, &P);
    ovk__lanes_add(&Z, &B, &P);
    ovk__lanes_to_doubles(x + at, &X);
    ovk__lanes_to_doubles(p + at, &Z);
  }
}

#endif
