/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums of eight consecutive rows, in two vectors of four: registers of most processors are as long.
 */
#ifndef OVK_MATRIX_FORMATS_PATTERN_EIGHT_H
#define OVK_MATRIX_FORMATS_PATTERN_EIGHT_H

#include "matrix/formats/row_sum.h"

/* sum <- sum + a x */
OVK_ALWAYS_INLINE void ovk__four_add(ovk__four *sum, double a, const double *x)
{
#ifdef OVK_CLONES
  ovk__four v;
  memcpy(&v, x, sizeof v);
  *sum += a * v;
#else
  for (int l = 0; l < 4; l++) sum->of[l] += a * x[l];
#endif
}

OVK_ALWAYS_INLINE void ovk__eight_add(ovk__four sum[2], double a, const double *x)
{
  ovk__four_add(&sum[0], a, x);
  ovk__four_add(&sum[1], a, x + 4);
}

#endif
