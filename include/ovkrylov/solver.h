/* SPDX-License-Identifier: BSD-2-Clause */
/* Krylov methods: options, results, one-shot solve and the reusable solver. */
#ifndef OVKRYLOV_SOLVER_H
#define OVKRYLOV_SOLVER_H

#include <ovkrylov/matrix.h>
#include <ovkrylov/multivec.h>
#include <ovkrylov/precond.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

OVK_BEGIN_DECLS

/** The reason for which a solve ended. Positive reasons: converged. */
typedef enum ovk_reason {
  OVK_REASON_CONVERGED_RTOL = 1,          /**< the residual meets rtol */
  OVK_REASON_CONVERGED_ATOL = 2,          /**< the residual meets atol */
  OVK_REASON_CONVERGED_ZERO_RHS = 3,      /**< b = 0, so x = 0 */
  OVK_REASON_NOT_RUN = 0,                 /**< an error ended the solve */
  OVK_REASON_MAXIT = -1,                  /**< maxit iterations were not enough */
  OVK_REASON_BREAKDOWN_INDEFINITE_A = -2, /**< the method needs a positive definite A */
  OVK_REASON_BREAKDOWN_INDEFINITE_M = -3, /**< the method needs a positive definite M */
  OVK_REASON_NAN = -4,                    /**< NaN or Inf, or squares that overflow or underflow */
  OVK_REASON_DIVERGED = -5,               /**< the residual exceeds dtol */
  OVK_REASON_STAGNATED = -6,              /**< the recomputed residual does not decrease any more */
  OVK_REASON_MONITOR = -7,                /**< the monitor requested the stop */
  OVK_REASON_BREAKDOWN_LANCZOS = -8,      /**< a divisor of the Lanczos process vanished */
  OVK_REASON_BREAKDOWN_BICG = -9,         /**< a divisor of BiCGStab vanished */
  OVK_REASON_STAGNATED_RESTART = -10,     /**< a cycle between two restarts had no effect */
  OVK_REASON_SINGULAR = -11               /**< A has no inverse on the Krylov space */
} ovk_reason;

/** @return the text of a reason, such as "MAXIT". Not collective. */
OVK_API const char *ovk_reason_text(ovk_reason reason);

/** @return the name of the PETSc reason with the same meaning, such as "KSP_DIVERGED_ITS". Not
 * collective. */
OVK_API const char *ovk_reason_petsc_text(ovk_reason reason);

/**
 * Find a reason by its name. Not collective.
 *
 * @param name  as ovk_reason_text() or ovk_reason_petsc_text() returns it, in any case of letters.
 *              Of several reasons that PETSc does not distinguish it is the first one above.
 * @return false for an unknown name; *reason is unchanged then
 */
OVK_API bool ovk_reason_find(const char *name, ovk_reason *reason);

/** The norm in which residuals are tested, with the preconditioner M. In exact arithmetic r is
 * b - A x. */
typedef enum ovk_norm {
  OVK_NORM_UNPRECONDITIONED, /**< ||r||, the Euclidean norm */
  OVK_NORM_PRECONDITIONED,   /**< ||M^-1 r|| */
  OVK_NORM_NATURAL           /**< sqrt((r, M^-1 r)), the norm in which M^-1 is the inner product */
} ovk_norm;

/** The state of a solve that a monitor receives, the same on all ranks. Norms are those of
 * ovk_solver_opts.norm. */
typedef struct ovk_progress {
  size_t size;               /**< set by the library, see @ref struct_sizes */
  int iteration;             /**< 0 before the first */
  double residual_norm;      /**< of the method's recurrence */
  double true_residual_norm; /**< recomputed; NaN where it was not, see true_residual_every */
  double rhs_norm;           /**< of b */
  double tolerance;          /**< the solve converges when residual_norm is not above it */
  uint64_t fingerprint;      /**< with exact sums, a hash of the totals so far; else 0 */
  int column;                /**< of ovk_solver_solve_many(), from 0 on; 0 in other solves */
} ovk_progress;

/** The values that a monitor returns. OVK_MONITOR_STOP_NOW is a number that no monitor returns by
 * chance. */
enum {
  OVK_MONITOR_CONTINUE = 0,
  OVK_MONITOR_STOP = 1,             /**< on one rank or more; so is any other number */
  OVK_MONITOR_STOP_NOW = 0x53544f50 /**< on all ranks in the same iteration */
};

