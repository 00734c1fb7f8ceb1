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

/* Makes a vector of zeros over a layout that is there already. Collective. */
ovk_err ovk__vec_create(ovk_ctx *ctx, const ovk__layout *layout, ovk_vec **out);

#endif
