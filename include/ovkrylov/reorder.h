/* SPDX-License-Identifier: BSD-2-Clause */
/* Matrices whose rows come in an order that caches do not like. */
#ifndef OVKRYLOV_REORDER_H
#define OVKRYLOV_REORDER_H

#include <ovkrylov/assembly.h>
#include <ovkrylov/vector.h>
#include <stdbool.h>

OVK_BEGIN_DECLS

/**
 * Find out whether products with A wait for the caches. Collective. The columns of rows that follow
 * each other are then far apart, as with the numbers of a mesh generator. With ovk_mat_reorder() an
 * iteration took 0.42 of its time, and a setup of "amg" 0.36, see docs/performance.md.
 *
 * It looks at a sample of 1024 rows of each rank that has at least 16384 rows.
 *
 * @param scattered  whether they are on some rank; false for a shell
 * @return OVK_ERR_ARG; OVK_ERR_STATE before assembly; OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_mat_is_scattered(const ovk_mat *A, bool *scattered);

/**
 * Copy A with the rows of each rank, and their columns, in the reverse Cuthill-McKee order of its
 * local block. Collective. Rows stay on their ranks.
 *
 * Solve with the copy B in place of A: reorder the right-hand side with ovk_mat_to_order(), and put
 * the solution back with ovk_mat_from_order(). The copy has the block size, the near-null space and
 * the coordinates of A. The rows of a point stay together, also if the block size is not set and
 * "amg" finds points. It has the format that was asked for A; "auto" chooses again. Solves with
 * exact = "all" refuse it, because the order depends on the partition. The copy does not refer to
 * A. It takes the time of some 60 products.
 *
 * Source: George and Liu, "Computer Solution of Large Sparse Positive Definite Systems" (1981),
 * chapter 4.
 *
 * @param out  the copy, to be freed with ovk_mat_destroy(); NULL after a failure
 * @return OVK_ERR_ARG; OVK_ERR_STATE before assembly; OVK_ERR_UNSUPPORTED for a shell, and for a
 *         format that cannot hold the copy; OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_mat_reorder(const ovk_mat *A, ovk_mat **out);

/**
 * Give the copy the values of A. Collective. Call this function after new values of A, and then
 * ovk_solver_update().
 *
 * @param A  a matrix with the pattern that was copied
 * @param B  from ovk_mat_reorder()
 * @return OVK_ERR_ARG; OVK_ERR_STATE before A is assembled, between ovk_mat_reset_values() and
 *         ovk_mat_assemble() of B, and while B is in use, see ovk_ctx; OVK_ERR_RANGE for an entry
 *         that is not in the pattern; as ovk_mat_assemble() for formats and memory
 */
OVK_API ovk_err ovk_mat_reorder_values(const ovk_mat *A, ovk_mat *B);

/**
 * Reorder a vector: w <- v in the order of B. Not collective.
 *
 * @param B  from ovk_mat_reorder()
 * @param v  in the order of the matrix that was copied
 * @param w  another vector
 * @return OVK_ERR_ARG; OVK_ERR_STATE while w is in use, see ovk_ctx
 */
OVK_API ovk_err ovk_mat_to_order(const ovk_mat *B, const ovk_vec *v, ovk_vec *w);

/**
 * Put a vector back: v <- w in the order of the matrix that was copied. Not collective.
 *
 * @return as ovk_mat_to_order()
 */
OVK_API ovk_err ovk_mat_from_order(const ovk_mat *B, const ovk_vec *w, ovk_vec *v);

/** @return row i of B is row order[i] of the matrix that was copied, counted from 0 on this rank;
 * valid as long as B. NULL if B is not from ovk_mat_reorder(). Not collective. */
OVK_API const ovk_lidx *ovk_mat_order(const ovk_mat *B);

OVK_END_DECLS

#endif