/**
 * Observe a solve, and stop it. Called on every rank at iteration 0 and after each iteration.
 * "chebyshev" computes a norm, and calls its monitor, in every tenth iteration only.
 *
 * OVK_MONITOR_STOP on any rank stops the solve on all ranks with OVK_REASON_MONITOR, at the end of
 * the next iteration, as the request is sent with a reduction of the method. In "pipelcg" that is l
 * iterations later. OVK_MONITOR_STOP_NOW stops the solve at once, with the current x. No message is
 * sent for it, so all ranks must return it: they do if it follows from `progress`. Otherwise they
 * wait for each other.
 *
 * During a solve, as in a monitor or in a preconditioner, the solver accepts ovk_solver_current_x()
 * only. ovk_solver_solve(), ovk_solver_update() and the functions that set something of the solver
 * return OVK_ERR_STATE. So do functions that change A, M, b or x; see ovk_ctx. Other solvers may
 * solve, also with the same A, M and b. ovk_solver_update() of a solver with the same M is
 * OVK_ERR_STATE.
 */
typedef int (*ovk_monitor_fn)(void *arg, const ovk_progress *progress);

/**
 * Print a line an iteration: a monitor. Not collective.
 *
 * @param file  a FILE *; NULL on ranks that print nothing
 * @return 0
 */
OVK_API int ovk_monitor_print(void *file, const ovk_progress *progress);

/** The array in which ovk_monitor_record() stores. The caller owns the memory. Entries that do not
 * fit are counted, not stored. */
typedef struct ovk_history {
  ovk_progress *entries; /**< room for `capacity` of them */
  int capacity;
  int count; /**< entries so far; may exceed capacity */
} ovk_history;

/**
 * Record the history: a monitor. Not collective.
 *
 * @param history  an ovk_history *
 * @return 0
 */
OVK_API int ovk_monitor_record(void *history, const ovk_progress *progress);

/** The options of a solver. Start from OVK_SOLVER_OPTS or ovk_solver_opts_default(). */
typedef struct ovk_solver_opts {
  size_t size;         /**< sizeof(ovk_solver_opts), see @ref struct_sizes */
  const char *method;  /**< spec of the method, see `ovk list methods`; NULL: OVK_METHOD, or else
                            "auto", which may differ from run to run */
  const char *backend; /**< spec of the reductions; NULL: OVK_BACKEND, or else "auto" */
  double rtol; /**< converged when ||b - A x|| <= max(rtol ||b||, atol) in `norm`; 0 <= rtol < 1 */
  double atol; /**< >= 0 */
  double dtol; /**< OVK_REASON_DIVERGED when ||b - A x|| > dtol max(||b||, ||b - A x0||); > 1 */
  int maxit;   /**< maximum number of iterations, >= 0 */
  ovk_lidx poll_rows;      /**< rows between two polls of a running reduction, >= 1; 0: adapted to
                                the duration of the last reductions, see ovk_reduction_poll() */
  int true_residual_every; /**< recompute b - A x for the monitor every so many iterations; 0: never
                            */
  ovk_monitor_fn monitor;  /**< NULL: none */
  void *monitor_arg;       /**< passed to the monitor */
  ovk_norm norm;           /**< of all residuals that are tested and of b, without a further
                                reduction; its cost in each method: docs/reference.md */
  bool null_constant;      /**< A is singular: constant vectors are in its null space, A v = 0 */
  int null_count;          /**< number of null_vectors, >= 0 */
  const ovk_vec *const *null_vectors; /**< further vectors of that null space, with the rows of A;
                                           copies are orthonormalized */
  bool spd; /**< A and M are symmetric positive definite: "auto" selects conjugate gradients without
                 an inspection of the values of A, and keeps them */
  const ovk_vec *const *left_null_vectors; /**< the null space of A^T, v^T A = 0 */
  int left_null_count;                     /**< their number, >= 0 */
  bool left_null_constant;                 /**< constant vectors are in the null space of A^T */
  bool symmetric; /**< A is symmetric, whatever its values show: "auto" inspects the diagonal only
                   */
  const char *exact; /**< "off"; "sums": the same bits with any backend; "all": also for any number
                          of ranks and any partition, see docs/exact.md; NULL: OVK_EXACT, or else
                          "off" */
  int guesses;       /**< initial guesses are improved from so many of the last solutions, 0 to 100;
                          0: they are not. For methods for positive definite A, see
                          ovk_solver_solve() */
} ovk_solver_opts;

/**
 * The defaults. dtol: in exact arithmetic the residual of CG can grow by sqrt(cond(A)), 1e8 for the
 * worst matrix that doubles can resolve, so beyond 1e10 the solve is lost.
 */
