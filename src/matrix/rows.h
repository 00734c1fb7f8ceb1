/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows that take entries, and become compressed sparse rows. Entries whose rows do not decrease are
 * laid down as they will stay; those that step back to an earlier row are kept loose until the end.
 * So all entries of a row that are in order were added before its loose ones. */
#ifndef OVK_MATRIX_ROWS_H
#define OVK_MATRIX_ROWS_H

#include "matrix/csr.h"
#include "matrix/loose.h"

#include <stdbool.h>

/* All zero but for n: empty. */
typedef struct ovk__rows {
  ovk_lidx n;          /* rows */
  ovk_lidx last;       /* the row of the last entry in order */
  bool unsorted;       /* columns do not increase in some row */
  int64_t count, room; /* entries in order */
  int64_t *ptr;        /* those of row i begin at ptr[i], for i <= last */
  ovk_lidx *col;
  double *val;
  ovk__loose loose;
} ovk__rows;

/* Makes room for `more` entries in order. */
ovk_err ovk__rows_reserve(ovk_ctx *ctx, ovk__rows *rows, int64_t more);

/* Adds an entry. */
ovk_err ovk__rows_add(ovk_ctx *ctx, ovk__rows *rows, ovk_lidx i, ovk_lidx col, double value);

/* Adds entries of row i from the front of a list until one's column is not among the `rows->n`
 * columns from `first`; *taken <- how many. None if i steps back. */
ovk_err ovk__rows_take(ovk_ctx *ctx, ovk__rows *rows, ovk_lidx i, ovk_gidx first, int64_t n,
                       const ovk_gidx *col, const double *val, int64_t *taken);

/* Gives each column k the number map[k]. */
void ovk__rows_renumber(ovk__rows *rows, const ovk_lidx *map);

/* *out <- the rows, columns increasing, duplicates summed in the order in which they were added.
 * `rows` is empty after it. After a failure it still is to be freed, `out` is not. */
ovk_err ovk__rows_finish(ovk_ctx *ctx, ovk__rows *rows, ovk__csr *out);

/* Sorts the entries of each row, all of which are in order, and sums duplicates. */
ovk_err ovk__rows_sort(ovk_ctx *ctx, ovk__rows *rows);

/* Frees the entries; n stays. */
void ovk__rows_clear(ovk__rows *rows);

#endif
