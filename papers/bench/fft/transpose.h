/* SPDX-License-Identifier: BSD-2-Clause */
/* From lines in one direction to lines in another by an all-to-all of blocks: a direction that was
 * whole on each rank becomes split, and one that was split becomes whole. */
#ifndef OVK_TOOL_TRANSPOSE_H
#define OVK_TOOL_TRANSPOSE_H

#include <complex.h>
#include <ovkrylov/ovkrylov.h>
#include <stddef.h>

/* In several parts, one all-to-all each, the share of each rank of the gathered direction is split
 * up into as many. Numbers are stored in layers, the same number of layers on each rank. Lines
 * along the split direction are contiguous; lines along the gathered direction, and their layers,
 * have strides. */
typedef struct transpose {
  int nranks, rank;    /* of the ranks that exchange */
  int split, gathered; /* lengths of lines */
  int layers;
  int part, parts;
  ptrdiff_t layer_stride, line_stride;
} transpose;

typedef enum copying { INTO_BLOCKS, OUT_OF_BLOCKS } copying;

/* The length of the part of the share of a rank in the gathered direction. */
int transpose_length(const transpose *t, int rank);

/* Numbers in a block, sized for the largest shares. */
size_t transpose_block(const transpose *t);

/* Copies lines along the split direction into the blocks for each rank, or from the blocks received
 * from each rank; and the same for lines along the gathered direction. */
void transpose_split(const transpose *t, copying way, double complex *lines,
                     double complex *blocks);
void transpose_gathered(const transpose *t, copying way, double complex *lines,
                        double complex *blocks);

#endif
