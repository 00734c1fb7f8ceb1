/* SPDX-License-Identifier: BSD-2-Clause */
/* For the format "pattern": the block, and its product. */
#ifndef OVK_MATRIX_FORMATS_PATTERN_PATTERN_PRODUCT_H
#define OVK_MATRIX_FORMATS_PATTERN_PATTERN_PRODUCT_H

#include "matrix/formats/csr.h"

/* Consecutive rows with the same pattern: from the end of the previous run to `end`. */
typedef struct ovk__pattern_run {
  ovk_lidx end;
  int32_t pattern;
} ovk__pattern_run;

typedef struct ovk__pattern_block {
  ovk_lidx rows, nruns;
  int32_t npatterns;
  int32_t *begin;   /* npatterns + 1: a pattern's first entry */
  ovk_lidx *offset; /* of an entry: column - row; increasing within a pattern */
  double *value;
  ovk__pattern_run *runs;
} ovk__pattern_block;

/* y <- A x; returns (x, y) */
double ovk__pattern_mult_dot(const ovk__pattern_block *b, const double *x, double *y,
                             ovk_poll poll);

#endif
