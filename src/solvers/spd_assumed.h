/* SPDX-License-Identifier: BSD-2-Clause */
/* Solves for which "auto" took A and M for definite. Conjugate gradients may ruin x before they
 * find that these are not: the best x of those with a recomputed residual is kept, and another
 * method continues from there. */
#ifndef OVK_SOLVERS_SPD_ASSUMED_H
#define OVK_SOLVERS_SPD_ASSUMED_H

#include "solvers/state/state.h"

/* To be called with each recomputed residual. */
ovk_err ovk__spd_keep_best(ovk_solver *S);

/* If the solve has ended as it does for no definite A and M, continues from the best x with another
 * method, unless there is none. Collective; errors are agreed. */
ovk_err ovk__spd_reconsider(ovk_solver *S);

/* A solve that fails after that, or as no method is left, ends with the best x. Collective; errors
 * are agreed. */
ovk_err ovk__spd_end(ovk_solver *S);

#endif
