/* SPDX-License-Identifier: BSD-2-Clause */
/* Matrix-free operators, products and sizes of matrices. Matrices of entries: assembly.h. */
#ifndef OVKRYLOV_MATRIX_H
#define OVKRYLOV_MATRIX_H

#include <ovkrylov/assembly.h>
#include <ovkrylov/plugin/poll.h>
#include <ovkrylov/vector.h>

OVK_BEGIN_DECLS

/** The functions of a matrix-free operator. Arrays hold the rows of this rank. */
typedef struct ovk_shell_ops {
  size_t size; /**< sizeof(ovk_shell_ops), see @ref struct_sizes */
  /**
   * REQUIRED. Compute y <- A x. All ranks call it, so it may communicate over a communicator of
   * the user. It should call ovk_poll_call(poll) every poll.every rows. A failure on one rank stops
   * the solve on all ranks; the other ranks complete their call first.
   */
  ovk_err (*mult)(void *user, const double *x, double *y, ovk_poll poll);
  /** OPTIONAL. Get the diagonal of A: d <- diag(A). Preconditioners such as jacobi need it. */
  ovk_err (*diagonal)(void *user, double *d);
  /** OPTIONAL. Free `user`. Called once, when the matrix and all objects created from it are
   * destroyed. */
  void (*destroy)(void *user);
  /**
   * OPTIONAL. Bound the rounding errors of mult: *square <- this rank's part of the square of a W,
   * INFINITY where none is known. For every x, ||A x|| <= W ||x||, and a computed A x differs from
   * the exact one by at most 2^-53 W ||x||. For products of stored rows, each a sum of m_i products
   * of doubles in any order, these are the sums of (m_i + 2)^2 a_ij^2 over the rows of this rank.
   *
   * With W, conjugate gradients from x = 0 in the preconditioned norm bound how far the rounding
   * errors of a solve have moved b - A x. Where that cannot change how the solve ends, its last
   * product is omitted, and ovk_result.true_relative_residual is -1. Called before each such solve.
   * Not collective.
   */
  ovk_err (*rounding)(void *user, double *square);
} ovk_shell_ops;

/**
 * Create a matrix-free operator. Collective. It needs no assembly.
 *
 * @param ops   copied
 * @param user  passed to every function of ops; the caller frees it unless ops->destroy does
 * @param out   the operator, to be freed with ovk_mat_destroy()
 * @return OVK_ERR_ARG, also without ops->mult; OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_mat_create_shell(ovk_ctx *ctx, ovk_lidx nlocal, const ovk_shell_ops *ops,
                                     void *user, ovk_mat **out);

/**
 * Destroy a matrix and set *A to NULL. Not collective. NULL is allowed. The memory is freed when no
 * solver, no preconditioner and no call uses the matrix any more.
 */
OVK_API void ovk_mat_destroy(ovk_mat **A);

/**
 * Multiply by the matrix: y <- A x. Collective. x and y must be different vectors that share no
 * memory.
 *
 * The product of an assembled matrix makes no global communication. A rank with a NULL argument
 * therefore returns OVK_ERR_ARG while its neighbors wait. A shell agrees on the error, unless A
 * itself is NULL.
 *
 * @return OVK_ERR_ARG if a layout differs; OVK_ERR_STATE before assembly and while y is in use, see
 *         ovk_ctx; the error of a function of the shell
 */
OVK_API ovk_err ovk_mat_mult(const ovk_mat *A, const ovk_vec *x, ovk_vec *y);

/**
 * Multiply by the matrix and progress a reduction meanwhile: y <- A x. Collective. Otherwise as
 * ovk_mat_mult().
 *
 * @param poll  called every poll.every rows, such as ovk_reduction_poll()
 * @return as ovk_mat_mult()
 */
OVK_API ovk_err ovk_mat_mult_polled(const ovk_mat *A, const ovk_vec *x, ovk_vec *y, ovk_poll poll);

