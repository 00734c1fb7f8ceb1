/* SPDX-License-Identifier: BSD-2-Clause */
/* For the format "pattern": finds rows with the same values at the same distances from the
 * diagonal. */
#ifndef OVK_MATRIX_FORMATS_PATTERN_PATTERN_ROWS_H
#define OVK_MATRIX_FORMATS_PATTERN_PATTERN_ROWS_H

#include "matrix/formats/csr.h"

#include <stddef.h>

/* A pattern: a row that has it, the pattern that last followed it, and its hash. */
typedef struct ovk__pattern {
  ovk_lidx row;
  int32_t next; /* -1: nothing yet */
  uint32_t hash;
} ovk__pattern;

/* The patterns of the rows read so far, numbered in the order of first occurrence. All zero except
 * for A: none. */
typedef struct ovk__patterns {
  const ovk__csr *A;
  ovk__pattern *list;
  int32_t count, room, last; /* last: the previous row's */
  int64_t entries;           /* of all patterns */
  int32_t *slots;            /* hash table with open addressing: pattern + 1; 0: free */
  size_t nslots;             /* a power of two, at least twice as large as count; or 0 */
} ovk__patterns;

/* *end <- the first row after `first` that has another pattern than `first`, whose pattern becomes
 * f->last. Rows must be read in increasing order. ovk__patterns_free() must be called, also after a
 * failure. */
ovk_err ovk__patterns_next_run(ovk_ctx *ctx, ovk__patterns *f, ovk_lidx first, ovk_lidx *end);

void ovk__patterns_free(ovk__patterns *f);

#endif
