/* SPDX-License-Identifier: BSD-2-Clause */
/* A function for each kind of matrix that writes the entries of one row. Random numbers for a
 * position determine whether it has an entry, and its value, so that all ranks agree. */
#ifndef OVK_TEST_FORMAT_ROWS_H
#define OVK_TEST_FORMAT_ROWS_H

#include "support/problem.h"

/* A row in the making; col and val may be NULL, to count only. */
typedef struct row {
  uint64_t seed;
  ovk_gidx n, i;
  int64_t count;
  ovk_gidx *col;
  double *val;
} row;

/* A(i,j) <- value, unless j is no column. Columns must come in increasing order. */
static inline void put(row *r, ovk_gidx j, double value)
{
  if (j < 0 || j >= r->n) return;
  if (r->col) r->col[r->count] = j;
  if (r->val) r->val[r->count] = value;
  r->count++;
}

/* A number in [0,1) for (i,j), and one that is the same for (i,j) and (j,i). */
static inline double at(const row *r, uint64_t what, ovk_gidx i, ovk_gidx j)
{
  return random_number(r->seed * 16 + what, (uint64_t)(i * r->n + j));
}

static inline double at_both(const row *r, uint64_t what, ovk_gidx i, ovk_gidx j)
{
  return i < j ? at(r, what, i, j) : at(r, what, j, i);
}

/* The points of the grids. */
enum { GRID_X = 37, GRID_Y = 7, GRID_Z = 5, GRID_POINTS = GRID_X * GRID_Y * GRID_Z };

/* format_rows_regular.c */
void row_grid27(row *r);
void row_grid7(row *r);
void row_variable_grid27(row *r);
void row_nearly_equal_rows(row *r);
void row_interleaved2(row *r);
void row_interleaved3(row *r);
void row_duplicated_rows(row *r);
void row_runs_of_rows(row *r);
void row_long_run(row *r);
void row_band(row *r);
void row_band_with_holes(row *r);
void row_symmetric_band(row *r);
void row_symmetric_threes(row *r);

/* format_rows_odd.c */
void row_sparse(row *r);
void row_half_full(row *r);
void row_full(row *r);
void row_irregular_symmetric(row *r);
void row_symmetric_places_only(row *r);
void row_dense_rows(row *r);
void row_dense_symmetric_rows(row *r);
void row_empty_rows(row *r);
void row_no_entries(row *r);
void row_upper_triangle(row *r);
void row_diagonal(row *r);
void row_diagonal_with_holes(row *r);
void row_antidiagonal(row *r);
void row_wide_offsets(row *r);
void row_signed_zeros(row *r);
void row_zeros_of_other_sign(row *r);
void row_denormals(row *r);
void row_huge_and_tiny(row *r);
void row_not_numbers(row *r);

#endif
