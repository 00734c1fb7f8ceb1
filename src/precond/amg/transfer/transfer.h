/* SPDX-License-Identifier: BSD-2-Clause */
/* Transfers between levels: a prolongator P with distributed rows and columns, and its transpose.
 * Values are floats, sums and vectors doubles. Only values of the coarse level are communicated. */
#ifndef OVK_PRECOND_AMG_TRANSFER_TRANSFER_H
#define OVK_PRECOND_AMG_TRANSFER_TRANSFER_H

#include "matrix/halo/halo.h"
#include "precond/amg/operators/columns.h"
#include "precond/amg/transfer/ordered_rows.h"
#include "precond/amg/transfer/partial_sums.h"

#include <ovkrylov/plugin/poll.h>

/* This rank's rows of P. */
typedef struct ovk__amg_transfer {
  ovk_lidx rows;
  int width; /* columns of the vectors, side by side */
  ovk__amg_columns columns;
  struct ovk__sell *own;      /* without foreign columns: rows use neighboring coarse values */
  struct ovk__sell *foreign;  /* these columns, as rows */
  ovk__halo *halo;            /* of the prolongation: values of the foreign columns */
  ovk__amg_partial_sums sums; /* of the restriction: for the foreign columns */
  bool ordered;               /* products with the following ones, not with the above */
  ovk__amg_ordered_rows P, R;
} ovk__amg_transfer;

/* *out <- the prolongator with these entries, whose memory it takes over; `columns` is the layout
 * of its columns, and `rows` that of its rows. ordered: the bits of its products do not depend on
 * the partition. To be freed also after a failure. Collective; errors are agreed. */
ovk_err ovk__amg_transfer_create(ovk_ctx *ctx, ovk__amg_entries *entries, const ovk__layout *rows,
                                 const ovk__layout *columns, bool ordered, ovk__amg_transfer *out);
/* Creates the exchanges of a transfer that has entries, with T->width values a row. Collective;
 * errors are agreed. */
ovk_err ovk__amg_transfer_connect(ovk_ctx *ctx, const ovk__layout *columns, ovk__amg_transfer *T);
void ovk__amg_transfer_free(ovk__amg_transfer *T);

/* y <- y + P x. Communicates as a product does; polls. */
ovk_err ovk__amg_prolongate(const ovk__amg_transfer *T, const double *x, double *y, ovk_poll poll);

/* y <- P^T x. Communicates as a product does; polls. */
ovk_err ovk__amg_restrict(const ovk__amg_transfer *T, const double *x, double *y, ovk_poll poll);

/* *out <- the entries of P; to be freed also after a failure. Not collective. */
ovk_err ovk__amg_transfer_entries(ovk_ctx *ctx, const ovk__amg_transfer *T, ovk__amg_entries *out);

int64_t ovk__amg_transfer_bytes(const ovk__amg_transfer *T);

#endif
