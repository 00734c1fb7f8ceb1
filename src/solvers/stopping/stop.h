/* SPDX-License-Identifier: BSD-2-Clause */
/* The stopping rules: norm, tolerance and breakdown checks of all methods. Every decision depends
 * on global sums only, so all ranks decide alike. Functions that return whether the method must end
 * also return true if a diagnosis failed: all ranks then record the error, which the next sum with
 * a status reports. */
#ifndef OVK_SOLVERS_STOPPING_STOP_H
#define OVK_SOLVERS_STOPPING_STOP_H

#include "solvers/state/state.h"

/* From the squares of b and r before the first iteration: sets the tolerance; stops for a zero b,
 * for NaN and Inf, and if x0 meets the tolerance. Overwrites S->work[1] only where it stops.
 * Collective. */
ovk_err ovk__stop_start(ovk_solver *S, const ovk__square *b, const ovk__square *r);

/* Counts an iteration and tests rr, the square of r's norm as by ovk__step_norm(): converged,
 * diverged, NaN, the monitor's stop request, maxit. z is what the method has for C^-1 r; it is not
 * read for a diagonal C. The current iterate is x + alpha p if the method updates x later, or x for
 * p = NULL. Collective. */
ovk_err ovk__stop_test(ovk_solver *S, double rr, const ovk_vec *z, double alpha, const ovk_vec *p);

/* Stops unless curvature = (p, A p) is positive; s = A p, and z is the preconditioner's output from
 * which p was computed, or NULL if ovk__stop_gamma() has checked it (always so for a diagonal C).
 * Returns whether it stopped. Collective. */
bool ovk__stop_curvature(ovk_solver *S, double curvature, const ovk_vec *z, const ovk_vec *p,
                         const ovk_vec *s);

/* Stops unless gamma = (u, v) is positive; it is (r, C^-1 r) or (L^-1 r, L^-1 r), as `name` says. v
 * is overwritten if it was not stored. Returns whether it stopped. Collective. */
bool ovk__stop_gamma(ovk_solver *S, double gamma, const ovk_vec *u, ovk_vec *v, const char *name);

/* The same for gamma = (r, u), where u approximates C^-1 r by a recurrence. If gamma is not
 * positive, it is recomputed with C^-1 r itself, and the solve stops only if that is not positive
 * either. Returns whether the method must end, possibly for its fallback to continue; u is then
 * overwritten. Collective. */
bool ovk__stop_recurred_gamma(ovk_solver *S, double gamma, ovk_vec *u);

/* The same for curvature, the recurred (p, A p) of the next p = u + beta p, where w approximates A
 * u. p and s are then overwritten. Collective. */
bool ovk__stop_recurred_curvature(ovk_solver *S, double curvature, ovk_vec *u, const ovk_vec *w,
                                  double beta, ovk_vec *p, ovk_vec *s);

/* The same for the current p, where s approximates A p and is then overwritten; z is the
 * preconditioner's output from which p was computed. Collective. */
bool ovk__stop_drifted_curvature(ovk_solver *S, double curvature, const ovk_vec *z,
                                 const ovk_vec *p, ovk_vec *s);

/* Stops if the next (r, C^-1 r), predicted from inner products of s, z = C^-1 r and q = C^-1 s, is
 * NaN or Inf. Returns whether it stopped. Collective. */
bool ovk__stop_prediction(ovk_solver *S, double predicted, const ovk_vec *z, const ovk_vec *s,
                          const ovk_vec *q);

/* Stops if value, the inner product `name` = (u, s) of s = A z with the preconditioner's output z,
 * or with side=left of the preconditioner's output s = C^-1 z with z = A times a vector, is NaN or
 * Inf. Returns whether it stopped. Collective. */
bool ovk__stop_product(ovk_solver *S, double value, const char *name, const ovk_vec *u,
                       const ovk_vec *z, const ovk_vec *s);

/* Ends the solve as `name` = value has vanished next to `scale`, the product of the norms of its
 * factors; reason is OVK_REASON_BREAKDOWN_LANCZOS, OVK_REASON_BREAKDOWN_BICG or
 * OVK_REASON_SINGULAR. */
void ovk__stop_vanished(ovk_solver *S, ovk_reason reason, const char *name, double value,
                        double scale);

/* Compares the true residual at the exit of a method with the tolerance: confirms convergence, or
 * requests a restart by setting the reason back to OVK_REASON_NOT_RUN, or ends with
 * OVK_REASON_STAGNATED. A method with a fallback is restarted once at most, and not at all if it
 * broke down; after that the fallback takes over. Overwrites S->work[1] only where it ends the
 * solve. Collective. */
ovk_err ovk__stop_confirm(ovk_solver *S, const ovk__square *r);

/* For the x of an end, of norm norm_x, that was rounded to what doubles in the user's units can
 * hold, and r = b - A x: the end is OVK_REASON_NAN if x was to meet the tolerance and does not any
 * more, or if it is not finite. */
void ovk__stop_rounded(ovk_solver *S, const ovk__square *r, double norm_x);

/* An inner product that is NaN, Inf or 0, and the vectors that may be the origin. */
enum { OVK__CANDIDATES = 3 };
typedef struct ovk__bad_sum {
  const char *name;     /* "(p, A p)" */
  const ovk_vec *u, *v; /* its factors */
  int iteration;        /* in which it occurred */
  struct {
    const ovk_vec *vec;          /* NULL: none */
    const char *name;            /* for the message: what has the bad entries */
  } candidates[OVK__CANDIDATES]; /* in the order in which they were computed */
} ovk__bad_sum;

/* For a sum that is NaN or Inf: finds the first candidate with NaN or Inf, or whether the reduction
 * itself is wrong; ends the solve with OVK_REASON_NAN. Collective; errors are agreed. */
ovk_err ovk__stop_diagnose(ovk_solver *S, const ovk__bad_sum *sum);

/* Entries that are NaN or Inf: for each candidate their number, the first row and the lowest rank
 * that have some. Rows and ranks are exact as doubles. */
enum { OVK__ROW, OVK__RANK, OVK__LOWEST };
typedef struct ovk__bad_entries {
  int iteration;
  double count[OVK__CANDIDATES];
  double lowest[OVK__CANDIDATES][OVK__LOWEST];
} ovk__bad_entries;

/* Those of this rank, for a method that sums too seldom to be diagnosed later. Not collective. */
ovk__bad_entries ovk__stop_find_bad(const ovk__bad_sum *sum);

/* ovk__stop_diagnose() for what this rank has found before, in an iteration that may differ from
 * rank to rank: the first one tells. */
ovk_err ovk__stop_diagnose_found(ovk_solver *S, const ovk__bad_sum *sum, ovk__bad_entries bad);

/* For a sum that is 0: ends the solve with OVK_REASON_NAN if that is due to underflow of the
 * products. Collective; errors are agreed. */
ovk_err ovk__stop_underflow(ovk_solver *S, const ovk__bad_sum *sum);

/* values <- their totals over the ranks, for diagnoses, the same on all ranks. Collective; errors
 * are agreed. */
ovk_err ovk__stop_reduce(ovk_solver *S, double *values, int n, MPI_Op op);

#endif
