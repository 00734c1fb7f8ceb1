/* SPDX-License-Identifier: BSD-2-Clause */
/* From lines in one direction to lines in another, by blocks that all ranks send to all: a
 * direction that was whole on each rank is split up, and one that was split up is gathered. */
#ifndef OVK_TOOL_TRANSPOSE_H
#define OVK_TOOL_TRANSPOSE_H

#include <complex.h>
#include <ovkrylov/ovkrylov.h>
#include <stddef.h>

/* Numbers lie in layers, as many on each rank. Lines along the split direction lie one behind the
 * other; lines along the gathered one, and their layers, where the strides say. */
typedef struct transpose {
  int nranks, rank;    /* of those who exchange */
  int split, gathered; /* lengths of lines */
  int layers;
  ptrdiff_t layer_stride, line_stride;
} transpose;

typedef enum copying { INTO_BLOCKS, OUT_OF_BLOCKS } copying;

/* Numbers in a block, which has room for the largest shares. */
size_t transpose_block(const transpose *t);

/* Copies lines along the split direction into the blocks for each rank, or out of those from each
 * rank; and the same for lines along the gathered direction. */
void transpose_split(const transpose *t, copying way, double complex *lines,
                     double complex *blocks);
void transpose_gathered(const transpose *t, copying way, double complex *lines,
                        double complex *blocks);

#endif
