/* SPDX-License-Identifier: BSD-2-Clause */
/* BiCGStab for any matrix, B x = c: with M applied from the right B is A M^-1 and r is b - A x,
 * with side=left B is M^-1 A and r is M^-1 (b - A x). Source: van der Vorst, "Bi-CGSTAB: a fast and
 * smoothly converging variant of Bi-CG for the solution of nonsymmetric linear systems" (1992). The
 * inner products of its second half are in one reduction: those of the new r follow from (t, s),
 * (t, t), (s, s), (q, s), (q, t). If r loses so many digits that they do not, they are recomputed.
 * q is the shadow residual r~. If q is inaccurate (shadow_residual.h) or the process breaks down,
 * the process restarts from x with q = r. */
#include "solvers/convergence/breakdown.h"
#include "solvers/convergence/convergence.h"
#include "solvers/kernels/updates/updates.h"
#include "solvers/methods/bcgs/bcgs_scalars.h"
#include "solvers/ops/marks.h"
#include "solvers/ops/ops_impl.h"
#include "solvers/ops/ops_overlapped.h"
#include "solvers/state/method_options.h"
#include "solvers/state/work.h"

#include <math.h>

enum { FIRST, SECOND, AGAIN };

/* s is kept in r, v = B p, t = B s. x changes along dp and ds: y = M^-1 p and z = M^-1 s, with
 * side=left p and z = s. */
typedef struct vectors {
  ovk_vec *r, *q, *p, *v, *t, *y, *z, *x;
  const ovk_vec *dp, *ds;
} vectors;

/* The inner products by name, with M from the right and the left. */
static const struct names {
  const char *vv, *qv, *tt, *ts, *qt;
} names[2] = {{"(A M^-1 p, A M^-1 p)", "(r~, A M^-1 p)", "(A M^-1 s, A M^-1 s)", "(A M^-1 s, s)",
               "(r~, A M^-1 s)"},
              {"(M^-1 A p, M^-1 A p)", "(r~, M^-1 A p)", "(M^-1 A s, M^-1 A s)", "(M^-1 A s, s)",
               "(r~, M^-1 A s)"}};

/* w = B u; between = M^-1 u, which a sweep has made if M is diagonal, or with side=left A u */
static void bcgs_apply(ovk_solver *S, const ovk_vec *u, ovk_vec *between, ovk_vec *w)
{
  if (S->settings.left) {
    ovk__op_product(S, u, between, ovk_poll_none());
    ovk__op_apply(S, between, w, ovk_poll_none());
  } else {
    ovk__op_apply_other(S, u, between, ovk_poll_none());
    ovk__op_product(S, between, w, ovk_poll_none());
  }
}

/* The same, and the marks of n inner products. */
static void bcgs_apply_mark(ovk_solver *S, const ovk_vec *u, ovk_vec *between, ovk_vec *w, int n,
                            const ovk__pair *pairs, double *parts)
{
  if (S->settings.left) {
    bcgs_apply(S, u, between, w);
    OVK_SWEEP(S, ovk__mark_pairs(S, n, pairs, parts));
  } else {
    ovk__op_apply_other(S, u, between, ovk_poll_none());
    ovk__op_product_marks(S, between, w, n, pairs, parts);
  }
}

static ovk_err bcgs_first_half(ovk_solver *S, const vectors *V, double sums[OVK__BCGS_FIRST_SUMS])
{
  const double *q = V->q->array, *v = V->v->array;
  if (S->marks) {
    const ovk__pair pairs[OVK__BCGS_FIRST_SUMS] = {
        [OVK__BCGS_QV] = ovk__pair_of(q, v), [OVK__BCGS_VV] = ovk__pair_of(v, v)};
    bcgs_apply_mark(S, V->p, V->y, V->v, OVK__BCGS_FIRST_SUMS, pairs, sums);
  } else {
    bcgs_apply(S, V->p, V->y, V->v); /* v = B p */
    OVK_SWEEP(S, sums[OVK__BCGS_QV] = ovk__dot(rows(S), q, v));
    OVK_SWEEP(S, sums[OVK__BCGS_VV] = ovk__dot(rows(S), v, v));
  }
  return ovk__op_reduce(S, FIRST, sums); /* (q, v), (v, v) */
}

/* t = B s and the sums, where z is M^-1 s, or s. */
static void bcgs_second_product(ovk_solver *S, const vectors *V, double sums[OVK__BCGS_SUMS])
{
  const double *s = V->r->array, *t = V->t->array, *q = V->q->array;
  ovk_vec *between = S->settings.left ? V->y : V->z;
  if (S->marks) {
    const ovk__pair pairs[OVK__BCGS_SUMS] = {[OVK__TS] = ovk__pair_of(t, s),
                                             [OVK__TT] = ovk__pair_of(t, t),
                                             [OVK__SS_HALF] = ovk__pair_of(s, s),
                                             [OVK__QS] = ovk__pair_of(q, s),
                                             [OVK__QT] = ovk__pair_of(q, t)};
    bcgs_apply_mark(S, V->r, between, V->t, OVK__BCGS_SUMS, pairs, sums);
  } else {
    bcgs_apply(S, V->r, between, V->t);
    OVK_SWEEP(S, ovk__bcgs_sums(rows(S), s, t, q, sums));
  }
}

