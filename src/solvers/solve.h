/* SPDX-License-Identifier: BSD-2-Clause */
/* The parts of a solve that the solves with several right-hand sides share. */
#ifndef OVK_SOLVERS_SOLVE_H
#define OVK_SOLVERS_SOLVE_H

#include "solvers/state/state.h"

/* Whether this rank's part of x is 0. */
bool ovk__solve_is_zero(const ovk_vec *x);

/* One solve with checked arguments: S, b and x are usable. x_is_zero is the same on all ranks. If
 * it does not converge, S->message says why. Collective; errors are agreed. */
ovk_err ovk__solve_checked(ovk_solver *S, const ovk_vec *b, ovk_vec *x, bool x_is_zero,
                           ovk_result *res);

#endif
