/* SPDX-License-Identifier: BSD-2-Clause */
/* Distributed square sparse matrices, and matrix-free operators that are functions of the user. */
#ifndef OVKRYLOV_MATRIX_H
#define OVKRYLOV_MATRIX_H

#include <ovkrylov/ctx.h>
#include <ovkrylov/plugin/poll.h>
#include <ovkrylov/vector.h>

OVK_BEGIN_DECLS

/** A square operator. Its rows are distributed over the ranks like those of a vector. */
typedef struct ovk_mat ovk_mat;

/**
 * Create an empty square matrix with `nlocal` rows on this rank. Collective. The number of columns
 * is the number of rows on all ranks. Add entries, then call ovk_mat_assemble().
 *
 * @param nlocal  rows on this rank, >= 0
 * @param out     the matrix, to be freed with ovk_mat_destroy()
 * @return OVK_ERR_ARG; OVK_ERR_MEMORY, also if the row pointers (8 bytes a row) of all ranks of a
 *         node exceed its available memory, the limits of its control groups or RLIMIT_AS. Totals
 *         below 1 GB are not compared with these limits
 */
OVK_API ovk_err ovk_mat_create(ovk_ctx *ctx, ovk_lidx nlocal, ovk_mat **out);

/**
 * Add a value to an entry: A(i,j) <- A(i,j) + value. Not collective. Any rank may add to any row,
 * and duplicates are summed.
 *
 * Rows and columns are global indices of 64 bits. This rank owns the rows ovk_mat_row_begin(A) to
 * ovk_mat_row_end(A) - 1. Entries may be added in any order. Own rows in nondecreasing order take
 * the least time and memory: 12 bytes an entry, duplicates counted. An entry takes 16 bytes
 * otherwise, and 24 bytes in a row of another rank.
 *
 * A failure is also kept, and ovk_mat_assemble() returns it on all ranks. A program may therefore
 * check only there.
 *
 * @return OVK_ERR_RANGE if i or j is not a row of the matrix; OVK_ERR_STATE after assembly;
 *         OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_mat_add(ovk_mat *A, ovk_gidx i, ovk_gidx j, double value);

/**
 * Reserve memory for entries in the rows of this rank. Not collective.
 *
 * The call is optional. Without it memory grows as entries are added, which copies them a few
 * times. The number need not be exact. The call has no effect after entries have been added, nor
 * after ovk_mat_reset_values().
 *
 * @param entries  entries in rows and columns of this rank, duplicates counted, >= 0
 * @return OVK_ERR_ARG; OVK_ERR_STATE after assembly; OVK_ERR_MEMORY. A failure is kept as by
 *         ovk_mat_add()
 */
OVK_API ovk_err ovk_mat_reserve(ovk_mat *A, int64_t entries);

/**
 * Add a dense block, such as the matrix of a finite element. Not collective.
 * A(rows[i], cols[j]) <- A(rows[i], cols[j]) + values[i ncols + j].
 *
 * Rows may belong to any rank. Failures are kept as by ovk_mat_add(). After a failure it is
 * unspecified which entries were added.
 *
 * @param rows    `nrows` global rows, which may repeat; NULL is allowed if nrows is 0
 * @param cols    `ncols` global columns, which may repeat; NULL is allowed if ncols is 0
 * @param values  nrows x ncols values, row by row; NULL is allowed if there are none
 * @return as ovk_mat_add(); OVK_ERR_ARG for a number below 0 and for NULL
 */
OVK_API ovk_err ovk_mat_add_block(ovk_mat *A, ovk_lidx nrows, const ovk_gidx *rows, ovk_lidx ncols,
                                  const ovk_gidx *cols, const double *values);

