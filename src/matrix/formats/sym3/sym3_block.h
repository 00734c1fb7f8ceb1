/* SPDX-License-Identifier: BSD-2-Clause */
/* A block in the format "sym3", which sym3_format.c builds, sym3_rows.c unfolds and refills, and
 * sym3_mult.c multiplies. Rows and columns come in threes. */
#ifndef OVK_MATRIX_FORMATS_SYM3_SYM3_BLOCK_H
#define OVK_MATRIX_FORMATS_SYM3_SYM3_BLOCK_H

#include "matrix/formats/format.h"
#include "matrix/formats/sell/sell_entries.h"
#include "matrix/formats/sell/sell_windows.h"

enum { OVK__SYM3_SIZE = 3, OVK__SYM3_VALUES = 9 };

typedef struct ovk__sym3 {
  ovk__windows windows; /* of threes of rows, with their small blocks from the diagonal on */
  ovk_lidx *reach;      /* [window]: the last three to which this and earlier windows write */
  ovk__entries blocks;  /* columns: of threes, counted from the window's first; values: nine for
                           each, row by row, and one more at the end */

  /* The small blocks left of the diagonal; not read by products, and NULL with values in float. */
  int64_t *left; /* [three]: its first one in left_col; one more for the end */
  ovk_lidx *left_col;
  int64_t *next; /* [three]: while it is refilled, the first small block right of the diagonal that
                    has not been compared with its counterpart; NULL before the first refill */
} ovk__sym3;

/* sym3_rows.c: functions of ovk__format. */
void ovk__sym3_lengths(const void *block, ovk_lidx first, ovk_lidx rows, int64_t *length);
ovk_err ovk__sym3_unfold(ovk_ctx *ctx, const void *block, ovk_lidx first, ovk__csr *out);
ovk_err ovk__sym3_refill(ovk_ctx *ctx, const ovk__csr *A, ovk_lidx first, void *block);
ovk_lidx ovk__sym3_row(const void *block, ovk_lidx i, ovk_lidx *col, double *val);
void ovk__sym3_diagonal(const void *block, double *d);

/* The values of threes of rows of A, which has the rows from `first` on. */
void ovk__sym3_take_values(const ovk__csr *A, ovk_lidx first, ovk__sym3 *b);

extern const ovk__products ovk__sym3_products, ovk__sym3_products_float;

#endif