static ovk_err bcgs_second_half(ovk_solver *S, const vectors *V, double alpha,
                                double sums[OVK__BCGS_SUMS])
{
  const ovk__diagonal D = S->settings.left ? ovk__diagonal_identity() : S->D;
  /* s = r - alpha v; z = M^-1 s, or s */
  OVK_SWEEP(S, ovk__bcgs_half(rows(S), alpha, V->v->array, D, V->r->array, V->z->array));
  bcgs_second_product(S, V, sums);        /* t = B s */
  return ovk__op_reduce(S, SECOND, sums); /* (t, s), (t, t), (s, s), (q, s), (q, t) */
}

/* x = x + alpha dp + omega ds; r = s - omega t; (r, r) and (q, r) */
static ovk_err bcgs_update(ovk_solver *S, const vectors *V, ovk__bcgs_scalars *k,
                           const double sums[OVK__BCGS_SUMS])
{
  const double start = ovk__op_now(S);
  ovk__bcgs_full(rows(S), k->alpha, k->omega, V->dp->array, V->ds->array, V->t->array, S->x->array,
                 V->r->array);
  const bool lost = ovk__bcgs_predict(k, sums);
  double again[OVK__BCGS_AGAIN_SUMS];
  if (lost) {
    again[OVK__BCGS_RR] = ovk__part_dot(S, V->r->array, V->r->array);
    again[OVK__BCGS_QR] = ovk__part_dot(S, V->q->array, V->r->array);
  }
  ovk__op_log(S, OVK_EVENT_VECTOR, start);
  if (!lost) return OVK_OK;
  OVK_TRY(ovk__op_reduce(S, AGAIN, again));
  k->rr = again[OVK__BCGS_RR];
  k->rho = again[OVK__BCGS_QR];
  return OVK_OK;
}

/* p = r + beta (p - omega v); y = M^-1 p for a diagonal M from the right */
static void bcgs_update_p(ovk_solver *S, const vectors *V, const ovk_vec *v, double beta,
                          double omega)
{
  const ovk__diagonal D = S->settings.left ? (ovk__diagonal){0} : S->D;
  OVK_SWEEP(S, ovk__bcgs_direction(rows(S), beta, omega, V->r->array, v->array, D, V->p->array,
                                   V->y->array));
}

/* q = p = r */
static ovk_err bcgs_restart(ovk_solver *S, const vectors *V, ovk__bcgs_scalars *k)
{
  OVK_TRY(ovk_vec_copy(V->r, V->q));
  OVK_TRY(ovk_vec_copy(V->r, V->p));
  bcgs_update_p(S, V, V->r, 0, 0); /* v may be any numbers */
  ovk__bcgs_refresh(k);
  return OVK_OK;
}

/* A quantity has vanished: ends the solve if a new q would not help. */
static ovk_err bcgs_recover(ovk_solver *S, const vectors *V, ovk__bcgs_scalars *k, const char *name,
                            double value, double scale, bool progress)
{
  if (k->fresh && !progress) {
    ovk__breakdown_vanished(S, OVK_REASON_BREAKDOWN_BICG, name, value, scale);
    return OVK_OK;
  }
  return bcgs_restart(S, V, k);
}

/* The next p, or a restart of the process. */
static ovk_err bcgs_next_direction(ovk_solver *S, const vectors *V, ovk__bcgs_scalars *k,
                                   double rho_old, const double sums[OVK__BCGS_SUMS])
{
  const bool progress = ovk__bcgs_progress(k);
  const double scale = sqrt(k->qq) * sqrt(k->rr);
  const double ts = sums[OVK__TS], tt = sums[OVK__TT], ss = sums[OVK__SS_HALF];
  if (ovk__bcgs_omega_vanished(sums)) {
    return bcgs_recover(S, V, k, names[S->settings.left].ts, ts, sqrt(tt) * sqrt(ss), progress);
  }
  if (ovk__bcgs_rho_vanished(k)) return bcgs_recover(S, V, k, "(r~, r)", k->rho, scale, progress);
  bcgs_update_p(S, V, V->v, k->rho / rho_old * (k->alpha / k->omega), k->omega);
  k->fresh = false;
  return OVK_OK;
}

