/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows with columns of other ranks, stored once more, whole, for products whose bits do not
 * depend on the partition. A row is the sum of two chains of additions in the order of keys, which
 * are the global numbers of rows, or the user's: the columns below the row, ascending, and those
 * from the last one down to the row. Symmetric formats can form these sums, as all others can. */
#ifndef OVK_MATRIX_ORDER_WHOLE_ROWS_H
#define OVK_MATRIX_ORDER_WHOLE_ROWS_H

#include "core/context/check.h"

/* Columns are local rows, or the number of local rows plus the number of a ghost. */
typedef struct ovk__whole_rows {
  ovk_lidx n;
  ovk_lidx *row;           /* [n]: the local row i; -1 - i: four rows begin, see whole_rows.c */
  int64_t *begin, *middle; /* [n + 1], [n]: the first entry of a row, the first not below it */
  ovk_lidx *col;
  double *val;
} ovk__whole_rows;

/* An entry of a row that is being built. */
typedef struct ovk__keyed_entry {
  int64_t key;
  ovk_lidx col;
  double val;
} ovk__keyed_entry;

/* Room for n rows with `nnz` entries; to be freed also after a failure. */
ovk_err ovk__whole_rows_make(ovk_ctx *ctx, ovk_lidx n, int64_t nnz, ovk__whole_rows *out);
void ovk__whole_rows_free(ovk__whole_rows *w);

/* Row number k <- local row i, with this key; rows are set one after the other. `entries` is
 * sorted. OVK_ERR_ARG if two entries have the same key. */
ovk_err ovk__whole_rows_set(ovk_ctx *ctx, ovk__whole_rows *w, ovk_lidx k, ovk_lidx i, int64_t key,
                            ovk_lidx count, ovk__keyed_entry *entries);

/* y <- A x in these rows. Of each ghost, `stride` values follow each other: ghosts is at the first
 * one of x. */
void ovk__whole_rows_mult(const ovk__whole_rows *w, ovk_lidx local, const double *x,
                          const double *ghosts, int stride, double *y);

int64_t ovk__whole_rows_bytes(const ovk__whole_rows *w);

#endif
