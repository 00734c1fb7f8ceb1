/* SPDX-License-Identifier: BSD-2-Clause */
/* Sums for the entries of sparse rows, whose pattern is not known in advance. */
#ifndef OVK_PRECOND_AMG_SETUP_ACCUMULATOR_H
#define OVK_PRECOND_AMG_SETUP_ACCUMULATOR_H

#include "core/context/check.h"

/* A row: a hash table with open addressing. After ovk__amg_sums_sort() the first n places have the
 * entries, columns increasing. */
typedef struct ovk__amg_sum_row {
  ovk_gidx *col; /* -1: free */
  double *val;
  int32_t n, places; /* places: a power of two, or 0 */
} ovk__amg_sum_row;

typedef struct ovk__amg_sums {
  ovk_ctx *ctx;
  ovk_lidx rows;
  ovk__amg_sum_row *row;
} ovk__amg_sums;

ovk_err ovk__amg_sums_create(ovk_ctx *ctx, ovk_lidx rows, ovk__amg_sums *out);
void ovk__amg_sums_free(ovk__amg_sums *sums);

/* (i,col) <- (i,col) + value. */
ovk_err ovk__amg_sums_add(ovk__amg_sums *sums, ovk_lidx i, ovk_gidx col, double value);

/* Sorts row i by column. Nothing may be added to it any more. */
void ovk__amg_sums_sort(ovk__amg_sums *sums, ovk_lidx i);

#endif
