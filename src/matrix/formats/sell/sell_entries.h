/* SPDX-License-Identifier: BSD-2-Clause */
/* The entries of "sell" and "sym" in the order in which products read them: values, and columns
 * counted from some column of the window, in 16 bits if all of them fit. */
#ifndef OVK_MATRIX_FORMATS_SELL_SELL_ENTRIES_H
#define OVK_MATRIX_FORMATS_SELL_SELL_ENTRIES_H

#include "matrix/formats/row_sum.h"
#include "matrix/formats/sell/sell_windows.h"

#include <stdbool.h>

/* All zero: no arrays. */
typedef struct ovk__entries {
  uint16_t *near; /* columns in 16 bits; NULL if one is too large */
  ovk_lidx *far;  /* columns if `near` is NULL */
  double *val;    /* NULL if they are in float */
  float *narrow;  /* values of a block with values in float */
} ovk__entries;

/* The last entries of the rows of A, as many as `w` has of each, in the order of windows. Columns
 * are counted from origin[window] or, if that is NULL, from the window's first row. Takes over the
 * arrays of A's columns and values, which are NULL then; after a failure *out has them if A has
 * not. */
ovk_err ovk__entries_make(ovk_ctx *ctx, ovk__csr *A, const ovk__windows *w, const ovk_lidx *origin,
                          bool near, ovk__entries *out);
/* The values of the last entries of the rows of A, which are those from `first` on; as in
 * ovk__format.refill. */
void ovk__entries_refill(const ovk__csr *A, ovk_lidx first, const ovk__windows *w, ovk__entries *e);
/* The last entries of the rows of A, as in ovk__format_unfold(). */
void ovk__entries_unfold(const ovk__entries *e, const ovk__windows *w, const ovk_lidx *origin,
                         ovk_lidx first, ovk__csr *A);
/* *out <- the same n entries with values in float, see ovk__format.copy_narrow; to be freed also
 * after a failure. */
ovk_err ovk__entries_copy_narrow(ovk_ctx *ctx, const ovk__entries *e, int64_t n, ovk__entries *out);
void ovk__entries_free(ovk__entries *e);

/* Bytes of an entry, with its value in double. */
static inline int64_t ovk__entries_size(bool near)
{
  return (int64_t)(sizeof(double) + (near ? sizeof(uint16_t) : sizeof(ovk_lidx)));
}

/* Bytes of n entries. */
static inline int64_t ovk__entries_bytes(const ovk__entries *e, int64_t n)
{
  const size_t saved = e->narrow ? sizeof *e->val - sizeof *e->narrow : 0;
  return n * (ovk__entries_size(e->near != NULL) - (int64_t)saved);
}

/* The value of entry k. */
static inline double ovk__entries_value(const ovk__entries *e, int64_t k)
{
  return e->narrow ? e->narrow[k] : e->val[k];
}

/* The column of entry k; `near` says which array is used, a compile-time constant in kernels. */
OVK_ALWAYS_INLINE ovk_lidx ovk__entries_column(const ovk__entries *e, bool near, int64_t k)
{
  return near ? e->near[k] : e->far[k];
}

/* The entries of a row from k on. */
OVK_ALWAYS_INLINE ovk__row ovk__entries_row(const ovk__entries *e, bool near, int64_t k)
{
  return (ovk__row){OVK__VALUES(e->val, e->narrow) + k, near ? e->near + k : NULL,
                    near ? NULL : e->far + k, near};
}

#endif
