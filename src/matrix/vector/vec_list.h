/* SPDX-License-Identifier: BSD-2-Clause */
/* Vectors that are owned together, and orthonormal bases of the spaces that they span. */
#ifndef OVK_MATRIX_VECTOR_VEC_LIST_H
#define OVK_MATRIX_VECTOR_VEC_LIST_H

#include "matrix/vector/vec_impl.h"

/* {0} is the empty list. */
typedef struct ovk__vec_list {
  int count;
  ovk_vec **vec;
} ovk__vec_list;

/* *out <- n vectors of zeros; empty after a failure. Collective; errors are agreed. */
ovk_err ovk__vec_list_create(ovk_ctx *ctx, const ovk__layout *layout, int n, ovk__vec_list *out);

/* Destroys the vectors from number n on. */
void ovk__vec_list_shorten(ovk__vec_list *list, int n);

/* Destroys all vectors; the list is empty. */
void ovk__vec_list_clear(ovk__vec_list *list);

/* Makes basis[k] orthogonal to the orthonormal basis[0] to basis[k - 1], twice for rounding, and
 * its norm 1. *norm <- its norm before, *left <- the fraction of it that is left; 0, with basis[k]
 * as it was, if the norm is 0 or not finite. Collective; errors are agreed. */
ovk_err ovk__vec_orthonormalize(ovk_vec *const *basis, int k, double *norm, double *left);

/* Whether a vector with this fraction of its norm left depends on those before it, except
 * for rounding. */
static inline bool ovk__vec_depends(double left)
{
  return !(left > 1e-8);
}

/* ovk__vec_orthonormalize(), with OVK_ERR_ARG for a vector, called `name`, that is zero, is not
 * finite or depends on those before it. */
ovk_err ovk__vec_extend_basis(ovk_vec *const *basis, int k, const char *name);

#endif
