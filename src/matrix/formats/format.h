/* SPDX-License-Identifier: BSD-2-Clause */
/* Storage formats of a rank's local block: one ops table each. To add one, copy csr_format.c and
 * add its table to format_list.h. */
#ifndef OVK_MATRIX_FORMATS_FORMAT_H
#define OVK_MATRIX_FORMATS_FORMAT_H

#include "matrix/csr.h"

#include <stddef.h>

typedef struct ovk__format {
  const char *name, *summary;
  const char *const *keys;

  /* Takes the entries over from `A`, which is empty after success; after a failure they still are
   * the caller's. Not collective. */
  ovk_err (*build)(ovk_ctx *ctx, ovk__csr *A, void **block);
  void (*destroy)(void *block);
  /* y <- A x; returns (x, y) */
  double (*mult_dot)(const void *block, const double *x, double *y, ovk_poll poll);
  /* d <- the diagonal */
  void (*diagonal)(const void *block, double *d);
  /* The number of entries in a row; where col and val are not NULL they get the entries, columns
   * increasing. */
  ovk_lidx (*row)(const void *block, ovk_lidx i, ovk_lidx *col, double *val);
  /* Bytes of storage, all of which a product reads */
  int64_t (*bytes)(const void *block);
} ovk__format;

/* The format that a spec names: "auto" is today's best for every matrix. Not collective. */
ovk_err ovk__format_find(ovk_ctx *ctx, const char *spec, const ovk__format **out);

#endif
