/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of a solver, with their defaults, and monitors. */
#ifndef OVKRYLOV_SOLVER_OPTS_H
#define OVKRYLOV_SOLVER_OPTS_H

#include <ovkrylov/vector.h>
#include <stdbool.h>
#include <stdint.h>

OVK_BEGIN_DECLS

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

OVK_END_DECLS

#endif
