/* SPDX-License-Identifier: BSD-2-Clause */
/* Matrix entries that came out of order. They lie in drawers, one for some neighbouring rows, so
 * that putting them into their rows later goes through little memory at a time. */
#ifndef OVK_MATRIX_LOOSE_H
#define OVK_MATRIX_LOOSE_H

#include "core/check.h"

/* An entry of a row of this rank. */
typedef struct ovk__item {
  ovk_lidx row, col;
  double value;
} ovk__item;

typedef struct ovk__item_block {
  struct ovk__item_block *next;
  int count, room;
  ovk__item items[];
} ovk__item_block;

/* Blocks in the order in which they were filled; none: NULL. */
typedef struct ovk__drawer {
  ovk__item_block *first, *last;
} ovk__drawer;

/* All zero: empty. */
typedef struct ovk__loose {
  ovk__drawer *drawers;
  int n;         /* drawers */
  int row_bits;  /* row i is in drawer i >> row_bits */
  int64_t count; /* entries */
} ovk__loose;

/* Adds an entry of one of `rows` rows, the same number every time. */
ovk_err ovk__loose_add(ovk_ctx *ctx, ovk__loose *loose, ovk_lidx rows, ovk__item item);

/* Frees the entries of a drawer, and of all. */
void ovk__drawer_clear(ovk__drawer *drawer);
void ovk__loose_clear(ovk__loose *loose);

#endif