/**
 * Add entries to all rows of this rank from CSR arrays. Not collective. The entries of local row k
 * are at ptr[k] to ptr[k+1] - 1.
 *
 * Failures are kept as by ovk_mat_add(). Both functions may be used for one matrix.
 *
 * @param ptr  local rows + 1 offsets into col and val, nondecreasing
 * @param col  global columns (64 bits) in any order; duplicates are summed
 * @param val  values
 * @return as ovk_mat_add(); OVK_ERR_ARG for offsets that decrease and for NULL
 */
OVK_API ovk_err ovk_mat_add_csr(ovk_mat *A, const int64_t *ptr, const ovk_gidx *col,
                                const double *val);

/**
 * Add entries from CSR arrays of 32-bit integers, the default of scipy.sparse. Not collective.
 *
 * @return as ovk_mat_add_csr()
 */
OVK_API ovk_err ovk_mat_add_csr32(ovk_mat *A, const int32_t *ptr, const int32_t *col,
                                  const double *val);

/**
 * Create an assembled matrix from CSR arrays of the rows of this rank. Collective. This is the
 * shortest way for a program that has such arrays: it replaces ovk_mat_create(),
 * ovk_mat_set_format(), ovk_mat_add_csr() and ovk_mat_assemble(), and gives the same bits.
 *
 * The arrays are read once and copied to the storage format. They belong to the caller, who may
 * change or free them after the call. Arrays whose columns increase within rows take the least
 * time.
 *
 * @param nlocal  rows on this rank, >= 0
 * @param ptr     nlocal + 1 offsets into col and val, nondecreasing
 * @param col     global columns (64 bits) in any order; duplicates are summed
 * @param val     values
 * @param format  as for ovk_mat_set_format(); NULL: "auto"
 * @param out     the matrix, to be freed with ovk_mat_destroy(); NULL after a failure
 * @return the same on all ranks: OVK_ERR_ARG for offsets that decrease and for NULL; OVK_ERR_RANGE
 *         for a column that is no row of the matrix; OVK_ERR_UNKNOWN for a format;
 *         OVK_ERR_UNSUPPORTED for one that cannot hold the matrix; OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_mat_create_csr(ovk_ctx *ctx, ovk_lidx nlocal, const int64_t *ptr,
                                   const ovk_gidx *col, const double *val, const char *format,
                                   ovk_mat **out);

/**
 * Create an assembled matrix from CSR arrays of 32-bit integers, the default of scipy.sparse.
 * Collective.
 * @param out  the matrix, to be freed with ovk_mat_destroy()
 * @return as ovk_mat_create_csr()
 */
OVK_API ovk_err ovk_mat_create_csr32(ovk_ctx *ctx, ovk_lidx nlocal, const int32_t *ptr,
                                     const int32_t *col, const double *val, const char *format,
                                     ovk_mat **out);

/**
 * Replace all values of an assembled matrix by those of CSR arrays. Collective. It replaces
 * ovk_mat_reset_values(), ovk_mat_add_csr() and ovk_mat_assemble(), and any function may have
 * created the matrix. Call ovk_solver_update() afterwards.
 *
 * Rows in which the columns have the order of the matrix, increasing, take the least time. An entry
 * of the matrix that the arrays lack becomes 0.
 *
 * @param ptr  local rows + 1 offsets into col and val, nondecreasing
 * @param col  global columns (64 bits)
 * @param val  values
 * @return the same on all ranks: OVK_ERR_ARG as ovk_mat_create_csr(); OVK_ERR_RANGE for an entry
 *         outside the pattern; OVK_ERR_STATE and OVK_ERR_MEMORY as ovk_mat_reset_values(). After
 *         another failure than OVK_ERR_STATE the matrix has no values until the next call
 */
OVK_API ovk_err ovk_mat_update_csr(ovk_mat *A, const int64_t *ptr, const ovk_gidx *col,
                                   const double *val);

/**
 * Replace all values by those of CSR arrays of 32-bit integers. Collective.
 *
 * @return as ovk_mat_update_csr()
 */
