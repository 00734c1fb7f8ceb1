/* SPDX-License-Identifier: BSD-2-Clause */
/* The type of the values that a product reads. A product is written once, in a file *_mult.inc, and
 * compiled twice: for blocks with values in double, and, in a file that defines OVK__SINGLE before
 * it includes anything, for blocks with values in float. Vectors and sums are in double, so that
 * both give the same bits where the values are floats. */
#ifndef OVK_MATRIX_FORMATS_VALUE_H
#define OVK_MATRIX_FORMATS_VALUE_H

/* OVK__VALUES(double array, float array): the one that a block of this type has; the other one is
 * NULL. */
#ifdef OVK__SINGLE
typedef float ovk__value;
#define OVK__VALUES(wide, narrow) (narrow)
#else
typedef double ovk__value;
#define OVK__VALUES(wide, narrow) (wide)
#endif

enum { OVK__IS_SINGLE = sizeof(ovk__value) == sizeof(float) };

#endif
