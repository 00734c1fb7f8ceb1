/* SPDX-License-Identifier: BSD-2-Clause */
/* Costs of an iteration, method by method. */
#include "solvers/choice.h"
#include "solvers/lanczos.h"

#include <math.h>
#include <stdio.h>

const ovk__method ovk__pcg_auto = {
    .name = "auto",
    .summary = "chosen by a short trial on the matrix, preconditioner, backend and machine",
};

/* Of a product's x and y, which it moves by itself. */
enum { PRODUCT_DOUBLES = 3 };

/* What a method must gain to be preferred to one before it in the list: those are simpler, and
 * times are not that exact. */
static const double GAIN = 0.95;

/* Seconds of an iteration's updates. */
static double update(const ovk_solver *S, ovk__candidate c, const ovk__costs *costs)
{
  const ovk__expense *e = &c.method->expense;
  const ovk__diagonal D = ovk__precond_inverse_diagonal(S->M);
  const int doubles = (!D.d         ? e->other
                       : D.constant ? e->constant
                                    : e->diagonal) +
                      c.depth * e->per_depth - PRODUCT_DOUBLES;
  return costs->update * doubles / OVK__UPDATE_DOUBLES;
}

/* What is left of a sum behind that work; `iterations` is what whole ones take. */
static double exposed(const ovk__costs *costs, unsigned behind, double iterations)
{
  const double work = (behind & OVK__BEHIND_UPDATE ? costs->update : 0) +
                      (behind & OVK__BEHIND_PRECOND ? costs->precond : 0) +
                      (behind & OVK__BEHIND_PRODUCT ? costs->product : 0) +
                      (behind & OVK__BEHIND_ITERATIONS ? iterations : 0);
  return costs->latency - costs->hidden * fmin(costs->latency, work);
}

/* Seconds of an iteration. */
static double predict(const ovk_solver *S, ovk__candidate c, const ovk__costs *costs)
{
  const ovk__expense *e = &c.method->expense;
  const double work = costs->product + costs->precond + update(S, c, costs);
  double seconds = work + e->blocking * costs->latency;
  for (int k = 0; k < c.method->reductions_per_iteration; k++) {
    seconds += exposed(costs, e->behind[k], (c.depth - 1) * work);
  }
  return seconds;
}

/* A pair of products gains accuracy, not time: a sum behind one product takes no longer. */
static bool is_candidate(const ovk_solver *S, const ovk__method *method)
{
  if (!method->iterate || method->makes_pairs) return false;
  return !method->needs_factors || S->M->ops->factor;
}

static ovk__candidate find_fastest(const ovk_solver *S, const ovk__method *const *methods, int n,
                                   const ovk__costs *costs)
{
  ovk__candidate best = {&ovk__pcg_algorithm1, 0};
  double least = predict(S, best, costs);
  for (int k = 0; k < n; k++) {
    if (!is_candidate(S, methods[k])) continue;
    const bool deep = methods[k]->vectors_per_depth > 0;
    for (int depth = deep ? 1 : 0; depth <= (deep ? OVK__MAX_DEPTH : 0); depth++) {
      const ovk__candidate c = {methods[k], depth};
      const double seconds = predict(S, c, costs);
      if (seconds >= GAIN * least) continue;
      least = seconds;
      best = c;
    }
  }
  return best;
}

ovk__candidate ovk__choose(ovk_solver *S, const ovk__method *const *methods, int n,
                           const ovk__costs *costs)
{
  const ovk__candidate classic = {&ovk__pcg_algorithm1, 0};
  if (costs->failed) {
    snprintf(S->method_why, sizeof S->method_why, "%s, as the trial failed: %.*s",
             classic.method->name, OVK__MESSAGE_SIZE / 2, S->ctx->message);
    return classic;
  }
  if (costs->cheap_sums) {
    snprintf(S->method_why, sizeof S->method_why, "%s, as a sum takes %.3g us and a product %.3g",
             classic.method->name, 1e6 * costs->latency, 1e6 * costs->product);
    return classic;
  }
  const ovk__candidate best = find_fastest(S, methods, n, costs);
  char spec[OVK__METHOD_SPEC];
  ovk__method_spec(best.method, best.depth, spec);
  snprintf(S->method_why, sizeof S->method_why,
           "%s, by %.3g us an iteration expected, algorithm1 %.3g: product %.3g, preconditioner "
           "%.3g, sum %.3g, of which work hides %.0f %%",
           spec, 1e6 * predict(S, best, costs), 1e6 * predict(S, classic, costs),
           1e6 * costs->product, 1e6 * costs->precond, 1e6 * costs->latency, 100 * costs->hidden);
  return best;
}
