/* SPDX-License-Identifier: BSD-2-Clause */
/* Distributed square sparse matrices, and operators that exist only as a user's function. */
#ifndef OVKRYLOV_MATRIX_H
#define OVKRYLOV_MATRIX_H

#include <ovkrylov/ctx.h>
#include <ovkrylov/plugin/poll.h>
#include <ovkrylov/vector.h>

OVK_BEGIN_DECLS

/** A square operator whose rows are laid out over the ranks like those of a vector. */
typedef struct ovk_mat ovk_mat;

/**
 * Makes an empty square matrix with `nlocal` rows on this rank; the number of columns is the number
 * of rows of all ranks. Collective. Add entries, then call ovk_mat_assemble().
 *
 * @param nlocal  rows on this rank, >= 0
 * @param out     the matrix, to be freed with ovk_mat_destroy()
 * @return OVK_ERR_ARG; OVK_ERR_MEMORY, also if the row pointers, 8 bytes a row, of the ranks of a
 *         node exceed its available memory, the limits of its control groups or RLIMIT_AS. Totals
 *         below 1 GB are not compared with these
 */
OVK_API ovk_err ovk_mat_create(ovk_ctx *ctx, ovk_lidx nlocal, ovk_mat **out);

/**
 * A(i,j) <- A(i,j) + value, for any row from any rank; duplicates sum. Not collective.
 *
 * Rows and columns are numbers of the whole problem, 64 bits, on every rank; the rows of this rank
 * are ovk_mat_first(A) and those after it. Any order will do; rows of this rank that do not
 * decrease take the least time and memory, 12 bytes an entry, duplicates counted, instead of 16, or
 * of 24 for a row of another rank.
 *
 * A failure is also kept and returned, on all ranks, by ovk_mat_assemble(): a program may check
 * there alone.
 *
 * @return OVK_ERR_RANGE if i or j is not a row of the matrix, OVK_ERR_STATE after assembly,
 *         OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_mat_add(ovk_mat *A, ovk_gidx i, ovk_gidx j, double value);

/**
 * Reserves memory for the entries that will be added to the rows of this rank. Not collective.
 *
 * Optional: without it memory grows as entries are added, which copies them a few times. The number
 * need not be exact. Has no effect once entries have been added, nor after ovk_mat_reset_values().
 *
 * @param entries  entries of this rank's rows in columns of this rank, duplicates counted, >= 0
 * @return OVK_ERR_ARG, OVK_ERR_STATE after assembly, OVK_ERR_MEMORY; kept as by ovk_mat_add()
 */
OVK_API ovk_err ovk_mat_reserve(ovk_mat *A, int64_t entries);

/**
 * Adds a dense block, as of a finite element: A(rows[i], cols[j]) <- A(rows[i], cols[j]) +
 * values[i ncols + j]. Not collective. Rows may belong to any rank, failures are kept, as by
 * ovk_mat_add(); after one, what of the block has been added is not said.
 *
 * @param rows    `nrows` rows of the whole problem, which may repeat; NULL only where there are
 * none
 * @param cols    `ncols` columns of the whole problem, likewise
 * @param values  row after row; NULL only where there are none
 * @return as ovk_mat_add(); OVK_ERR_ARG for a number below 0, and for NULL
 */
OVK_API ovk_err ovk_mat_add_block(ovk_mat *A, ovk_lidx nrows, const ovk_gidx *rows, ovk_lidx ncols,
                                  const ovk_gidx *cols, const double *values);

/**
 * Adds entries to all rows of this rank: those of local row k are at ptr[k] to ptr[k+1] - 1. Not
 * collective. Failures are kept for ovk_mat_assemble() as by ovk_mat_add(). May be mixed with it.
 *
 * @param ptr  local rows + 1 offsets into col and val, not decreasing
 * @param col  columns of the whole problem (64 bits), not of this rank; any order, duplicates sum
 * @param val  values
 * @return as ovk_mat_add(); OVK_ERR_ARG for offsets that decrease, and for NULL
 */
