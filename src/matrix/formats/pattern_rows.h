/* SPDX-License-Identifier: BSD-2-Clause */
/* For the format "pattern": which rows of a matrix are the same, seen from their diagonal. */
#ifndef OVK_MATRIX_FORMATS_PATTERN_ROWS_H
#define OVK_MATRIX_FORMATS_PATTERN_ROWS_H

#include "matrix/csr.h"

#include <stddef.h>

/* A pattern: a row that has it, what followed it when it was last met, and its hash. */
typedef struct ovk__pattern {
  ovk_lidx row;
  int32_t next; /* -1: nothing yet */
  uint32_t hash;
} ovk__pattern;

/* The patterns of the rows that were looked at, numbered as they were met. All zero but for A:
 * none. */
typedef struct ovk__patterns {
  const ovk__csr *A;
  ovk__pattern *list;
  int32_t count, room, last; /* last: of the row before */
  int64_t entries;           /* of all patterns */
  int32_t *slots;            /* hash table with open addressing: pattern + 1; 0: free */
  size_t nslots;             /* a power of two, at least twice as large as count; or 0 */
} ovk__patterns;

/* *end <- the first row after `first` that has another pattern than `first`, whose pattern becomes
 * f->last. Rows are looked at in increasing order. After a failure, too, ovk__patterns_free() is
 * due. */
ovk_err ovk__patterns_next_run(ovk_ctx *ctx, ovk__patterns *f, ovk_lidx first, ovk_lidx *end);

void ovk__patterns_free(ovk__patterns *f);

#endif
