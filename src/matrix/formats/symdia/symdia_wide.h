/* SPDX-License-Identifier: BSD-2-Clause */
/* Products of whole chunks of "symdia" for processors with vectors of eight: x and the sums of a
 * chunk's rows stay in registers. The results have the bits of symdia_mult.inc. */
#ifndef OVK_MATRIX_FORMATS_SYMDIA_SYMDIA_WIDE_H
#define OVK_MATRIX_FORMATS_SYMDIA_SYMDIA_WIDE_H

#include "matrix/formats/symdia/symdia_rows.h"

/* All of a chunk's n diagonals above the main one, x and y at its first row:
 * t <- t + u x(i + d), y(i + d) <- y(i + d) + u x(i) */
void ovk__symdia_add_whole_wide(ovk_lidx n, const ovk_lidx *offset, const double *val,
                                const double *x, double *t, double *y);
void ovk__symdia_add_whole_wide_float(ovk_lidx n, const ovk_lidx *offset, const float *val,
                                      const double *x, double *t, double *y);

/* The same for diagonals in descending order, as ovk__symdia_flip() stores them. */
void ovk__symdia_add_whole_wide_down(ovk_lidx n, const ovk_lidx *offset, const double *val,
                                     const double *x, double *t, double *y);

/* Chunks `from` to `to` - 1 times a block of 8 columns: y <- A x; sum <- sum + (x, y) of their rows
 */
void ovk__symdia_many_wide(const ovk__symdia *b, ovk_lidx from, ovk_lidx to, const double *x,
                           double *y, double *sum);
void ovk__symdia_many_wide_float(const ovk__symdia *b, ovk_lidx from, ovk_lidx to, const double *x,
                                 double *y, double *sum);

#endif
