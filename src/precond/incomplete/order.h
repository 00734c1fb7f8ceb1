/* SPDX-License-Identifier: BSD-2-Clause */
/* Orders of the rows of this rank's block in which incomplete factors are better. */
#ifndef OVK_PRECOND_INCOMPLETE_ORDER_H
#define OVK_PRECOND_INCOMPLETE_ORDER_H

#include "precond/block.h"

/* order <- the rows of B, n of them, in the reverse Cuthill-McKee order: level by level of
 * neighbors from a row of each connected part that is far from others, those with few neighbors
 * first, and all of that backward. Neighbors of a row are its columns. OVK_ERR_MEMORY. Not
 * collective. Source: George and Liu, "Computer Solution of Large Sparse Positive Definite
 * Systems" (1981), chapter 4. */
ovk_err ovk__order_rcm(const ovk__block *B, ovk_lidx *order);

/* *out <- B with its rows and columns in that order; it refers to `order` for messages. To be freed
 * with ovk__block_free() also after a failure. OVK_ERR_MEMORY. Not collective. */
ovk_err ovk__block_reorder(const ovk__block *B, const ovk_lidx *order, ovk__block *out);

#endif
