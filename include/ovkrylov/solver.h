/* SPDX-License-Identifier: BSD-2-Clause */
/* Krylov methods: options, results, one-shot solve and the reusable solver. */
#ifndef OVKRYLOV_SOLVER_H
#define OVKRYLOV_SOLVER_H

#include <ovkrylov/matrix.h>
#include <ovkrylov/precond.h>
#include <stdbool.h>
#include <stdio.h>

OVK_BEGIN_DECLS

/** Why a solve ended: X(name, value, text). Positive: converged. OVK_REASON_NAN stands for all
 * numbers that doubles cannot work with: NaN, Inf, and squares that overflow or underflow. In
 * OVK_REASON_BREAKDOWN_LANCZOS and OVK_REASON_BREAKDOWN_BICG an inner product has vanished by which
 * the process divides; OVK_REASON_STAGNATED_RESTART: an iteration between two restarts has not
 * reduced the residual; OVK_REASON_SINGULAR: A has no inverse on the Krylov space. */
#define OVK_REASON_LIST(X)                                                                         \
  X(OVK_REASON_CONVERGED_RTOL, 1, "CONVERGED_RTOL")                                                \
  X(OVK_REASON_CONVERGED_ATOL, 2, "CONVERGED_ATOL")                                                \
  X(OVK_REASON_CONVERGED_ZERO_RHS, 3, "CONVERGED_ZERO_RHS")                                        \
  X(OVK_REASON_NOT_RUN, 0, "NOT_RUN")                                                              \
  X(OVK_REASON_MAXIT, -1, "MAXIT")                                                                 \
  X(OVK_REASON_BREAKDOWN_INDEFINITE_A, -2, "BREAKDOWN_INDEFINITE_A")                               \
  X(OVK_REASON_BREAKDOWN_INDEFINITE_M, -3, "BREAKDOWN_INDEFINITE_M")                               \
  X(OVK_REASON_NAN, -4, "NAN")                                                                     \
  X(OVK_REASON_DIVERGED, -5, "DIVERGED")                                                           \
  X(OVK_REASON_STAGNATED, -6, "STAGNATED")                                                         \
  X(OVK_REASON_MONITOR, -7, "MONITOR")                                                             \
  X(OVK_REASON_BREAKDOWN_LANCZOS, -8, "BREAKDOWN_LANCZOS")                                         \
  X(OVK_REASON_BREAKDOWN_BICG, -9, "BREAKDOWN_BICG")                                               \
  X(OVK_REASON_STAGNATED_RESTART, -10, "STAGNATED_RESTART")                                        \
  X(OVK_REASON_SINGULAR, -11, "SINGULAR")

typedef enum ovk_reason {
#define OVK_REASON_ENUM(name, value, text) name = value,
  OVK_REASON_LIST(OVK_REASON_ENUM)
#undef OVK_REASON_ENUM
} ovk_reason;

/** @return the text of a reason, such as "MAXIT". Not collective. */
OVK_API const char *ovk_reason_text(ovk_reason reason);

/** The norm in which residuals are tested, with the preconditioner C. In exact arithmetic r is
 * b - A x. */
typedef enum ovk_norm {
  OVK_NORM_UNPRECONDITIONED, /**< ||r||, the Euclidean norm */
  OVK_NORM_PRECONDITIONED,   /**< ||C^-1 r|| */
  OVK_NORM_NATURAL           /**< sqrt((r, C^-1 r)), the norm in which C^-1 is the inner product */
} ovk_norm;

/** What a monitor is told, the same on all ranks. Norms are those of ovk_pcg_opts.norm. */
typedef struct ovk_progress {
  int iteration;             /**< 0 before the first */
  double residual_norm;      /**< as the method's recurrence has it */
  double true_residual_norm; /**< recomputed; NaN where it was not, see true_residual_every */
  double rhs_norm;           /**< of b */
  double tolerance;          /**< what residual_norm must come down to */
} ovk_progress;

