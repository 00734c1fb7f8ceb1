/* SPDX-License-Identifier: BSD-2-Clause */
/* The coarse matrix P^T A P. */
#ifndef OVK_PRECOND_AMG_OPERATORS_GALERKIN_H
#define OVK_PRECOND_AMG_OPERATORS_GALERKIN_H

#include "precond/amg/aggregation/rows.h"
#include "precond/amg/operators/accumulator.h"

/* *coarse <- P^T A P, assembled, with the same bits on any number of ranks; for a symmetric A
 * symmetric bit for bit. P has `modes` consecutive columns for each aggregate; `layout` is that of
 * all of them. Where P has an empty column the diagonal is the largest one. A pattern that is
 * unknown becomes known, for the next product with the same patterns of A and P; NULL: it is not
 * kept. Rows are read by bands; none are held after it. *coarse is NULL after
 * a failure. *hash <- a hash of its entries, the same on all ranks. Collective; errors are agreed.
 */
ovk_err ovk__amg_galerkin(ovk__amg_rows *rows, const ovk__amg_entries *P, int modes,
                          const ovk__layout *layout, bool symmetric, ovk__amg_sums_pattern *pattern,
                          ovk_mat **coarse, uint64_t *hash);

#endif
