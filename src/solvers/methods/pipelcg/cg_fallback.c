/* SPDX-License-Identifier: BSD-2-Clause */
/* The CG fallback of the deep method, for when v cannot be orthogonalized further without r
 * deviating from b - A x: classic PCG as in cg.c, but continued with the current search
 * direction, as a restart would take more iterations. */
#include "solvers/convergence/breakdown.h"
#include "solvers/convergence/convergence.h"
#include "solvers/kernels/updates/updates.h"
#include "solvers/methods/pipelcg/pipelcg_state.h"
#include "solvers/ops/ops_impl.h"

#include <math.h>

/* beta that makes u + beta p conjugate to p as they are, rounding included; s = A p. */
static ovk_err cg_fallback_find_beta(ovk_solver *S, const ovk_vec *u, const ovk_vec *p, ovk_vec *s,
                                     double *beta)
{
  double parts[OVK__BLOCKING_SUMS] = {0};
  parts[0] = ovk__op_mult(S, p, s, ovk_poll_none());
  parts[1] = ovk__dot(rows(S), u->array, s->array);
  OVK_TRY(ovk__op_reduce(S, OVK__BLOCKING_NORM, parts));
  *beta = parts[0] > 0 ? -parts[1] / parts[0] : 0;
  if (!isfinite(*beta)) *beta = 0; /* the next product finds the origin */
  return OVK_OK;
}

ovk_err ovk__pipelcg_cg_fallback(ovk_solver *S, ovk__pipelcg_state *d)
{
  ovk_vec *x = S->x, *r = d->w, *u = d->z, *p = d->p, *s = d->y;
  double sums[OVK__BLOCKING_SUMS] = {0}, beta, sdotp;
  const double zeta = d->T.zeta[ovk__lanczos_at(d->j)];
  double gamma = zeta * zeta; /* (r, u) */
  ovk__scale_add(rows(S), zeta, ovk__pipelcg_v(d, d->j)->array, 0, r->array);
  ovk__scale_add(rows(S), 0, r->array, zeta, u->array);
  OVK_TRY(cg_fallback_find_beta(S, u, p, s, &beta));
  S->counts.method_changes = 1;
  for (;; beta = sums[OVK__BLOCKING_WZ] / gamma, gamma = sums[OVK__BLOCKING_WZ]) {
    ovk__scale_add(rows(S), 1, u->array, beta, p->array); /* p = u + beta p */
    const double part = ovk__op_mult(S, p, s, ovk_poll_none());
    OVK_TRY(ovk__op_reduce_scalar(S, OVK__BLOCKING_GAMMA, part, &sdotp)); /* (p, s) */
    if (ovk__breakdown_curvature(S, sdotp, u, p, s)) return OVK_OK;
    const double alpha = gamma / sdotp;
    ovk__op_axpy(S, alpha, p, x, ovk_poll_none());       /* x = x + alpha p */
    const double rr = ovk__op_axpy_norm(S, alpha, s, r); /* r = r - alpha s */
    sums[OVK__BLOCKING_WZ] = ovk__op_apply_dot(S, r, u); /* u = M^-1 r */
    sums[OVK__BLOCKING_TEST] = ovk__op_norm(S, rr, sums[OVK__BLOCKING_WZ], r, u);
    OVK_TRY(ovk__op_reduce(S, OVK__BLOCKING_NORM, sums));
    OVK_TRY(ovk__convergence_test(S, sums[OVK__BLOCKING_TEST], u, 0, NULL));
    d->failed =
        ovk__pipelcg_stalls(d, S->norms.rr); /* p may have lost conjugacy, so that r grows */
    if (S->reason || d->failed) return OVK_OK;
    if (ovk__breakdown_gamma(S, sums[OVK__BLOCKING_WZ], u, u, "(r, M^-1 r)")) return OVK_OK;
  }
}
