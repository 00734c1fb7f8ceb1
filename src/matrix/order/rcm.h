/* SPDX-License-Identifier: BSD-2-Clause */
/* The reverse Cuthill-McKee order: rows that are coupled have near numbers. */
#ifndef OVK_MATRIX_ORDER_RCM_H
#define OVK_MATRIX_ORDER_RCM_H

#include "core/context/check.h"

/* order <- the n rows in that order: level by level of neighbors from a row of each connected part
 * that is far from others, those with few neighbors first, and all of that backward. Neighbors of
 * row i are its columns col[ptr[i]] to col[ptr[i + 1] - 1]. OVK_ERR_MEMORY. Not collective. Source:
 * George and Liu, "Computer Solution of Large Sparse Positive Definite Systems" (1981), chapter 4.
 */
ovk_err ovk__rcm(ovk_ctx *ctx, ovk_lidx n, const int64_t *ptr, const ovk_lidx *col,
                 ovk_lidx *order);

#endif
