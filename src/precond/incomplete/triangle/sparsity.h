/* SPDX-License-Identifier: BSD-2-Clause */
/* Which entries incomplete factors have. */
#ifndef OVK_PRECOND_INCOMPLETE_TRIANGLE_SPARSITY_H
#define OVK_PRECOND_INCOMPLETE_TRIANGLE_SPARSITY_H

#include "precond/block.h"

/* The columns of a triangle without its diagonal, row by row, increasing. */
typedef struct ovk__sparsity {
  int64_t *ptr; /* rows + 1 */
  ovk_lidx *col;
} ovk__sparsity;

/* The factors of B with fill up to a level: entries of B have level 0, and eliminating column j
 * makes level(i,k) = min(level(i,k), level(i,j) + level(j,k) + 1). The diagonal is always there.
 * Level 0 is the pattern of B; from the number of rows on it is that of the complete factors. U may
 * be NULL. Both are to be freed also after a failure. OVK_ERR_MEMORY. Not collective. */
ovk_err ovk__sparsity_make(const ovk__block *B, ovk_lidx level, ovk__sparsity *L, ovk__sparsity *U);
void ovk__sparsity_free(ovk__sparsity *S);

#endif
