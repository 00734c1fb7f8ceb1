/* SPDX-License-Identifier: BSD-2-Clause */
/* Entries to be added to a matrix: a growing list of (row, column, value). */
#ifndef OVK_MATRIX_ASSEMBLY_STASH_H
#define OVK_MATRIX_ASSEMBLY_STASH_H

#include "matrix/layout/exchange.h"

typedef struct ovk__entry {
  ovk_gidx row, col;
  double value;
} ovk__entry;

/* All zero: empty. */
typedef struct ovk__stash {
  ovk__entry *entries;
  size_t count, capacity;
} ovk__stash;

/* Appends one entry. */
ovk_err ovk__stash_add(ovk_ctx *ctx, ovk__stash *stash, ovk__entry entry);

/* Frees the entries; the stash is empty after it. */
void ovk__stash_clear(ovk__stash *stash);

/* Sends each entry of `off` to the rank that holds its row by `first`, see ovk__layout_gather(),
 * which may be this one; *arrived <- the received entries, those of a rank in the order in which it
 * added them. `off` is empty after it. Collective; errors, also `local`, are agreed, and leave
 * *arrived empty. */
ovk_err ovk__stash_exchange(ovk_ctx *ctx, ovk_err local, const ovk_gidx *first, ovk__stash *off,
                            ovk__neighbor_messages *arrived);

#endif
