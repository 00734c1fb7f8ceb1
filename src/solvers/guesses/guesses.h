/* SPDX-License-Identifier: BSD-2-Clause */
/* Initial guesses from the last solutions (ovk_solver_opts.guesses). The error of a guess is
 * projected onto their span: the residual becomes orthogonal to them, and the error least in the
 * norm of A.
 *
 * P. F. Fischer, "Projection techniques for iterative solution of Ax = b with successive right-hand
 * sides", Comput. Methods Appl. Mech. Engrg. 163 (1998) 193-204. A full basis restarts there with
 * one solution. Here the oldest solution leaves it, by rotations as in the update of a QR
 * factorization. */
#ifndef OVK_SOLVERS_GUESSES_GUESSES_H
#define OVK_SOLVERS_GUESSES_GUESSES_H

#include "solvers/state/state.h"

enum { OVK__MOST_GUESSES = 100 };

/* S->guesses <- memory for S->opts.guesses solutions, if that is not 0. Collective; errors are
 * agreed. */
ovk_err ovk__guesses_create(ovk_solver *S);
void ovk__guesses_destroy(ovk_solver *S);

/* Before a solve: improves x; *x_is_zero: whether it is 0, the same on all ranks. Without solutions
 * so far, or for a method for indefinite matrices, it does nothing. Collective; failures of a
 * product on any rank are errors on all. */
ovk_err ovk__guesses_start(ovk_solver *S, const ovk_vec *b, ovk_vec *x, bool *x_is_zero);

/* After a solve that has converged: takes its solution into the span, unless it lies there already.
 * A product and two reductions. Collective, with failures as above. */
ovk_err ovk__guesses_keep(ovk_solver *S, const ovk_vec *b, const ovk_vec *x);

/* For new values of A: makes the basis orthonormal again, with a product and a reduction for each
 * vector. Collective, with failures as above. */
ovk_err ovk__guesses_update(ovk_solver *S);

#endif