/**
 * Get the diagonal: d(i) <- A(i,i), 0 if the entry is not stored. Collective.
 *
 * @return OVK_ERR_ARG; OVK_ERR_STATE before assembly and while d is in use, see ovk_ctx;
 *         OVK_ERR_UNSUPPORTED for a shell without a diagonal function
 */
OVK_API ovk_err ovk_mat_diagonal(const ovk_mat *A, ovk_vec *d);

/** A callback for the global row i with the entries A(i, col[k]) = val[k], 0 <= k < n. */
typedef ovk_err (*ovk_row_fn)(void *arg, ovk_gidx i, ovk_lidx n, const ovk_gidx *col,
                              const double *val);

/**
 * Call `row` for each row of this rank of an assembled matrix, in increasing order. Not collective.
 * It works for every storage format, and is intended for authors of preconditioners.
 *
 * Rows and columns are global indices. The columns of a row increase; a row may be empty. The
 * columns of this rank are ovk_mat_row_begin(A) to ovk_mat_row_end(A) - 1. The arrays are valid
 * only during the call of `row`.
 *
 * @param row  a result other than OVK_OK stops the iteration
 * @param arg  passed to `row`
 * @return the last result of `row`; OVK_ERR_ARG; OVK_ERR_STATE before assembly; OVK_ERR_UNSUPPORTED
 *         for a shell; OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_mat_for_each_row(const ovk_mat *A, ovk_row_fn row, void *arg);

/**
 * Estimate the asymmetry of A; conjugate gradients require a symmetric matrix. Collective. It also
 * works for shells, and costs two products and two vectors.
 *
 * With vectors u and v of random numbers that depend only on the row:
 * *asymmetry <- |(u, A v) - (v, A u)| / max(||u|| ||A v||, ||v|| ||A u||).
 *
 * For a symmetric A rounding gives about 1e-16, and less than 1e-12. One unsymmetric pair among
 * entries of equal size gives about 1 / rows. An inexact product, such as one with an inner
 * iteration, gives about its error. NaN if A has NaN or Inf.
 *
 * @return OVK_ERR_ARG; OVK_ERR_STATE before assembly; OVK_ERR_MEMORY; the error of a function of
 *         the shell
 */
OVK_API ovk_err ovk_mat_asymmetry(const ovk_mat *A, double *asymmetry);

/**
 * Create a vector of zeros with the rows of A. Collective.
 *
 * @param out  the vector, to be freed with ovk_vec_destroy()
 * @return OVK_ERR_ARG, OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_mat_create_vec(const ovk_mat *A, ovk_vec **out);

/**
 * Set the number of unknowns per point, such as its displacements; they are consecutive rows.
 * Collective. Call it before a preconditioner is created; without it `amg` looks for 2 or 3.
 *
 * @param block  unknowns per point, the same on all ranks, >= 1. The number of rows of each rank
 *               must be a multiple of it. The default is 1
 * @return OVK_ERR_ARG; OVK_ERR_STATE while A is in use, see ovk_ctx, and if the coordinates of
 *         ovk_mat_set_coordinates() have another block size
 */
OVK_API ovk_err ovk_mat_set_block_size(ovk_mat *A, int block);

/**
 * Set a basis of the near-null space: vectors v for which A v is small. Collective. Such vectors
 * are in the null space of A without its boundary conditions.
 *
 * Multigrid preconditioners build coarse levels that represent these vectors. They are the rigid
 * body modes for elasticity, and the constant vector, which is the default, for scalar diffusion.
 * The vectors are copied. After a failure the previous vectors are kept.
 *
 * @param n  vectors, the same on all ranks, >= 0; 0 removes the vectors of an earlier call
 * @param v  finite, linearly independent vectors with the rows of A; NULL is allowed if n is 0
 * @return OVK_ERR_ARG, OVK_ERR_MEMORY, OVK_ERR_STATE while A is in use, see ovk_ctx
 */
