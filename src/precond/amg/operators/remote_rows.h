/* SPDX-License-Identifier: BSD-2-Clause */
/* Fine rows of one rank that contribute to coarse rows of others: such a row of A P is sent once,
 * with the part of the row of P by which it is multiplied there. */
#ifndef OVK_PRECOND_AMG_OPERATORS_REMOTE_ROWS_H
#define OVK_PRECOND_AMG_OPERATORS_REMOTE_ROWS_H

#include "precond/amg/operators/product.h"

/* needed[i - from] <- whether row i of P has columns of other ranks; returns whether one has. */
bool ovk__amg_remote_rows_mark(const ovk__amg_factor *P, ovk_lidx from, ovk_lidx to,
                               const ovk__amg_numbering *columns, bool *needed);

/* Adds row i of the product's band to those to be sent, once for each rank that owns columns of its
 * row of P; first[r] is the first coarse row of rank r. */
ovk_err ovk__amg_remote_rows_add(ovk_ctx *ctx, const ovk__amg_product *AP, ovk_lidx i,
                                 const ovk__amg_numbering *columns, const ovk_gidx *first,
                                 ovk__stash *stash);

/* Gives the columns of received rows of A P numbers. Not collective. */
ovk_err ovk__amg_remote_rows_number(ovk_ctx *ctx, const ovk__neighbor_messages *in, int size,
                                    ovk__amg_numbering *columns);

/* Adds the received rows of lower ranks, or of higher ones, to the sums, which are this part of
 * P^T A P; `first` is the first own coarse row. Not collective. */
ovk_err ovk__amg_remote_rows_sum(const ovk__neighbor_messages *in, bool lower, ovk_gidx first,
                                 ovk__amg_part part, ovk__amg_sums *sums);

#endif
