/* SPDX-License-Identifier: BSD-2-Clause */
/* Estimates the extreme eigenvalues once for all solves of the deep method, so that their pipelines
 * can start at once: a few Lanczos steps, of which only T is used. */
#include "base/mix.h"
#include "solvers/methods/deep/deep_state.h"
#include "solvers/steps/step_impl.h"

#include <limits.h>
#include <math.h>

/* Lanczos steps: the pipeline needs the extreme eigenvalues to one digit only. */
enum { STEPS = 12 };

/* Numbers in [-1, 1) that are the same for any number of ranks. */
static void fill(ovk_vec *r)
{
  for (ovk_lidx i = 0; i < r->layout.local; i++) {
    r->array[i] = ovk__mix_number((uint64_t)(r->layout.first + i) + 1);
  }
}

ovk_err ovk__deep_prepare(ovk_solver *S)
{
  const ovk_pcg_opts opts = S->opts;
  ovk__deep_state d;
  double lambda_min = INFINITY, lambda_max = 0;
  ovk__solve_reset(S, NULL, S->work[2]);
  S->opts.monitor = NULL;
  S->opts.true_residual_every = 0;
  S->opts.maxit = INT_MAX;
  S->norm_b = sqrt((double)S->A->layout.global / 3); /* of r, approximately */
  S->diverged_norm = S->rr = INFINITY;               /* the first (r, r) is not known */
  ovk__deep_set_up(S, &d);
  fill(d.w);
  ovk__deep_clear(S, S->x);
  /* If A or C fails, the bounds stay unset and no error is returned: a solve finds the failure
   * again and reports it in more detail. */
  const ovk_err err = ovk__deep_blocking(S, &d, STEPS);
  if (!err && !d.stuck && S->reason >= 0 && d.j > 0) {
    ovk__lanczos_widen(&d.T, d.j, &lambda_min, &lambda_max);
    if (lambda_min > 0 && isfinite(lambda_max)) {
      S->lambda_min = lambda_min;
      S->lambda_max = lambda_max;
    }
  }
  S->opts = opts;
  return OVK_OK;
}
