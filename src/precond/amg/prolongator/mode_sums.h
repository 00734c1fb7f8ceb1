/* SPDX-License-Identifier: BSD-2-Clause */
/* A row of the prolongator for several modes, while it is summed: `size` numbers for each
 * aggregate. */
#ifndef OVK_PRECOND_AMG_PROLONGATOR_MODE_SUMS_H
#define OVK_PRECOND_AMG_PROLONGATOR_MODE_SUMS_H

#include "precond/amg/operators/entries.h"

/* All zero: no arrays. */
typedef struct ovk__amg_mode_sums {
  ovk_lidx size;
  ovk_lidx n, room; /* aggregates */
  ovk_gidx *first;  /* the first column of each, in the order in which they were added */
  double *val;      /* size numbers of each */
  double *added;    /* for each of these: not 0 if a number other than 0 was added */
  ovk_lidx *order;  /* the aggregates by increasing column */
} ovk__amg_mode_sums;

void ovk__amg_mode_sums_free(ovk__amg_mode_sums *sums);

/* Makes room for so many aggregates, and begins a row. */
ovk_err ovk__amg_mode_sums_begin(ovk_ctx *ctx, ovk__amg_mode_sums *sums, ovk_lidx aggregates);

/* Adds weight times row j of T, which is empty or has the `size` columns of one aggregate. */
void ovk__amg_mode_sums_add(ovk__amg_mode_sums *sums, const ovk__amg_entries *T, ovk_lidx j,
                            double weight);

/* Appends the row to P, from *end on, without columns to which only zeros were added; *end <- its
 * end. */
ovk_err ovk__amg_mode_sums_append(ovk_ctx *ctx, ovk__amg_mode_sums *sums, ovk__amg_entries *P,
                                  int64_t *end);

#endif
