/* SPDX-License-Identifier: BSD-2-Clause */
/* Aggregates: groups of strongly coupled rows. Each becomes a row of the coarse level. */
#ifndef OVK_PRECOND_AMG_AGGREGATION_AGGREGATES_H
#define OVK_PRECOND_AMG_AGGREGATION_AGGREGATES_H

#include "precond/amg/aggregation/strength.h"

typedef struct ovk__amg_aggregates {
  ovk__layout coarse; /* the rows of the coarse level */
  double *of; /* the coarse row of each own row and ghost; -1: none. An exact integer, as the
                 halo exchanges doubles */
} ovk__amg_aggregates;

/* Finds the aggregates. They do not depend on the number of ranks. *out is to be freed also after a
 * failure. Collective; errors are agreed. */
ovk_err ovk__amg_aggregates_create(ovk__amg_rows *rows, const ovk__amg_strength *strength,
                                   ovk__amg_aggregates *out);

/* *out <- the aggregates `from` of the same rows or points, of a matrix that may have other ghosts.
 * To be freed also after a failure. Collective; errors are agreed. */
ovk_err ovk__amg_aggregates_copy(const ovk__amg_rows *rows, const ovk__amg_aggregates *from,
                                 ovk__amg_aggregates *out);
void ovk__amg_aggregates_free(ovk__amg_aggregates *aggregates);

/* root[i] <- 1 if own row or ghost i is a root, 0 if not: the roots are the lexicographically first
 * maximal set of rows at a distance above 2 in the graph of strong couplings, in a pseudo-random
 * order that depends on row numbers only. Rows without strong couplings are in no such set, nor
 * are dense rows. Has room for rows->all numbers. Collective; errors are
 * agreed. Source: Bell, Dalton, Olson, "Exposing fine-grained parallelism in algebraic multigrid
 * methods" (2012), algorithm 5. */
ovk_err ovk__amg_roots(const ovk__amg_rows *rows, const ovk__amg_strength *strength, double *root);

#endif
