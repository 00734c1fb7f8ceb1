/* SPDX-License-Identifier: BSD-2-Clause */
/* A grid of points distributed over the ranks in boxes, and the faces that a box shares with its
 * neighbors. */
#ifndef OVK_TOOL_BOX_H
#define OVK_TOOL_BOX_H

#include <ovkrylov/ovkrylov.h>
#include <stddef.h>

enum { FACES = 6 };

/* The points on one side of a box, in two nested loops. */
typedef struct face {
  int neighbor; /* the adjacent rank; MPI_PROC_NULL: the boundary of the grid */
  int first;    /* point */
  int n[2];
  ptrdiff_t stride[2];
} face;

/* The box of this rank; x runs fastest. Face 2 d is at the start of direction d, 2 d + 1 at its
 * end. */
typedef struct box {
  int ranks[3]; /* in x, y, z */
  int n[3];     /* points of this rank */
  face faces[FACES];
} box;

/* Distributes `points` over a grid of ranks chosen by MPI_Dims_create; shares of a direction differ
 * by at most one point. Collective. */
ovk_err box_create(ovk_ctx *ctx, const int points[3], box *out);

ovk_lidx box_points(const box *b);

/* Number of points on the face, which the neighbor receives. */
int face_points(const face *f);
void face_take(const face *f, const double *x, double *taken);

/* y <- y - (values of the neighbor) on the face; y <- y + value there. */
void face_subtract(const face *f, const double *sent, double *y);
void face_add(const face *f, double value, double *y);

#endif
