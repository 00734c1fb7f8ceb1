/* SPDX-License-Identifier: BSD-2-Clause */
/* Pipelined predict-and-recompute PCG: one reduction, overlapped with two products and two
 * preconditioner solves. w = A rt is predicted by a recurrence for the update of s and recomputed
 * during the next reduction, so that errors do not accumulate. Source: Chen and Carson,
 * "Predict-and-recompute conjugate gradient variants" (2020), PIPE-PR-CG. The suffix t stands for
 * the paper's tilde. */
#include "solvers/convergence/breakdown.h"
#include "solvers/convergence/convergence.h"
#include "solvers/kernels/updates/updates_pipeprcg.h"
#include "solvers/ops/marks.h"
#include "solvers/ops/ops_impl.h"
#include "solvers/ops/ops_overlapped.h"
#include "solvers/ops/scale.h"
#include "solvers/state/work.h"

enum { SUMS };

typedef struct vectors {
  OVK__PIPEPRCG_LETTERS(OVK__VECTOR, OVK__VECTOR)
} vectors;

static ovk__pipeprcg_arrays pipeprcg_arrays(const vectors *v)
{
  return (ovk__pipeprcg_arrays){OVK__PIPEPRCG_LETTERS(OVK__ARRAY_OF, OVK__ARRAY_OF)};
}

static void pipeprcg_mark(ovk_solver *S, const ovk__pipeprcg_arrays *v,
                          double sums[OVK__PIPEPRCG_SUMS])
{
  const ovk__pair pairs[OVK__PIPEPRCG_SUMS] = {[OVK__PIPEPRCG_NU] = ovk__pair_of(v->rt, v->r),
                                               [OVK__PIPEPRCG_MU] = ovk__pair_of(v->p, v->s),
                                               [OVK__PIPEPRCG_DELTA] = ovk__pair_of(v->rt, v->s),
                                               [OVK__PIPEPRCG_GAMMA] = ovk__pair_of(v->st, v->s),
                                               [OVK__PIPEPRCG_RR] = ovk__pair_of(v->r, v->r)};
  OVK_SWEEP(S, ovk__mark_pairs(S, OVK__PIPEPRCG_SUMS, pairs, sums));
}

/* rt = M^-1 r; w = A rt; wt = M^-1 w; p = rt; s = w; st = wt; and this rank's parts of the sums */
static ovk_err pipeprcg_setup(ovk_solver *S, const vectors *v, double sums[OVK__PIPEPRCG_SUMS])
{
  ovk__op_apply_first(S, v->r, v->rt);
  ovk__op_product(S, v->rt, v->w, ovk_poll_none());
  ovk__op_apply(S, v->w, v->wt, ovk_poll_none());
  OVK_TRY(ovk_vec_copy(v->rt, v->p));
  OVK_TRY(ovk_vec_copy(v->w, v->s));
  OVK_TRY(ovk_vec_copy(v->wt, v->st));
  const ovk__pipeprcg_arrays a = pipeprcg_arrays(v);
  OVK_SWEEP(S, ovk__dots_pipeprcg(rows(S), &a, sums));
  if (S->marks) pipeprcg_mark(S, &a, sums);
  return OVK_OK;
}

/* u = A st; w = A rt, with one halo exchange */
static void pipeprcg_multiply_pair(ovk_solver *S, const vectors *v, ovk_poll poll)
{
  const int half = S->scale.A / 2;
  const ovk_vec *const x[2] = {ovk__scale_copy(S, 0, half, v->st),
                               ovk__scale_copy(S, 1, half, v->rt)};
  ovk_vec *const y[2] = {v->u, v->w};
  ovk__op_record_error(S,
                       ovk__mat_mult_pair(S->A, S->pair_halo, x, y, poll)); /* logs its own time */
  for (int k = 0; k < 2; k++) ovk__scale_by(half, y[k]);
}

/* x = x + alpha p; r = r - alpha s; rt = rt - alpha st; p = rt + beta p; s = (w - alpha u) + beta
 * s; st = (wt - alpha ut) + beta st; and this rank's parts of the sums. For a diagonal M, rt = M^-1
 * r and st = M^-1 s instead; wt and ut are not used. */
