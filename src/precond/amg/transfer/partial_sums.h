/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums that several ranks have parts of: each rank sends its parts to the rank that has the row. It
 * is a halo exchange of the parts. */
#ifndef OVK_PRECOND_AMG_TRANSFER_PARTIAL_SUMS_H
#define OVK_PRECOND_AMG_TRANSFER_PARTIAL_SUMS_H

#include "matrix/halo/halo.h"
#include "matrix/layout/layout.h"

/* All zero: none. */
typedef struct ovk__amg_partial_sums {
  int width;    /* values of a part, side by side */
  double *part; /* this rank's parts, of rows of other ranks */
  ovk_lidx nparts;
  ovk_lidx *row; /* the own row of each part that this rank receives */
  ovk_lidx nrows;
  ovk__halo *halo;
} ovk__amg_partial_sums;

/* *out <- the exchange of parts of `rows`, n increasing ones of other ranks by `layout`, with
 * `width` values each. To be freed also after a failure. Collective; errors are agreed. */
ovk_err ovk__amg_partial_sums_create(ovk_ctx *ctx, const ovk__layout *layout, const ovk_gidx *rows,
                                     ovk_lidx n, int width, ovk__amg_partial_sums *out);
void ovk__amg_partial_sums_free(ovk__amg_partial_sums *S);

/* Begins to send S->part, which has to stay until the end. */
ovk_err ovk__amg_partial_sums_begin(const ovk__amg_partial_sums *S);

/* y <- y + the parts received, in the order of ranks. */
ovk_err ovk__amg_partial_sums_end(const ovk__amg_partial_sums *S, double *y);

int64_t ovk__amg_partial_sums_bytes(const ovk__amg_partial_sums *S);

#endif
