/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by minres and its pipeline: the scalars of the Lanczos process and of its QR
 * factorisation. The matrix A M^-1 is tridiagonal, T, in the basis of the v / ||v||, where ||v|| is
 * the norm of (v, M^-1 v). */
#ifndef OVK_SOLVERS_METHODS_MINRES_MINRES_PROCESS_H
#define OVK_SOLVERS_METHODS_MINRES_MINRES_PROCESS_H

#include "solvers/kernels/updates/updates_minres.h"
#include "solvers/ops/marks.h"
#include "solvers/state/work.h"

/* The scalars: T is the tridiagonal matrix of the Lanczos process, T = Q R with rotations. */
typedef struct ovk__minres_process {
  double gamma, gamma_old;   /* ||v||, off the diagonal of T */
  double delta;              /* on the diagonal of T */
  double c, s, c_old, s_old; /* the last two rotations */
  double rho, rho_old;       /* of R's diagonal, of the last two steps */
  double eta;                /* the natural norm of r, with a sign */
  double alpha0;             /* rho for the next rotation */
  double norm_T;             /* of the largest entry of T so far */
  double null_rr, null_Ar;   /* (r, r), and ||A r|| / ||r||, when the latter was that small; or 0 */
  int start;                 /* iterations before this process */
  int null_at;               /* its iteration then */
  bool ended;                /* no step can follow, or none is needed */
} ovk__minres_process;

/* The vectors of a step: Lanczos vectors v, z = M^-1 v, u = A z, directions p of x, and the
 * residual e in the norm of the test; the newest v and p are v and p. */
typedef struct ovk__minres_vectors {
  OVK__MINRES_LETTERS(OVK__VECTOR, OVK__VECTOR)
  ovk_vec *least; /* x where A r was found to be 0, see ovk__minres_end() */
} ovk__minres_vectors;

/* The first work vectors, in their order. */
enum { OVK__MINRES_VECTORS = OVK__WORK_PLACE(ovk__minres_vectors, least) + 1 };
ovk__minres_vectors ovk__minres_vectors_of(const ovk_solver *S);

/* Their arrays, for the sweeps. */
ovk__minres_arrays ovk__minres_arrays_of(const ovk_solver *S, const ovk__minres_vectors *v);

/* With exact=all: marks of the inner products but (u, z), in a sweep after `update`, unless it is
 * NULL. */
void ovk__minres_mark(ovk_solver *S, const ovk__row_update *update, const double *v,
                      const double *z, const double *e, double sums[OVK__MINRES_SUMS]);

/* The inner products of v, z and e. */
void ovk__minres_add_up(ovk_solver *S, const ovk__minres_vectors *V, double sums[OVK__MINRES_SUMS]);

void ovk__minres_start(const ovk_solver *S, ovk__minres_process *q, ovk__minres_coeffs *step);

/* Completes a step with its totals, except the first, and counts and tests it; where that has not
 * ended the method, the coefficients of the next step. x is x + xp p until the sweep that follows.
 * Collective. */
ovk_err ovk__minres_take_sums(ovk_solver *S, ovk__minres_process *q,
                              const double sums[OVK__MINRES_SUMS], const ovk__minres_vectors *V,
                              bool first, ovk__minres_coeffs *step);

/* The parts of ovk__minres_take_sums() that are of scalars alone. First gamma, the norm of v. */
void ovk__minres_take_gamma(ovk__minres_process *q, double vz, bool first);

/* Ends step j with the rotation that gamma completes: xp and the coefficients of e, and the square
 * of r in the norm of the test. False: the last pivot has vanished, as A is singular. */
bool ovk__minres_end_step(const ovk_solver *S, ovk__minres_process *q,
                          const double sums[OVK__MINRES_SUMS], ovk__minres_coeffs *step,
                          double *rr);

/* Whether r has long been in the null space of A; *found <- whether it has come there in the
 * iteration that has just ended. */
bool ovk__minres_watch(ovk__minres_process *q, double rr, int iteration, bool *found);

/* The coefficients of step j + 1 from its delta and gamma, with the last two rotations. */
void ovk__minres_begin_step(ovk__minres_process *q, const double sums[OVK__MINRES_SUMS],
                            ovk__minres_coeffs *step);

/* Adds the pending xp p to x. Where the solve fails as r is in the null space of A, x is instead
 * the one at which that was found: a solution of the least squares problem, to which the process
 * then adds only multiples of the null space. */
ovk_err ovk__minres_end(ovk_solver *S, const ovk__minres_process *q, const ovk__minres_coeffs *step,
                        const ovk__minres_vectors *V);

#endif
