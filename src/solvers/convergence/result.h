/* SPDX-License-Identifier: BSD-2-Clause */
/* The end of a solve as the ovk_result that its caller receives, and the begin of the next one. */
#ifndef OVK_SOLVERS_CONVERGENCE_RESULT_H
#define OVK_SOLVERS_CONVERGENCE_RESULT_H

#include "solvers/state/state.h"

/* Resets the members of S that belong to one solve. For a system that is not scaled, b and x may be
 * NULL. */
void ovk__solve_reset(ovk_solver *S, const ovk_vec *b, ovk_vec *x);

/* The result of the solve that has ended, except for its seconds. */
ovk_result ovk__result_of(const ovk_solver *S);

/* After an error the result keeps the counts of the solve, but no reason and no residual. */
void ovk__result_forget_end(ovk_result *res);

/* The times in the log of the context, and those since then. */
ovk_seconds ovk__result_clocks(const ovk_ctx *ctx);
ovk_seconds ovk__result_elapsed(const ovk_ctx *ctx, const ovk_seconds *since);

#endif
