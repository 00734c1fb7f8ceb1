/* SPDX-License-Identifier: BSD-2-Clause */
/* Compressed sparse rows, from which every storage format is built. */
#ifndef OVK_MATRIX_FORMATS_CSR_H
#define OVK_MATRIX_FORMATS_CSR_H

#include "core/context/check.h"
#include "matrix/formats/finish.h"

#include <ovkrylov/plugin/poll.h>
#include <stdbool.h>

/* All zero: empty, no arrays. Columns increase within a row. */
typedef struct ovk__csr {
  ovk_lidx rows;
  int64_t *ptr; /* rows + 1 */
  ovk_lidx *col;
  double *val;
  bool rounded; /* a symmetric format has rounded values, see ovk__format.build */
} ovk__csr;

/* Room for `rows` rows and nnz entries; only ptr[0] is set. After a failure ovk__csr_free() must be
 * called. */
ovk_err ovk__csr_alloc(ovk_ctx *ctx, ovk_lidx rows, int64_t nnz, ovk__csr *out);
void ovk__csr_free(ovk__csr *A);

int64_t ovk__csr_nnz(const ovk__csr *A);

/* As ovk__format.bytes and .diagonal; the block is an ovk__csr. */
int64_t ovk__csr_bytes(const void *block);
void ovk__csr_diagonal(const void *block, double *d);

/* As ovk__products.dot, .ordered and .pair. A, an ovk__csr, is square. */
double ovk__csr_mult_dot(const void *A, const double *restrict x, double *restrict y, ovk_poll poll,
                         const ovk__finish *finish);
void ovk__csr_mult_ordered(const void *A, const double *restrict x, double *restrict y,
                           ovk_poll poll, const ovk__finish *finish);
void ovk__csr_mult_pair(const void *A, const double *const x[2], double *const y[2], ovk_poll poll);

/* As ovk__products.many, row by row. */
void ovk__csr_mult_many(const void *A, int width, const double *x, double *y, ovk_poll poll,
                        const ovk__finish *finish, double *dots);

/* y[rows[k]] <- y[rows[k]] + (A x)[k]; returns the sum of u[rows[k]] (A x)[k] */
double ovk__csr_mult_add(const ovk__csr *A, const ovk_lidx *rows, const double *restrict x,
                         const double *u, double *restrict y);

/* y[v][rows[k]] <- y[v][rows[k]] + (A x_v)[k], where x_v[j] is x[2 j + v] */
void ovk__csr_mult_add_pair(const ovk__csr *A, const ovk_lidx *rows, const double *x,
                            double *const y[2]);

/* The same for ovk__csr_mult_add(): rows[k] of y <- rows[k] of y + (A x)[k]; dots[c] <- dots[c] +
 * the sum of column c of u at rows[k] times (A x)[k] */
void ovk__csr_mult_add_many(const ovk__csr *A, const ovk_lidx *rows, int width, const double *x,
                            const double *u, double *y, double *dots);

#endif