OVK_API ovk_err ovk_mat_add_csr(ovk_mat *A, const int64_t *ptr, const ovk_gidx *col,
                                const double *val);

/**
 * The same for arrays of 32-bit numbers, as many programs and scipy.sparse have them. Not
 * collective.
 *
 * @return as ovk_mat_add_csr()
 */
OVK_API ovk_err ovk_mat_add_csr32(ovk_mat *A, const int32_t *ptr, const int32_t *col,
                                  const double *val);

/**
 * Chooses the storage format by spec, see `ovk list formats`; "auto" is the default, "auto:trial"
 * builds and times all of them at assembly. Collective. Before ovk_mat_assemble().
 *
 * "sym" and "symdia", also chosen by "auto", hold a block of a rank that is symmetric but for the
 * rounding of an assembly: entries of a pair become their mean, see docs/reference.md.
 * With the key "exact", as in "auto:exact", they hold only what is symmetric bit for bit.
 *
 * @return OVK_ERR_UNKNOWN with the closest match, OVK_ERR_STATE
 */
OVK_API ovk_err ovk_mat_set_format(ovk_mat *A, const char *spec);

/**
 * Sends entries to the ranks that own their rows, builds the storage and the halo exchange.
 * Collective. Once after ovk_mat_create() and after each ovk_mat_reset_values(). After a failure
 * only ovk_mat_destroy() is allowed, and where it came after ovk_mat_reset_values() that function,
 * too: the pattern is still there, the values are lost. Entries that are NaN or Inf, and rows
 * without entries, are notices on all ranks (ovk_ctx_on_notice()) that name the first.
 *
 * @return what an earlier ovk_mat_add() or ovk_mat_add_csr() failed with on some rank;
 *         OVK_ERR_RANGE if a rank needs more than 2^31 - 1 columns; OVK_ERR_MEMORY; OVK_ERR_STATE
 */
OVK_API ovk_err ovk_mat_assemble(ovk_mat *A);

/**
 * Sets all values of an assembled matrix to 0, for new ones on the same pattern: add them as before
 * and call ovk_mat_assemble() again. Collective.
 *
 * Pattern, halo exchange and storage format stay, so that this takes less time than a new matrix,
 * and entries have the bits that they have in a new one. What is not added again stays stored as 0.
 * An entry outside of the pattern is OVK_ERR_RANGE, from ovk_mat_add() for rows of this rank and
 * from ovk_mat_assemble() for all. A format that cannot hold the values, such as "sym" for values
 * that are not symmetric, is replaced where "auto" chose it, or else an error of
 * ovk_mat_assemble(). Until assembly the pattern takes 12 bytes an entry, and products are
 * OVK_ERR_STATE.
 *
 * Preconditioners and solvers stay as they are: see ovk_solver_update().
 *
 * @return OVK_ERR_STATE before assembly, for a shell, and while A is in use, as by a solve, see
 *         ovk_ctx; OVK_ERR_MEMORY: the values are as they were
 */
OVK_API ovk_err ovk_mat_reset_values(ovk_mat *A);

/** A user's operator. Arrays hold this rank's rows. */
typedef struct ovk_shell_ops {
  size_t size; /**< sizeof(ovk_shell_ops), see @ref struct_sizes */
  /**
   * REQUIRED. y <- A x; called on all ranks at once, so it may communicate (over a communicator of
   * the user's). It should call ovk_poll_call(poll) now and then. A failure on one rank stops
   * the solve on all; the others still see their call through.
   */
  ovk_err (*mult)(void *user, const double *x, double *y, ovk_poll poll);
  /** OPTIONAL. d <- the diagonal of A; needed by preconditioners such as jacobi. */
  ovk_err (*diagonal)(void *user, double *d);
  /** OPTIONAL. Called once, when the matrix and all that was made from it are destroyed. */
  void (*destroy)(void *user);
} ovk_shell_ops;

