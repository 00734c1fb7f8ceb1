/* SPDX-License-Identifier: BSD-2-Clause */
/* A dense block with its factors, by LAPACK and BLAS. */
#ifndef OVK_PRECOND_BJACOBI_DENSE_H
#define OVK_PRECOND_BJACOBI_DENSE_H

#include "precond/block.h"
#include "precond/lapack.h"

#include <ovkrylov/precond.h>

/* Rows and columns from `first` to first + n - 1 of a rank's diagonal block. */
typedef struct ovk__dense {
  ovk_lidx first, n;
  double *a;         /* n x n by columns: L of L L^T, or L and U with pivots */
  lapack_int *pivot; /* NULL: L L^T */
} ovk__dense;

/* Factors these rows and columns of A: L L^T if they are symmetric and positive definite, else LU.
 * ovk__dense_free() is due also after a failure. OVK_ERR_ARG for a singular block, naming its rows;
 * OVK_ERR_UNSUPPORTED where a LAPACK of longer integers is in place of the library's. */
ovk_err ovk__dense_factor(const ovk__block *A, ovk_lidx first, ovk_lidx n, ovk__dense *out);
void ovk__dense_free(ovk__dense *B);

/* Bytes of the factors. */
int64_t ovk__dense_bytes(const ovk__dense *B);

/* x <- L^-1 x; x <- L^-T x: for L L^T only. x has n rows. */
void ovk__dense_solve_left(const ovk__dense *B, double *x, ovk_poll poll);
void ovk__dense_solve_right(const ovk__dense *B, double *x, ovk_poll poll);

/* x <- the inverse of the block times x */
void ovk__dense_solve(const ovk__dense *B, double *x, ovk_poll poll);

/* *state <- that of a rank's diagonal block that has been split into so many blocks, for the
 * functions of ovk__dense_blocks. Not collective. */
ovk_err ovk__dense_blocks_setup(const ovk__block *B, int blocks, void **state);
extern const ovk_precond_ops ovk__dense_blocks;

#endif
