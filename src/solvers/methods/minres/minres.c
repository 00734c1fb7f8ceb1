/* SPDX-License-Identifier: BSD-2-Clause */
/* MINRES for a symmetric A, which may be indefinite, and a symmetric positive definite C. Source:
 * Paige and Saunders, "Solution of sparse indefinite systems of linear equations" (1975), in the
 * preconditioned form of Elman, Silvester and Wathen, "Finite elements and fast iterative solvers"
 * (2005), algorithm 6.1. The product is made before v is normalised, so that both inner products of
 * a Lanczos step are in one sum; step j is then complete at the sum of step j + 1, so a solve ends
 * with a product more. */
#include "solvers/kernels/updates_minres.h"
#include "solvers/steps/step_impl.h"
#include "solvers/stopping/stop.h"

#include <float.h>
#include <math.h>

enum { SUMS };

/* ||A r|| below this fraction of ||A|| ||r|| indicates that r is in the null space of A. So it may
 * be as well for an A that is ill-conditioned, where (r, r) falls below FALLS of what it is then,
 * before as many iterations have been made again. */
static const double NULL_PART = 1e-10, FALLS = 0.25;

/* The vectors of a step. */
typedef struct vectors {
  ovk_vec *v, *v_old, *z, *u, *p, *p_old, *e;
} vectors;

/* The scalars: T is the tridiagonal matrix of the Lanczos process, T = Q R with rotations. */
typedef struct scalars {
  double gamma, gamma_old;   /* ||v||, off the diagonal of T */
  double delta;              /* on the diagonal of T */
  double c, s, c_old, s_old; /* the last two rotations */
  double rho, rho_old;       /* of R's diagonal, of the last two steps */
  double eta;                /* the natural norm of r, with a sign */
  double alpha0;             /* what the next rotation makes rho */
  double norm_T;             /* of the largest entry of T so far */
  double null_rr, null_Ar;   /* (r, r), and ||A r|| / ||r||, when the latter was that small; or 0 */
  int null_at;               /* the iteration */
} scalars;

/* Rotates step j, whose off-diagonal entry gamma the sum has brought. */
static void rotate(scalars *q, double gamma)
{
  q->rho_old = q->rho;
  q->rho = hypot(q->alpha0, gamma);
  q->c_old = q->c;
  q->s_old = q->s;
  q->c = q->rho > 0 ? q->alpha0 / q->rho : 1;
  q->s = q->rho > 0 ? gamma / q->rho : 0;
}

/* The square of r after step j in the norm of the test: e <- s^2 e - s eta c / gamma d. */
static double square_of(const ovk_solver *S, const scalars *q, const double sums[],
                        ovk__minres_step *step)
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

/* Whether the sums are such that no step can be made; stops then. */
static bool is_bad(ovk_solver *S, const double sums[], const vectors *V)
{
  if (ovk__stop_product(S, sums[OVK__VZ], "(v, C^-1 v)", V->v, V->z, V->u)) return true;
  if (ovk__stop_product(S, sums[OVK__UZ], "(z, A z)", V->z, V->z, V->u)) return true;
  if (sums[OVK__VZ] >= 0) return false;
  ovk__stop(S, OVK_REASON_BREAKDOWN_INDEFINITE_M,
            "the preconditioner is not positive definite: (r, C^-1 r) = %g in iteration %d, of a "
            "Lanczos vector",
            sums[OVK__VZ], S->iterations + 1);
  return true;
}

/* Stops where r has been in the null space of A for long. */
static void watch_null_part(ovk_solver *S, scalars *q, double rr, double norm_Ar)
{
  if (rr < FALLS * q->null_rr) q->null_rr = 0;
  if (q->null_rr == 0 && norm_Ar <= NULL_PART * q->norm_T) {
    q->null_rr = rr;
    q->null_Ar = norm_Ar;
    q->null_at = S->iterations;
  }
  if (q->null_rr > 0 && S->iterations >= 2 * q->null_at) {
    ovk__stop_vanished(S, OVK_REASON_SINGULAR, "||A r|| / ||r||", q->null_Ar, q->norm_T);
  }
}

/* Ends step j with the rotation that gamma completes, and tests x + xp p; returns whether the
 * method must end. */
static ovk_err end_step(ovk_solver *S, scalars *q, const double sums[], const vectors *V,
                        ovk__minres_step *step)
{
  rotate(q, q->gamma);
  if (q->rho <= DBL_EPSILON * q->norm_T) {
    ovk__stop_vanished(S, OVK_REASON_SINGULAR, "the last pivot of the Lanczos matrix", q->rho,
                       q->norm_T);
    return OVK_OK;
  }
  step->xp = q->c * q->eta / q->rho;
  const double rr = square_of(S, q, sums, step);
  const double norm_Ar = hypot(q->alpha0, q->c_old * q->gamma); /* ||A r|| / ||r|| before step j */
  OVK_TRY(ovk__stop_test(S, rr, V->z, step->xp, V->p));
  if (!S->reason) watch_null_part(S, q, rr, norm_Ar);
  q->eta *= -q->s;
  return OVK_OK;
}