/**
 * Makes a matrix-free operator, ready for use: it needs no assembly. Collective.
 *
 * @param ops   copied
 * @param user  handed to every function of ops; the caller's unless ops->destroy frees it
 * @param out   to be freed with ovk_mat_destroy()
 * @return OVK_ERR_ARG, also without ops->mult; OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_mat_create_shell(ovk_ctx *ctx, ovk_lidx nlocal, const ovk_shell_ops *ops,
                                     void *user, ovk_mat **out);

/**
 * Gives a matrix up and sets *A to NULL. NULL is allowed. Not collective. It is freed when solvers
 * and preconditioners made from it are gone, too, and no call uses it.
 */
OVK_API void ovk_mat_destroy(ovk_mat **A);

/**
 * y <- A x. Collective. x and y must be different vectors, without common memory. With a NULL
 * argument this rank returns OVK_ERR_ARG while its neighbours wait, because the product of an
 * assembled matrix makes no global communication. For a shell the error is agreed, unless A itself
 * is NULL.
 *
 * @param poll  called while local rows are worked on; ovk_poll_none() for none
 * @return OVK_ERR_ARG if a layout differs, OVK_ERR_STATE before assembly and while y is in use, see
 *         ovk_ctx, what a shell's function returned
 */
OVK_API ovk_err ovk_mat_mult(const ovk_mat *A, const ovk_vec *x, ovk_vec *y, ovk_poll poll);

/**
 * d <- the diagonal of A, 0 where no entry is stored. Collective.
 *
 * @return OVK_ERR_STATE before assembly and while d is in use, see ovk_ctx; OVK_ERR_UNSUPPORTED for
 *         a shell without a diagonal function
 */
OVK_API ovk_err ovk_mat_diagonal(const ovk_mat *A, ovk_vec *d);

/** Gets row i, a number of the whole problem, with the entries (i, col[k]) = val[k] for k < n. */
typedef ovk_err (*ovk_row_fn)(void *arg, ovk_gidx i, ovk_lidx n, const ovk_gidx *col,
                              const double *val);

/**
 * Calls `row` for each of this rank's rows of an assembled matrix, in their order, whatever the
 * storage format: for authors of preconditioners. Not collective.
 *
 * Columns are numbers of the whole problem, as rows are, and increase; a row may be empty. Those of
 * this rank are ovk_mat_first(A) to ovk_mat_first(A) + ovk_mat_local_size(A) - 1. The arrays are
 * valid during the call only.
 *
 * @param row  stops the iteration with a result that is not OVK_OK
 * @param arg  handed to `row`
 * @return what `row` returned; OVK_ERR_ARG, OVK_ERR_STATE before assembly, OVK_ERR_UNSUPPORTED for
 * a shell, OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_mat_local_rows(const ovk_mat *A, ovk_row_fn row, void *arg);

/**
 * Measures how far A is from symmetric, which conjugate gradients need it to be. Collective. Works
 * for shells, too, and costs two products and two vectors.
 *
 * For vectors u and v of random numbers made from row numbers:
 * *asymmetry <- |(u, A v) - (v, A u)| / max(||u|| ||A v||, ||v|| ||A u||).
 *
 * Rounding makes that about 1e-16, and less than 1e-12, for a symmetric A. One entry without its
 * equal, among entries of its size, gives about 1 / rows; a product that is not accurate, such as
 * one with an iteration inside, gives about its error. NaN if A has NaN or Inf.
 *
 * @return OVK_ERR_ARG, OVK_ERR_STATE before assembly, OVK_ERR_MEMORY, what a shell's mult returned
 */
OVK_API ovk_err ovk_mat_check_symmetric(const ovk_mat *A, double *asymmetry);

/**
 * Makes a vector of zeros with the rows of A. Collective.
 *
 * @param out  to be freed with ovk_vec_destroy()
 * @return OVK_ERR_ARG, OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_mat_create_vec(const ovk_mat *A, ovk_vec **out);

/**
 * Says that consecutive rows are the unknowns of a point, such as its displacements. Collective.
 * At any time before a preconditioner is made from A; products do not depend on it.
 *
 * @param block  unknowns of a point, the same on all ranks, >= 1; the rows of each rank are a
 *               multiple of it. 1 without this call
 * @return OVK_ERR_ARG; OVK_ERR_STATE while A is in use, see ovk_ctx, and for another block size
 *         than that which ovk_mat_set_coordinates() has found
 */
