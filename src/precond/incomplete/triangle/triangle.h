/* SPDX-License-Identifier: BSD-2-Clause */
/* A triangular factor in few bytes, and the sweeps that solve with it. */
#ifndef OVK_PRECOND_INCOMPLETE_TRIANGLE_TRIANGLE_H
#define OVK_PRECOND_INCOMPLETE_TRIANGLE_TRIANGLE_H

#include "precond/incomplete/triangle/dia_triangle.h"

#include <ovkrylov/plugin/poll.h>
#include <stdbool.h>

/* Most rows of a group. */
enum { OVK__GROUP_MAX = 3 };

/* A lower triangle T of n rows, or an upper one whose rows and columns are counted from the last.
 * If it has few diagonals it is stored by these, and nothing else below is used.
 *
 * Consecutive rows i, i + 1, ... with the same columns before i, as those of one node of a finite
 * element mesh, are a group of up to OVK__GROUP_MAX. A group's columns are distances i - j in the
 * order of j. Groups with the same distances share a list of them, so for the matrix of a stencil
 * the columns take nearly no bytes: from list[i] on, `distances` has the number of rows, the number
 * of columns, and the distances. In a group of one row the column i - 1 is not in the list.
 *
 * The values of a group follow each other: those of the rows in the first column of the list, in
 * the second, and so on; then row by row those between rows of the group. The sweeps pass through
 * them in order, forward or backward. */
typedef struct ovk__triangle {
  ovk_lidx n;
  bool upper, by_diagonals;
  ovk__dia_triangle dia; /* the transpose of an upper triangle */
  uint32_t *list;        /* the same for the rows of a group */
  void *distances;       /* uint16_t if `narrow`, else uint32_t */
  void *value;           /* float if `single`, else double */
  void *near;            /* T(i,i-1) for groups of one row, likewise; 0 where there is none */
  void *inverse;         /* of the diagonal, likewise; NULL: the diagonal is 1 */
  bool narrow, single;
  bool grouped; /* there are groups of more than one row */
  int64_t nvalues, ndistances;
} ovk__triangle;

/* Packs the lower triangle S, or the upper one, with its values and the inverse of its diagonal,
 * NULL for a diagonal of 1. `who` is the name of the preconditioner. To be freed also after a
 * failure. OVK_ERR_MEMORY; OVK_ERR_RANGE for more than 2^32 - 1 distances, or a value that a float
 * cannot hold. Not collective. */
ovk_err ovk__triangle_pack(const ovk__block *B, const char *who, const ovk__sparsity *S,
                           const double *value, const double *inverse, bool upper, bool single,
                           ovk__triangle *out);
void ovk__triangle_free(ovk__triangle *T);

/* Bytes of storage, which each sweep reads. */
int64_t ovk__triangle_bytes(const ovk__triangle *T);

/* x <- T^-1 r; x may be r. */
void ovk__triangle_solve(const ovk__triangle *T, const double *r, double *x, ovk_poll poll);

/* s <- s + N v, then x <- T^-1 s, for a lower triangle with a diagonal, N being T without it: one
 * pass over its values. The vectors have no memory in common. */
void ovk__triangle_multiply_solve(const ovk__triangle *T, const double *v, double *s, double *x,
                                  ovk_poll poll);

/* The inverse of the diagonal of a triangle of doubles; NULL: the diagonal is 1. */
const double *ovk__triangle_inverse(const ovk__triangle *T);

/* x <- T^-T r for a lower triangle, whose rows are the columns of T^T: one triangle in memory
 * serves both. x may be r. */
void ovk__triangle_solve_transposed(const ovk__triangle *T, const double *r, double *x,
                                    ovk_poll poll);

/* The same two for blocks of `width` columns, 2, 4 or 8, side by side: each column has the bits of
 * a single solve. */
void ovk__triangle_solve_many(const ovk__triangle *T, int width, const double *r, double *x,
                              ovk_poll poll);
void ovk__triangle_solve_transposed_many(const ovk__triangle *T, int width, const double *r,
                                         double *x, ovk_poll poll);

#endif
