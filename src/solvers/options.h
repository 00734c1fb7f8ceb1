/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of a solver. */
#ifndef OVK_SOLVERS_OPTIONS_H
#define OVK_SOLVERS_OPTIONS_H

#include "solvers/state/state.h"

/* Whether each option is one that may be. Not collective. */
ovk_err ovk__options_check(ovk_ctx *ctx, const ovk_solver_opts *opts);

/* S->exact and S->exact_all <- as the options, or else OVK_EXACT, ask for. Not collective. */
ovk_err ovk__options_exact(ovk_solver *S);

/* OVK_ERR_ARG on all ranks unless they have the same options, and the same text `others`: ranks
 * with different controls of the iteration would wait for each other for ever. Collective. */
ovk_err ovk__options_compare(const ovk_solver *S, const char *others);

/* Makes the vectors that the options need in addition to the work vectors, if they are missing.
 * Collective; errors are agreed. */
ovk_err ovk__options_make_vectors(ovk_solver *S);

#endif