/** What a monitor returns. OVK_MONITOR_STOP_NOW is a number that no monitor returns by chance. */
enum {
  OVK_MONITOR_CONTINUE = 0,
  OVK_MONITOR_STOP = 1,             /**< on one rank or more; so is any other number */
  OVK_MONITOR_STOP_NOW = 0x53544f50 /**< on all ranks in the same iteration */
};

/**
 * Called on every rank at iteration 0 and after each one. OVK_MONITOR_STOP on any rank stops the
 * solve on all with OVK_REASON_MONITOR, at the end of the next iteration: the request is sent with
 * a sum of the method. In "deep" that is l iterations later. OVK_MONITOR_STOP_NOW stops it at once,
 * with the x of which the monitor was told; as no message is sent, all ranks must return it, which
 * they do where it follows from `progress`, else they wait for each other. "chebyshev" has a norm,
 * and calls its monitor, in every tenth iteration only.
 *
 * While a solver solves, as in its monitor and its preconditioner, it takes ovk_solver_current_x()
 * alone: ovk_solver_solve(), ovk_solver_update() and what sets something of it are OVK_ERR_STATE.
 * So is what changes A, M, b or x; see ovk_ctx. Other solvers may solve, also with the same A, M
 * and b; ovk_solver_update() of one with the same M is OVK_ERR_STATE.
 */
typedef int (*ovk_monitor_fn)(void *arg, const ovk_progress *progress);

/**
 * A monitor that writes a line an iteration. Not collective.
 *
 * @param file  a FILE *; NULL on ranks to be silent
 * @return 0
 */
OVK_API int ovk_monitor_print(void *file, const ovk_progress *progress);

/** Where ovk_monitor_record() stores. The caller's memory; what does not fit is counted, not
 * stored. */
typedef struct ovk_history {
  ovk_progress *entries; /**< room for `capacity` of them */
  int capacity;
  int count; /**< entries seen; may exceed capacity */
} ovk_history;

/**
 * A monitor that records the history. Not collective.
 *
 * @param history  an ovk_history *
 * @return 0
 */
OVK_API int ovk_monitor_record(void *history, const ovk_progress *progress);

/** How to solve. Start from OVK_PCG_OPTS or ovk_pcg_opts_default(). */
typedef struct ovk_pcg_opts {
  size_t size;         /**< sizeof(ovk_pcg_opts), see @ref struct_sizes */
  const char *method;  /**< see `ovk list methods` ("algorithm1" is plain CG, with M PCG); NULL:
                            OVK_METHOD, or else "auto", which may differ from run to run */
  const char *backend; /**< spec of the reductions; NULL: OVK_BACKEND, or else "auto" */
  double rtol; /**< converged when ||b - A x|| <= max(rtol ||b||, atol) in `norm`; 0 <= rtol < 1 */
  double atol; /**< >= 0 */
  double dtol; /**< OVK_REASON_DIVERGED when ||b - A x|| > dtol max(||b||, ||b - A x0||); > 1 */
  int maxit;   /**< most iterations, >= 0 */
  ovk_lidx poll_rows; /**< rows between two polls of a running reduction, >= 1; 0: as many as suit
                           the last sums, see ovk_reduction_poll() */
  int true_residual_every; /**< recompute b - A x for the monitor every so many iterations; 0: never
                            */
  ovk_monitor_fn monitor;  /**< NULL: none */
  void *monitor_arg;       /**< handed to monitor */
  ovk_norm norm;           /**< of all residuals that are tested and of b, at no further sum; what
                                else it takes in which method: docs/reference.md */
  bool null_constant;      /**< A is singular: constant vectors are in its null space, A v = 0 */
  int null_count;          /**< so are that many of null_vectors, >= 0 */
  const ovk_vec *const *null_vectors; /**< with the rows of A, orthonormalised in copies */
  bool spd; /**< A and M are symmetric positive definite: "auto" takes conjugate gradients without
                 looking at the values of A, and stays with them */
  const ovk_vec *const *left_null_vectors; /**< the same of the null space of A^T, v^T A = 0 */
  int left_null_count;                     /**< their number, >= 0 */
  bool left_null_constant;                 /**< constant vectors are in the null space of A^T */
  bool
      symmetric; /**< A is symmetric, whatever its values show: "auto" looks at its diagonal only */
} ovk_pcg_opts;