#define OVK_SOLVER_OPTS                                                                            \
  {                                                                                                \
    .size = sizeof(ovk_solver_opts), .method = 0, .backend = 0, .rtol = 1e-8, .atol = 0.0,         \
    .dtol = 1e10, .maxit = 10000, .poll_rows = 0, .true_residual_every = 0, .monitor = 0,          \
    .monitor_arg = 0, .norm = OVK_NORM_UNPRECONDITIONED, .null_constant = false, .null_count = 0,  \
    .null_vectors = 0, .spd = false, .left_null_vectors = 0, .left_null_count = 0,                 \
    .left_null_constant = false, .symmetric = false, .exact = 0, .guesses = 0                      \
  }

/** @return the defaults, for C++ and for bindings. Not collective. */
OVK_API ovk_solver_opts ovk_solver_opts_default(void);

/** The former names of the options, for programs that use ovk_pcg_solve() only. */
typedef ovk_solver_opts ovk_pcg_opts;
#define OVK_PCG_OPTS OVK_SOLVER_OPTS

/** Seconds of one solve on this rank. The parts are exclusive of each other. An exception: where a
 * user's shell or preconditioner calls ovk_mat_mult(), that time counts in both parts. */
typedef struct ovk_seconds {
  double solve;           /**< the whole solve */
  double mult;            /**< SpMVs, without the wait for the halo */
  double halo_wait;       /**< waiting for the rows of other ranks */
  double precond;         /**< preconditioner, unless it is diagonal */
  double vector;          /**< vector updates, inner products, diagonal preconditioners */
  double reduction_begin; /**< beginning reductions; with "blocking" all of a reduction */
  double reduction_wait;  /**< waiting for reductions */
} ovk_seconds;

/** The result of a solve. It is the same on all ranks, except for the seconds. Initialize it with
 * OVK_RESULT. */
typedef struct ovk_result {
  size_t size;        /**< sizeof(ovk_result), see @ref struct_sizes */
  ovk_reason reason;  /**< > 0: converged */
  int iterations;     /**< of all restarts together */
  int restarts;       /**< times the true residual was above the tolerance at an exit */
  int replacements;   /**< times the vectors of the recurrence were recomputed, restarts included */
  int method_changes; /**< 1 where a method with overlapped reductions lost accuracy, and its
                           fallback finished the solve */
  int reductions_per_iteration; /**< of the method; 0: not in every iteration */
  int vectors;                  /**< work vectors of the method, besides b and x */
  double rhs_norm;              /**< of b, in ovk_solver_opts.norm */
  double tolerance;             /**< max(rtol rhs_norm, atol) */
  double relative_residual; /**< of the recurrence at the end, in that norm, over rhs_norm; 0 for
                                 b = 0 */
  double true_relative_residual; /**< ||b - A x|| / ||b||, recomputed at the end, always Euclidean;
                                      0 for b = 0 */
  double rhs_null_part; /**< norm of the part of b that was removed, in the null space of A^T, over
                             ||b||; 0 where it is unknown */
  ovk_seconds seconds;
  uint64_t fingerprint; /**< with exact sums, a hash of all totals of the solve in their order: two
                             solves with the same one are the same bit for bit; else 0 */
} ovk_result;

/** The initializer of an ovk_result. */
#define OVK_RESULT                                                                                 \
  {                                                                                                \
    .size = sizeof(ovk_result)                                                                     \
  }

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
 *         opts.norm; OVK_ERR_ARG, also for a vector that is not in the null space, ||A v|| > 1e-8
 *         ||A|| ||v||, or an estimate of ||A^T v|| > 1e-7 ||A|| ||v||, or that depends on those
 *         before it; OVK_ERR_MEMORY
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
 *             not b, and no memory of b
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
 * its recomputed residual, as by ovk_solver_solve(). A column that fails, or that is not confirmed,
 * is solved again by itself, and its result is that of this solve.
 *
 * All methods iterate columns together but "fcg", "pipefcg", "pipebcgs", "fgmres", "pgmres", and
 * "gmres" with other options than "restart" and "side"; "auto" where it has chosen one of them.
 * "single-reduction", "groppcg" and "pipecg" do so with their own reductions, overlapped as theirs,
 * other conjugate gradients with the two blocking reductions of "two-reductions". The others solve
 * for one column after the other. So does any method with a monitor, a null space, a shell, or an A
 * so far from 1 that it is scaled.
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

/** @return the index of the result to report for n columns: one that has not converged, or else one
 * with the most iterations. Not collective. */
OVK_API int ovk_results_worst(const ovk_result *results, int n);

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
