/* SPDX-License-Identifier: BSD-2-Clause */
/* A diagonal D as the vector sweeps of the methods take it: apart from them because the
 * preconditioners give it. */
#ifndef OVK_PRECOND_DIAGONAL_H
#define OVK_PRECOND_DIAGONAL_H

#include <stdbool.h>

typedef struct ovk__diagonal {
  const double *d; /* row by row, or, */
  bool constant;   /* so that it is not read again and again, one for all rows */
} ovk__diagonal;

#endif