/**
 * The defaults. dtol: in exact arithmetic CG's residual can grow by sqrt(cond(A)), 1e8 for the
 * worst matrix that doubles can resolve, so beyond 1e10 the solve is lost.
 */
#define OVK_PCG_OPTS                                                                               \
  {                                                                                                \
    .size = sizeof(ovk_pcg_opts), .method = 0, .backend = 0, .rtol = 1e-8, .atol = 0.0,            \
    .dtol = 1e10, .maxit = 10000, .poll_rows = 0, .true_residual_every = 0, .monitor = 0,          \
    .monitor_arg = 0, .norm = OVK_NORM_UNPRECONDITIONED, .null_constant = false, .null_count = 0,  \
    .null_vectors = 0, .spd = false, .left_null_vectors = 0, .left_null_count = 0,                 \
    .left_null_constant = false, .symmetric = false                                                \
  }

/** @return the defaults, for C++ and for bindings. Not collective. */
OVK_API ovk_pcg_opts ovk_pcg_opts_default(void);

/** Seconds of one solve on this rank. The parts are exclusive of each other, unless a user's shell
 * or preconditioner itself calls ovk_mat_mult(), which counts in both. */
typedef struct ovk_seconds {
  double solve;           /**< all of it */
  double mult;            /**< products, without the wait for the halo */
  double halo_wait;       /**< waiting for neighbours' rows */
  double precond;         /**< preconditioner, unless it is diagonal */
  double vector;          /**< updates, inner products, diagonal preconditioners */
  double reduction_begin; /**< starting sums; with "blocking" all of them */
  double reduction_wait;  /**< waiting for sums */
} ovk_seconds;

/** How a solve went. The same on all ranks, but for the seconds. */
typedef struct ovk_result {
  ovk_reason reason;  /**< > 0: converged */
  int iterations;     /**< of all restarts together */
  int restarts;       /**< times the true residual was not yet below the tolerance at an exit */
  int replacements;   /**< times the recurrence's vectors were recomputed, restarts included */
  int method_changes; /**< 1 where a method that hides sums lost accuracy and algorithm1 went on */
  int reductions_per_iteration; /**< of the method; 0: not in every iteration */
  int vectors;                  /**< work vectors of the method, beside b and x */
  double rhs_norm;              /**< of b, in ovk_pcg_opts.norm */
  double tolerance;             /**< max(rtol rhs_norm, atol) */
  double relative_residual; /**< of the recurrence at the end, in that norm, over rhs_norm; 0 for
                                 b = 0 */
  double true_relative_residual; /**< ||b - A x|| / ||b||, recomputed at the end, Euclidean in any
                                      case; 0 for b = 0 */
  double rhs_null_part; /**< norm of the part of b that was removed, in the null space of A^T, over
                             ||b||; 0 where that is not known */
  ovk_seconds seconds;
} ovk_result;

/** A method, its reductions and its work vectors, set up for one matrix and many right-hand sides.
 */
typedef struct ovk_solver ovk_solver;