/* Whether a total is not finite; stops in that case. */
static bool bcgs_is_bad(ovk_solver *S, const vectors *V, const double sums[OVK__BCGS_SUMS])
{
  const struct names *name = &names[S->settings.left];
  const ovk_vec *between = S->settings.left ? V->y : V->z;
  return ovk__breakdown_product(S, sums[OVK__TT], name->tt, V->t, between, V->t) ||
         ovk__breakdown_product(S, sums[OVK__TS], name->ts, V->r, between, V->t) ||
         ovk__breakdown_product(S, sums[OVK__QT], name->qt, V->q, between, V->t) ||
         ovk__breakdown_product(S, sums[OVK__SS_HALF], "(s, s)", V->r, between, V->r) ||
         ovk__breakdown_product(S, sums[OVK__QS], "(r~, s)", V->q, between, V->r);
}

static ovk_err bcgs_iterate(ovk_solver *S)
{
  const bool left = S->settings.left;
  const struct names *name = &names[left];
  vectors V;
  double first[OVK__BCGS_FIRST_SUMS], sums[OVK__BCGS_SUMS];
  ovk__bcgs_scalars k = {.rr = S->norms.rr};

  OVK__WORK_NAME(S, vectors, &V);
  V.dp = left ? V.p : V.y;
  V.ds = V.z;
  if (left) { /* r = M^-1 (b - A x) */
    ovk__op_apply_first(S, V.r, V.q);
    OVK_TRY(ovk_vec_copy(V.q, V.r));
  }
  OVK_TRY(bcgs_restart(S, &V, &k)); /* q = p = r */
  for (;;) {
    OVK_TRY(bcgs_first_half(S, &V, first)); /* v = B p; sigma = (q, v) */
    if (ovk__breakdown_product(S, first[OVK__BCGS_VV], name->vv, V.v, V.y, V.v) ||
        ovk__breakdown_product(S, first[OVK__BCGS_QV], name->qv, V.q, V.y, V.v)) {
      return OVK_OK;
    }
    k.sigma = first[OVK__BCGS_QV];
    if (ovk__bcgs_restart_needed(k.fresh, k.sigma, k.qq, first[OVK__BCGS_VV])) {
      OVK_TRY(bcgs_recover(S, &V, &k, name->qv, k.sigma, sqrt(k.qq) * sqrt(first[OVK__BCGS_VV]),
                           false));
      if (S->reason) return OVK_OK;
      continue;
    }
    k.alpha = k.rho / k.sigma;
    OVK_TRY(bcgs_second_half(S, &V, k.alpha, sums)); /* s = r - alpha v; t = B s */
    if (bcgs_is_bad(S, &V, sums)) return OVK_OK;
    k.omega = sums[OVK__TT] > 0 ? sums[OVK__TS] / sums[OVK__TT] : 0;
    const double rho_old = k.rho;
    OVK_TRY(bcgs_update(S, &V, &k, sums)); /* x = x + alpha dp + omega ds; r = s - omega t */
    OVK_TRY(ovk__convergence_test(S, k.rr, left ? V.t : V.z, 0, NULL));
    if (!S->reason) OVK_TRY(bcgs_next_direction(S, &V, &k, rho_old, sums));
    if (S->reason) return OVK_OK;
  }
}

static const ovk_option options[] = {OVK__SIDE_OPTION, OVK_OPTIONS_END};

static const ovk__phase phases[] = {
    {.kind = OVK__PRECOND},
    {.kind = OVK__PRODUCT},
    {.kind = OVK__UPDATE, .doubles = {2, 2, 2}, .dots = 2},
    OVK__REDUCTION(FIRST),
    {.kind = OVK__UPDATE, .doubles = {5, 6, 3}},
    {.kind = OVK__PRECOND},
    {.kind = OVK__PRODUCT},
    {.kind = OVK__UPDATE, .doubles = {3, 3, 3}, .dots = 5},
    OVK__REDUCTION(SECOND),
    {.kind = OVK__UPDATE, .doubles = {13, 14, 11}},
    {.kind = OVK__NO_PHASE},
};

const ovk__method ovk__method_bcgs = {
    .name = "bcgs",
    .aliases = "bicgstab",
    .summary = "BiCGStab of van der Vorst, for any matrix; 2 blocking reductions, 2 SpMVs",
    .A = OVK__A_ANY,
    .refused_norms = {OVK__RIGHT_REFUSES, OVK__LEFT_REFUSES},
    .keys = options,
    .vectors = OVK__WORK_COUNT(vectors),
    .sums = {[FIRST] = {.count = OVK__BCGS_FIRST_SUMS},
             [SECOND] = {.count = OVK__BCGS_SUMS, .status = true},
             [AGAIN] = {.count = OVK__BCGS_AGAIN_SUMS}},
    .reductions_per_iteration = 2,
    .phases = phases,
    .iterate = bcgs_iterate,
    .many = &ovk__many_bcgs,
};
