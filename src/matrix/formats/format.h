/* SPDX-License-Identifier: BSD-2-Clause */
/* Storage formats of a rank's local block: one ops table each. To add one, copy csr_format.c and add
 * its table to format_list.h. */
#ifndef OVK_MATRIX_FORMATS_FORMAT_H
#define OVK_MATRIX_FORMATS_FORMAT_H

#include "core/registry.h"
#include "matrix/csr.h"

typedef struct ovk__format {
  const char *name, *summary;
  const char *const *keys;

  /* Takes the entries over from `A`, which is empty after it, also after a failure. */
  ovk_err (*build)(ovk_ctx *ctx, ovk__csr *A, void **out);
  void (*destroy)(void *block);
  /* y <- A x */
  void (*mult)(const void *block, const double *x, double *y, ovk_poll poll);
  /* y <- A x; returns (x, y) */
  double (*mult_dot)(const void *block, const double *x, double *y, ovk_poll poll);
  /* d <- the diagonal */
  void (*diagonal)(const void *block, double *d);
  /* Gives the entries of one row in increasing order of columns to `entry`. */
  void (*row)(const void *block, ovk_lidx row,
              void (*entry)(void *arg, ovk_lidx row, ovk_lidx col, double value), void *arg);
  int64_t (*nnz)(const void *block);
  /* Bytes of the matrix that one product reads */
  int64_t (*bytes)(const void *block);
} ovk__format;

/* The kind, for the registry. */
extern const ovk__kind ovk__format_kind;

/* The format that a spec names. Not collective. */
ovk_err ovk__format_find(ovk_ctx *ctx, const char *spec, const ovk__format **out);

#endif
