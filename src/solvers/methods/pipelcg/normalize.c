/* SPDX-License-Identifier: BSD-2-Clause */
/* Normalization of a new v_j in the deep method, with the residual test and the stagnation test.
 * Shared by the blocking Lanczos steps and the pipeline. */
#include "solvers/convergence/breakdown.h"
#include "solvers/convergence/convergence.h"
#include "solvers/convergence/diagnose.h"
#include "solvers/methods/pipelcg/pipelcg_state.h"
#include "solvers/ops/ops_impl.h"

#include <math.h>

/* Stagnation: (r, r) did not decrease by the factor PROGRESS within STALL_ITERATIONS plus half the
 * iterations made before. Plateaus of ill-conditioned problems are shorter. */
static const double PROGRESS = 0.9;
enum { STALL_ITERATIONS = 1000 };

/* In exact arithmetic ||r|| can grow by sqrt(cond(A)), 1e8 for the worst matrix that doubles can
 * resolve. If (r, r) has grown by more, the v consist of rounding errors: r has reached its
 * attainable accuracy above the tolerance, and a restart from x is better. */
static const double GROWTH = 1e16;

bool ovk__pipelcg_stalls(ovk__pipelcg_state *d, double rr)
{
  if (rr < PROGRESS * d->least_rr) {
    d->least_rr = rr;
    d->least_rr_at = d->j;
  }
  return rr > GROWTH * d->least_rr || d->j - d->least_rr_at > STALL_ITERATIONS + d->least_rr_at / 2;
}

void ovk__pipelcg_sum_normalize(ovk_solver *S, const ovk__pipelcg_state *d, double *sums)
{
  const double start = ovk__op_now(S);
  for (int q = 0; q < OVK__BLOCKING_SUMS; q++) sums[q] = 0;
  const double wz = ovk__pipelcg_dot(rows(S), d->w->array, d->z->array);
  const double ww = ovk__pipelcg_dot(rows(S), d->w->array, d->w->array);
  sums[OVK__BLOCKING_WZ] = wz;
  if (d->pending_correction) {
    sums[OVK__BLOCKING_CORRECTION] =
        ovk__pipelcg_dot(rows(S), d->pending_correction->array, d->pending_correction->array) +
        ovk__pipelcg_dot(rows(S), d->p->array, d->p->array);
  }
  ovk__op_log(S, OVK_EVENT_VECTOR, start);
  sums[OVK__BLOCKING_TEST] = ovk__op_norm(S, ww, wz, d->w, d->z);
}

static void normalize_add_correction(ovk_solver *S, ovk__pipelcg_state *d, double total)
{
  if (!d->pending_correction) return;
  if (isfinite(total)) {
    ovk__op_axpy(S, 1, d->pending_correction, S->x, ovk_poll_none());
  } else {
    const ovk__bad_sum sum = {"(M^-1 r, M^-1 r)",
                              d->pending_correction,
                              d->pending_correction,
                              S->counts.iterations + 1,
                              {{d->pending_correction, "the preconditioner's output"},
                               {d->p, "the preconditioner's output"}}};
    ovk__op_record_error(S, ovk__diagnose_value(S, &sum));
    S->norms.rr = d->safe_rr;
  }
  d->pending_correction = NULL;
}

ovk_err ovk__pipelcg_add_pending(ovk_solver *S, ovk__pipelcg_state *d)
{
  double sums[OVK__BLOCKING_SUMS];
  OVK_TRY(ovk__pipelcg_begin_normalize(S, d));
  OVK_TRY(ovk__op_wait(S, OVK__BLOCKING_NORM, sums));
  normalize_add_correction(S, d, sums[OVK__BLOCKING_CORRECTION]);
  return OVK_OK;
}

/* v_j <- w / its norm; z <- M^-1 v_j */
static void normalize_scale(ovk_solver *S, ovk__pipelcg_state *d, double norm)
{
  const double start = ovk__op_now(S);
  ovk__scale_add(rows(S), 1 / norm, d->w->array, 0, ovk__pipelcg_v(d, d->j)->array);
  ovk__scale_add(rows(S), 0, d->w->array, 1 / norm, d->z->array);
  d->T.zeta[ovk__lanczos_at(d->j)] *= norm;
  if (d->j > 0) d->T.delta[ovk__lanczos_at(d->j - 1)] *= norm;
  ovk__op_log(S, OVK_EVENT_VECTOR, start);
}

ovk_err ovk__pipelcg_normalize(ovk_solver *S, ovk__pipelcg_state *d, const double *sums)
{
  const double zeta = d->T.zeta[ovk__lanczos_at(d->j)];
  normalize_add_correction(S, d, sums[OVK__BLOCKING_CORRECTION]);
  if (S->reason) return OVK_OK;
  if (d->j > d->tested) {
    d->tested = d->j;
    OVK_TRY(ovk__convergence_test(S, zeta * zeta * sums[OVK__BLOCKING_TEST], d->z, 0, NULL));
    d->failed = ovk__pipelcg_stalls(d, S->norms.rr);
    if (S->reason || d->failed) return OVK_OK;
  }
  if (ovk__breakdown_gamma(S, zeta * zeta * sums[OVK__BLOCKING_WZ], d->w, d->z, "(r, M^-1 r)")) {
    return OVK_OK;
  }
  normalize_scale(S, d, sqrt(sums[OVK__BLOCKING_WZ]));
  return OVK_OK;
}

ovk_err ovk__pipelcg_begin_normalize(ovk_solver *S, ovk__pipelcg_state *d)
{
  double sums[OVK__BLOCKING_SUMS];
  ovk__pipelcg_sum_normalize(S, d, sums);
  return ovk__op_begin(S, OVK__BLOCKING_NORM, sums);
}

ovk_err ovk__pipelcg_end_normalize(ovk_solver *S, ovk__pipelcg_state *d)
{
  double sums[OVK__BLOCKING_SUMS];
  OVK_TRY(ovk__op_wait(S, OVK__BLOCKING_NORM, sums));
  return ovk__pipelcg_normalize(S, d, sums);
}
