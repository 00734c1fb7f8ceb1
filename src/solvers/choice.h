/* SPDX-License-Identifier: BSD-2-Clause */
/* The choice of the method "auto": what an iteration of each would take, from what its parts took
 * in a trial and from the methods' own tables. */
#ifndef OVK_SOLVERS_CHOICE_H
#define OVK_SOLVERS_CHOICE_H

#include "solvers/trial.h"

/* A method, and how deep its pipeline is: 0 without one. */
typedef struct ovk__candidate {
  const ovk__method *method;
  int depth;
} ovk__candidate;

/* The fastest by far, or the first of those that are about as fast. All ranks choose the same, as
 * their costs are the same. Why, is in S->method_why. */
ovk__candidate ovk__choose(ovk_solver *S, const ovk__method *const *methods, int n,
                           const ovk__costs *costs);

#endif
