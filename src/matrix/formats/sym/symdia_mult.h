/* SPDX-License-Identifier: BSD-2-Clause */
/* Products with the upper half of a symmetric block by diagonals. */
#ifndef OVK_MATRIX_FORMATS_SYM_SYMDIA_MULT_H
#define OVK_MATRIX_FORMATS_SYM_SYMDIA_MULT_H

#include "matrix/formats/dia/diagonals.h"

enum { OVK__SYMDIA_HEIGHT = 64 }; /* rows of a chunk */

/* y <- A x; returns (x, y). d has the upper half of A, in chunks of OVK__SYMDIA_HEIGHT rows. */
double ovk__symdia_mult_dot(const ovk__diagonals *d, const double *x, double *y, ovk_poll poll);

#endif
