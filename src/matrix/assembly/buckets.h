/* SPDX-License-Identifier: BSD-2-Clause */
/* Matrix entries that were added out of order. They are kept in buckets of consecutive rows, so
 * that moving them into their rows later touches little memory at a time. */
#ifndef OVK_MATRIX_ASSEMBLY_BUCKETS_H
#define OVK_MATRIX_ASSEMBLY_BUCKETS_H

#include "core/context/check.h"

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
typedef struct ovk__bucket {
  ovk__item_block *first, *last;
} ovk__bucket;

/* All zero: empty. */
typedef struct ovk__buckets {
  ovk__bucket *list;
  int n;         /* buckets */
  int row_bits;  /* row i is in bucket i >> row_bits */
  int64_t count; /* entries */
} ovk__buckets;

/* Adds an entry of one of `rows` rows; `rows` must be the same in all calls. */
ovk_err ovk__buckets_add(ovk_ctx *ctx, ovk__buckets *buckets, ovk_lidx rows, ovk__item item);

/* Frees the entries of a bucket, and of all. */
void ovk__bucket_clear(ovk__bucket *bucket);
void ovk__buckets_clear(ovk__buckets *buckets);

#endif