OVK_API ovk_err ovk_mat_update_csr32(ovk_mat *A, const int32_t *ptr, const int32_t *col,
                                     const double *val);

/**
 * Set the storage format. Collective. Call this function before ovk_mat_assemble().
 *
 * The formats "sym", "sym3" and "symdia" require a local block that is symmetric except for
 * rounding errors of the assembly. They replace both entries of a pair by their mean, see
 * docs/reference.md. With the key "exact", as in "auto:exact", they require bitwise symmetry.
 * "auto" may choose these formats, too.
 *
 * @param spec  a format of `ovk list formats`. The default is "auto"; "auto:trial" builds and times
 *              all formats at assembly
 * @return OVK_ERR_UNKNOWN with the closest match; OVK_ERR_STATE after assembly
 */
OVK_API ovk_err ovk_mat_set_format(ovk_mat *A, const char *spec);

/**
 * Give each row a key that does not depend on the partition, for solves with exact = "all".
 * Collective. Call this function before ovk_mat_assemble().
 *
 * Such solves add the entries of a row in the order of the keys of their columns. Without this call
 * the global row numbers are the keys, which is right if a row has the same number for every
 * number of ranks. If rows are numbered rank by rank, as after METIS, give the number of each
 * row in the program's own numbering. Keys are unique. Products with A do not depend on the
 * partition from the assembly on, as after a solver with exact = "all" has been created.
 *
 * @param key  the keys of this rank's rows, increasing, >= 0 and below 2^53, copied; NULL on all
 *             ranks that have rows: the global row numbers
 * @return OVK_ERR_STATE after assembly; OVK_ERR_RANGE; OVK_ERR_ARG for keys that do not increase,
 *         and where only some ranks give keys; OVK_ERR_MEMORY. ovk_mat_assemble() returns
 *         OVK_ERR_ARG if two columns of a row have the same key
 */
OVK_API ovk_err ovk_mat_set_keys(ovk_mat *A, const int64_t *key);

/**
 * Assemble the matrix: send entries to the owners of their rows, build the storage and the halo
 * exchange. Collective. Call it once after ovk_mat_create() and after each ovk_mat_reset_values().
 *
 * After a failure the matrix can only be destroyed. If the failure follows ovk_mat_reset_values(),
 * that function may be called again: the pattern is kept, the values are lost. Entries that are NaN
 * or Inf and rows without entries give a warning on all ranks (ovk_ctx_on_notice()) that names the
 * first one.
 *
 * @return the error that an earlier ovk_mat_add() or ovk_mat_add_csr() returned on some rank;
 *         OVK_ERR_RANGE if a rank needs more than 2^31 - 1 columns; OVK_ERR_MEMORY; OVK_ERR_STATE
 */
OVK_API ovk_err ovk_mat_assemble(ovk_mat *A);

/**
 * Set all values of an assembled matrix to 0, to assemble new ones on the same pattern. Collective.
 * Add the new values, then call ovk_mat_assemble() again.
 *
 * Pattern, halo exchange and storage format are kept, which is faster than a new matrix and gives
 * the same bits. An entry that is not added again is stored as 0. An entry outside the pattern is
 * OVK_ERR_RANGE: from ovk_mat_add() for rows of this rank, from ovk_mat_assemble() for all rows.
 * A format may be unable to store the new values, such as "sym" values that are not symmetric. If
 * "auto" chose the format, another one replaces it; otherwise ovk_mat_assemble() returns an error.
 * Until assembly the pattern takes 12 bytes an entry, and products are OVK_ERR_STATE.
 *
 * Preconditioners and solvers are not updated: see ovk_solver_update().
 *
 * @return OVK_ERR_STATE before assembly, for a shell, and while A is in use, see ovk_ctx;
 *         OVK_ERR_MEMORY: the values are unchanged
 */
OVK_API ovk_err ovk_mat_reset_values(ovk_mat *A);

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
 * Collective. Call it before a preconditioner is created from A. It does not affect products.
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
