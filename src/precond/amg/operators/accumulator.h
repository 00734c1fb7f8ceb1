/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums for the blocks of a sparse matrix, whose pattern is not known in advance. Sums are added to
 * one row at a time, the open one. */
#ifndef OVK_PRECOND_AMG_OPERATORS_ACCUMULATOR_H
#define OVK_PRECOND_AMG_OPERATORS_ACCUMULATOR_H

#include "precond/amg/operators/columns.h"

/* The sums for a product P^T A P. Those of a symmetric A are the upper half of it: blocks (I,J)
 * with I <= J. Or they are S = P^T U P, where A = U + U^T, and the product is S + S^T: U has the
 * entries of A right of the diagonal, and half of the diagonal. That is half the work for A P, but
 * S has blocks on both sides of the diagonal. */
typedef enum ovk__amg_part { OVK__AMG_WHOLE, OVK__AMG_UPPER, OVK__AMG_HALF } ovk__amg_part;

/* The blocks of a row, in the order in which they were added. */
typedef struct ovk__amg_sum_row {
  ovk_lidx *col; /* of each block */
  double *val;   /* size^2 numbers each, row by row */
  int32_t n, room;
} ovk__amg_sum_row;

/* Arrays for the blocks of many rows. */
typedef struct ovk__amg_sums_part {
  struct ovk__amg_sums_part *next;
  double *val;
  ovk_lidx *col;
  int64_t n, room; /* blocks: of rows, and at most */
} ovk__amg_sums_part;

/* The columns of all rows, sorted, most of them in 16 bits for as little memory as possible: the
 * distances of columns, the first from that of the row itself; UINT16_MAX stands for the next of
 * the far columns. All zero: unknown. */
typedef struct ovk__amg_sums_pattern {
  ovk_lidx rows;
  uint16_t *count;    /* of each row */
  uint16_t *distance; /* of each column */
  int64_t n;          /* columns of all rows */
  ovk_lidx *far;
  int64_t nfar;
} ovk__amg_sums_pattern;

typedef struct ovk__amg_sums {
  ovk_ctx *ctx;
  const ovk__amg_numbering *columns;
  int size;                  /* rows and columns of a block */
  ovk__amg_sum_row *row;     /* of each own column: the block row of this number */
  ovk__amg_sum_row *open;    /* NULL: none */
  int32_t *place;            /* of each column: its number in the open row + 1; 0: it has none */
  double *spare;             /* a block */
  ovk__amg_sums_part *parts; /* the last one has room */
} ovk__amg_sums;

/* *out <- no sums, in block rows for the own columns; to be freed also after a failure. If the
 * pattern is known, sums of it, all 0. `columns` and the pattern must outlive it. */
ovk_err ovk__amg_sums_create(ovk_ctx *ctx, const ovk__amg_numbering *columns, int size,
                             const ovk__amg_sums_pattern *pattern, ovk__amg_sums *out);
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

/* *out <- the columns of sorted sums; unknown if a row has more than 2^16 - 1. To be freed also
 * after a failure. */
ovk_err ovk__amg_sums_pattern_create(const ovk__amg_sums *sums, ovk__amg_sums_pattern *out);
void ovk__amg_sums_pattern_free(ovk__amg_sums_pattern *pattern);
int64_t ovk__amg_sums_pattern_bytes(const ovk__amg_sums_pattern *pattern);

/* Sorts the blocks of a row that is not open by their columns. */
void ovk__amg_sums_sort(ovk__amg_sums *sums, ovk_lidx i);

#endif
