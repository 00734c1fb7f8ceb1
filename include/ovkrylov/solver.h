/* SPDX-License-Identifier: BSD-2-Clause */
/* Krylov methods: the reusable solver, and the solve by one call. */
#ifndef OVKRYLOV_SOLVER_H
#define OVKRYLOV_SOLVER_H

#include <ovkrylov/matrix.h>
#include <ovkrylov/multivec.h>
#include <ovkrylov/precond.h>
#include <ovkrylov/result.h>
#include <ovkrylov/solver_opts.h>
#include <stdio.h>

OVK_BEGIN_DECLS

/** A method, its reductions and its work vectors, set up for one matrix and many right-hand sides.
 */
typedef struct ovk_solver ovk_solver;

/**
 * Create a solver. Collective. The method "pipelcg" first estimates the ends of the spectrum, with
 * a few SpMVs and preconditioner applications. An error of one of them is not reported here but by
 * the solve, where it will occur again. "auto" measures parts of an iteration and may choose
 * differently the next time: name a method for repeatable results. Both are booked in the log, see
 * log.h.
 *
 * Null spaces: a system with a singular A has solutions if b is orthogonal to the null space of
 * A^T, given as left_null_vectors. If A is symmetric, that is the null space of A; so null_vectors
 * serve for both where they prove to be in both. The component of b in the null space of A^T is
 * removed and reported (rhs_null_part, and ovk_ctx_on_notice() above 1e-10 of ||b||). Results and
 * monitors refer to the remaining b. If that is below 16 eps ||b||, it counts as zero. If the null
 * space of A^T is unknown, b is not changed. The null space of A is removed from x, which becomes
 * the solution of least norm. With a preconditioner that is not diagonal the reductions of "cg",
 * "split-cg", "overlap", "single-reduction", "groppcg" and "pipecg" have more values. Other
 * methods, and all methods with OVK_NORM_PRECONDITIONED, need a further blocking reduction for each
 * application.
 *
 * A solver is set up for the current values of A and M. For new values see ovk_solver_update().
 *
 * @param A     an assembled matrix or a shell; kept until the solver is destroyed
 * @param M     its preconditioner; kept until the solver is destroyed; NULL: none
 * @param opts  copied; NULL: the defaults
 * @param out   to be freed with ovk_solver_destroy()
 * @return OVK_ERR_UNKNOWN with the closest match for method and backend; OVK_ERR_UNSUPPORTED if the
 *         method needs a factored preconditioner and M has no factors, or has no residual in
 *         opts.norm, or exact = "all" or guesses are not for this method or M; OVK_ERR_ARG, also
 *         for a vector that is not in the null space, ||A v|| > 1e-8 ||A|| ||v||, or an estimate of
 *         ||A^T v|| > 1e-7 ||A|| ||v||, or that depends on those before it; OVK_ERR_STATE before
 *         assembly; OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_solver_create(ovk_mat *A, ovk_precond *M, const ovk_solver_opts *opts,
                                  ovk_solver **out);

/** Destroy a solver and set *solver to NULL. NULL is allowed. Collective. A solver that is in a
 * solve is freed at the end of that solve. */
OVK_API void ovk_solver_destroy(ovk_solver **solver);

