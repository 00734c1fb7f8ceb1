/* SPDX-License-Identifier: BSD-2-Clause */
/* A box of numbers dealt out to a grid of ranks as pencils: lines that are whole in x, in y or in
 * z, while the other two directions are split up. */
#ifndef OVK_TOOL_PENCILS_H
#define OVK_TOOL_PENCILS_H

#include "bench/fft/lines.h"
#include "bench/fft/transpose.h"

/* What a rank has of the box. */
typedef struct pencil {
  int first[3], n[3];
} pencil;

/* Lines along x lie by z and y, those along y by x and z, those along z by x and y. */
typedef struct pencils {
  int points[3];        /* of the box, with real numbers */
  int n[3];             /* complex numbers: in x, the n / 2 + 1 that a real line becomes */
  int grid[2];          /* ranks in a row, ranks in a column */
  MPI_Comm row, column; /* who has the same z in lines along x and y; who the same x in y and z */
  pencil along[3];
  transpose xy, yz; /* in a row, and in a column */
} pencils;

/* grid: zeros leave it to MPI_Dims_create. Collective. Free them with pencils_destroy(), also after
 * a failure. */
ovk_err pencils_create(ovk_ctx *ctx, const int points[3], const int grid[2], pencils *out);
void pencils_destroy(pencils *p);

/* Lines of this rank along a direction, and numbers in them. */
int pencils_lines(const pencils *p, direction d);
size_t pencils_numbers(const pencils *p, direction d);

#endif
