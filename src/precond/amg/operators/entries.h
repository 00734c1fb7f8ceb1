/* SPDX-License-Identifier: BSD-2-Clause */
/* Sparse rows with columns of the whole problem: interpolation during the setup. */
#ifndef OVK_PRECOND_AMG_OPERATORS_ENTRIES_H
#define OVK_PRECOND_AMG_OPERATORS_ENTRIES_H

#include "matrix/assembly/stash.h"
#include "matrix/layout/layout.h"

/* All zero: empty, no arrays. Columns increase within a row. */
typedef struct ovk__amg_entries {
  ovk_lidx rows;
  int64_t *ptr; /* rows + 1 */
  ovk_gidx *col;
  double *val;
  int64_t room; /* of col and val */
} ovk__amg_entries;

/* Row by row: allocates ptr for `rows` rows; makes room for `n` entries of all rows; appends an
 * entry to the row that is being made. */
ovk_err ovk__amg_entries_begin(ovk_ctx *ctx, ovk_lidx rows, ovk__amg_entries *out);
ovk_err ovk__amg_entries_reserve(ovk_ctx *ctx, ovk__amg_entries *e, int64_t n);
ovk_err ovk__amg_entries_append(ovk_ctx *ctx, ovk__amg_entries *e, int64_t at, ovk_gidx col,
                                double val);
void ovk__amg_entries_free(ovk__amg_entries *e);

/* *out <- the rows `wanted` of other ranks, increasing, from the ranks that own them by `layout`.
 * Collective; errors are agreed. */
ovk_err ovk__amg_entries_fetch(ovk_ctx *ctx, const ovk__layout *layout, const ovk__amg_entries *own,
                               const ovk_gidx *wanted, ovk_lidx nwanted, ovk__amg_entries *out);

/* *out <- the transpose: `columns` is the layout of its rows, `rows` that of those of `in`. The
 * entries of a row are in the order of the whole problem. Collective; errors are agreed. */
ovk_err ovk__amg_entries_transpose(ovk_ctx *ctx, const ovk__amg_entries *in,
                                   const ovk__layout *rows, const ovk__layout *columns,
                                   ovk__amg_entries *out);

#endif
