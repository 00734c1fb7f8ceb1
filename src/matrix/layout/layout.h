/* SPDX-License-Identifier: BSD-2-Clause */
/* The row distribution. A value type: two layouts can be compared without communication, with the
 * same result on every rank. */
#ifndef OVK_MATRIX_LAYOUT_LAYOUT_H
#define OVK_MATRIX_LAYOUT_LAYOUT_H

#include "core/context/check.h"

#include <stdbool.h>

typedef struct ovk__layout {
  ovk_gidx first;       /* global index of this rank's first row */
  ovk_gidx global;      /* rows in total */
  ovk_lidx local;       /* rows of this rank */
  uint64_t fingerprint; /* a hash of the local sizes of all ranks */
} ovk__layout;

/* Collective. */
ovk_err ovk__layout_create(ovk_ctx *ctx, ovk_lidx nlocal, ovk__layout *out);

/* The same, unless `mine`, an error of this rank, is one of any: then all return that. Collective;
 * errors are agreed. */
ovk_err ovk__layout_agree(ovk_ctx *ctx, ovk_err mine, ovk_lidx nlocal, ovk__layout *out);

/* *out <- the rows of `group` consecutive ranks, from rank 0 on, on the first of them.
 * OVK_ERR_RANGE if these are more than 2^31 - 1. Collective; errors are agreed. */
ovk_err ovk__layout_merge(ovk_ctx *ctx, const ovk__layout *layout, int group, ovk__layout *out);

/* Whether a row is one of this rank. */
static inline bool ovk__layout_owns(const ovk__layout *layout, ovk_gidx i)
{
  return i >= layout->first && i < layout->first + layout->local;
}

/* Whether both have the same rows on every rank. The same result on every rank. */
bool ovk__layout_same(const ovk__layout *a, const ovk__layout *b);

/* OVK_ERR_ARG unless they are the same; the names are for the message. */
ovk_err ovk__layout_check(ovk_ctx *ctx, const ovk__layout *a, const char *a_name,
                          const ovk__layout *b, const char *b_name);

/* ovk__memory_check() of `each` bytes a row; `format` names their use: "a vector". */
ovk_err ovk__layout_check_memory(ovk_ctx *ctx, const ovk__layout *layout, double each,
                                 const char *format, ...) OVK_PRINTF(4, 5);

/* OVK_ERR_ARG unless an object of `nlocal` rows can be made at `out`, a pointer to its handle,
 * which becomes NULL. Not collective. */
ovk_err ovk__layout_check_new(ovk_ctx *ctx, ovk_lidx nlocal, void *out);

/* (*first)[k] = the first row of rank k, (*first)[size] = the total number of rows; to be freed
 * also after a failure. Collective. */
ovk_err ovk__layout_gather(ovk_ctx *ctx, const ovk__layout *layout, ovk_gidx **first);

/* The rank that holds `row`, by bisection in the result of ovk__layout_gather(). */
int ovk__layout_owner(const ovk_gidx *first, int nranks, ovk_gidx row);

/* The number of rows of this rank if n rows are distributed evenly, the remainder to the first
 * ranks. */
ovk_err ovk__layout_even(ovk_ctx *ctx, ovk_gidx n, ovk_lidx *nlocal);

#endif
