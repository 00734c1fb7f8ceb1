/* SPDX-License-Identifier: BSD-2-Clause */
/* Storage formats of a rank's local block: one ops table each. To add one, copy csr_format.c and
 * add its table to format_list.h. All store the entries of the CSR from which they are built bit
 * for bit, stored zeros included; products differ by rounding only. If x has a NaN or Inf, a format
 * that pads with zeros may propagate it to rows that have no entry in that column. */
#ifndef OVK_MATRIX_FORMATS_FORMAT_H
#define OVK_MATRIX_FORMATS_FORMAT_H

#include "matrix/formats/csr.h"
#include "matrix/formats/products.h"

#include <ovkrylov/plugin/spec.h>
#include <stdbool.h>
#include <stddef.h>

/* Rows that are unfolded and refilled at once: a multiple of all windows and chunks of rows. */
enum { OVK__ROW_BLOCK = 768 };

/* The key of symmetric formats and of "auto" for ovk__wanted.exact. */
#define OVK__FORMAT_EXACT "exact"
#define OVK__EXACT_OPTION                                                                          \
  OVK_FLAG(OVK__FORMAT_EXACT, "accept only a matrix that is symmetric bit for bit")

typedef struct ovk__format ovk__format;
struct ovk__format {
  const char *name, *summary;
  const ovk_option *keys;
  const ovk__format *variant; /* the format with the flag keys[0]; NULL: that has another meaning */
  bool symmetric;             /* a block in it equals its transpose, bit for bit */
  bool mirrors;               /* values left of the diagonal are those of earlier rows: a piece is
                                 unfolded without values */
  bool slow_in_order; /* products->ordered may take twice as long as that of other formats */

  /* For "auto": the cost of a product, see cost.h. -1: it cannot hold A, or not below `limit`.
   * Should read as little of A as possible: `build` may still find that it cannot hold A. *block,
   * NULL before, may be set to data for `build`, or for `destroy`, also after a
   * failure. NULL: never chosen. Not collective. */
  ovk_err (*estimate)(ovk_ctx *ctx, const ovk__csr *A, int64_t limit, int64_t *cost, void **block);
  /* Takes the entries over from `A`, which is empty after success and unchanged after a failure.
   * *block is NULL or from `estimate` for the same A before, and NULL after a failure.
   * A->rounded <- whether values were rounded. OVK_ERR_UNSUPPORTED, with a message, if it cannot
   * hold A. Unless `exact`, symmetric formats hold A with rounded entries if it is symmetric to
   * rounding. Not collective. */
  ovk_err (*build)(ovk_ctx *ctx, ovk__csr *A, bool exact, void **block);
  bool is_csr; /* the block is an ovk__csr: new values are summed in place */
  /* length[k] <- the number of entries of row first + k. NULL: row by row. */
  void (*lengths)(const void *block, ovk_lidx first, ovk_lidx rows, int64_t *length);
  /* As ovk__format_unfold(). NULL: row by row. */
  ovk_err (*unfold)(ovk_ctx *ctx, const void *block, ovk_lidx first, ovk__csr *out);
  /* Replaces the values of the rows from `first` on by those of A, which has these rows: all, or a
   * piece as of ovk__format_unfold(). Pieces come in the order of rows, beginning with row 0.
   * OVK_ERR_UNSUPPORTED if the format cannot hold the values in addition to those of the rows
   * before `first`, which are kept; others are undefined after a failure. NULL: the block is
   * rebuilt. Not collective. */
  ovk_err (*refill)(ovk_ctx *ctx, const ovk__csr *A, ovk_lidx first, void *block);
  /* The same with values in float, for products of the library's own only: it has size, destroy,
   * products, diagonal and bytes. The format itself where values take no room, and are only
   * rounded. NULL: there is none. */
  const ovk__format *narrow;
  /* *out, all zero, <- a copy of the block in `narrow`, with values rounded to float; to be
   * destroyed also after a failure. OVK_ERR_RANGE if a value is beyond its range. NULL if `narrow`
   * is. Not collective. */
  ovk_err (*copy_narrow)(ovk_ctx *ctx, const void *block, void *out);
  size_t size; /* of the struct that `block` points to, where the format is a `narrow` one */
  void (*destroy)(void *block);
  const ovk__products *products;
  /* Arranges the storage for products->ordered, the only product that may be called from then on.
   * NULL: nothing is to be done. */
  void (*put_in_order)(void *block);
  /* d <- the diagonal */
  void (*diagonal)(const void *block, double *d);
  /* The number of entries in a row; where col and val are not NULL they get the entries, columns
   * increasing. */
  ovk_lidx (*row)(const void *block, ovk_lidx i, ovk_lidx *col, double *val);
  /* Bytes of storage that a product reads */
  int64_t (*bytes)(const void *block);
};

/* The members of the format `narrow` of a format `of`. */
#define OVK__FLOAT_FORMAT(of, type, products_, destroy_, diagonal_, bytes_)                        \
  .name = of ":float", .size = sizeof(type), .products = (products_), .destroy = (destroy_),       \
  .diagonal = (diagonal_), .bytes = (bytes_)

/* The end of a `build`: A is freed; after an error *block is destroyed instead. Returns err. */
ovk_err ovk__format_finish(ovk_err err, ovk__csr *A, void (*destroy)(void *block), void **block);

/* *out <- a copy of the block in format->narrow, see `copy_narrow`; NULL after a failure. Not
 * collective. */
ovk_err ovk__format_copy_narrow(ovk_ctx *ctx, const ovk__format *format, const void *block,
                                void **out);

/* ptr[0] <- 0, ptr[k + 1] <- the number of entries of the rows `first` to first + k */
void ovk__format_count(const ovk__format *format, const void *block, ovk_lidx first, ovk_lidx rows,
                       int64_t *ptr);

/* The columns of out->rows rows from `first` on, where ovk__format_count() has set out->ptr: all
 * rows, or a piece: `first` is a multiple of OVK__ROW_BLOCK, and so is the number of rows, unless
 * the last one is among them. With their values unless out->val is NULL, as it is for a piece of a
 * format that mirrors.
 * OVK_ERR_MEMORY. Not collective. */
ovk_err ovk__format_unfold(ovk_ctx *ctx, const ovk__format *format, const void *block,
                           ovk_lidx first, ovk__csr *out);

/* A format as it was asked for. */
typedef struct ovk__wanted {
  const ovk__format *format; /* for "auto" one without functions */
  bool exact;                /* entries are not rounded */
  bool ordered; /* "auto" takes no format that is slow in order, and decides nothing by times */
} ovk__wanted;

/* The format that a spec names. Not collective. */
ovk_err ovk__format_find(ovk_ctx *ctx, const char *spec, ovk__wanted *out);

/* Builds a block of A, as `build` does, in *format <- the wanted one; for "auto" the cheapest
 * format for A, for "auto:trial" the one whose products take the least time. Ranks may get
 * different formats. Not collective. */
ovk_err ovk__format_build(ovk_ctx *ctx, ovk__wanted wanted, ovk__csr *A, const ovk__format **format,
                          void **block);

#endif
