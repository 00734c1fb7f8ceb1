/* SPDX-License-Identifier: BSD-2-Clause */
/* Rows of A P, or of half of it, for bands of fine rows that fit the second cache. */
#ifndef OVK_PRECOND_AMG_OPERATORS_PRODUCT_H
#define OVK_PRECOND_AMG_OPERATORS_PRODUCT_H

#include "precond/amg/aggregation/rows.h"
#include "precond/amg/operators/accumulator.h"

/* Rows of P: of each the groups of a numbering with entries, and a block of `size` numbers for
 * each.
 */
typedef struct ovk__amg_factor {
  const int64_t *ptr;   /* of each row: its first block */
  int64_t *blocks;      /* ptr, where blocks have several numbers */
  ovk_lidx *group;      /* of each block */
  const double *number; /* of each block of one number */
  float *several;       /* of each block of several numbers: these, 0 where P has no entry */
} ovk__amg_factor;

typedef struct ovk__amg_product {
  ovk__amg_rows *rows; /* of A; those of a band are read if they are not held */
  ovk__amg_factor own, ghosts;
  int size; /* columns of a group */

  /* the row that is being made */
  double *value;  /* of each column */
  bool *in_use;   /* of each group */
  ovk_lidx *used; /* these groups */

  /* the rows of the band, groups in any order */
  ovk_lidx from;
  int64_t *ptr;    /* of the band's rows and its end */
  ovk_lidx *group; /* of each block of `size` numbers */
  double *val;
  int64_t room; /* in blocks */
} ovk__amg_product;

enum { OVK__AMG_BAND = 6 * OVK__ROW_BLOCK }; /* fine rows of a band */

/* *out <- the product A P, to be computed by bands; `own` and `ghosts` are the rows of P, with
 * values that a float holds, whose columns are those of `columns`, in groups of `size`. All must
 * outlive *out, which is to be freed also after a failure. Not collective. */
ovk_err ovk__amg_product_create(ovk__amg_rows *rows, const ovk__amg_entries *own,
                                const ovk__amg_entries *ghosts, const ovk__amg_numbering *columns,
                                int size, ovk__amg_product *out);
void ovk__amg_product_free(ovk__amg_product *product);

/* Computes the rows from `from` to `to` - 1 of A P, at most OVK__AMG_BAND; those with
 * needed[row - from] == 0 stay empty. OVK__AMG_UPPER: of each row only the groups from the first
 * one of the same row of P on. OVK__AMG_HALF: those of U P. */
ovk_err ovk__amg_product_band(ovk__amg_product *product, ovk_lidx from, ovk_lidx to,
                              const bool *needed, ovk__amg_part part);

#endif
