/* SPDX-License-Identifier: BSD-2-Clause */
/* The lattice of a matrix whose rows are the points of a box, numbered along x, then y, then z, and
 * coupled to neighboring points only. */
#ifndef OVK_PRECOND_AMG_AGGREGATION_LATTICE_H
#define OVK_PRECOND_AMG_AGGREGATION_LATTICE_H

#include "precond/amg/aggregation/rows.h"

typedef struct ovk__amg_lattice {
  ovk_gidx line, plane; /* points of a line in x, and of a plane; 0: there is no lattice */
  int center[3];        /* the coordinates of the center of the first cube */
} ovk__amg_lattice;

enum { OVK__AMG_MOST_DISTANCES = 13 /* a half of the neighbors of a point */ };

/* The distances j - i above 0 of the entries (i,j) of this rank. All zero: none. */
typedef struct ovk__amg_distances {
  int n; /* more than OVK__AMG_MOST_DISTANCES: there are others */
  ovk_gidx list[OVK__AMG_MOST_DISTANCES];
} ovk__amg_distances;

/* Adds those of the rows that are held, of a symmetric matrix. */
void ovk__amg_distances_add(const ovk__amg_rows *rows, ovk__amg_distances *d);

/* *out <- the lattice that the distances of all rows of a symmetric matrix have, which has so many
 * rows; the same on all ranks and on any number of them. Collective; errors are agreed. */
ovk_err ovk__amg_lattice_find(ovk_ctx *ctx, ovk_gidx rows, const ovk__amg_distances *d,
                              ovk__amg_lattice *out);

/* How many of the coordinates of a row are those of centers of cubes of 3^3 points. */
int ovk__amg_lattice_phase(const ovk__amg_lattice *lattice, ovk_gidx row);

#endif
