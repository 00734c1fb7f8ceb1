/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows under construction, which become compressed sparse rows. Entries whose rows do not decrease
 * are stored in their final order; those that go back to an earlier row are kept in buckets until
 * the end. So the in-order entries of a row were all added before its unsorted ones. */
#ifndef OVK_MATRIX_ASSEMBLY_ROWS_H
#define OVK_MATRIX_ASSEMBLY_ROWS_H

#include "matrix/assembly/buckets.h"
#include "matrix/formats/csr.h"

#include <stdbool.h>

/* All zero except for n: empty. */
typedef struct ovk__rows {
  ovk_lidx n;          /* rows */
  ovk_lidx last;       /* the row of the last in-order entry */
  bool unsorted;       /* columns do not increase in some row */
  int64_t count, room; /* in-order entries, and allocated ones */
  int64_t *ptr;        /* those of row i begin at ptr[i], for i <= last */
  ovk_lidx *col;
  double *val;
  ovk__buckets buckets;
} ovk__rows;

/* Reserves room for `more` in-order entries. */
ovk_err ovk__rows_reserve(ovk_ctx *ctx, ovk__rows *rows, int64_t more);

/* Adds an entry. */
ovk_err ovk__rows_add(ovk_ctx *ctx, ovk__rows *rows, ovk_lidx i, ovk_lidx col, double value);

/* Adds the leading entries of a list to row i, up to the first whose column is not among the
 * `rows->n` columns from `first`; *taken <- their number. None if i is less than the last row. */
ovk_err ovk__rows_take(ovk_ctx *ctx, ovk__rows *rows, ovk_lidx i, ovk_gidx first, int64_t n,
                       const ovk_gidx *col, const double *val, int64_t *taken);

/* The arrays of a user. Of `ptr` and `ptr32` one is NULL, and so of the columns, which are global.
 */
typedef struct ovk__csr_arrays {
  const int64_t *ptr;
  const int32_t *ptr32;
  const ovk_gidx *col;
  const int32_t *col32;
  const double *val;
} ovk__csr_arrays;

static inline int64_t ovk__csr_offset(const ovk__csr_arrays *a, ovk_lidx i)
{
  return a->ptr ? a->ptr[i] : a->ptr32[i];
}

/* Adds all rows at once, from arrays whose offsets are right; *filled <- whether that was done. It
 * is not where entries have been added before, and where a column is not among the `rows->n` from
 * `first`: rows are unchanged then. */
ovk_err ovk__rows_fill(ovk_ctx *ctx, ovk__rows *rows, ovk_gidx first, const ovk__csr_arrays *a,
                       bool *filled);

/* Adds the rows of `all` to `rows`, which has no entries; takes over their arrays. */
void ovk__rows_give(ovk__rows *rows, ovk__csr *all);

/* Replaces each column k by map[k]. */
void ovk__rows_renumber(ovk__rows *rows, const ovk_lidx *map);

/* *out <- the rows, columns increasing, duplicates summed in the order in which they were added.
 * `rows` is empty after it. After a failure `rows` must still be freed, `out` need not. */
ovk_err ovk__rows_finish(ovk_ctx *ctx, ovk__rows *rows, ovk__csr *out);

/* Frees the entries; n stays. */
void ovk__rows_clear(ovk__rows *rows);

#endif
