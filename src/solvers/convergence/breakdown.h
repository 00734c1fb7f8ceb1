/* SPDX-License-Identifier: BSD-2-Clause */
/* The breakdown tests of the methods: inner products that must be positive, finite or not zero. All
 * ranks decide alike, see convergence.h. A function that returns whether the method must end also
 * returns true if a diagnosis failed; the next reduction with a status reports that error. */
#ifndef OVK_SOLVERS_CONVERGENCE_BREAKDOWN_H
#define OVK_SOLVERS_CONVERGENCE_BREAKDOWN_H

#include "solvers/state/state.h"

/* Stops unless curvature = (p, A p) is positive; s = A p, and z is the preconditioner's output from
 * which p was computed, or NULL if ovk__breakdown_gamma() has checked it (always so for a diagonal
 * M). Returns whether it stopped. Collective. */
bool ovk__breakdown_curvature(ovk_solver *S, double curvature, const ovk_vec *z, const ovk_vec *p,
                              const ovk_vec *s);

/* Stops unless gamma = (u, v) is positive; it is (r, M^-1 r) or (L^-1 r, L^-1 r), as `name` says. v
 * is overwritten if it was not stored. Returns whether it stopped. Collective. */
bool ovk__breakdown_gamma(ovk_solver *S, double gamma, const ovk_vec *u, ovk_vec *v,
                          const char *name);

/* The same for gamma = (r, u), where u approximates M^-1 r by a recurrence. If gamma is not
 * positive, it is recomputed with M^-1 r itself, and the solve stops only if that is not positive
 * either. Returns whether the method must end, possibly for its fallback to continue; u is then
 * overwritten. Collective. */
bool ovk__breakdown_recurred_gamma(ovk_solver *S, double gamma, ovk_vec *u);

/* The same for curvature, the recurred (p, A p) of the next p = u + beta p, where w approximates A
 * u. p and s are then overwritten. Collective. */
bool ovk__breakdown_recurred_curvature(ovk_solver *S, double curvature, ovk_vec *u,
                                       const ovk_vec *w, double beta, ovk_vec *p, ovk_vec *s);

/* The same for the current p, where s approximates A p and is then overwritten; z is the
 * preconditioner's output from which p was computed. Collective. */
bool ovk__breakdown_drifted_curvature(ovk_solver *S, double curvature, const ovk_vec *z,
                                      const ovk_vec *p, ovk_vec *s);

/* Stops if the next (r, M^-1 r), predicted from inner products of s, z = M^-1 r and q = M^-1 s, is
 * NaN or Inf. Returns whether it stopped. Collective. */
bool ovk__breakdown_prediction(ovk_solver *S, double predicted, const ovk_vec *z, const ovk_vec *s,
                               const ovk_vec *q);

/* Stops if value, the inner product `name` = (u, s), is NaN or Inf. s is A z for the output z of
 * the preconditioner. With side=left it is the output M^-1 z of the preconditioner, where z is A
 * times a vector. Returns whether it stopped. Collective. */
bool ovk__breakdown_product(ovk_solver *S, double value, const char *name, const ovk_vec *u,
                            const ovk_vec *z, const ovk_vec *s);

/* Ends the solve as `name` = value has vanished next to `scale`, the product of the norms of its
 * factors; reason is OVK_REASON_BREAKDOWN_LANCZOS, OVK_REASON_BREAKDOWN_BICG or
 * OVK_REASON_SINGULAR. */
void ovk__breakdown_vanished(ovk_solver *S, ovk_reason reason, const char *name, double value,
                             double scale);

#endif
