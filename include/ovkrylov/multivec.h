/* SPDX-License-Identifier: BSD-2-Clause */
/* Several vectors with the rows of one matrix: the right-hand sides of one solve, or its solutions.
 * One pass over a matrix multiplies all of them. */
#ifndef OVKRYLOV_MULTIVEC_H
#define OVKRYLOV_MULTIVEC_H

#include <ovkrylov/matrix.h>

OVK_BEGIN_DECLS

/**
 * Several distributed vectors, its columns, with one layout. The storage is the library's: blocks
 * of 8, 4, 2 and 1 columns, each row by row. Programs give and take columns, which are copied.
 */
typedef struct ovk_multivec ovk_multivec;

/**
 * Create `columns` vectors of zeros with `nlocal` rows on this rank. Collective.
 *
 * @param nlocal   rows on this rank, >= 0; it may differ between ranks
 * @param columns  the number of vectors, >= 1, the same on all ranks
 * @param out      to be freed with ovk_multivec_destroy()
 * @return OVK_ERR_ARG; OVK_ERR_MEMORY, as ovk_vec_create()
 */
OVK_API ovk_err ovk_multivec_create(ovk_ctx *ctx, ovk_lidx nlocal, int columns, ovk_multivec **out);

/**
 * Create `columns` vectors of zeros with the rows of A. Collective.
 *
 * @param out  to be freed with ovk_multivec_destroy()
 * @return as ovk_multivec_create()
 */
OVK_API ovk_err ovk_mat_create_multivec(const ovk_mat *A, int columns, ovk_multivec **out);

/**
 * Free the vectors and set *X to NULL. Not collective. NULL is allowed. While a call uses X, such
 * as a solve, it stays until the end of that call, see ovk_ctx.
 */
OVK_API void ovk_multivec_destroy(ovk_multivec **X);

/**
 * Copy arrays to n columns: column first + k of X <- columns[k ld ...]. Not collective.
 *
 * @param first    the first column, from 0 on
 * @param n        the number of columns, >= 0
 * @param columns  an array for each column, one after the other, with the rows of this rank. NULL
 * is allowed if there are no rows or no columns
 * @param ld       from the beginning of an array to the next, in doubles: at least the rows
 * @return OVK_ERR_ARG; OVK_ERR_STATE while X is in use, see ovk_ctx
 */
OVK_API ovk_err ovk_multivec_set(ovk_multivec *X, int first, int n, const double *columns,
                                 int64_t ld);

/**
 * Copy n columns to arrays: columns[k ld ...] <- column first + k of X. Not collective.
 *
 * Arguments are those of ovk_multivec_set(). The end of an array after the rows is kept.
 *
 * @return OVK_ERR_ARG
 */
OVK_API ovk_err ovk_multivec_get(const ovk_multivec *X, int first, int n, double *columns,
                                 int64_t ld);

/** @return the context of the vectors. Not collective. */
OVK_API ovk_ctx *ovk_multivec_ctx(const ovk_multivec *X);

/** @return the number of columns. Not collective. */
OVK_API int ovk_multivec_columns(const ovk_multivec *X);

/** @return the number of rows on this rank. Not collective. */
OVK_API ovk_lidx ovk_multivec_local_size(const ovk_multivec *X);

/** @return the number of rows on all ranks. Not collective. */
OVK_API ovk_gidx ovk_multivec_size(const ovk_multivec *X);

/**
 * Multiply: Y <- A X, all columns with few passes over A. Collective. Each column of Y has the bits
 * of ovk_mat_mult().
 *
 * The first call with a number of columns creates halo exchanges of as many values a row, which A
 * keeps.
 *
 * @param X  columns with the rows of A
 * @param Y  as many of them, not X itself
 * @return OVK_ERR_ARG if a layout or the number of columns differs; OVK_ERR_STATE if A is not
 *         assembled, and while Y is in use, see ovk_ctx; OVK_ERR_MEMORY; the error of the function
 *         of a shell. All ranks return the same
 */
OVK_API ovk_err ovk_mat_mult_many(const ovk_mat *A, const ovk_multivec *X, ovk_multivec *Y);

OVK_END_DECLS

#endif
