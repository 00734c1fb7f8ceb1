/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums for the blocks of a sparse matrix, whose pattern is not known in advance. Sums are added to
 * one row at a time, the open one. */
#ifndef OVK_PRECOND_AMG_OPERATORS_ACCUMULATOR_H
#define OVK_PRECOND_AMG_OPERATORS_ACCUMULATOR_H

#include "precond/amg/operators/columns.h"

/* The blocks of a row, in the order in which they were added. */
typedef struct ovk__amg_sum_row {
  ovk_lidx *col; /* of each block */
  double *val;   /* size^2 numbers each, row by row */
  int32_t n, room;
} ovk__amg_sum_row;

typedef struct ovk__amg_sums {
  ovk_ctx *ctx;
  const ovk__amg_numbering *columns;
  int size;               /* rows and columns of a block */
  ovk__amg_sum_row *row;  /* of each own column: the block row of this number */
  ovk__amg_sum_row *open; /* NULL: none */
  int32_t *place;         /* of each column: its number in the open row + 1; 0: it has none */
  double *spare;          /* a block */
} ovk__amg_sums;

/* *out <- no sums, in block rows for the own columns; to be freed also after a failure. `columns`
 * must outlive it. */
ovk_err ovk__amg_sums_create(ovk_ctx *ctx, const ovk__amg_numbering *columns, int size,
                             ovk__amg_sums *out);
void ovk__amg_sums_free(ovk__amg_sums *sums);

/* Opens row i, counted from 0, after the one that was open is closed. */
void ovk__amg_sums_open(ovk__amg_sums *sums, ovk_lidx i);
void ovk__amg_sums_close(ovk__amg_sums *sums);

/* Appends a block of zeros to the open row. */
ovk_err ovk__amg_sums_append(ovk__amg_sums *sums, ovk_lidx col);

/* *block <- the `numbers` = size^2 numbers of the block of a column in the open row, zeros if it is
 * new; valid until the next call. */
static inline ovk_err ovk__amg_sums_block(ovk__amg_sums *sums, ovk_lidx col, ptrdiff_t numbers,
                                          double **block)
{
  if (sums->place[col] == 0) OVK_TRY(ovk__amg_sums_append(sums, col));
  *block = sums->open->val + (sums->place[col] - 1) * numbers;
  return OVK_OK;
}

/* Sorts the blocks of a row that is not open by their columns. */
void ovk__amg_sums_sort(ovk__amg_sums *sums, ovk_lidx i);

#endif
