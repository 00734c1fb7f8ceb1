/* SPDX-License-Identifier: BSD-2-Clause */
/* Distributed vectors of doubles: each rank holds a contiguous block of rows, which may be empty.
 */
#ifndef OVKRYLOV_VECTOR_H
#define OVKRYLOV_VECTOR_H

#include <ovkrylov/ctx.h>

OVK_BEGIN_DECLS

/** A distributed vector. Rank 0 holds the first rows, rank 1 the next ones, and so on. */
typedef struct ovk_vec ovk_vec;

/**
 * Create a vector of zeros with `nlocal` rows on this rank. Collective.
 *
 * @param nlocal  rows on this rank, >= 0; it may differ between ranks
 * @param out     the vector, to be freed with ovk_vec_destroy()
 * @return OVK_ERR_ARG; OVK_ERR_MEMORY, also if the ranks of a node together exceed its available
 *         memory, see ovk_mat_create()
 */
OVK_API ovk_err ovk_vec_create(ovk_ctx *ctx, ovk_lidx nlocal, ovk_vec **out);

/**
 * Create a vector over an existing array, without a copy. Collective.
 *
 * @param nlocal  rows on this rank, >= 0
 * @param array   `nlocal` doubles. The caller keeps the array as long as the vector exists, and
 *                frees it afterwards. NULL is allowed if nlocal is 0
 * @param out     the vector, to be freed with ovk_vec_destroy()
 * @return OVK_ERR_ARG, OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_vec_wrap(ovk_ctx *ctx, ovk_lidx nlocal, double *array, ovk_vec **out);

/**
 * Create a vector of zeros with the rows of `like`. Collective.
 *
 * @param out  the vector, to be freed with ovk_vec_destroy()
 * @return OVK_ERR_ARG, OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_vec_duplicate(const ovk_vec *like, ovk_vec **out);

/**
 * Free a vector and set *v to NULL. Not collective. NULL is allowed. The array of ovk_vec_wrap()
 * stays. A vector that a call uses, such as a solve, is freed at the end of that call, see ovk_ctx.
 */
OVK_API void ovk_vec_destroy(ovk_vec **v);

/** @return the context of the vector. Not collective. */
OVK_API ovk_ctx *ovk_vec_ctx(const ovk_vec *v);

/** @return the rows of this rank, ovk_vec_local_size() doubles, for reading and writing. Do not
 * write to them while a solve uses the vector. Not collective. */
OVK_API double *ovk_vec_array(ovk_vec *v);

/** @return the rows of this rank, for reading. Not collective. */
OVK_API const double *ovk_vec_array_const(const ovk_vec *v);

/** @return the number of rows on this rank. Not collective. */
OVK_API ovk_lidx ovk_vec_local_size(const ovk_vec *v);

/** @return the number of rows on all ranks. Not collective. */
OVK_API ovk_gidx ovk_vec_size(const ovk_vec *v);

/** @return the global index of the first row of this rank. Not collective. */
OVK_API ovk_gidx ovk_vec_first(const ovk_vec *v);

/**
 * @name Row by row operations
 * None of them communicates. The result may have the array of an operand;
 * other arrays that overlap are OVK_ERR_ARG. All vectors of a call have one context and one layout.
 * OVK_ERR_ARG is returned for other operands and for NULL, OVK_ERR_STATE while the result is in
 * use, see ovk_ctx.
 * @{
 */

/** Set all rows: v <- value. Not collective. @return OVK_ERR_ARG, OVK_ERR_STATE */
OVK_API ovk_err ovk_vec_fill(ovk_vec *v, double value);

/** Copy a vector: y <- x. The arrays may overlap. Not collective. @return OVK_ERR_ARG,
 * OVK_ERR_STATE */
OVK_API ovk_err ovk_vec_copy(const ovk_vec *x, ovk_vec *y);

/** Scale a vector: v <- a v. Not collective. @return OVK_ERR_ARG, OVK_ERR_STATE */
OVK_API ovk_err ovk_vec_scale(double a, ovk_vec *v);

