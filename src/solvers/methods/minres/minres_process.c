/* SPDX-License-Identifier: BSD-2-Clause */
/* The scalars of MINRES: rotations, the recurred residual, and when to stop. */
#include "solvers/methods/minres/minres_process.h"
#include "core/math/hypot.h"
#include "solvers/convergence/breakdown.h"
#include "solvers/convergence/convergence.h"
#include "solvers/kernels/exact/updates_exact.h"
#include "solvers/ops/marks.h"
#include "solvers/ops/ops_impl.h"

#include <float.h>
#include <math.h>

/* ||A r|| below this fraction of ||A|| ||r|| indicates that r is in the null space of A. An
 * ill-conditioned A may do the same. With such an A, (r, r) falls below FALLS times its present
 * value before as many iterations have been made again. */
static const double NULL_PART = 1e-7, FALLS = 0.25;

/* Rotates step j, whose off-diagonal entry gamma comes from the reduction. */
static void minres_rotate(ovk__minres_process *q, double gamma)
{
  q->rho_old = q->rho;
  q->rho = ovk__hypot(q->alpha0, gamma);
  q->c_old = q->c;
  q->s_old = q->s;
  q->c = q->rho > 0 ? q->alpha0 / q->rho : 1;
  q->s = q->rho > 0 ? gamma / q->rho : 0;
}

/* The square of r after step j in the norm of the test: e <- s^2 e - s eta c / gamma d. */
static double minres_square(const ovk_solver *S, const ovk__minres_process *q, const double sums[],
                            ovk__minres_coeffs *step)
{
  const double eta = -q->s * q->eta;
  step->ee = q->s * q->s;
  step->ed = q->gamma > 0 ? eta * q->c / q->gamma : 0;
  if (S->opts.norm == OVK_NORM_NATURAL) return eta * eta;
  const double square = step->ee * step->ee * sums[OVK__EE] +
                        2 * step->ee * step->ed * sums[OVK__ED] +
                        step->ed * step->ed * sums[OVK__DD];
  return square < 0 ? 0 : square;
}

/* Whether the totals allow no further step; stops in that case. */
static bool minres_is_bad(ovk_solver *S, const double sums[], const ovk__minres_vectors *V)
{
  if (ovk__breakdown_product(S, sums[OVK__VZ], "(v, M^-1 v)", V->v, V->z, V->z)) return true;
  if (ovk__breakdown_product(S, sums[OVK__UZ], "(z, A z)", V->z, V->z, V->u)) return true;
  if (sums[OVK__VZ] >= 0) return false;
  ovk__stop(S, OVK_REASON_BREAKDOWN_INDEFINITE_M,
            "the preconditioner is not positive definite: (r, M^-1 r) = %g in iteration %d, of a "
            "Lanczos vector",
            sums[OVK__VZ], S->counts.iterations + 1);
  return true;
}

bool ovk__minres_end_step(const ovk_solver *S, ovk__minres_process *q,
                          const double sums[OVK__MINRES_SUMS], ovk__minres_coeffs *step, double *rr)
{
  q->norm_T = fmax(q->norm_T, q->gamma); /* not with the first gamma: it is ||r||, and not in T */
  minres_rotate(q, q->gamma);
  if (q->rho <= DBL_EPSILON * q->norm_T) return false;
  step->xp = q->c * q->eta / q->rho;
  *rr = minres_square(S, q, sums, step);
  q->eta *= -q->s;
  return true;
}

bool ovk__minres_watch(ovk__minres_process *q, double rr, int iteration, bool *found)
{
  const double norm_Ar = ovk__hypot(q->alpha0, q->c_old * q->gamma);
  const int done = iteration - q->start;
  if (rr < FALLS * q->null_rr) q->null_rr = 0;
  *found = q->null_rr == 0 && norm_Ar <= NULL_PART * q->norm_T;
  if (*found) {
    q->null_rr = rr;
    q->null_Ar = norm_Ar;
    q->null_at = done;
  }
  return q->null_rr > 0 && done >= 2 * q->null_at;
}

/* Ends step j with the rotation that gamma completes, and tests x + xp p; x is that before it. */
static ovk_err minres_complete_step(ovk_solver *S, ovk__minres_process *q, const double sums[],
                                    const ovk__minres_vectors *V, ovk__minres_coeffs *step)
{
  double rr;
  bool found;
  if (!ovk__minres_end_step(S, q, sums, step, &rr)) {
    ovk__breakdown_vanished(S, OVK_REASON_SINGULAR, "the last pivot of the Lanczos matrix", q->rho,
                            q->norm_T);
    return OVK_OK;
  }
  OVK_TRY(ovk__convergence_test(S, rr, V->z, step->xp, V->p));
  if (S->reason) return OVK_OK;
  const bool long_there = ovk__minres_watch(q, rr, S->counts.iterations, &found);
  if (found) ovk__op_record_error(S, ovk_vec_copy(S->x, V->least));
  if (long_there) {
    ovk__breakdown_vanished(S, OVK_REASON_SINGULAR, "||A r|| / ||r||", q->null_Ar, q->norm_T);
  }
  return OVK_OK;
}

