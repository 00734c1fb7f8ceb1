/* SPDX-License-Identifier: BSD-2-Clause */
/* The inside of a vector. */
#ifndef OVK_MATRIX_VEC_IMPL_H
#define OVK_MATRIX_VEC_IMPL_H

#include "matrix/layout.h"

#include <ovkrylov/vector.h>

struct ovk_vec {
  ovk_ctx *ctx;
  ovk__layout layout;
  double *array;
  bool wrapped; /* the array is the caller's */
};

/* Do two vectors with the same rows share their array on this rank? */
bool ovk__vec_overlap(const ovk_vec *x, const ovk_vec *y);

/* Makes a vector of zeros over a layout that is there already. Collective. */
ovk_err ovk__vec_create(ovk_ctx *ctx, const ovk__layout *layout, ovk_vec **out);

#endif
