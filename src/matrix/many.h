/* SPDX-License-Identifier: BSD-2-Clause */
/* Products with vectors and with blocks of several columns, as of ovk__multivec_panel(): n rows of
 * `width` doubles, row by row, aligned to 64 bytes; `width` is 1, 2, 4 or 8. A block of width 1 is
 * a vector. */
#ifndef OVK_MATRIX_MANY_H
#define OVK_MATRIX_MANY_H

#include "matrix/mat_impl.h"
#include "matrix/vector/multivec_impl.h"

/* Creates the halo exchange and the memory of products with blocks of this width, unless A has it.
 * A keeps it, also for new values. To be called before ovk__mat_mult_many(), at no cost if it has
 * been before. Collective; errors are agreed. */
ovk_err ovk__mat_prepare_many(const ovk_mat *A, int width);

/* y <- A x, each column with the bits of ovk__mat_mult_dot(), with one halo exchange. dots[c] <-
 * this rank's part of (x_c, y_c), also with its bits, except for shells; NULL: not wanted. Columns
 * are independent: a NaN of one stays there. Collective; failures, such as of a shell, are this
 * rank's own. A shell, and a format without products of many, multiplies column by column. */
ovk_err ovk__mat_mult_many(const ovk_mat *A, int width, const double *x, double *y, ovk_poll poll,
                           double *dots);

/* The same without inner products; each row is passed to `finish`, which may be NULL, once it is
 * complete, in any order, rows with columns of other ranks at the end. */
ovk_err ovk__mat_mult_finish(const ovk_mat *A, int width, const double *x, double *y, ovk_poll poll,
                             const ovk__finish *finish);

/* Parts of a product with a block of several columns, in many.c. The local rows, or all of a shell,
 * without columns of other ranks; dots[c] <- (x_c, y_c), unless A is a shell or in order. */
ovk_err ovk__mat_many_local(const ovk_mat *A, int width, const double *x, double *y, ovk_poll poll,
                            const ovk__finish *finish, double *dots);

/* Adds the columns of other ranks, also to dots; or, if A is in order, computes their rows again.
 */
void ovk__mat_many_remote(const ovk_mat *A, int width, const double *x, const double *ghosts,
                          double *y, double *dots);

/* dots[c] <- (x_c, y_c) of n rows */
void ovk__mat_many_dots(ovk_lidx n, int width, const double *x, const double *y, double *dots);

#endif