/** Add a multiple of x: y <- y + a x. Not collective. @return OVK_ERR_ARG, OVK_ERR_STATE */
OVK_API ovk_err ovk_vec_axpy(double a, const ovk_vec *x, ovk_vec *y);

/** Scale y and add x: y <- x + a y. Not collective. @return OVK_ERR_ARG, OVK_ERR_STATE */
OVK_API ovk_err ovk_vec_aypx(double a, const ovk_vec *x, ovk_vec *y);

/** Add a multiple of x to y, into a third vector: w <- a x + y. Not collective. @return
 * OVK_ERR_ARG, OVK_ERR_STATE */
OVK_API ovk_err ovk_vec_waxpy(double a, const ovk_vec *x, const ovk_vec *y, ovk_vec *w);

/** Multiply row by row: w(i) <- x(i) y(i). Not collective. @return OVK_ERR_ARG, OVK_ERR_STATE */
OVK_API ovk_err ovk_vec_pointwise_mult(const ovk_vec *x, const ovk_vec *y, ovk_vec *w);

/** Divide row by row: w(i) <- x(i) / y(i). A divisor of 0 gives Inf or NaN. Not collective. @return
 * OVK_ERR_ARG, OVK_ERR_STATE */
OVK_API ovk_err ovk_vec_pointwise_divide(const ovk_vec *x, const ovk_vec *y, ovk_vec *w);

/**
 * Compute the part of this rank of an inner product: *value <- the sum of x(i) y(i) over the rows
 * of this rank. An ovk_reduction adds the parts of all ranks, overlapped with other work. Not
 * collective.
 *
 * @return OVK_ERR_ARG
 */
OVK_API ovk_err ovk_vec_local_dot(const ovk_vec *x, const ovk_vec *y, double *value);

/** @} */

/**
 * @name Reductions over all ranks
 * All of them block, and give the same bits on all ranks. They are for set-up
 * and checks: an iteration overlaps its reductions with other work, see ovk_reduction. A NaN in a
 * row gives NaN. OVK_ERR_ARG is returned on all ranks if an argument is NULL on any.
 * @{
 */

/** Compute an inner product: *dot <- (x, y). A product or a partial sum that overflows gives Inf or
 * NaN. Collective. @return OVK_ERR_ARG, also if the layouts differ */
OVK_API ovk_err ovk_vec_dot(const ovk_vec *x, const ovk_vec *y, double *dot);

/**
 * Compute several inner products with one reduction: dots[k] <- (x, y[k]). Collective.
 *
 * @param n     vectors in y, the same on all ranks, >= 0
 * @param y     vectors with the layout of x; NULL is allowed if n is 0
 * @param dots  `n` values
 * @return OVK_ERR_ARG, also if layouts differ; OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_vec_mdot(const ovk_vec *x, int n, ovk_vec *const y[], double *dots);

/** Compute the Euclidean norm: *value <- ||x||_2. It is scaled, and neither overflows nor
 * underflows. Collective. @return OVK_ERR_ARG */
OVK_API ovk_err ovk_vec_norm(const ovk_vec *x, double *value);

/** Compute the 1-norm: *value <- the sum of |x(i)|. Collective. @return OVK_ERR_ARG */
OVK_API ovk_err ovk_vec_norm1(const ovk_vec *x, double *value);

/** Compute the maximum norm: *value <- the maximum of |x(i)|, 0 for a vector without rows.
 * Collective. @return OVK_ERR_ARG */
OVK_API ovk_err ovk_vec_norm_inf(const ovk_vec *x, double *value);

/** Find the maximum: *value <- the maximum of x(i), -Inf for a vector without rows. Collective.
 * @return OVK_ERR_ARG */
OVK_API ovk_err ovk_vec_max(const ovk_vec *x, double *value);

/** Find the minimum: *value <- the minimum of x(i), Inf for a vector without rows. Collective.
 * @return OVK_ERR_ARG */
OVK_API ovk_err ovk_vec_min(const ovk_vec *x, double *value);

/** @} */

OVK_END_DECLS

#endif