/* The coefficients of step j + 1 from its delta and gamma, with the last two rotations. */
static void begin_step(scalars *q, ovk__minres_step *step)
{
  const double alpha2 = q->s * q->delta + q->c_old * q->c * q->gamma;
  const double alpha3 = q->s_old * q->gamma;
  q->alpha0 = q->c * q->delta - q->c_old * q->s * q->gamma;
  q->norm_T = fmax(q->norm_T, fmax(fabs(q->delta), q->gamma));
  step->pz = 1 / q->gamma;
  step->pp = q->rho > 0 ? -alpha2 / q->rho : 0;
  step->po = q->rho_old > 0 ? -alpha3 / q->rho_old : 0;
  step->vu = 1 / q->gamma;
  step->vv = -q->delta / q->gamma;
  step->vo = q->gamma_old > 0 ? -q->gamma / q->gamma_old : 0;
}

static void swap(ovk_vec **a, ovk_vec **b)
{
  ovk_vec *c = *a;
  *a = *b;
  *b = c;
}

/* The updates of a step, C^-1, and this rank's parts of the sums; the newest v and p are V->v and
 * V->p then. */
static void update(ovk_solver *S, const ovk__minres_step *step, vectors *V, double sums[])
{
  double start = MPI_Wtime();
  const bool d_is_z = S->opts.norm == OVK_NORM_PRECONDITIONED;
  const ovk__minres_arrays a = {.u = V->u->array,
                                .v = V->v->array,
                                .p = V->p->array,
                                .z = V->z->array,
                                .v_old = V->v_old->array,
                                .p_old = V->p_old->array,
                                .x = S->x->array,
                                .e = V->e->array,
                                .d_is_z = d_is_z};
  if (S->D.d) {
    ovk__update_minres_diagonal(rows(S), step, S->D, &a, sums);
  } else {
    ovk__update_minres(rows(S), step, &a);
  }
  ovk__step_book(S, OVK_EVENT_VECTOR, start);
  swap(&V->v, &V->v_old);
  swap(&V->p, &V->p_old);
  if (S->D.d) return;
  ovk__step_apply(S, V->v, V->z, ovk_poll_none());
  start = MPI_Wtime();
  ovk__sums_minres(rows(S), V->v->array, V->z->array, V->e->array, d_is_z, sums);
  ovk__step_book(S, OVK_EVENT_VECTOR, start);
}

/* z = C^-1 r, e = r or z, v_old = p = p_old = 0, and the sums. */
static ovk_err start(ovk_solver *S, const vectors *V, double sums[])
{
  const bool d_is_z = S->opts.norm == OVK_NORM_PRECONDITIONED;
  ovk__step_apply(S, V->v, V->z, ovk_poll_none());
  OVK_TRY(ovk_vec_copy(d_is_z ? V->z : V->v, V->e));
  OVK_TRY(ovk_vec_fill(V->v_old, 0));
  OVK_TRY(ovk_vec_fill(V->p, 0));
  OVK_TRY(ovk_vec_fill(V->p_old, 0));
  ovk__sums_minres(rows(S), V->v->array, V->z->array, V->e->array, d_is_z, sums);
  return OVK_OK;
}

static ovk_err iterate(ovk_solver *S)
{
  ovk_vec **work = S->work;
  vectors V = {work[0], work[1], work[2], work[3], work[4], work[5], work[6]};
  scalars q = {.c = 1, .c_old = 1};
  ovk__minres_step step = {.ee = 1};
  double sums[OVK__MINRES_SUMS];

  OVK_TRY(start(S, &V, sums));
  for (bool first = true;; first = false) {
    sums[OVK__UZ] = ovk__step_mult(S, V.z, V.u, ovk_poll_none()); /* u = A z */
    OVK_TRY(ovk__step_begin(S, SUMS, sums));                      /* (v, z), (u, z), those of e */
    OVK_TRY(ovk__step_wait(S, SUMS, sums));
    if (is_bad(S, sums, &V)) break;
    q.gamma_old = q.gamma;
    q.gamma = sqrt(sums[OVK__VZ]);
    if (first) {
      q.eta = q.gamma;
      q.gamma_old = 0;
    } else {
      OVK_TRY(end_step(S, &q, sums, &V, &step));
    }
    if (S->reason || q.gamma == 0) break;
    q.delta = sums[OVK__UZ] / sums[OVK__VZ];
    begin_step(&q, &step);
    update(S, &step, &V, sums); /* x, e, p, v; z = C^-1 v; the sums */
    step.xp = 0;
  }
  ovk__step_axpy(S, step.xp, V.p, S->x, ovk_poll_none()); /* the pending x = x + xp p */
  return OVK_OK;
}

static const ovk__phase phases[] = {
    {.kind = OVK__PRODUCT},
    {.kind = OVK__BEGIN, .sum = SUMS},
    {.kind = OVK__WAIT, .sum = SUMS},
    {.kind = OVK__UPDATE, .doubles = {13, 14, 12}, .dots = 4},
    {.kind = OVK__PRECOND, .doubles = {0, 0, 3}},
    {.kind = OVK__NO_PHASE},
};

const ovk__method ovk__minres = {
    .name = "minres",
    .summary = "MINRES, for a symmetric A that may be indefinite: 1 blocking sum",
    .A = OVK__A_SYMMETRIC,
    .vectors = 7,
    .sums = {[SUMS] = {.count = OVK__MINRES_SUMS, .status = true}},
    .reductions_per_iteration = 1,
    .phases = phases,
    .iterate = iterate,
};
