/* SPDX-License-Identifier: BSD-2-Clause */
/* The method that a solver uses, with its sums and work vectors, and its change to another one. */
#ifndef OVK_SOLVERS_METHOD_CHANGE_H
#define OVK_SOLVERS_METHOD_CHANGE_H

#include "solvers/state/state.h"

/* Names the method, which has no memory yet. Not collective. */
void ovk__method_set(ovk_solver *S, const ovk__method *method, ovk__settings settings);

/* Allocates the vectors and the state of the method. Needs S->opened and S->null. Collective;
 * errors are agreed. */
ovk_err ovk__method_open(ovk_solver *S);

/* Frees that; nothing if it is not open. */
void ovk__method_close(ovk_solver *S);

/* Closes the method, if one is open, and opens another. If that fails, the solver is unusable.
 * Collective; errors are agreed. */
ovk_err ovk__method_change(ovk_solver *S, const ovk__method *method, ovk__settings settings);

#endif
