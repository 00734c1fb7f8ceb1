/* SPDX-License-Identifier: BSD-2-Clause */
/* The method "auto": predicts the time of an iteration of each method from the times of its parts
 * in a trial and from the methods' phase tables, and chooses the fastest. */
#ifndef OVK_SOLVERS_AUTO_SELECT_METHOD_H
#define OVK_SOLVERS_AUTO_SELECT_METHOD_H

#include "solvers/auto/autotune.h"

/* A method and its pipeline depth, 0 if it has none. */
typedef struct ovk__candidate {
  const ovk__method *method;
  int depth;
} ovk__candidate;

/* The fastest method, or the first of several that are about as fast. All ranks choose the same, as
 * their costs and S->M are the same. Writes the reason to S->selection.why. Not collective. */
ovk__candidate ovk__select_method(ovk_solver *S, const ovk__method *const *methods, int n,
                                  const ovk__costs *costs);

/* If a reduction takes less than this fraction of an iteration, the simplest method of the class of
 * A is chosen whatever the other costs: no other one has less work, and all its reductions together
 * are not worth a change. Not collective. */
double ovk__select_negligible(const ovk_solver *S);

/* The updates of an iteration of that method, as a number of x <- x + alpha p. Not collective. */
double ovk__select_sweeps(const ovk_solver *S);

/* OVK_ERR_INTERNAL on all ranks unless all chose the same: ranks with different methods would
 * deadlock. Collective. */
ovk_err ovk__select_method_agree(const ovk_solver *S, ovk__candidate mine);

#endif
