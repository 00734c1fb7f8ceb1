/* SPDX-License-Identifier: BSD-2-Clause */
/* Pipelined flexible conjugate gradients: fcg.c with its reduction overlapped with preconditioner
 * and product. Source: Sanan, Schnepp and May, "Pipelined, flexible Krylov subspace methods"
 * (2016), PIPEFCG: u, which approximates M^-1 r, follows from a recurrence, in which m = theta u +
 * M^-1 (w - theta r) stands for M^-1 w. It is M^-1 w for a constant M, and a change of M affects it
 * little if A u is near theta r. The paper's theta is 1, which suits an M of the size of A; here it
 * is the Rayleigh quotient delta / gamma, by a blocking reduction at a start and then from the last
 * iteration, so that scaling A or M changes nothing. Any u with w = A u gives directions and a
 * residual of x, so a bad u costs iterations, not accuracy. Vectors are recomputed as in the
 * pipelined method (residual_gap.h). */
#include "solvers/convergence/breakdown.h"
#include "solvers/convergence/convergence.h"
#include "solvers/kernels/basis/updates_basis.h"
#include "solvers/methods/flexible/directions.h"
#include "solvers/ops/dots.h"
#include "solvers/ops/ops_impl.h"
#include "solvers/ops/ops_overlapped.h"

#include <math.h>

enum { SUMS };
enum { WORK_R, WORK_U, WORK_W, WORK_D, WORK_M, WORK_N, DIRECTIONS };
enum { COUNT = OVK__PIPECG_SUMS }; /* and the (u, s_k) after them */

/* The sums that are squares of a direction's vectors. */
static const int square_of[OVK__DIRECTION] = {OVK__PP, OVK__SS, OVK__QQ, OVK__ZZ};

static ovk__pipecg_vecs pipefcg_vectors(const ovk_solver *S, const ovk__directions *F)
{
  return (ovk__pipecg_vecs){.x = S->x,
                            .r = S->work[WORK_R],
                            .u = S->work[WORK_U],
                            .w = S->work[WORK_W],
                            .m = S->work[WORK_M],
                            .n = S->work[WORK_N],
                            .z = F->next[OVK__DIRECTION_Z],
                            .q = F->next[OVK__DIRECTION_Q],
                            .s = F->next[OVK__DIRECTION_S],
                            .p = F->next[OVK__DIRECTION_P]};
}

/* d = w - theta r, and (u, s_k) with the n directions that end with the last one, where r, u and w
 * have been recomputed. */
static void pipefcg_setup_dots(ovk_solver *S, ovk__directions *F, double theta, int n)
{
  const ovk_vec *u = S->work[WORK_U];
  ovk__op_record_error(S, ovk_vec_copy(S->work[WORK_W], S->work[WORK_D]));
  ovk__op_axpy(S, -theta, S->work[WORK_R], S->work[WORK_D], ovk_poll_none());
  void *s = F->next[OVK__DIRECTION_S]->array;
  ovk__basis_dots(rows(S), n, (ovk__basis){.v = &s}, u->array, NULL, F->lanes, F->dots);
  ovk__directions_take(F, COUNT, n);
}

/* z, q, s, p of the next direction; x, r, u, w; d = w - theta r; the sums; those with directions
 * are for the iteration after it. */
static void pipefcg_update(ovk_solver *S, ovk__directions *F, double alpha, double theta)
{
  const bool full = F->n == F->m;
  const ovk__kept kept = ovk__directions_kept(F);
  const ovk__pipecg_vecs v = pipefcg_vectors(S, F);
  const ovk__pipecg_arrays a = ovk__pipecg_arrays_of(&v);
  const ovk__fcg_dots next = {F->n + !full, F->kept[OVK__DIRECTION_S] + full, F->lanes, F->dots};
  OVK_SWEEP(S, ovk__update_pipefcg(rows(S), &kept, alpha, theta, &a, S->work[WORK_D]->array,
                                   F->sums, &next));
  ovk__directions_take(F, COUNT, next.k);
}

/* The direction that gap_step takes as the one before the next, for beta = 1: the sum of c_k times
 * the kept directions. */
static void pipefcg_combine_gaps(ovk__residual_gap *gap, const ovk__directions *F)
{
  gap->s = gap->z = 0;
  for (int kind = 0; kind < OVK__DIRECTION; kind++) gap->norms[square_of[kind]] = 0;
  for (int k = 0; k < F->n; k++) {
    const double c = fabs(F->c[k]);
    gap->s += c * F->of[k].gap_s;
    gap->z += c * F->of[k].gap_z;
    for (int kind = 0; kind < OVK__DIRECTION; kind++) {
      gap->norms[square_of[kind]] += c * F->of[k].norms[kind];
    }
  }
}

/* The estimates of a step, which become those of its direction. */
static ovk__replacement pipefcg_update_gap(ovk__residual_gap *gap, const double *sums, double alpha,
                                           ovk__direction *last)
{
  const ovk__replacement replacement = ovk__residual_gap_update(gap, sums, alpha, 1);
  for (int kind = 0; kind < OVK__DIRECTION; kind++) last->norms[kind] = gap->norms[square_of[kind]];
  last->gap_s = gap->s;
  last->gap_z = gap->z;
  return replacement;
}

