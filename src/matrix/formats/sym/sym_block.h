/* SPDX-License-Identifier: BSD-2-Clause */
/* A block in the format "sym", which sym_format.c builds, sym_rows.c unfolds and refills,
 * and sym_mult.c multiplies. */
#ifndef OVK_MATRIX_FORMATS_SYM_SYM_BLOCK_H
#define OVK_MATRIX_FORMATS_SYM_SYM_BLOCK_H

#include "matrix/formats/products.h"
#include "matrix/formats/sell/sell_entries.h"
#include "matrix/formats/sell/sell_windows.h"

#include <stdbool.h>

typedef struct ovk__sym {
  ovk__windows windows; /* of the entries right of the diagonal */
  ovk_lidx *reach;      /* [window]: the last row to which this and earlier windows write */
  double *diagonal;     /* [row]; NULL if no row has a diagonal entry, or in float */
  float *narrow;        /* the diagonal of a block with values in float */
  bool *missing;        /* [row]: whether it has none; NULL if all rows have one, or none */
  ovk__entries entries; /* columns are counted from the window's first row */

  /* The entries left of the diagonal; not read by products, and NULL with values in float. */
  int64_t *left; /* [row]: its first entry in left_col; one more for the end */
  ovk_lidx *left_col;
  int64_t *next; /* [row]: while it is refilled, the first entry right of the diagonal that has not
                    been compared with its counterpart; NULL before the first refill */
} ovk__sym;

/* sym_rows.c: functions of ovk__format. */
void ovk__sym_lengths(const void *block, ovk_lidx first, ovk_lidx rows, int64_t *length);
ovk_err ovk__sym_unfold(ovk_ctx *ctx, const void *block, ovk_lidx first, ovk__csr *out);
ovk_err ovk__sym_refill(ovk_ctx *ctx, const ovk__csr *A, ovk_lidx first, void *block);
ovk_lidx ovk__sym_row(const void *block, ovk_lidx i, ovk_lidx *col, double *val);
void ovk__sym_diagonal(const void *block, double *d);

extern const ovk__products ovk__sym_products, ovk__sym_products_float;

#endif
