/* SPDX-License-Identifier: BSD-2-Clause */
/* A transfer between levels: a rectangular operator with distributed rows and columns. Values are
 * floats, sums and vectors doubles. */
#ifndef OVK_PRECOND_AMG_TRANSFER_H
#define OVK_PRECOND_AMG_TRANSFER_H

#include "matrix/halo/halo.h"
#include "precond/amg/operators/columns.h"

#include <ovkrylov/plugin/poll.h>

/* Sparse rows with columns of this rank, or of the exchanged ones. */
typedef struct ovk__amg_part {
  int64_t *ptr;
  ovk_lidx *col;
  float *val;
} ovk__amg_part;

typedef struct ovk__amg_transfer {
  ovk_lidx rows;
  ovk__amg_part own, ghost; /* `ghost` has the rows in ghost_row only */
  ovk_lidx *ghost_row, nghost_rows;
  ovk__amg_columns columns; /* the foreign ones are those of the parts' ghosts */
  ovk__halo *halo;
} ovk__amg_transfer;

/* *out <- the operator with these entries; `columns` is the layout of its columns. To be freed also
 * after a failure. Collective; errors are agreed. */
ovk_err ovk__amg_transfer_create(ovk_ctx *ctx, const ovk__amg_entries *entries,
                                 const ovk__layout *columns, ovk__amg_transfer *out);
void ovk__amg_transfer_free(ovk__amg_transfer *T);

/* y <- T x, or y <- y + T x. Communicates as a product does; polls. */
ovk_err ovk__amg_transfer_mult(const ovk__amg_transfer *T, const double *x, double *y, bool add,
                               ovk_poll poll);

/* *out <- its entries; to be freed also after a failure. Not collective. */
ovk_err ovk__amg_transfer_entries(ovk_ctx *ctx, const ovk__amg_transfer *T, ovk__amg_entries *out);

int64_t ovk__amg_transfer_bytes(const ovk__amg_transfer *T);

#endif
