/* SPDX-License-Identifier: BSD-2-Clause */
/* For the format "pattern": groups of 32 consecutive rows that are multiplied in whole vectors,
 * whatever runs they are of. An entry that only some rows of a group have is multiplied for all of
 * them, and kept for those that have it. Where lines of a grid are short, nearly every vector
 * crosses the end of a run. */
#ifndef OVK_MATRIX_FORMATS_PATTERN_PATTERN_GROUPS_H
#define OVK_MATRIX_FORMATS_PATTERN_PATTERN_GROUPS_H

#include "matrix/formats/pattern/pattern_product.h"

/* b->groups <- the groups of a block that is complete otherwise. Those that share entries among
 * their rows make the groups take so many bytes at most; for 0, none does, and each is multiplied
 * run by run. OVK_ERR_MEMORY. Not collective. */
ovk_err ovk__pattern_groups_find(ovk_ctx *ctx, int64_t bytes, ovk__pattern_block *b);

/* *out, all zero, <- a copy of the block with values rounded to float, as of
 * ovk__format.copy_narrow. */
ovk_err ovk__pattern_copy_rounded(ovk_ctx *ctx, const void *block, void *out);

void ovk__pattern_groups_free(ovk__pattern_groups *groups);

/* Bytes that a product reads. */
int64_t ovk__pattern_groups_bytes(const ovk__pattern_groups *groups);

/* y <- A x for the groups from `group` on up to `stop`, or the first among them that shares no
 * entries, which is returned. The second one never uses vectors of eight rows; the bits are the
 * same. */
ovk_lidx ovk__pattern_groups_mult(const ovk__pattern_groups *groups, ovk_lidx group, ovk_lidx stop,
                                  const double *x, double *y);
ovk_lidx ovk__pattern_groups_mult_narrow(const ovk__pattern_groups *groups, ovk_lidx group,
                                         ovk_lidx stop, const double *x, double *y);

#endif
