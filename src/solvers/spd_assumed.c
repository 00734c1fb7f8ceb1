/* SPDX-License-Identifier: BSD-2-Clause */
/* The end of a solve for which "auto" took A and M for definite, and its continuation. */
#include "solvers/spd_assumed.h"
#include "solvers/residual.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

ovk_err ovk__spd_keep_best(ovk_solver *S)
{
  if (!S->best.used || S->reason > 0 || !(S->norms.plain_rr < S->best.rr)) return OVK_OK;
  S->best.rr = S->norms.plain_rr;
  return ovk_vec_copy(S->x, S->best.x);
}

static bool spd_best_is_better(const ovk_solver *S)
{
  return isfinite(S->best.rr) && !(S->norms.plain_rr <= S->best.rr);
}

/* x <- the best one; r <- b - A x */
static ovk_err spd_return_to_best(ovk_solver *S)
{
  ovk__square r;
  if (spd_best_is_better(S)) ovk__vec_copy(S->best.x, S->x);
  OVK_TRY(ovk__residual_later(S, &r));
  S->norms.plain_rr = r.plain;
  S->norms.rr = S->norms.true_rr = r.test;
  return OVK_OK;
}

/* Whether conjugate gradients have ended as they do for no definite A and M that doubles can
 * resolve: by a direction without a positive curvature, an M that is not positive, or a residual
 * that has grown by more than sqrt(cond). */
static bool spd_is_refuted(const ovk_solver *S)
{
  const double sqrt_cond = 1e8;
  return S->reason == OVK_REASON_BREAKDOWN_INDEFINITE_A ||
         S->reason == OVK_REASON_BREAKDOWN_INDEFINITE_M ||
         (S->reason == OVK_REASON_DIVERGED && S->opts.dtol >= sqrt_cond);
}

ovk_err ovk__spd_reconsider(ovk_solver *S)
{
  bool changed;
  if (!spd_is_refuted(S)) return OVK_OK;
  OVK_TRY(ovk__solver_reconsider(S, &changed));
  if (!changed) return OVK_OK;
  S->reason = OVK_REASON_NOT_RUN;
  S->message[0] = '\0';
  S->counts.exits = 0;
  S->counts.restarts++;
  S->counts.method_changes = 1;
  return spd_return_to_best(S);
}

/* Whether the guess that A is definite has failed. In exact arithmetic conjugate gradients end
 * after as many iterations as there are rows. */
static bool spd_failed(const ovk_solver *S)
{
  return !S->selection.spd_assumed || spd_is_refuted(S) ||
         S->counts.iterations >= S->A->layout.global;
}

ovk_err ovk__spd_end(ovk_solver *S)
{
  if (S->reason > 0 || !spd_failed(S) || !spd_best_is_better(S)) return OVK_OK;
  OVK_TRY(spd_return_to_best(S));
  const size_t end = strlen(S->message);
  snprintf(S->message + end, sizeof S->message - end,
           "; x is the one with the smallest residual, ||b - A x|| = %g ||b||",
           sqrt(S->norms.plain_rr / S->norms.plain_bb));
  return OVK_OK;
}