OVK_API ovk_err ovk_mat_set_near_nullspace(ovk_mat *A, int n, ovk_vec *const v[]);

/**
 * Set the coordinates of the points. Collective. Each rank has as many points as rows divided by
 * the block size, which must be set first.
 *
 * If the block size is `dim`, 2 or 3, the unknowns are assumed to be displacements. The rigid body
 * modes then become the near-null space, unless ovk_mat_set_near_nullspace() sets one. They are 3
 * or 6 vectors, fewer if all points are on a line. The coordinates are copied. After a failure the
 * previous coordinates are kept.
 *
 * @param dim  1 to 3, the same on all ranks; 0 removes the coordinates of an earlier call
 * @param xyz  `dim` finite coordinates of each point, point by point; NULL is allowed if there are
 *             no points
 * @return OVK_ERR_ARG, OVK_ERR_MEMORY, OVK_ERR_STATE while A is in use, see ovk_ctx
 */
OVK_API ovk_err ovk_mat_set_coordinates(ovk_mat *A, int dim, const double *xyz);

/** @return the number of unknowns per point, see ovk_mat_set_block_size(). Not collective. */
OVK_API int ovk_mat_block_size(const ovk_mat *A);

/** @return the number of vectors of the near-null space, from ovk_mat_set_near_nullspace() or
 * ovk_mat_set_coordinates(); 0 if neither was called. Not collective. */
OVK_API int ovk_mat_near_nullspace_size(const ovk_mat *A);

/** @return vector k >= 0 of the near-null space; NULL if there is none. It belongs to A and is
 * valid until the near-null space or the coordinates are set again. Not collective. */
OVK_API const ovk_vec *ovk_mat_near_nullspace_vec(const ovk_mat *A, int k);

/**
 * Get the coordinates of the points of this rank. Not collective.
 *
 * @param dim  the number of coordinates of a point, 0 if A has none; may be NULL
 * @return the copy that A has of the coordinates, valid until they are set again; NULL if A has
 *         none
 */
OVK_API const double *ovk_mat_coordinates(const ovk_mat *A, int *dim);

/** @return the context of the matrix. Not collective. */
OVK_API ovk_ctx *ovk_mat_ctx(const ovk_mat *A);

/** @return the number of rows on this rank. Not collective. */
OVK_API ovk_lidx ovk_mat_local_size(const ovk_mat *A);

/** @return the number of rows on all ranks. Not collective. */
OVK_API ovk_gidx ovk_mat_size(const ovk_mat *A);

/** @return the global index of the first row of this rank. Not collective. */
OVK_API ovk_gidx ovk_mat_row_begin(const ovk_mat *A);

/** @return the global index of the last row of this rank, plus 1: `for (ovk_gidx i =
 * ovk_mat_row_begin(A); i < ovk_mat_row_end(A); i++)` visits its rows. Not collective. */
OVK_API ovk_gidx ovk_mat_row_end(const ovk_mat *A);

/** @return stored entries on all ranks; 0 for a shell and before assembly. Not collective. */
OVK_API int64_t ovk_mat_nnz(const ovk_mat *A);

/** @return bytes of storage on all ranks, halo lists included; 0 for a shell. Not collective. */
OVK_API int64_t ovk_mat_bytes(const ovk_mat *A);

/** @return the storage format in use, such as "csr"; "shell"; "" before assembly. Not collective.
 */
OVK_API const char *ovk_mat_format(const ovk_mat *A);

/**
 * @name Former names
 * Programs that use them still compile. New programs should use the names on the right.
 * @{
 */
#define ovk_mat_first ovk_mat_row_begin
#define ovk_mat_local_rows ovk_mat_for_each_row
#define ovk_mat_check_symmetric ovk_mat_asymmetry
/** @} */

OVK_END_DECLS

#endif
