/* SPDX-License-Identifier: BSD-2-Clause */
/* The result of a solve: why it ended, iterations, residuals and times. */
#ifndef OVKRYLOV_RESULT_H
#define OVKRYLOV_RESULT_H

#include <ovkrylov/base.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
                                      0 for b = 0; -1 where a bound of the rounding errors made that
                                      unnecessary, see ovk_shell_ops.rounding */
  double rhs_null_part; /**< norm of the part of b that was removed, in the null space of A^T, over
                             ||b||; 0 where it is unknown */
  ovk_seconds seconds;
  uint64_t fingerprint; /**< with exact sums, a hash of all totals of the solve in their order: two
                             solves with the same one are the same bit for bit; else 0 */
  char method[64];      /**< the method that ran, which "auto" may have chosen, as
                             ovk_solver_method() returns it; "" where no solve has begun */
} ovk_result;

/** The initializer of an ovk_result. */
#define OVK_RESULT OVK_SIZED(ovk_result)

/** @return the index of the result to report for n columns: one that has not converged, or else one
 * with the most iterations. Not collective. */
OVK_API int ovk_results_worst(const ovk_result *results, int n);

OVK_END_DECLS

#endif