static void pipeprcg_update(ovk_solver *S, double alpha, double beta, const vectors *v,
                            double sums[OVK__PIPEPRCG_SUMS])
{
  const ovk__pipeprcg_arrays a = pipeprcg_arrays(v);
  OVK_SWEEP(S, ovk__update_pipeprcg(rows(S), alpha, beta, S->D, &a, sums));
  if (S->marks) pipeprcg_mark(S, &a, sums);
}

static ovk_err pipeprcg_iterate(ovk_solver *S)
{
  vectors v;
  double sums[OVK__PIPEPRCG_SUMS];

  OVK__WORK_NAME(S, vectors, &v);
  OVK_TRY(
      pipeprcg_setup(S, &v, sums)); /* rt = M^-1 r; w = A rt; wt = M^-1 w; p = rt; s = w; st = wt */
  for (bool first = true;; first = false) {
    OVK_TRY(ovk__op_begin(S, SUMS, sums)); /* begin nu, mu, delta, gamma, (r, r) */
    const ovk_poll poll = ovk__op_poll(S, SUMS);
    pipeprcg_multiply_pair(S, &v, poll);     /* u = A st; w = A rt */
    ovk__op_apply_other(S, v.u, v.ut, poll); /* ut = M^-1 u */
    ovk__op_apply_other(S, v.w, v.wt, poll); /* wt = M^-1 w */
    OVK_TRY(ovk__op_wait(S, SUMS, sums));    /* end nu, mu, delta, gamma, (r, r) */
    const double nu = sums[OVK__PIPEPRCG_NU], mu = sums[OVK__PIPEPRCG_MU];
    const double delta = sums[OVK__PIPEPRCG_DELTA], gamma = sums[OVK__PIPEPRCG_GAMMA];
    if (!first) OVK_TRY(ovk__convergence_test(S, sums[OVK__PIPEPRCG_RR], v.rt, 0, NULL));
    if (S->reason || ovk__breakdown_recurred_gamma(S, nu, v.rt)) return OVK_OK;
    if (ovk__breakdown_drifted_curvature(S, mu, v.rt, v.p, v.s)) return OVK_OK;
    const double alpha = nu / mu;
    const double predicted =
        nu - 2 * alpha * delta + alpha * alpha * gamma; /* prediction of the next nu */
    if (ovk__breakdown_prediction(S, predicted, v.rt, v.s, v.st)) return OVK_OK;
    const double beta = predicted > 0 ? predicted / nu : 0; /* <= 0 by rounding: r is nearly 0 */
    pipeprcg_update(S, alpha, beta, &v, sums); /* x, r, rt, w, wt; p, s, st; the sums */
    sums[OVK__PIPEPRCG_RR] =
        ovk__op_norm(S, sums[OVK__PIPEPRCG_RR], sums[OVK__PIPEPRCG_NU], v.r, v.rt);
  }
}

static const ovk__phase phases[] = {
    {.kind = OVK__BEGIN, .sum = SUMS},
    {.kind = OVK__PRODUCT_PAIR, .sum = SUMS, .polls = true},
    {.kind = OVK__PRECOND, .sum = SUMS, .polls = true},
    {.kind = OVK__PRECOND, .sum = SUMS, .polls = true},
    {.kind = OVK__WAIT, .sum = SUMS},
    {.kind = OVK__UPDATE, .doubles = {14, 15, 16}, .dots = 5},
    {.kind = OVK__NO_PHASE},
};

const ovk__method ovk__method_pipeprcg = {
    .name = "pipeprcg",
    .aliases = "predict-recompute",
    .summary = "pipelined PCG of Chen and Carson; 1 reduction, overlapped with 2 M and 2 SpMVs",
    .vectors = OVK__WORK_COUNT(vectors),
    .sums = {[SUMS] = {.count = OVK__PIPEPRCG_SUMS, .status = true}},
    .reductions_per_iteration = 1,
    .phases = phases,
    .makes_pairs = true,
    .fallback = &ovk__method_cg,
    .iterate = pipeprcg_iterate,
    .many = &ovk__many_cg,
};
