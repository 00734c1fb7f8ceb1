/* SPDX-License-Identifier: BSD-2-Clause */
/* Which rows each rank holds. A value, copied freely: whether two are the same can be told without
 * talking to other ranks, and every rank comes to the same answer. */
#ifndef OVK_MATRIX_LAYOUT_H
#define OVK_MATRIX_LAYOUT_H

#include "core/check.h"

#include <stdbool.h>

typedef struct ovk__layout {
  ovk_gidx first;       /* global index of this rank's first row */
  ovk_gidx global;      /* rows of all ranks */
  ovk_lidx local;       /* rows of this rank */
  uint64_t fingerprint; /* a hash of the local sizes of all ranks */
} ovk__layout;

/* Collective. */
ovk_err ovk__layout_create(ovk_ctx *ctx, ovk_lidx nlocal, ovk__layout *out);

/* The same rows on every rank? The same answer on every rank. */
bool ovk__layout_same(const ovk__layout *a, const ovk__layout *b);

/* OVK_ERR_ARG unless they are the same; the names are for the sentence. */
ovk_err ovk__layout_check(ovk_ctx *ctx, const ovk__layout *a, const char *a_name,
                          const ovk__layout *b, const char *b_name);

/* first[k] = the first row of rank k, first[size] = all rows: size + 1 entries. Collective. */
ovk_err ovk__layout_gather(ovk_ctx *ctx, const ovk__layout *layout, ovk_gidx *first);

/* The rank that holds `row`, by bisection in what ovk__layout_gather() gave. */
int ovk__layout_owner(const ovk_gidx *first, int nranks, ovk_gidx row);

/* How many of n rows this rank gets if they are dealt out evenly, the rest to the first ranks. */
ovk_err ovk__layout_even(ovk_ctx *ctx, ovk_gidx n, ovk_lidx *nlocal);

#endif
