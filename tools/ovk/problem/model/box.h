/* SPDX-License-Identifier: BSD-2-Clause */
/* Model problems on a box of points, x fastest; ranks own slabs of planes, as in `ovk solve` with
 * --grid 1 1 RANKS. */
#ifndef OVK_TOOL_MODEL_BOX_H
#define OVK_TOOL_MODEL_BOX_H

#include "block.h"

/* A point, which may be next to the box. */
typedef struct box_point {
  ovk_gidx at[3];
  uint64_t index; /* in a box with one more layer of points all around */
} box_point;

/* A kind of model problem. Row p has -w(p,q) for each neighbor q, and on its diagonal the sum of
 * w(p,q) over all neighbors, including those outside the box; or, with a shift, that of those
 * inside and the shift. */
typedef struct box_kind {
  const char *name;
  int unknowns; /* of a point; more than 1: elasticity.h makes the rows, and nothing below counts
                   but `symmetric` */
  double (*weight)(const box_point *p, const box_point *q); /* >= 0; 0: no entry */
  double shift;                                             /* 0: there is none */
  bool corners;   /* 26 neighbors, or only the 6 nearest */
  bool shuffled;  /* rows are reordered within windows */
  bool symmetric; /* and positive definite */
} box_kind;

/* The kind of that name, or NULL. */
const box_kind *box_find(const char *name);

/* Makes this rank's rows of the problem with n[0] x n[1] x n[2] points per rank. Not collective. */
ovk_err box_rows(ovk_ctx *ctx, const box_kind *kind, const int n[3], block *out);

#endif