/**
 * Solve A x = b from the initial guess in x. Collective. Allocates no memory (the MPI library may),
 * with two exceptions: vectors where norms are first found to be beyond the range of squares; and
 * the vectors of another method, once, where "auto" assumed that A is definite, A or M is not, and
 * "minres" or "bcgs" takes over. If the latter fails, the solver can only be destroyed. That method
 * starts from the x with the smallest recomputed residual so far, the initial guess included. If
 * the solve fails, x is the one with the smallest such residual at its end. A solve that fails for
 * the scale of a shell or of a user-defined preconditioner is repeated once, and its monitor
 * receives iteration 0 again.
 *
 * A solve that does not converge is no error: it returns OVK_OK with res->reason < 0. Then
 * ovk_ctx_error() is the likely cause and a remedy, as in the table in docs/guide.md. To find the
 * cause, a failed solve makes up to six further SpMVs and applications (is A symmetric, is it
 * singular?), but none where it ends with OVK_REASON_MAXIT after fewer than 100 iterations.
 *
 * A converged result is confirmed with the recomputed residual. Where that is more than 1 % above
 * the tolerance, the method restarts from x. This ends when the recomputed residual meets the
 * tolerance, or when a restart has not halved it (OVK_REASON_STAGNATED). "single-reduction",
 * "groppcg", "pipecg", "pipeprcg" and "pipelcg" restart once. After that, and where their
 * recurrences break down though A and M do not, "cg" takes over. So do "fcg", "minres", "bcgs" and
 * "gmres" for their pipelined forms.
 *
 * With opts.guesses = m the error of the initial guess is first projected onto the span of the last
 * m solutions, in the inner product of A (Fischer, Comput. Methods Appl. Mech. Engrg. 163, 1998).
 * This is for right-hand sides that change slowly, as in time steps. It takes a reduction and the
 * time of m vector updates before the solve; after it, three reductions and an SpMV in all, and the
 * time of 6 m updates. It takes the memory of m + 2 vectors. "auto" makes guesses while its method
 * is for definite matrices.
 *
 * @param b    right-hand side, with the rows of A
 * @param x    the initial guess, which must be set (a new vector is 0), replaced by the solution;
 *             not b, and no memory of b. NaN or Inf in it is OVK_REASON_NAN, unless b = 0
 * @param res  the result; NULL: not wanted. After an error in the solve it has the reason
 *             OVK_REASON_NOT_RUN, the iterations that were completed, and NaN for residuals
 * @return OVK_ERR_ARG if a layout differs, or b and x share memory; OVK_ERR_STATE while the solver
 *         or x is in use, see ovk_ctx, or A is not assembled; OVK_ERR_NETWORK; the error of a
 *         user-defined operator, preconditioner or backend
 */
OVK_API ovk_err ovk_solver_solve(ovk_solver *solver, const ovk_vec *b, ovk_vec *x, ovk_result *res);

/**
 * Solve A x = b for each column b of B, from the initial guess in the same column x of X.
 * Collective.
 *
 * Up to 8 columns are iterated together, with one pass over A, one halo exchange and one message
 * for the sums of all of them, see docs/many.md. Each column has its own stopping test, result and
 * message; a column that fails does not change the others. Each converged column is confirmed with
 * its recomputed residual, as by ovk_solver_solve(). A column that is not confirmed continues by
 * itself from its x. One that fails otherwise than with OVK_REASON_MAXIT is solved again by itself,
 * from its initial guess. Its result is that of this solve.
 *
 * All methods iterate columns together but "fcg", "pipefcg", "pipebcgs", "fgmres", "pgmres", and
 * "gmres" with other options than "restart" and "side"; "auto" where it has chosen one of them.
 * "single-reduction", "groppcg" and "pipecg" do so with their own reductions, overlapped as theirs,
 * other conjugate gradients with the two blocking reductions of "two-reductions". "blockcg"
 * searches one space for all columns, so that they need fewer iterations. The others solve for one
 * column after the other. So does any method with exact = "all", a monitor, a null space, a shell,
 * or an A so far from 1 that it is scaled.
 *
 * The first call with so many columns allocates their work vectors, which the solver keeps.
 *
 * @param B        right-hand sides, with the rows of A
 * @param X        as many initial guesses, replaced by the solutions; not B
 * @param results  a result for each column, each initialized with OVK_RESULT; NULL: not wanted.
 *                 Columns that were iterated together share their seconds equally. After an error
 *                 the columns that were not solved have the reason OVK_REASON_NOT_RUN
 * @return OVK_OK also where columns have not converged: ovk_ctx_error() then has their number and
 *         the message of the first one. Errors as of ovk_solver_solve(); OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_solver_solve_many(ovk_solver *solver, const ovk_multivec *B, ovk_multivec *X,
                                      ovk_result *results);

/** @return why a column of the last ovk_solver_solve_many() has not converged, with the likely
 * cause and a remedy; "" if it has. Valid until the next such solve. Not collective. */
OVK_API const char *ovk_solver_column_message(const ovk_solver *solver, int column);