OVK_API ovk_err ovk_mat_set_block_size(ovk_mat *A, int block);

/**
 * Gives a basis of the near-null space: vectors v for which A v is small, as those that A without
 * boundary conditions maps to 0. Collective. Multigrid preconditioners make coarse levels that
 * represent these vectors: for elasticity the rigid body modes, for a scalar diffusion the constant
 * vector, which is taken without this call.
 *
 * The vectors are copied. After a failure A has those that it had.
 *
 * @param n  vectors, the same on all ranks, >= 0; 0 takes those of an earlier call back
 * @param v  with the rows of A, finite and linearly independent; NULL only if n is 0
 * @return OVK_ERR_ARG, OVK_ERR_MEMORY, OVK_ERR_STATE while A is in use, see ovk_ctx
 */
OVK_API ovk_err ovk_mat_set_near_nullspace(ovk_mat *A, int n, ovk_vec *const v[]);

/**
 * Gives the coordinates of the points whose unknowns the rows are: as many points on each rank as
 * rows divided by the block size, which is to be set before. Collective.
 *
 * Where the block size is `dim`, 2 or 3, the unknowns are taken for displacements: the rigid body
 * modes, which are 3 or 6, or fewer where all points are on a line, become the near-null space,
 * unless ovk_mat_set_near_nullspace() has given one or gives one later.
 *
 * The coordinates are copied. After a failure A has those that it had.
 *
 * @param dim  1 to 3, the same on all ranks; 0 takes coordinates of an earlier call back
 * @param xyz  `dim` finite coordinates of each point, point after point; NULL only where there are
 *             no points
 * @return OVK_ERR_ARG, OVK_ERR_MEMORY, OVK_ERR_STATE while A is in use, see ovk_ctx
 */
OVK_API ovk_err ovk_mat_set_coordinates(ovk_mat *A, int dim, const double *xyz);

/** @return unknowns of a point, see ovk_mat_set_block_size(). Not collective. */
OVK_API int ovk_mat_block_size(const ovk_mat *A);

/** @return how many vectors of the near-null space A has, from ovk_mat_set_near_nullspace() or else
 * from ovk_mat_set_coordinates(); 0 if neither was called. Not collective. */
OVK_API int ovk_mat_near_nullspace_size(const ovk_mat *A);

/** @return vector k, from 0 on, of the near-null space; NULL if there is none. It belongs to A and
 * is valid until the near-null space or the coordinates are set anew. Not collective. */
OVK_API const ovk_vec *ovk_mat_near_nullspace_vec(const ovk_mat *A, int k);

/**
 * @param dim  gets the number of coordinates of a point, 0 if A has none; may be NULL
 * @return A's copy of the coordinates of this rank's points; NULL if A has none. Valid until they
 *         are set anew. Not collective.
 */
OVK_API const double *ovk_mat_coordinates(const ovk_mat *A, int *dim);

/** @return the context that the matrix was made from. Not collective. */
OVK_API ovk_ctx *ovk_mat_ctx(const ovk_mat *A);

/** @return rows on this rank. Not collective. */
OVK_API ovk_lidx ovk_mat_local_size(const ovk_mat *A);

/** @return rows on all ranks. Not collective. */
OVK_API ovk_gidx ovk_mat_size(const ovk_mat *A);

/** @return the global index of this rank's first row. Not collective. */
OVK_API ovk_gidx ovk_mat_first(const ovk_mat *A);

/** @return stored entries on all ranks; 0 for a shell and before assembly. Not collective. */
OVK_API int64_t ovk_mat_nnz(const ovk_mat *A);

/** @return bytes of storage on all ranks, halo lists included; 0 for a shell. Not collective. */
OVK_API int64_t ovk_mat_bytes(const ovk_mat *A);

/** @return the storage format in use, such as "csr"; "shell"; "" before assembly. Not collective.
 */
OVK_API const char *ovk_mat_format(const ovk_mat *A);

OVK_END_DECLS

#endif
