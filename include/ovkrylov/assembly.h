/* SPDX-License-Identifier: BSD-2-Clause */
/* Square sparse matrices from entries or CSR arrays, and new values for them. */
#ifndef OVKRYLOV_ASSEMBLY_H
#define OVKRYLOV_ASSEMBLY_H

#include <ovkrylov/ctx.h>

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

OVK_END_DECLS

#endif
