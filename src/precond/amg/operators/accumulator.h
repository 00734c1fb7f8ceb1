/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums for the blocks of a sparse matrix, whose pattern is not known in advance. */
#ifndef OVK_PRECOND_AMG_OPERATORS_ACCUMULATOR_H
#define OVK_PRECOND_AMG_OPERATORS_ACCUMULATOR_H

#include "core/context/check.h"

/* The blocks of a row, in the order in which they were added, and a hash table of them. */
typedef struct ovk__amg_sum_row {
  ovk_gidx *col;  /* of each block */
  double *val;    /* size^2 numbers each, row by row */
  int32_t *place; /* open addressing: the number of a block + 1; 0: free */
  int32_t n, room, places;
} ovk__amg_sum_row;

typedef struct ovk__amg_sums {
  ovk_ctx *ctx;
  ovk_lidx rows; /* of blocks */
  int size;      /* rows and columns of a block */
  ovk__amg_sum_row *row;
} ovk__amg_sums;

ovk_err ovk__amg_sums_create(ovk_ctx *ctx, ovk_lidx rows, int size, ovk__amg_sums *out);
void ovk__amg_sums_free(ovk__amg_sums *sums);

/* *block <- the numbers of block (i,col), zeros if it is new; valid until the next call. */
ovk_err ovk__amg_sums_block(ovk__amg_sums *sums, ovk_lidx i, ovk_gidx col, double **block);

/* Has place[k] of row i, k < n, list the blocks by increasing column: block number place[k]. No
 * block may be added to the row any more. */
void ovk__amg_sums_sort(ovk__amg_sums *sums, ovk_lidx i);

#endif