void ovk__minres_take_gamma(ovk__minres_process *q, double vz, bool first)
{
  q->gamma_old = first ? 0 : q->gamma;
  q->gamma = sqrt(vz);
  if (first) q->eta = q->gamma;
}

void ovk__minres_begin_step(ovk__minres_process *q, const double sums[OVK__MINRES_SUMS],
                            ovk__minres_coeffs *step)
{
  q->delta = sums[OVK__UZ] / sums[OVK__VZ];
  const double alpha2 = q->s * q->delta + q->c_old * q->c * q->gamma;
  const double alpha3 = q->s_old * q->gamma;
  q->alpha0 = q->c * q->delta - q->c_old * q->s * q->gamma;
  q->norm_T = fmax(q->norm_T, fabs(q->delta));
  step->pz = 1 / q->gamma;
  step->pp = q->rho > 0 ? -alpha2 / q->rho : 0;
  step->po = q->rho_old > 0 ? -alpha3 / q->rho_old : 0;
  step->vu = 1 / q->gamma;
  step->vv = -q->delta / q->gamma;
  step->vo = q->gamma_old > 0 ? -q->gamma / q->gamma_old : 0;
}

void ovk__minres_start(const ovk_solver *S, ovk__minres_process *q, ovk__minres_coeffs *step)
{
  *q = (ovk__minres_process){.c = 1, .c_old = 1, .start = S->counts.iterations};
  *step = (ovk__minres_coeffs){.ee = 1};
}

ovk_err ovk__minres_take_sums(ovk_solver *S, ovk__minres_process *q,
                              const double sums[OVK__MINRES_SUMS], const ovk__minres_vectors *V,
                              bool first, ovk__minres_coeffs *step)
{
  q->ended = minres_is_bad(S, sums, V);
  if (q->ended) return OVK_OK;
  ovk__minres_take_gamma(q, sums[OVK__VZ], first);
  if (!first) OVK_TRY(minres_complete_step(S, q, sums, V, step));
  q->ended = S->reason || q->gamma == 0;
  if (!q->ended) ovk__minres_begin_step(q, sums, step);
  return OVK_OK;
}

ovk__minres_vectors ovk__minres_vectors_of(const ovk_solver *S)
{
  ovk__minres_vectors V;
  memcpy(&V, S->work, sizeof V);
  return V;
}

ovk__minres_arrays ovk__minres_arrays_of(const ovk_solver *S, const ovk__minres_vectors *v)
{
  return (ovk__minres_arrays){.x = S->x->array,
                              .d_is_z = S->opts.norm == OVK_NORM_PRECONDITIONED,
                              OVK__MINRES_LETTERS(OVK__ARRAY_OF, OVK__ARRAY_OF)};
}

void ovk__minres_mark(ovk_solver *S, const ovk__row_update *update, const double *v,
                      const double *z, const double *e, double sums[OVK__MINRES_SUMS])
{
  const double *d = S->opts.norm == OVK_NORM_PRECONDITIONED ? z : v;
  const ovk__pair pairs[OVK__MINRES_MARKS] = {[OVK__MARK_VZ] = ovk__pair_of(v, z),
                                              [OVK__MARK_EE] = ovk__pair_of(e, e),
                                              [OVK__MARK_ED] = ovk__pair_of(e, d),
                                              [OVK__MARK_DD] = ovk__pair_of(d, d)};
  double parts[OVK__MINRES_MARKS];
  OVK_SWEEP(S, ovk__mark_sweep(S, update, OVK__MINRES_MARKS, pairs, parts));
  sums[OVK__VZ] = parts[OVK__MARK_VZ];
  sums[OVK__EE] = parts[OVK__MARK_EE];
  sums[OVK__ED] = parts[OVK__MARK_ED];
  sums[OVK__DD] = parts[OVK__MARK_DD];
}

void ovk__minres_add_up(ovk_solver *S, const ovk__minres_vectors *V, double sums[OVK__MINRES_SUMS])
{
  if (S->marks) {
    ovk__minres_mark(S, NULL, V->v->array, V->z->array, V->e->array, sums);
    return;
  }
  OVK_SWEEP(S, ovk__dots_minres(rows(S), V->v->array, V->z->array, V->e->array,
                                S->opts.norm == OVK_NORM_PRECONDITIONED, sums));
}

ovk_err ovk__minres_end(ovk_solver *S, const ovk__minres_process *q, const ovk__minres_coeffs *step,
                        const ovk__minres_vectors *V)
{
  if (S->reason < 0 && q->null_rr > 0) {
    ovk__vec_copy(V->least, S->x);
  } else {
    ovk__op_axpy(S, step->xp, V->p, S->x, ovk_poll_none());
  }
  return OVK_OK;
}
