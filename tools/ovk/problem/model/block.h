/* SPDX-License-Identifier: BSD-2-Clause */
/* One rank's rows of a model problem: compressed rows, global columns. */
#ifndef OVK_TOOL_MODEL_BLOCK_H
#define OVK_TOOL_MODEL_BLOCK_H

#include <ovkrylov/ovkrylov.h>

typedef struct block {
  ovk_gidx first, size; /* this rank's first row; rows of all ranks */
  ovk_lidx rows;        /* of this rank */
  ovk_lidx begun;       /* number of rows begun; all of them in the end */
  int64_t *ptr;         /* rows + 1 offsets, starting at 0 */
  ovk_gidx *col;        /* increasing within a row */
  double *val;
} block;

/* Allocates `rows` rows with up to `most` entries each. Not collective. */
ovk_err block_create(ovk_ctx *ctx, ovk_gidx first, ovk_gidx size, ovk_lidx rows, int most,
                     block *out);

/* Frees the arrays and keeps the sizes. */
void block_free(block *b);

/* Ends the current row and begins further rows, until `rows` of them have been begun. */
void block_begin_rows(block *b, ovk_lidx rows);

/* Adds an entry to the current row. */
void block_add(block *b, ovk_gidx col, double val);

/* Number of entries on this rank. */
int64_t block_nnz(const block *b);

/* A sum over the entries of all ranks that depends on the bits and the position of every value, but
 * not on the number of ranks. Collective. */
uint64_t block_checksum(const block *b);

#endif
