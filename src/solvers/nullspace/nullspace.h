/* SPDX-License-Identifier: BSD-2-Clause */
/* The null spaces of a singular A and of A^T, as ovk_solver_opts describes them. */
#ifndef OVK_SOLVERS_NULLSPACE_NULLSPACE_H
#define OVK_SOLVERS_NULLSPACE_NULLSPACE_H

#include "solvers/state/state.h"

/* The part of the checks that is not collective. */
ovk_err ovk__nullspace_check(ovk_ctx *ctx, const ovk_mat *A, const ovk_solver_opts *opts);

/* S->null, S->left_null <- orthonormal bases, and the memory of projections. Needs S->opened.
 * Collective; errors are agreed. */
ovk_err ovk__nullspace_create(ovk_solver *S);

/* OVK_ERR_ARG unless A v and A^T v are about 0 for all v that were given for A and A^T; sets
 * S->values.null_is_left. Collective; errors are agreed. */
ovk_err ovk__nullspace_verify(ovk_solver *S);

/* At the start of a solve: S->b <- a copy of b without its part in the null space of A^T, as far as
 * that is known, with a notice; x <- x without its part in the null space of A. Collective. */
ovk_err ovk__nullspace_start(ovk_solver *S);

/* x <- x without its part in the null space of A. Collective. */
ovk_err ovk__nullspace_end(ovk_solver *S);

/* out <- P M^-1 P in for a solver, where P removes the null space of A; overwrites S->null_rhs.
 * Collective; failures of M are this rank's only. */
ovk_err ovk__nullspace_action(const void *solver, const ovk_vec *in, ovk_vec *out);

void ovk__nullspace_destroy(ovk_solver *S);

#endif
