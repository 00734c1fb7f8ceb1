/* SPDX-License-Identifier: BSD-2-Clause */
/* PCG-Algorithm1: the classic preconditioned conjugate gradients, as in hypre, with three blocking
 * reductions an iteration. Source: Kandalla et al., "Designing non-blocking allreduce with
 * collective offload on InfiniBand clusters: a case study with conjugate gradient solvers" (2012),
 * Figure 3. x is updated in the sweep that computes the next p, so it is one update late until
 * then.
 *
 * two-reductions is the same with (r, M^-1 r) and the norm in one reduction. Without a
 * preconditioner it is the CG of Hoefler et al., "Optimizing a conjugate gradient solver with
 * non-blocking collective operations" (2007), Listing 2. blockcg is that for one right-hand side.
 */
#include "solvers/convergence/breakdown.h"
#include "solvers/convergence/convergence.h"
#include "solvers/ops/ops.h"
#include "solvers/ops/rounding.h"

enum { SDOTP, GAMMA, IPROD };
enum { WORK_R, WORK_P, WORK_S, WORK_VECTORS };

/* gamma and iprod, the totals of the parts rz and rr, by a reduction each or by one of both. */
static ovk_err cg_sum_gamma_iprod(ovk_solver *S, double rz, double rr, double *gamma, double *iprod)
{
  if (S->active->sums[IPROD].count == 1) {
    OVK_TRY(ovk__op_reduce_scalar(S, GAMMA, rz, gamma));
    return ovk__op_reduce_scalar(S, IPROD, rr, iprod);
  }
  double both[] = {rz, rr};
  OVK_TRY(ovk__op_reduce(S, IPROD, both));
  *gamma = both[0];
  *iprod = both[1];
  return OVK_OK;
}

static ovk_err cg_iterate(ovk_solver *S)
{
  ovk_vec *x = S->x, *r = S->work[WORK_R], *p = S->work[WORK_P], *s = S->work[WORK_S];
  const ovk_poll none = ovk_poll_none();
  double sdotp, gamma, iprod, part, alpha;

  part = ovk__op_apply_first_dot(S, r, p);                /* M p = r */
  OVK_TRY(ovk__op_reduce_scalar(S, GAMMA, part, &gamma)); /* gamma = (r, p) */
  if (ovk__breakdown_gamma(S, gamma, r, p, "(r, M^-1 r)")) return OVK_OK;
  ovk__rounding_start(S);

  for (;;) {
    part = ovk__op_mult(S, p, s, none);                     /* s = A p */
    OVK_TRY(ovk__op_reduce_scalar(S, SDOTP, part, &sdotp)); /* sdotp = (s, p) */
    if (ovk__breakdown_curvature(S, sdotp, NULL, p, s)) return OVK_OK;
    alpha = gamma / sdotp;
    const double gamma_old = gamma;
    const double rr = ovk__op_update_r(S, alpha, s, r, s, &part); /* r = r - alpha s; M s = r */
    /* gamma = (r, s); iprod = (r, r), or another norm */
    OVK_TRY(cg_sum_gamma_iprod(S, part, rr, &gamma, &iprod));
    ovk__rounding_step(S, alpha, gamma, iprod, gamma / gamma_old);
    OVK_TRY(ovk__convergence_test(S, iprod, s, alpha, p));
    if (S->reason || ovk__breakdown_gamma(S, gamma, r, s, "(r, M^-1 r)")) break;
    const double beta = gamma / gamma_old;
    ovk__op_update_x_p(S, alpha, r, s, beta, p, x); /* x = x + alpha p; p = s + beta p */
  }
  ovk__op_axpy(S, alpha, p, x, none); /* x = x + alpha p: the pending update */
  return OVK_OK;
}

static const ovk__phase phases[] = {
    {.kind = OVK__PRODUCT},
    OVK__REDUCTION(SDOTP),
    {.kind = OVK__UPDATE, .doubles = {3, 4, 3}, .dots = 2},
    {.kind = OVK__PRECOND, .doubles = {0, 0, 2}},
    OVK__REDUCTION(GAMMA),
    OVK__REDUCTION(IPROD),
    {.kind = OVK__UPDATE, .doubles = {5, 6, 5}},
    {.kind = OVK__NO_PHASE},
};

const ovk__method ovk__method_cg = {
    .name = "cg",
    .aliases = "pcg algorithm1 pcg-algorithm1",
    .summary = "PCG of Hestenes and Stiefel, as in hypre; 3 blocking reductions",
    .vectors = WORK_VECTORS,
    .sums = {[SDOTP] = {.count = 1},
             [GAMMA] = {.count = 1},
             [IPROD] = {.count = 1, .status = true, .projects = 1 << WORK_R}},
    .reductions_per_iteration = 3,
    .phases = phases,
    .iterate = cg_iterate,
    .many = &ovk__many_cg,
};

static const ovk__phase two_phases[] = {
    {.kind = OVK__PRODUCT},
    OVK__REDUCTION(SDOTP),
    {.kind = OVK__UPDATE, .doubles = {3, 4, 3}, .dots = 2},
    {.kind = OVK__PRECOND, .doubles = {0, 0, 2}},
    OVK__REDUCTION(IPROD),
    {.kind = OVK__UPDATE, .doubles = {5, 6, 5}},
    {.kind = OVK__NO_PHASE},
};

/* GAMMA is the sum of the first residual. */
#define TWO_REDUCTIONS                                                                             \
  .vectors = WORK_VECTORS,                                                                         \
  .sums = {[SDOTP] = {.count = 1},                                                                 \
           [GAMMA] = {.count = 1},                                                                 \
           [IPROD] = {.count = 2, .status = true, .projects = 1 << WORK_R}},                       \
  .reductions_per_iteration = 2, .phases = two_phases, .iterate = cg_iterate

const ovk__method ovk__method_two_reductions = {
    .name = "two-reductions",
    .summary = "PCG with the norm in the reduction of gamma; 2 blocking reductions",
    TWO_REDUCTIONS,
    .many = &ovk__many_cg,
};

const ovk__method ovk__method_blockcg = {
    .name = "blockcg",
    .summary = "block PCG for several right-hand sides, else two-reductions; 2 blocking reductions",
    TWO_REDUCTIONS,
    .many = &ovk__many_blockcg,
};
