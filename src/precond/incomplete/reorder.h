/* SPDX-License-Identifier: BSD-2-Clause */
/* The block of this rank in an order of its rows in which incomplete factors are better. */
#ifndef OVK_PRECOND_INCOMPLETE_REORDER_H
#define OVK_PRECOND_INCOMPLETE_REORDER_H

#include "precond/block.h"

/* *out <- B with its rows and columns in that order, as of matrix/order/rcm.h; it refers to `order`
 * for messages. To be freed with ovk__block_free() also after a failure. OVK_ERR_MEMORY. Not
 * collective. */
ovk_err ovk__block_reorder(const ovk__block *B, const ovk_lidx *order, ovk__block *out);

#endif
