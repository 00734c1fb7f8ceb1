/* SPDX-License-Identifier: BSD-2-Clause */
/* Pencil decomposition of a box over a grid of ranks: lines are whole in x, in y or in z, and the
 * other two directions are split. */
#ifndef OVK_TOOL_PENCILS_H
#define OVK_TOOL_PENCILS_H

#include "bench/fft/lines.h"
#include "bench/fft/transpose.h"

/* The part of the box of this rank. */
typedef struct pencil {
  int first[3], n[3];
} pencil;

/* Lines along x are ordered by z and y, those along y by x and z, those along z by x and y. */
typedef struct pencils {
  int points[3];        /* of the box, in real numbers */
  int n[3];             /* complex numbers: in x, the n / 2 + 1 that a real line becomes */
  int grid[2];          /* ranks in a row, ranks in a column */
  MPI_Comm row, column; /* row: ranks with the same z in lines along x and y; column: with the same
                           x in lines along y and z */
  pencil along[3];
  transpose xy, yz; /* xy in a row, yz in a column; of all planes of z */
} pencils;

/* grid: zeros leave it to MPI_Dims_create. Collective. Free them with pencils_destroy(), also after
 * a failure. */
ovk_err pencils_create(ovk_ctx *ctx, const int points[3], const int grid[2], pencils *out);
void pencils_destroy(pencils *p);

/* The transposes of one of several parts of the planes of z. The lines along y are then those of
 * the part alone. */
transpose pencils_xy(const pencils *p, int part, int parts);
transpose pencils_yz(const pencils *p, int part, int parts);

/* Number of lines of this rank along a direction, and their length. */
int pencils_lines(const pencils *p, direction d);
size_t pencils_numbers(const pencils *p, direction d);

#endif