/* (w, u) / (r, u) at a start, from the ranks' parts; 1 if that is no valid scale. */
static double pipefcg_rayleigh_quotient(ovk_solver *S, const double *sums)
{
  double all[2] = {sums[OVK__WU], sums[OVK__RU]};
  ovk__op_record_error(S, ovk__dots_total(S, 2, all, all));
  const double theta = all[0] / all[1];
  return theta > 0 && isfinite(theta) ? theta : 1;
}

static ovk_err pipefcg_iterate(ovk_solver *S)
{
  ovk__directions *F = S->own;
  ovk_vec **work = S->work;
  ovk_vec *u = work[WORK_U], *w = work[WORK_W], *m = work[WORK_M];
  double *sums = F->sums, alpha = 0, theta = 0;
  ovk__direction *last = NULL;
  ovk__residual_gap gap;

  F->n = 0;
  for (int i = 0;; i++) {
    ovk__directions_place(F, work + DIRECTIONS, OVK__DIRECTION, i);
    const ovk__pipecg_vecs v = pipefcg_vectors(S, F);
    if (i == 0) {
      ovk__op_start_pipecg(S, &v, sums); /* u = M^-1 r; w = A u */
      theta = pipefcg_rayleigh_quotient(S, sums);
      pipefcg_setup_dots(S, F, theta, 0); /* d = w - theta r */
    }
    OVK_TRY(ovk__op_begin(S, SUMS, sums)); /* gamma = (r, u), delta = (w, u), ..., (u, s_k) */
    const ovk_poll poll = ovk__op_poll(S, SUMS);
    ovk__op_apply(S, work[WORK_D], m, poll);
    ovk__op_axpy(S, theta, u, m, poll); /* m = theta u + M^-1 (w - theta r) */
    ovk__op_product(S, m, v.n, poll);   /* n = A m */
    OVK_TRY(ovk__op_wait(S, SUMS, sums));
    if (i) OVK_TRY(ovk__convergence_test(S, ovk__op_square(S, sums), u, 0, NULL));
    const double gamma = sums[OVK__RU], delta = sums[OVK__WU];
    if (S->reason || ovk__breakdown_recurred_gamma(S, gamma, u) ||
        ovk__breakdown_drifted_curvature(S, delta, u, u, w)) {
      return OVK_OK;
    }
    ovk__replacement replacement = OVK__REPLACE_NONE;
    if (i) {
      replacement = pipefcg_update_gap(&gap, sums, alpha, last);
    } else {
      ovk__op_start_residual_gap(S, sums, &gap);
    }
    const double sigma = ovk__directions_find(S, F, delta, sums + COUNT, u);
    if (S->reason || ovk__breakdown_product(S, sigma, "(M^-1 r, A p)", work[WORK_R], u, w)) {
      return OVK_OK;
    }
    alpha = gamma / sigma;
    theta = delta / gamma;
    pipefcg_combine_gaps(&gap, F);
    pipefcg_update(S, F, alpha, theta); /* z, q, s, p; x, r, u, w; d; the sums */
    if (replacement) {
      ovk__op_replace_pipecg(S, &v, replacement, sums); /* u, w, s, q, z; r if REPLACE_ALL */
      pipefcg_setup_dots(S, F, theta, 1);               /* d; (u, s) */
      F->n = 0;                                         /* the others are not as accurate */
    }
    last = ovk__directions_keep(F, sigma);
  }
}

/* With m = 1. */
static const ovk__phase phases[] = {
    {.kind = OVK__BEGIN, .sum = SUMS},
    {.kind = OVK__PRECOND, .sum = SUMS, .polls = true, .doubles = {3, 4, 0}},
    {.kind = OVK__UPDATE, .sum = SUMS, .polls = true, .doubles = {3, 3, 3}},
    {.kind = OVK__PRODUCT, .sum = SUMS, .polls = true},
    {.kind = OVK__WAIT, .sum = SUMS},
    {.kind = OVK__UPDATE, .doubles = {24, 24, 24}, .dots = 12},
    {.kind = OVK__NO_PHASE},
};

const ovk__method ovk__method_pipefcg = {
    .name = "pipefcg",
    .aliases = "pipelined-fcg",
    .summary = "flexible CG of Sanan, Schnepp and May; 1 reduction, overlapped with M and A",
    .keys = ovk__directions_options,
    .vectors = DIRECTIONS + OVK__DIRECTION,
    .vectors_per_restart = OVK__DIRECTION,
    .sums = {[SUMS] = {.count = COUNT,
                       .per_restart = 1,
                       .status = true,
                       .projects = 1 << WORK_R | 1 << WORK_U | 1 << WORK_W}},
    .reductions_per_iteration = 1,
    .phases = phases,
    .fallback = &ovk__method_fcg,
    .open = ovk__directions_open,
    .close = ovk__directions_close,
    .instead = "fcg",
    .iterate = pipefcg_iterate,
};
