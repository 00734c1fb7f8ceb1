/* SPDX-License-Identifier: BSD-2-Clause */
/* Storage formats of a rank's local block: one ops table each. To add one, copy csr_format.c and
 * add its table to format_list.h. All have the same bits of values as the CSR that they are built
 * from, and the same entries, stored zeros included; products differ by rounding only. */
#ifndef OVK_MATRIX_FORMATS_FORMAT_H
#define OVK_MATRIX_FORMATS_FORMAT_H

#include "matrix/csr.h"

#include <stddef.h>

typedef struct ovk__format {
  const char *name, *summary;
  const char *const *keys;

  /* For "auto": what a product costs, in bytes of the block that it reads; a format that takes
   * longer than its bytes say adds what makes up for it. -1: it cannot hold A, or not below
   * `limit`. Found out with as little looking at A as possible: `build` may still find that it
   * cannot hold A. NULL: never chosen. Not collective. */
  ovk_err (*estimate)(ovk_ctx *ctx, const ovk__csr *A, int64_t limit, int64_t *cost);
  /* Takes the entries over from `A`, which is empty after success; after a failure they still are
   * the caller's. OVK_ERR_UNSUPPORTED, with a sentence, if it cannot hold A. Not collective. */
  ovk_err (*build)(ovk_ctx *ctx, ovk__csr *A, void **block);
  void (*destroy)(void *block);
  /* y <- A x; returns (x, y) */
  double (*mult_dot)(const void *block, const double *x, double *y, ovk_poll poll);
  /* y[v] <- A x[v] for v = 0, 1 in one pass, to the same bits. NULL: made of two mult_dot. */
  void (*mult_pair)(const void *block, const double *const x[2], double *const y[2], ovk_poll poll);
  /* d <- the diagonal */
  void (*diagonal)(const void *block, double *d);
  /* The number of entries in a row; where col and val are not NULL they get the entries, columns
   * increasing. */
  ovk_lidx (*row)(const void *block, ovk_lidx i, ovk_lidx *col, double *val);
  /* Bytes of storage that a product reads */
  int64_t (*bytes)(const void *block);
} ovk__format;

/* The format that a spec names; that of "auto" has a name only. Not collective. */
ovk_err ovk__format_find(ovk_ctx *ctx, const char *spec, const ovk__format **out);

/* Builds a block of A, as `build` does, in *format; "auto" is replaced by what is best for A.
 * Ranks may come to different formats. Not collective. */
ovk_err ovk__format_build(ovk_ctx *ctx, const ovk__format **format, ovk__csr *A, void **block);

#endif
