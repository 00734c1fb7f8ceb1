/* SPDX-License-Identifier: BSD-2-Clause */
/* From a heap of entries to sorted rows without duplicates. */
#ifndef OVK_MATRIX_ROWS_H
#define OVK_MATRIX_ROWS_H

#include "matrix/layout.h"
#include "matrix/stash.h"

/* Row i has the entries ptr[i] to ptr[i] + length[i] - 1, columns increasing. All zero: nothing. */
typedef struct ovk__rows {
  ovk_lidx n;
  int64_t *ptr;
  int64_t *length;
  ovk__entry *entries;
} ovk__rows;

/* Sorts the entries of `own`, all of this rank's rows, and sums duplicates in the order in which
 * they were added. `own` is empty after it. Not collective. ovk__rows_free() is due also after a
 * failure. */
ovk_err ovk__rows_sort(ovk_ctx *ctx, const ovk__layout *layout, ovk__stash *own, ovk__rows *out);
void ovk__rows_free(ovk__rows *rows);

#endif
