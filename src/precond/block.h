/* SPDX-License-Identifier: BSD-2-Clause */
/* A copy of this rank's diagonal block of A, for the preconditioners that work on that. */
#ifndef OVK_PRECOND_BLOCK_H
#define OVK_PRECOND_BLOCK_H

#include <ovkrylov/matrix.h>
#include <stdbool.h>

/* Compressed rows with local columns, which increase. The entries with columns of other ranks are
 * omitted. */
typedef struct ovk__block {
  ovk_ctx *ctx;
  ovk_gidx first; /* the number of row and column 0 in the whole problem, for messages */
  ovk_lidx n;     /* rows, possibly 0 */
  int64_t *ptr;   /* n + 1 */
  ovk_lidx *col;
  double *val;
  bool symmetric;        /* known from the storage of A */
  const ovk_lidx *order; /* row i is row order[i] of the rank; NULL: row i */
} ovk__block;

/* The number of row i in the whole problem, for messages. */
ovk_gidx ovk__block_number(const ovk__block *B, ovk_lidx i);

/* *out <- the block, to be freed with ovk__block_free() also after a failure. `who` is the name of
 * the preconditioner, for messages. OVK_ERR_UNSUPPORTED for a shell. Not collective. */
ovk_err ovk__block_copy(const ovk_mat *A, const char *who, ovk__block *out);
void ovk__block_free(ovk__block *B);

/* The first row of block number k where so many rows are split into `blocks` even blocks. */
ovk_lidx ovk__block_start(ovk_lidx rows, int blocks, int k);

/* Removes the entries between these blocks. */
void ovk__block_split(ovk__block *B, int blocks);

/* OVK_ERR_ARG for a NaN or Inf, naming row and column. */
ovk_err ovk__block_check_finite(const ovk__block *B, const char *who);

/* The first pair of values a_ij and a_ji that differ by more than 1e-10 sqrt(|a_ii a_jj|); an entry
 * that is not stored is 0. Rows and columns count in the whole problem. */
typedef struct ovk__mismatch {
  bool found;
  bool rounding; /* a pair before it differs by less */
  ovk_gidx row, column;
  double value, mirrored;
} ovk__mismatch;

/* OVK_ERR_MEMORY. Not collective. */
ovk_err ovk__block_find_asymmetry(const ovk__block *B, ovk__mismatch *out);

/* OVK_ERR_ARG if one was found, naming row, column and both values. */
ovk_err ovk__asymmetry_error(ovk_ctx *ctx, const char *who, const ovk__mismatch *a);

/* Both. */
ovk_err ovk__block_check_symmetric(const ovk__block *B, const char *who);

/* The diagonal entry of a row, 0 where none is stored; d <- those of all rows. */
double ovk__block_diagonal_entry(const ovk__block *B, ovk_lidx i);
void ovk__block_diagonal(const ovk__block *B, double *d);

#endif
