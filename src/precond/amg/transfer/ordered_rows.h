/* SPDX-License-Identifier: BSD-2-Clause */
/* A transfer between levels by rows. Each is summed in the order of the whole problem, so the bits
 * do not depend on the partition. Values are floats, sums and vectors doubles. */
#ifndef OVK_PRECOND_AMG_TRANSFER_ORDERED_ROWS_H
#define OVK_PRECOND_AMG_TRANSFER_ORDERED_ROWS_H

#include "matrix/halo/halo.h"
#include "precond/amg/operators/columns.h"

#include <ovkrylov/plugin/poll.h>

/* All zero: none. */
typedef struct ovk__amg_ordered_rows {
  ovk_lidx rows;
  int64_t *ptr;
  ovk_lidx *col; /* as numbered by `columns` */
  float *val;
  ovk__amg_columns columns;
  ovk__halo *halo;
} ovk__amg_ordered_rows;

/* *out <- these rows; `columns` is the layout of their columns. To be freed also after a failure.
 * Collective; errors are agreed. */
ovk_err ovk__amg_ordered_rows_create(ovk_ctx *ctx, const ovk__amg_entries *entries,
                                     const ovk__layout *columns, ovk__amg_ordered_rows *out);
void ovk__amg_ordered_rows_free(ovk__amg_ordered_rows *R);

/* y <- R x, or y <- y + R x if `add`. Communicates as a product does; polls. */
ovk_err ovk__amg_ordered_rows_mult(const ovk__amg_ordered_rows *R, bool add, const double *x,
                                   double *y, ovk_poll poll);

int64_t ovk__amg_ordered_rows_bytes(const ovk__amg_ordered_rows *R);

#endif