/**
 * Sets up a solver. Collective. The method "deep" first estimates the ends of the spectrum, with
 * some products and preconditioner calls; if one of them fails, that is not reported here but by
 * the solve, where it will fail again. "auto" measures parts of an iteration and may choose
 * differently the next time: name a method for repeatable results. Both are booked in the log, see
 * log.h.
 *
 * Null spaces: a system with a singular A has solutions if b is orthogonal to the null space of
 * A^T, given as left_null_vectors. If A is symmetric, that is the null space of A; so null_vectors
 * serve for both where they prove to be in both. The component of b in the null space of A^T is
 * removed and reported (rhs_null_part, and ovk_ctx_on_notice() above 1e-10 of ||b||); results and
 * monitors refer to the remaining b. If that is below 16 eps ||b||, it counts as zero. If the null
 * space of A^T is not known, b is not changed. The null space of A is removed from x, which becomes
 * the solution of least norm. With a preconditioner that is not diagonal the sums of "algorithm1",
 * "algorithm2", "overlap", "single-reduction", "gropp" and "pipelined" have more values; other
 * methods, and all with OVK_NORM_PRECONDITIONED, take a blocking sum more for each application.
 *
 * A solver is made for the values that A and M have now: for new ones see ovk_solver_update().
 *
 * @param A     an assembled matrix or a shell; kept until the solver is gone
 * @param M     its preconditioner; kept until the solver is gone; NULL: none
 * @param opts  copied; NULL: the defaults
 * @param out   to be freed with ovk_solver_destroy()
 * @return OVK_ERR_UNKNOWN with the closest match for method and backend; OVK_ERR_UNSUPPORTED if the
 *         method needs a factored preconditioner and M has no factors, or has no residual in
 *         opts.norm; OVK_ERR_ARG, also
 *         for a vector that is not in the null space, ||A v|| > 1e-8 ||A|| ||v||, or an estimate of
 *         ||A^T v|| > 1e-7 ||A|| ||v||, or that depends on those before it; OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_solver_create(const ovk_mat *A, ovk_precond *M, const ovk_pcg_opts *opts,
                                  ovk_solver **out);

/** Frees a solver and sets *solver to NULL. NULL is allowed. Collective. One that solves is freed
 * at the end of its solve. */
OVK_API void ovk_solver_destroy(ovk_solver **solver);

/**
 * Solves A x = b from the initial guess in x. Collective. Allocates no memory (the MPI
 * library may), except for vectors where norms are first found to be beyond the range of squares,
 * and once where "auto" assumed that A is definite, A or C is not, and "minres" or "bicgstab" takes
 * over; if that fails, the solver can only be destroyed. That method starts from the x with the
 * smallest recomputed residual so far, the initial guess included, and if the solve fails, x is the
 * one with the smallest such residual at its end. A solve that fails for the scale of a shell or of
 * a user-defined preconditioner is repeated once, and its monitor sees iteration 0 again.
 *
 * Not converging is no error: OVK_OK with res->reason < 0. ovk_ctx_error() then says why, with the
 * likely cause and what to try next, as the table in docs/guide.md. To find the cause a failed
 * solve makes up to six products and applications more (is A symmetric, is it singular?), but none
 * where it ends with OVK_REASON_MAXIT after fewer than 100 iterations. A converged result is
 * confirmed with the recomputed residual; where that is more than 1 % above the tolerance, the
 * method starts anew from x. This ends when the recomputed residual meets the tolerance, or when a
 * start has not halved it (OVK_REASON_STAGNATED). The methods "single-reduction", "gropp",
 * "pipelined", "predict-recompute" and "deep" do so once; after that, and where their recurrences
 * break down though A and C do not, "algorithm1" takes over; so do "flexible-cg", "minres",
 * "bicgstab" and "gmres" after their pipelines.
 *
 * @param b    right-hand side, with the rows of A
 * @param x    the initial guess, which must be set (a new vector is 0), replaced by the solution;
 * not b, and no memory of b's
 * @param res  how it went; NULL if not wanted. After an error in the solve it has the reason
 *             OVK_REASON_NOT_RUN, the iterations that were completed, and NaN for residuals
 * @return OVK_ERR_ARG if a layout differs, or b and x share memory; OVK_ERR_STATE while the solver
 * or x is in use, see ovk_ctx, or A is not assembled; OVK_ERR_NETWORK; what a user's operator,
 * preconditioner or backend returned
 */
OVK_API ovk_err ovk_solver_solve(ovk_solver *solver, const ovk_vec *b, ovk_vec *x, ovk_result *res);