/**
 * Update a solver for new values of A, after ovk_mat_reset_values(), entries and
 * ovk_mat_assemble(), or of the operator of a shell. Collective. Recomputes everything that depends
 * on values: calls ovk_precond_update() for the preconditioner, computes its factors and the
 * spectrum of "pipelcg" and "chebyshev", and tests the null spaces. With "auto" it classifies A
 * again, in one pass over the entries and one reduction (for a shell in two SpMVs, and not where
 * its method is one for any A). If the class has changed, "auto" repeats its trial, chooses a
 * method for the new class and allocates its vectors. It also assumes again that a symmetric A with
 * a positive diagonal is definite, if a solve has shown otherwise for the old values. A method
 * specified by the user, or with opts.spd, stays. The solutions of opts.guesses stay of use: one
 * SpMV and one reduction each.
 *
 * A solve without this update tests the residual of the new values, so a converged result is right.
 * But it uses the preconditioner and the spectrum of the old values, and may not converge where the
 * values have changed much: "pipelcg", "chebyshev" and polynomial preconditioners need their scale.
 *
 * @return OVK_ERR_STATE while A is not assembled, or the solver or M is in use; the errors of
 *         ovk_precond_update(); OVK_ERR_ARG if a null space is not one of the new values;
 *         OVK_ERR_MEMORY, after which the solver can only be destroyed
 */
OVK_API ovk_err ovk_solver_update(ovk_solver *solver);

/**
 * Update a solver as ovk_solver_update() does, but keep the preconditioner of the old values. Use
 * it where the setup of the preconditioner takes longer than the iterations that it would save.
 * Collective.
 *
 * @return as ovk_solver_update()
 */
OVK_API ovk_err ovk_solver_update_matrix(ovk_solver *solver);

/**
 * Set the tolerances of the following solves, as in ovk_solver_opts. Collective.
 *
 * @return OVK_ERR_ARG for values that ovk_solver_create() refuses, and for ranks that differ;
 *         OVK_ERR_STATE while the solver is in use. The solver then keeps its tolerances
 */
OVK_API ovk_err ovk_solver_set_tolerances(ovk_solver *solver, double rtol, double atol, double dtol,
                                          int maxit);

/**
 * Set the monitor of the following solves, as in ovk_solver_opts. Collective. Ranks may have
 * different monitors.
 *
 * @param monitor  NULL: none
 * @return OVK_ERR_ARG if true_residual_every is negative, or differs between ranks; OVK_ERR_STATE
 *         while the solver is in use; OVK_ERR_MEMORY: the solver keeps its monitor then
 */
OVK_API ovk_err ovk_solver_set_monitor(ovk_solver *solver, ovk_monitor_fn monitor, void *arg,
                                       int true_residual_every);

/**
 * Copy the solution of the current iteration to x, in a monitor. Collective. The vector given to
 * ovk_solver_solve() may lack updates that a method makes later; "pipelcg" applies the
 * preconditioner for them.
 *
 * @param x  with the rows of A; not the vector being solved for
 * @return OVK_ERR_STATE outside of a monitor and while x is in use, see ovk_ctx; OVK_ERR_ARG, also
 *         if the layout differs; OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_solver_current_x(ovk_solver *solver, ovk_vec *x);

/** @return the method in use, with its depth if it has one: "overlap", "pipelcg:l=2". A solve
 * changes it where "auto" assumed that A is definite, and A is not; an update, where "auto" finds
 * another class of A. Not collective. */
OVK_API const char *ovk_solver_method(const ovk_solver *solver);

/** @return the reason for which "auto" chose that method, with the times that it measured; "" for a
 * method specified by the user. Valid until the solver is destroyed. Not collective. */
OVK_API const char *ovk_solver_method_why(const ovk_solver *solver);

/** @return the spec of the reductions in use. Not collective. */
OVK_API const char *ovk_solver_backend(const ovk_solver *solver);

/**
 * Create a solver, solve once and destroy the solver. Collective. Parameters as for
 * ovk_solver_create() and ovk_solver_solve().
 *
 * @return as ovk_solver_create() and ovk_solver_solve()
 */
OVK_API ovk_err ovk_solve(ovk_mat *A, ovk_precond *M, const ovk_vec *b, ovk_vec *x,
                          const ovk_solver_opts *opts, ovk_result *res);

/**
 * Solve with a symmetric positive definite A, once: ovk_solve() with opts.spd, and with the methods
 * for such matrices only. Collective.
 *
 * @return as ovk_solve(); OVK_ERR_ARG for a method that is for other matrices as well
 */
OVK_API ovk_err ovk_pcg_solve(ovk_mat *A, ovk_precond *M, const ovk_vec *b, ovk_vec *x,
                              const ovk_solver_opts *opts, ovk_result *res);

OVK_END_DECLS

#endif
