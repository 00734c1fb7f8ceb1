/* SPDX-License-Identifier: BSD-2-Clause */
/* The solver of the coarsest level: the dense inverse. Each rank has its rows. If one rank has them
 * all, a solve does not communicate. */
#ifndef OVK_PRECOND_AMG_COARSEST_H
#define OVK_PRECOND_AMG_COARSEST_H

#include "matrix/mat_impl.h"

enum { OVK__AMG_MOST_DENSE = 4096 }; /* rows */

typedef struct ovk__amg_coarsest {
  ovk_ctx *ctx;
  int n;              /* rows of all ranks */
  ovk_lidx rows;      /* of this rank */
  double *inverse;    /* rows x n */
  int owners;         /* ranks that have rows */
  int width;          /* columns of the vectors, side by side */
  double *b;          /* n rows: the right-hand side of all ranks, if there are several owners */
  int *count, *first; /* of the values of each rank */
  int singular;       /* directions that the inverse omits */
} ovk__amg_coarsest;

/* *out <- the inverse of A, symmetric or not, with at most OVK__AMG_MOST_DENSE rows; on the
 * complement of the null space where A is singular, as with Neumann conditions. To be freed also
 * after a failure. OVK_ERR_INDEFINITE if A has a negative eigenvalue. Collective; errors are
 * agreed. */
ovk_err ovk__amg_coarsest_create(const ovk_mat *A, bool symmetric, ovk__amg_coarsest *out);
void ovk__amg_coarsest_free(ovk__amg_coarsest *C);

/* x <- A^-1 b. Collective. */
ovk_err ovk__amg_coarsest_solve(const ovk__amg_coarsest *C, const double *b, double *x,
                                ovk_poll poll);

int64_t ovk__amg_coarsest_bytes(const ovk__amg_coarsest *C);

#endif
