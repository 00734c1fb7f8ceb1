/* SPDX-License-Identifier: BSD-2-Clause */
/* Distributed vectors of doubles: each rank holds a contiguous block, which may be empty. */
#ifndef OVKRYLOV_VECTOR_H
#define OVKRYLOV_VECTOR_H

#include <ovkrylov/ctx.h>

OVK_BEGIN_DECLS

/** A distributed vector. Rank 0 holds the first rows, rank 1 the next ones, and so on. */
typedef struct ovk_vec ovk_vec;

/**
 * Makes a vector of zeros with `nlocal` rows on this rank. Collective.
 *
 * @param nlocal  rows on this rank, >= 0; the ranks' numbers may differ
 * @param out     the vector, to be freed with ovk_vec_destroy()
 * @return OVK_ERR_ARG; OVK_ERR_MEMORY, also if the ranks of a node ask for more than they can still
 *         have, see ovk_mat_create()
 */
OVK_API ovk_err ovk_vec_create(ovk_ctx *ctx, ovk_lidx nlocal, ovk_vec **out);

/**
 * Makes a vector over the caller's own array, without a copy. Collective.
 *
 * @param nlocal  rows on this rank, >= 0
 * @param array   `nlocal` doubles that the caller keeps alive as long as the vector and frees after
 *                it; may be NULL where nlocal is 0
 * @param out     to be freed with ovk_vec_destroy()
 * @return OVK_ERR_ARG, OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_vec_wrap(ovk_ctx *ctx, ovk_lidx nlocal, double *array, ovk_vec **out);

/**
 * Makes a vector of zeros with the rows of `like`. Collective.
 *
 * @param out  to be freed with ovk_vec_destroy()
 * @return OVK_ERR_ARG, OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_vec_duplicate(const ovk_vec *like, ovk_vec **out);

/** Frees a vector (not a wrapped array) and sets *v to NULL. NULL is allowed. Not collective. One
 * that a solve, or another call, uses is freed at the end of that call, see ovk_ctx. */
OVK_API void ovk_vec_destroy(ovk_vec **v);

/** @return the context that the vector was made from. Not collective. */
OVK_API ovk_ctx *ovk_vec_ctx(const ovk_vec *v);

/** @return the local rows, to read and write: ovk_vec_local_size() doubles. Not to be written to
 * while a solve uses the vector. Not collective. */
OVK_API double *ovk_vec_array(ovk_vec *v);

/** @return the local rows, to read. Not collective. */
OVK_API const double *ovk_vec_array_const(const ovk_vec *v);

/** @return rows on this rank. Not collective. */
OVK_API ovk_lidx ovk_vec_local_size(const ovk_vec *v);

/** @return rows on all ranks. Not collective. */
OVK_API ovk_gidx ovk_vec_size(const ovk_vec *v);

/** @return the global index of this rank's first row. Not collective. */
OVK_API ovk_gidx ovk_vec_first(const ovk_vec *v);

/** v <- value in every row. Not collective. @return OVK_ERR_ARG for NULL; OVK_ERR_STATE while v is
 * in use, see ovk_ctx */
OVK_API ovk_err ovk_vec_fill(ovk_vec *v, double value);

/** y <- x. Not collective. @return OVK_ERR_ARG if the layouts differ; OVK_ERR_STATE while y is in
 * use, see ovk_ctx */
OVK_API ovk_err ovk_vec_copy(const ovk_vec *x, ovk_vec *y);

/** y <- y + a x. Not collective. x and y may have the same array, but not arrays that overlap
 * otherwise. @return OVK_ERR_ARG if they do, or if the layouts differ; OVK_ERR_STATE while y is in
 * use, see ovk_ctx */
OVK_API ovk_err ovk_vec_axpy(double a, const ovk_vec *x, ovk_vec *y);

/**
 * *value <- the sum over this rank's rows of x y. Not collective. Sum it with an ovk_reduction.
 *
 * @return OVK_ERR_ARG if the layouts differ, or value is NULL
 */
OVK_API ovk_err ovk_vec_local_dot(const ovk_vec *x, const ovk_vec *y, double *value);

/**
 * *dot <- the sum over the rows of all ranks of x y, with the same bits on all ranks. Collective.
 * For set-up and checks, not for solver loops, which hide their sums with an ovk_reduction. Where
 * a product or a partial sum overflows the result is Inf or NaN.
 *
 * @return OVK_ERR_ARG if the layouts differ, or an argument is NULL
 */
OVK_API ovk_err ovk_vec_dot(const ovk_vec *x, const ovk_vec *y, double *dot);

/**
 * *value <- the Euclidean norm over all ranks, scaled so that it neither overflows nor underflows.
 * Collective. For set-up and checks, not for solver loops.
 *
 * @return OVK_ERR_ARG if value is NULL
 */
OVK_API ovk_err ovk_vec_norm(const ovk_vec *x, double *value);

OVK_END_DECLS

#endif
