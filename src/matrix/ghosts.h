/* SPDX-License-Identifier: BSD-2-Clause */
/* The columns of other ranks that occur on this one, its ghosts: numbered as they are met, and in
 * the end by size. */
#ifndef OVK_MATRIX_GHOSTS_H
#define OVK_MATRIX_GHOSTS_H

#include "core/check.h"

#include <stddef.h>

/* All zero: none. */
typedef struct ovk__ghosts {
  ovk_gidx *col; /* the global column of each number */
  ovk_lidx count;
  ovk_lidx *slots; /* hash table with open addressing: number + 1; 0: free */
  size_t nslots;   /* a power of two, at least twice as large as count; or 0 */
} ovk__ghosts;

/* *number <- that of a global column. */
ovk_err ovk__ghosts_number(ovk_ctx *ctx, ovk__ghosts *ghosts, ovk_gidx col, ovk_lidx *number);

/* Numbers them by size: map[k] <- the new number of ghost k, in an array that is to be freed.
 * `col` is as long as it needs to be then, and no more can be numbered. */
ovk_err ovk__ghosts_sort(ovk_ctx *ctx, ovk__ghosts *ghosts, ovk_lidx **map);

void ovk__ghosts_clear(ovk__ghosts *ghosts);

#endif
