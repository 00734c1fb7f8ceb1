/* SPDX-License-Identifier: BSD-2-Clause */
/* Products with the upper half of a symmetric block by diagonals. */
#ifndef OVK_MATRIX_FORMATS_SYM_SYMDIA_MULT_H
#define OVK_MATRIX_FORMATS_SYM_SYMDIA_MULT_H

#include "matrix/formats/sym/symdia_rows.h"

/* Rows of a chunk, a multiple of 8: in longer ones x and y come from the second cache and beyond in
 * bursts that prefetching does not hide, in shorter ones the work of a chunk itself counts. */
enum { OVK__SYMDIA_CHUNK_HEIGHT = 24 };

/* How many diagonals of the list are processed together, from number k on: three neighbors or one.
 */
static inline int ovk__symdia_together(const ovk_lidx *offset, ovk_lidx n, ovk_lidx k)
{
  return k + 2 < n && offset[k + 2] == offset[k] + 2 ? 3 : 1;
}

/* y <- A x; returns (x, y). d has the upper half of A, in chunks of OVK__SYMDIA_CHUNK_HEIGHT rows.
 * The second one is for values in float. */
double ovk__symdia_mult_dot(const ovk__diagonals *d, const double *x, double *y, ovk_poll poll,
                            const ovk__finish *finish);
double ovk__symdia_float_mult_dot(const ovk__diagonals *d, const double *x, double *y,
                                  ovk_poll poll, const ovk__finish *finish);

/* y <- A x in the order of order/whole_rows.h. d is as ovk__symdia_flip() leaves it. */
void ovk__symdia_mult_ordered(const ovk__diagonals *d, const double *x, double *y, ovk_poll poll,
                              const ovk__finish *finish);

/* As ovk__format.mult_many. */
void ovk__symdia_mult_many(const ovk__symdia *b, int width, const double *x, double *y,
                           ovk_poll poll, const ovk__finish *finish, double *dots);
void ovk__symdia_float_mult_many(const ovk__symdia *b, int width, const double *x, double *y,
                                 ovk_poll poll, const ovk__finish *finish, double *dots);

#endif
