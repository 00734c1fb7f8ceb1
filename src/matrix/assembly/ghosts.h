/* SPDX-License-Identifier: BSD-2-Clause */
/* The ghosts: columns of other ranks that occur on this rank, numbered in the order of first
 * occurrence, and finally by increasing column. */
#ifndef OVK_MATRIX_ASSEMBLY_GHOSTS_H
#define OVK_MATRIX_ASSEMBLY_GHOSTS_H

#include "core/context/check.h"

#include <stddef.h>

/* All zero: none. */
typedef struct ovk__ghosts {
  ovk_gidx *col; /* the global column of each number */
  ovk_lidx count;
  ovk_lidx *slots; /* hash table with open addressing: number + 1; 0: free */
  size_t nslots;   /* a power of two, at least twice as large as count; or 0 */
} ovk__ghosts;

/* *number <- the number of a global column, which is added if it is new. */
ovk_err ovk__ghosts_number(ovk_ctx *ctx, ovk__ghosts *ghosts, ovk_gidx col, ovk_lidx *number);

/* Renumbers the ghosts by increasing column: map[k] <- the new number of ghost k; the caller frees
 * map. Shrinks `col` to its count; no more ghosts can be added. */
ovk_err ovk__ghosts_sort(ovk_ctx *ctx, ovk__ghosts *ghosts, ovk_lidx **map);

/* The number of a global column once they are sorted; -1: it is no ghost. */
ovk_lidx ovk__ghosts_find(const ovk__ghosts *ghosts, ovk_gidx col);

void ovk__ghosts_clear(ovk__ghosts *ghosts);

#endif
