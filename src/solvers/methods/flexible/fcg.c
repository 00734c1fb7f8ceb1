/* SPDX-License-Identifier: BSD-2-Clause */
/* Flexible conjugate gradients, for a positive definite M that changes from one application to the
 * next: each direction is made A-orthogonal to the last m explicitly. Source: Notay, "Flexible
 * conjugate gradients" (2000). Here all inner products are in one reduction, as s = A p follows
 * from w = A z like p from z:
 *   c_k = (z, s_k) / sigma_k; p = z - sum of c_k p_k; s = w - sum of c_k s_k;
 *   sigma = (p, s) = (z, w) - sum of c_k (z, s_k); alpha = (z, r) / sigma.
 * The last holds since the p_k are orthogonal to r. */
#include "solvers/convergence/breakdown.h"
#include "solvers/convergence/convergence.h"
#include "solvers/kernels/basis/updates_basis.h"
#include "solvers/methods/flexible/directions.h"
#include "solvers/ops/marks.h"
#include "solvers/ops/ops_impl.h"

enum { SUMS };
enum { WORK_R, WORK_Z, WORK_W, DIRECTIONS };
enum { GAMMA, DELTA, RR, COUNT }; /* and the (z, s_k) after them */
enum { KINDS = OVK__DIRECTION_S + 1 };

/* (z, s_k) */
static void fcg_find_dots(ovk_solver *S, ovk__directions *F, const ovk_vec *z)
{
  const ovk__basis images = {.v = F->kept[OVK__DIRECTION_S]};
  OVK_SWEEP(S, ovk__basis_dots(rows(S), F->n, images, z->array, NULL, F->lanes, F->dots));
  for (int k = 0; S->marks && k < F->n; k++) {
    F->dots[ovk__basis_vu(k)] = ovk__mark_dot(S, z->array, (const double *)images.v[k]);
  }
  ovk__directions_take(F, COUNT, F->n);
}

/* p = z - sum of c_k p_k; s = w - sum of c_k s_k; x = x + alpha p; r = r - alpha s; (r, r) */
static double fcg_update(ovk_solver *S, const ovk__directions *F, double alpha)
{
  const ovk__kept kept = ovk__directions_kept(F);
  double rr;
  OVK_SWEEP(S, rr = ovk__update_fcg(rows(S), &kept, alpha, S->work[WORK_Z]->array,
                                    S->work[WORK_W]->array, F->next[OVK__DIRECTION_P]->array,
                                    F->next[OVK__DIRECTION_S]->array, S->x->array,
                                    S->work[WORK_R]->array));
  return S->marks ? ovk__mark_dot(S, S->work[WORK_R]->array, S->work[WORK_R]->array) : rr;
}

static ovk_err fcg_iterate(ovk_solver *S)
{
  ovk__directions *F = S->own;
  ovk_vec *r = S->work[WORK_R], *z = S->work[WORK_Z], *w = S->work[WORK_W];
  const ovk_poll none = ovk_poll_none();
  double *sums = F->sums;

  F->n = 0;
  sums[RR] = 0;
  sums[GAMMA] = ovk__op_apply_first_dot(S, r, z); /* z = M^-1 r */
  for (int i = 0;; i++) {
    ovk__directions_place(F, S->work + DIRECTIONS, KINDS, i);
    sums[DELTA] = ovk__op_mult(S, z, w, none); /* w = A z */
    fcg_find_dots(S, F, z);
    OVK_TRY(ovk__op_reduce(S, SUMS, sums)); /* gamma = (r, z), delta = (z, w), (r, r), (z, s_k) */
    if (i) OVK_TRY(ovk__convergence_test(S, sums[RR], z, 0, NULL));
    if (S->reason || ovk__breakdown_gamma(S, sums[GAMMA], r, z, "(r, M^-1 r)") ||
        ovk__breakdown_curvature(S, sums[DELTA], NULL, z, w)) {
      return OVK_OK;
    }
    const double sigma = ovk__directions_find(S, F, sums[DELTA], sums + COUNT, z);
    if (S->reason || ovk__breakdown_product(S, sigma, "(M^-1 r, A p)", r, z, w)) return OVK_OK;
    sums[RR] = fcg_update(S, F, sums[GAMMA] / sigma); /* p, s, x, r */
    (void)ovk__directions_keep(F, sigma);
    sums[GAMMA] = ovk__op_apply_dot(S, r, z); /* z = M^-1 r */
    sums[RR] = ovk__op_norm(S, sums[RR], sums[GAMMA], r, z);
  }
}

/* With m = 1. */
static const ovk__phase phases[] = {
    {.kind = OVK__PRODUCT},
    {.kind = OVK__UPDATE, .doubles = {2, 2, 2}, .dots = 1},
    OVK__REDUCTION(SUMS),
    {.kind = OVK__UPDATE, .doubles = {14, 14, 14}, .dots = 1},
    {.kind = OVK__PRECOND, .doubles = {3, 4, 2}},
    {.kind = OVK__NO_PHASE},
};

const ovk__method ovk__method_fcg = {
    .name = "fcg",
    .aliases = "flexible-cg",
    .summary = "flexible CG of Notay, for a variable preconditioner; 1 blocking reduction",
    .keys = ovk__directions_options,
    .vectors = DIRECTIONS + KINDS,
    .vectors_per_restart = KINDS,
    .sums = {[SUMS] = {.count = COUNT, .per_restart = 1, .status = true, .projects = 1 << WORK_R}},
    .reductions_per_iteration = 1,
    .phases = phases,
    .open = ovk__directions_open,
    .close = ovk__directions_close,
    .iterate = fcg_iterate,
};