/**
 * Takes over new values of A, after ovk_mat_reset_values(), entries and ovk_mat_assemble(), or of
 * the operator of a shell. Collective. Renews everything that depends on values: calls
 * ovk_precond_update() for the solver's preconditioner, computes its factors and the spectrum of
 * "deep" and "chebyshev", and tests the null spaces. With "auto" it classifies A again, in one pass
 * over the entries and one reduction (for a shell in two products, and not where its method is one
 * for any A). If the class has changed, "auto" runs its trial again, chooses a method for the new
 * class and allocates its vectors; it also assumes again that a symmetric A with a positive
 * diagonal is definite, if a solve has shown otherwise for the old values. A method named by the
 * user, or with opts.spd, stays.
 *
 * A solve without it tests the residual of the new values, so a converged result is right; but it
 * has the preconditioner and the spectrum of the old ones, and may not converge where the values
 * have changed much: "deep", "chebyshev" and polynomial preconditioners need their scale.
 *
 * @return OVK_ERR_STATE while A is not assembled, or the solver or M is in use; as
 *         ovk_precond_update(); OVK_ERR_ARG if a null space is not one of the new values;
 *         OVK_ERR_MEMORY, after which the solver can only be destroyed
 */
OVK_API ovk_err ovk_solver_update(ovk_solver *solver);

/**
 * ovk_solver_update() without ovk_precond_update(): the preconditioner stays that of the old
 * values, where its setup takes longer than the iterations that it would save. Collective.
 *
 * @return as ovk_solver_update()
 */
OVK_API ovk_err ovk_solver_update_matrix(ovk_solver *solver);

/**
 * Sets the tolerances of the solves to come, as in ovk_pcg_opts. Collective.
 *
 * @return OVK_ERR_ARG for what ovk_solver_create() does not take, and for ranks that differ;
 *         OVK_ERR_STATE while the solver is in use: it keeps its tolerances then
 */
OVK_API ovk_err ovk_solver_set_tolerances(ovk_solver *solver, double rtol, double atol, double dtol,
                                          int maxit);

/**
 * Sets the monitor of the solves to come, as in ovk_pcg_opts. Collective. Ranks may have different
 * monitors.
 *
 * @param monitor  NULL: none
 * @return OVK_ERR_ARG if true_residual_every is negative, or differs between ranks; OVK_ERR_STATE
 *         while the solver is in use; OVK_ERR_MEMORY: the solver keeps its monitor then
 */
OVK_API ovk_err ovk_solver_set_monitor(ovk_solver *solver, ovk_monitor_fn monitor, void *arg,
                                       int true_residual_every);

/**
 * For monitors: x <- the solution as of the iteration that the monitor is told of. Collective. The
 * vector given to ovk_solver_solve() may lack updates then, which a method has put off; "deep"
 * applies the preconditioner for them.
 *
 * @param x  with the rows of A; not the vector being solved for
 * @return OVK_ERR_STATE outside of a monitor and while x is in use, see ovk_ctx; OVK_ERR_ARG, also
 * if the layout differs; OVK_ERR_MEMORY
 */
OVK_API ovk_err ovk_solver_current_x(ovk_solver *solver, ovk_vec *x);

/** @return the method in use, with its depth if it has one: "overlap", "deep:l=2". A solve changes
 * it where "auto" took A to be definite, and A is not; an update, where "auto" finds another class
 * of A. Not collective. */
OVK_API const char *ovk_solver_method(const ovk_solver *solver);

/** @return why "auto" came to that method, with the times that it measured; "" for a method that
 * was named. Valid until the solver is destroyed. Not collective. */
OVK_API const char *ovk_solver_method_why(const ovk_solver *solver);

/** @return the spec of the reductions in use. Not collective. */
OVK_API const char *ovk_solver_backend(const ovk_solver *solver);

/**
 * Creates a solver, solves once and destroys it. Collective. Parameters as for ovk_solver_create()
 * and ovk_solver_solve().
 *
 * @return as ovk_solver_create() and ovk_solver_solve()
 */
OVK_API ovk_err ovk_solve(const ovk_mat *A, ovk_precond *M, const ovk_vec *b, ovk_vec *x,
                          const ovk_pcg_opts *opts, ovk_result *res);

/**
 * ovk_solve() for a symmetric positive definite A: with opts.spd, and for the methods of such
 * matrices only. Collective.
 *
 * @return as ovk_solve(); OVK_ERR_ARG for a method that is for other matrices as well
 */
OVK_API ovk_err ovk_pcg_solve(const ovk_mat *A, ovk_precond *M, const ovk_vec *b, ovk_vec *x,
                              const ovk_pcg_opts *opts, ovk_result *res);

OVK_END_DECLS

#endif
