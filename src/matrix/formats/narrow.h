/* SPDX-License-Identifier: BSD-2-Clause */
/* Copies of arrays, as they are and with values rounded to float. */
#ifndef OVK_MATRIX_FORMATS_NARROW_H
#define OVK_MATRIX_FORMATS_NARROW_H

#include "core/context/mem.h"

/* `copy` = a new array of the n elements of `array`; returns OVK_ERR_MEMORY from the caller on
 * failure. */
#define OVK_NEW_COPY(ctx, copy, array, n)                                                          \
  do {                                                                                             \
    OVK_NEW_ARRAY(ctx, copy, n);                                                                   \
    ovk__copy_bytes(copy, array, (size_t)(n) * sizeof *(copy));                                    \
  } while (0)

/* memcpy(), also of no bytes from or to NULL. */
void ovk__copy_bytes(void *to, const void *from, size_t bytes);

/* *out <- the n values, rounded to float. OVK_ERR_RANGE if a finite one is beyond its range. Not
 * collective. */
ovk_err ovk__narrow_values(ovk_ctx *ctx, const double *val, size_t n, float **out);

/* The same in place, for values that stay in double. */
ovk_err ovk__round_values(ovk_ctx *ctx, double *val, size_t n);

#endif
