/* SPDX-License-Identifier: BSD-2-Clause */
/* The properties of a matrix that decide the cost and the gain of a preconditioner, from a sample
 * of its rows. They depend on the matrix only, not on times, and are the same on all ranks. */
#ifndef OVK_PRECOND_AUTO_FEATURES_H
#define OVK_PRECOND_AUTO_FEATURES_H

#include "matrix/mat_impl.h"

typedef struct ovk__auto_features {
  double rows;     /* of the rank with the most */
  double global;   /* of all ranks */
  double entries;  /* a row */
  double bytes;    /* of storage, a row */
  double contrast; /* log10 of the largest over the smallest coupling of a row, mean */
  double fill; /* of an incomplete factor, relative to the diagonal: the geometric mean of all of it
                  and of the omitted part */
  bool diagonals;   /* few diagonals hold the entries, well filled: a stencil */
  bool planar;      /* a stencil in the plane */
  bool indexed;     /* the storage format has a column for each entry */
  bool scattered;   /* the columns of a row are far apart, as of rows in random order */
  bool points;      /* a point has several rows */
  bool distributed; /* there are several ranks */
  bool symmetric;   /* couplings of the sample are equal in both directions, except for rounding */
  double skewness;  /* mean of |a_ij - a_ji| over that of |a_ij + a_ji|, off the diagonal */
} ovk__auto_features;

/* A must be assembled. Collective; errors are agreed. */
ovk_err ovk__auto_features_read(const ovk_mat *A, ovk__auto_features *out);

#endif
