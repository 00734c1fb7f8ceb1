/* SPDX-License-Identifier: BSD-2-Clause */
/* A triangular factor by diagonals, as that of a stencil: sweeps work on several rows at a time. */
#ifndef OVK_PRECOND_INCOMPLETE_TRIANGLE_DIA_TRIANGLE_H
#define OVK_PRECOND_INCOMPLETE_TRIANGLE_DIA_TRIANGLE_H

#include "precond/incomplete/triangle/sparsity.h"

#include <ovkrylov/plugin/poll.h>
#include <stdbool.h>

enum { OVK__DIA_MAX_DIAGONALS = 64 };

/* A lower triangle T of n rows. Its entries T(i,i-1) are in `near`. All other diagonals are so far
 * from the main one that OVK__LANES consecutive rows depend on each other by `near` only:
 * T(i, i - distance[e]) is value[e stride + i], 0 where T has no entry. */
typedef struct ovk__dia_triangle {
  ovk_lidx n;
  int count;                                 /* of distances, possibly 0 */
  ovk_lidx distance[OVK__DIA_MAX_DIAGONALS]; /* decreasing */
  int64_t stride;
  void *value;   /* float if `single`, else double */
  void *near;    /* likewise, n + 1; the first and the last are 0 */
  void *inverse; /* of the diagonal, likewise; NULL: the diagonal is 1 */
  bool single;
} ovk__dia_triangle;

/* Adds the distance of an entry from the diagonal to those of T; `seen` has a 0 for each distance
 * that T lacks. False if T can have no such entry: it is too near, or has one distance too
 * many. */
bool ovk__dia_triangle_add_distance(ovk__dia_triangle *T, unsigned char *seen, ovk_lidx d);

/* Orders the distances, after the last one. */
void ovk__dia_triangle_order(ovk__dia_triangle *T);

/* Whether the diagonals have few gaps, with so many entries. */
bool ovk__dia_triangle_fits(const ovk__dia_triangle *T, int64_t entries);

/* Memory for a triangle that fits, with or without a diagonal: values are 0, its diagonal is not
 * set. To be freed also after a failure. OVK_ERR_MEMORY. */
ovk_err ovk__dia_triangle_allocate(ovk_ctx *ctx, bool single, bool diagonal, ovk__dia_triangle *T);

/* *fits <- whether the triangle S, with columns below the diagonal or above it, has so few
 * diagonals, and these so few gaps, that it should be stored so; the distances of T are set then.
 * OVK_ERR_MEMORY. Not collective. */
ovk_err ovk__dia_triangle_plan(ovk_ctx *ctx, ovk_lidx n, const ovk__sparsity *S,
                               ovk__dia_triangle *T, bool *fits);

/* After a plan that fits: stores a lower triangle, or the transpose of an upper one, with its
 * values and the inverse of its diagonal, NULL for a diagonal of 1. To be freed also after a
 * failure. OVK_ERR_MEMORY. Not collective. */
ovk_err ovk__dia_triangle_fill(ovk_ctx *ctx, const ovk__sparsity *S, const double *value,
                               const double *inverse, bool single, ovk__dia_triangle *T);
void ovk__dia_triangle_free(ovk__dia_triangle *T);

/* Bytes of storage, which each sweep reads. */
int64_t ovk__dia_triangle_bytes(const ovk__dia_triangle *T);

/* s <- s + N v, then x <- T^-1 s, where N is T without its diagonal, in one pass over its values.
 * The vectors have no memory in common. */
void ovk__dia_triangle_multiply_solve(const ovk__dia_triangle *T, const double *v, double *s,
                                      double *x, ovk_poll poll);

/* x <- T^-1 r, or x <- T^-T r; x may be r. */
void ovk__dia_triangle_solve(const ovk__dia_triangle *T, bool transposed, const double *r,
                             double *x, ovk_poll poll);

/* The row at which a sweep that has completed `done` rows pauses to poll: an even one, or the last.
 */
int64_t ovk__dia_triangle_pause(const ovk__dia_triangle *T, ovk_poll poll, int64_t done);

#endif
