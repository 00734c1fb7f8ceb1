/* SPDX-License-Identifier: BSD-2-Clause */
/* The columns of an operator on this rank. */
#ifndef OVK_PRECOND_AMG_OPERATORS_COLUMNS_H
#define OVK_PRECOND_AMG_OPERATORS_COLUMNS_H

#include "precond/amg/operators/entries.h"

/* Those of this rank come first, then those of other ranks. All zero: none. */
typedef struct ovk__amg_columns {
  ovk_gidx first; /* of this rank */
  ovk_lidx own;
  ovk_gidx *foreign; /* increasing */
  ovk_lidx nforeign;
} ovk__amg_columns;

/* *out <- the columns of the entries of e[0] to e[n - 1], in groups of `size` columns that are
 * numbered as one; `layout` is that of all columns. To be freed also after a failure. Not
 * collective. */
ovk_err ovk__amg_columns_create(ovk_ctx *ctx, const ovk__layout *layout, int size,
                                const ovk__amg_entries *const e[], int n, ovk__amg_columns *out);
void ovk__amg_columns_free(ovk__amg_columns *columns);

static inline bool ovk__amg_columns_owns(const ovk__amg_columns *columns, ovk_gidx col)
{
  return col >= columns->first && col < columns->first + columns->own;
}

/* The number of a column on this rank. */
ovk_lidx ovk__amg_columns_local(const ovk__amg_columns *columns, ovk_gidx col);

/* Columns in the order of the whole problem: those of lower ranks, of this rank, of higher ranks.
 * Then further columns, increasing. All zero: none. */
typedef struct ovk__amg_numbering {
  ovk_lidx n;       /* columns without the further ones */
  ovk_lidx further; /* further columns */
  ovk_lidx first;   /* the first own column */
  ovk_lidx own;     /* own columns */
  ovk_gidx *global; /* the number of each column in the whole problem */
} ovk__amg_numbering;

/* *out <- the numbering of these columns, to be freed also after a failure. Not collective. */
ovk_err ovk__amg_numbering_create(ovk_ctx *ctx, const ovk__amg_columns *columns,
                                  ovk__amg_numbering *out);
void ovk__amg_numbering_free(ovk__amg_numbering *numbering);

/* Adds those of n columns that have no number yet, in any order and repeated; once. */
ovk_err ovk__amg_numbering_extend(ovk_ctx *ctx, ovk__amg_numbering *numbering, const ovk_gidx *cols,
                                  ovk_lidx n);

static inline bool ovk__amg_numbering_owns(const ovk__amg_numbering *numbering, ovk_lidx col)
{
  return col >= numbering->first && col < numbering->first + numbering->own;
}

/* The number of a column on this rank, -1 if it has none. */
ovk_lidx ovk__amg_numbering_local(const ovk__amg_numbering *numbering, ovk_gidx col);

#endif
