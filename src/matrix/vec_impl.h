/* SPDX-License-Identifier: BSD-2-Clause */
/* The internals of a vector. */
#ifndef OVK_MATRIX_VEC_IMPL_H
#define OVK_MATRIX_VEC_IMPL_H

#include "core/handle.h"
#include "matrix/layout/layout.h"

#include <ovkrylov/vector.h>

struct ovk_vec {
  ovk_ctx *ctx, *held;
  ovk__layout layout;
  double *array;
  bool wrapped; /* the array is the caller's */
};
OVK_IS_HANDLE(ovk_vec);

/* Whether two vectors share memory on this rank. */
bool ovk__vec_overlap(const ovk_vec *x, const ovk_vec *y);

/* Exchanges two vectors that take turns. */
static inline void ovk__vec_swap(ovk_vec **x, ovk_vec **y)
{
  ovk_vec *swap = *x;
  *x = *y;
  *y = swap;
}

/* Fills v with numbers in [-1, 1) that depend on the row only. */
void ovk__vec_fill_random(ovk_vec *v);

/* Creates a vector of zeros with an existing layout. Collective. */
ovk_err ovk__vec_create(ovk_ctx *ctx, const ovk__layout *layout, ovk_vec **out);

#endif
