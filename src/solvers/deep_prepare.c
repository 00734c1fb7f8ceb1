/* SPDX-License-Identifier: BSD-2-Clause */
/* Where the spectrum ends, found once for all solves of the deep method, whose pipelines can then
 * start at once. Apart from it because it is a solve of its own, of which only T is wanted. */
#include "core/mix.h"
#include "solvers/deep_state.h"
#include "solvers/step_impl.h"

#include <limits.h>
#include <math.h>

/* Lanczos' vectors: the pipeline needs the ends of the spectrum to one digit only. */
enum { STEPS = 12 };

/* Numbers in [-1, 1) that are the same for any number of ranks. */
static void fill(ovk_vec *r)
{
  for (ovk_lidx i = 0; i < r->layout.local; i++) {
    const uint64_t bits = ovk__mix((uint64_t)(r->layout.first + i) + 1);
    r->array[i] = 0x1p-63 * (double)(bits >> 1) * 2 - 1;
  }
}

ovk_err ovk__deep_prepare(ovk_solver *S)
{
  const ovk_pcg_opts opts = S->opts;
  ovk__deep_state d;
  double least = INFINITY, most = 0;
  ovk__solve_reset(S, NULL, S->work[2]);
  S->opts.monitor = NULL;
  S->opts.true_residual_every = 0;
  S->opts.maxit = INT_MAX;
  S->norm_b = sqrt((double)S->A->layout.global / 3); /* of r, about */
  S->lost = INFINITY;
  ovk__deep_set_up(S, &d);
  fill(d.w);
  ovk__deep_clear(S, S->x);
  /* No error, but no spectrum either, where A or C fails: they do again in a solve, if there is
   * one, and it can say more. */
  const ovk_err err = ovk__deep_walk(S, &d, STEPS);
  if (!err && !d.stuck && S->reason >= 0 && d.j > 0) {
    ovk__lanczos_widen(&d.T, d.j, &least, &most);
    if (least > 0 && isfinite(most)) {
      S->least = least;
      S->most = most;
    }
  }
  S->opts = opts;
  return OVK_OK;
}
