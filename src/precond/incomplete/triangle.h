/* SPDX-License-Identifier: BSD-2-Clause */
/* A triangular factor in few bytes, and the sweeps that solve with it. */
#ifndef OVK_PRECOND_INCOMPLETE_TRIANGLE_H
#define OVK_PRECOND_INCOMPLETE_TRIANGLE_H

#include "precond/incomplete/sparsity.h"

#include <ovkrylov/poll.h>
#include <stdbool.h>

/* A triangle T of n rows. Rows whose columns have the same distances |i - j| from the diagonal
 * share a list of them, so for the matrix of a stencil the columns take nearly no bytes:
 * distances[list[i]] is the number of row i's entries off the diagonal, and their distances follow,
 * in the order of the columns. The sweeps pass through the values in order, forward or backward. */
typedef struct ovk__triangle {
  ovk_lidx n;
  uint32_t *list;
  void *distances; /* uint16_t if `narrow`, else uint32_t */
  void *value;     /* row by row: float if `single`, else double */
  void *near;      /* a value a row, likewise; 0 where T has none */
  void *inverse;   /* of the diagonal, likewise; NULL: the diagonal is 1 */
  bool narrow, single;
  int64_t nvalues, ndistances;
} ovk__triangle;

/* Packs a triangle. Takes *value and *inverse (which may be NULL for a diagonal of 1) over, and
 * sets them to NULL, unless they become floats. `who` is the name of the preconditioner. To be
 * freed also after a failure. OVK_ERR_MEMORY; OVK_ERR_RANGE for more than 2^32 - 1 distances, or a
 * value that a float cannot hold. Not collective. */
ovk_err ovk__triangle_pack(const ovk__block *B, const char *who, const ovk__sparsity *S,
                           const double *value, const double *inverse, bool single,
                           ovk__triangle *out);
void ovk__triangle_free(ovk__triangle *T);

/* Bytes of storage, which each sweep reads. */
int64_t ovk__triangle_bytes(const ovk__triangle *T);

/* x <- T^-1 r for a lower triangle; x may be r. */
void ovk__lower_solve(const ovk__triangle *T, const double *r, double *x, ovk_poll poll);

/* x <- T^-T x for a lower triangle, whose rows are the columns of T^T: one triangle in memory
 * serves both. */
void ovk__lower_solve_transposed(const ovk__triangle *T, double *x, ovk_poll poll);

/* x <- T^-1 x for an upper triangle. */
void ovk__upper_solve(const ovk__triangle *T, double *x, ovk_poll poll);

#endif
