/* SPDX-License-Identifier: BSD-2-Clause */
/* The internals of a vector. */
#ifndef OVK_MATRIX_VECTOR_VEC_IMPL_H
#define OVK_MATRIX_VECTOR_VEC_IMPL_H

#include "core/in_use.h"
#include "matrix/layout/layout.h"

#include <ovkrylov/vector.h>

struct ovk_vec {
  OVK_OBJECT;
  ovk__layout layout;
  double *array;
  bool wrapped; /* the array is the caller's */
  bool ordered; /* made for a matrix in order: the inner products of vec_exact.h are exact */
};
OVK_IS_HANDLE(ovk_vec);

/* As the functions of vector.h, unchecked: also for the x of a solve, which is in use. */
void ovk__vec_copy(const ovk_vec *x, ovk_vec *y);
void ovk__vec_zero(ovk_vec *v);

/* out <- 2^exponent in, for n numbers; 2^exponent may be out of the range of doubles. */
void ovk__vec_shift(ovk_lidx n, int exponent, const double *in, double *out);

/* OVK_ERR_ARG unless x and y have one context and one layout; the names are for the message. */
ovk_err ovk__vec_check_pair(const ovk_vec *x, const char *x_name, const ovk_vec *y,
                            const char *y_name);

/* Whether two vectors share memory on this rank. */
bool ovk__vec_overlap(const ovk_vec *x, const ovk_vec *y);

/* Exchanges two vectors that take turns. */
static inline void ovk__vec_swap(ovk_vec **x, ovk_vec **y)
{
  ovk_vec *swap = *x;
  *x = *y;
  *y = swap;
}

/* Fills v with numbers in [-1, 1) that depend on the row only, or on its key, unless `keys` is
 * NULL. */
void ovk__vec_fill_random(ovk_vec *v, const int64_t *keys);

/* Creates a vector of zeros with an existing layout. Collective. */
ovk_err ovk__vec_create(ovk_ctx *ctx, const ovk__layout *layout, ovk_vec **out);

/* The same for n vectors, which are NULL before, with one agreement; the caller has checked that
 * there is memory for them. Without `zeros`, for vectors that are written before they are read,
 * their pages take no time until then. After a failure all are NULL. */
ovk_err ovk__vecs_create(ovk_ctx *ctx, const ovk__layout *layout, int n, bool zeros,
                         ovk_vec *out[]);

#endif
