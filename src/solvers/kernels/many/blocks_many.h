/* SPDX-License-Identifier: BSD-2-Clause */
/* Building blocks of the sweeps for several columns. A block is swept as one long vector. Its lane
 * l has column l mod w, so the same lanes serve for all widths. Coefficients are arrays of LANES
 * numbers. */
#ifndef OVK_SOLVERS_KERNELS_MANY_BLOCKS_MANY_H
#define OVK_SOLVERS_KERNELS_MANY_BLOCKS_MANY_H

#include "core/base/columns.h"
#include "solvers/kernels/diagonal_step.h"
#include "solvers/kernels/lanes.h"

/* `statement` for each width, as the compile-time constant W. */
#define MANY_WITH_WIDTH(w, W, statement)                                                           \
  switch (w) {                                                                                     \
  case 8: {                                                                                        \
    enum { W = 8 };                                                                                \
    statement;                                                                                     \
  } break;                                                                                         \
  case 4: {                                                                                        \
    enum { W = 4 };                                                                                \
    statement;                                                                                     \
  } break;                                                                                         \
  case 2: {                                                                                        \
    enum { W = 2 };                                                                                \
    statement;                                                                                     \
  } break;                                                                                         \
  default: {                                                                                       \
    enum { W = 1 };                                                                                \
    statement;                                                                                     \
  }                                                                                                \
  }

/* The end of the part of `values` numbers from k on that stays in the L1 cache between the formulas
 * of a sweep. */
OVK_ALWAYS_INLINE int64_t many_end(int64_t k, int64_t values)
{
  return BLOCK < values - k ? k + BLOCK : values;
}

/* The numbers of such a part. */
OVK_ALWAYS_INLINE ovk_lidx many_part(int64_t k, int64_t end)
{
  return (ovk_lidx)(end - k);
}

/* The coefficients of the columns, for each lane. */
OVK_ALWAYS_INLINE void many_spread(int w, const double *of_column, double lane[LANES])
{
  for (int l = 0; l < LANES; l++) lane[l] = of_column[l % w];
}

/* sum <- sum + (x, y) of the rows of a part, in the order of single columns. */
OVK_ALWAYS_INLINE void many_dot(int w, ovk_lidx values, const double *x, const double *y,
                                double sum[OVK__COLUMN_SUMS])
{
  if (w == 1) {
    ovk__lanes_dot(values, x, y, sum);
  } else {
    ovk__columns_dot(w, LANES, values / w, x, y, sum);
  }
}

/* The sums of the columns from these. */
OVK_ALWAYS_INLINE void many_totals(int w, double sum[OVK__COLUMN_SUMS], double *of_column)
{
  ovk__columns_totals(w, LANES, sum, of_column);
}

/* The sums of the columns from those of ovk__lanes_dot() of a block as one vector, in another
 * order.
 */
OVK_ALWAYS_INLINE void many_fold(int w, double lane[LANES], double *of_column)
{
  ovk__columns_totals(w, LANES / w, lane, of_column);
}

/* y <- y + a x */
OVK_ALWAYS_INLINE void many_add(ovk_lidx values, const double a[LANES], const double *restrict x,
                                double *restrict y)
{
  ovk__lanes A, X, Y;
  ovk_lidx k = 0;
  ovk__lanes_of_doubles(&A, a);
  for (; k <= values - LANES; k += LANES) {
    ovk__lanes_of_doubles(&X, x + k);
    ovk__lanes_of_doubles(&Y, y + k);
    ovk__lanes_add(&Y, &A, &X);
    ovk__lanes_to_doubles(y + k, &Y);
  }
  OVK_REST
  for (int l = 0; k < values; k++, l++) y[k] += a[l] * x[k];
}

/* y <- y - a x */
OVK_ALWAYS_INLINE void many_subtract(ovk_lidx values, const double a[LANES],
                                     const double *restrict x, double *restrict y)
{
  double minus_a[LANES];
  for (int l = 0; l < LANES; l++) minus_a[l] = -a[l];
  many_add(values, minus_a, x, y);
}

/* z <- x + b y, where z may be y */
OVK_ALWAYS_INLINE void many_sum(ovk_lidx values, const double *x, const double b[LANES],
                                const double *y, double *z)
{
  ovk__lanes B, X, Y;
  ovk_lidx k = 0;
  ovk__lanes_of_doubles(&B, b);
  for (; k <= values - LANES; k += LANES) {
    ovk__lanes_of_doubles(&X, x + k);
    ovk__lanes_of_doubles(&Y, y + k);
    ovk__lanes_add(&X, &B, &Y);
    ovk__lanes_to_doubles(z + k, &X);
  }
  OVK_REST
  for (int l = 0; k < values; k++, l++) z[k] = x[k] + b[l] * y[k];
}

/* z <- D r, where D is d[i step] in row i */
OVK_ALWAYS_INLINE void many_scale(int w, ovk_lidx n, const double *restrict d, ptrdiff_t step,
                                  const double *restrict r, double *restrict z)
{
  for (int64_t i = 0; i < n; i++) {
    for (int c = 0; c < w; c++) z[i * w + c] = d[i * step] * r[i * w + c];
  }
}

/* The same of a part from number k on. Cases of D are for the rows of a part, not for a sweep,
 * which would be compiled once for each. */
OVK_ALWAYS_INLINE void many_scale_part(int w, ovk_lidx part, ovk__diagonal D, int64_t k,
                                       const double *restrict r, double *restrict z)
{
  OVK_WITH_STEP(D, step, many_scale(w, part / w, D.d + k / w * step, step, r, z));
}

#endif
