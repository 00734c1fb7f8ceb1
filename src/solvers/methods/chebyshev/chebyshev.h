/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the Chebyshev iterations for one and for several columns. */
#ifndef OVK_SOLVERS_METHODS_CHEBYSHEV_CHEBYSHEV_H
#define OVK_SOLVERS_METHODS_CHEBYSHEV_CHEBYSHEV_H

#include "solvers/methods/chebyshev/interval.h"
#include "solvers/state/state.h"

/* The interval of the estimated spectrum, from a residual with (r, r) = rr. */
void ovk__chebyshev_start(const ovk_solver *S, double rr, ovk__interval *I);

/* Whether the next iteration ends with a norm. */
bool ovk__chebyshev_norm_is_due(const ovk_solver *S);

#endif
