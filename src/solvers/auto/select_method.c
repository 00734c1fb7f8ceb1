/* SPDX-License-Identifier: BSD-2-Clause */
/* Predicted cost of an iteration of each method, and the choice. */
#include "solvers/auto/select_method.h"
#include "core/context/agree.h"
#include "solvers/kernels/lanczos.h"
#include "solvers/state/projection.h"

#include <math.h>
#include <stdio.h>

const ovk__method ovk__method_auto = {
    .name = "auto",
    .summary = "the method that a short timing trial predicts to be fastest",
};

/* A method is preferred to one earlier in the list only if its time is below this fraction: earlier
 * methods are simpler, and timings are not exact. */
static const double GAIN = 0.95;

static void select_write_spec(ovk__candidate c, char spec[OVK__METHOD_SPEC])
{
  ovk__method_spec(c.method, &(ovk__settings){.depth = c.depth}, spec);
}

/* The data that determine the time of a phase. */
typedef struct scale {
  const ovk__costs *costs;
  ovk__precond_kind M;
  int depth;
} scale;

/* Seconds of the preconditioner, or of a half of it, in a phase. */
static double select_precond_kind(const ovk__phase *p, scale s)
{
  if (p->kind == OVK__PRECOND) return s.costs->precond;
  return p->kind == OVK__PRECOND_LEFT || p->kind == OVK__PRECOND_RIGHT ? 0.5 * s.costs->precond : 0;
}

/* Seconds of a phase without its reduction. */
static double select_phase_seconds(const ovk__phase *p, scale s)
{
  const double sweep = s.costs->update * ovk__phase_doubles(p, s.M, s.depth) / OVK__UPDATE_DOUBLES +
                       s.costs->dot * p->dots;
  switch (p->kind) {
  case OVK__PRODUCT:
  case OVK__PRODUCT_PAIR:
    return s.costs->product + sweep;
  case OVK__UPDATE_WHILE: /* its rows are counted in the OVK__UPDATE_REST */
    return 0;
  default:
    return select_precond_kind(p, s) + sweep;
  }
}

/* Work overlapped with a reduction. */
typedef struct behind {
  double seconds;
  double hiding; /* seconds, each times the fraction of a reduction that such work hides */
} behind;

static void select_add_phase(behind *b, const ovk__phase *p, scale s)
{
  const ovk__costs *costs = s.costs;
  const double seconds = select_phase_seconds(p, s),
               silent = costs->never_polls ? select_precond_kind(p, s) : 0;
  b->seconds += seconds;
  b->hiding += costs->hidden * (seconds - silent) + costs->hidden_by_precond * silent;
}

/* The work between the begin of a reduction and its wait, and that of `iterations` whole
 * iterations; the list is cyclic. */
static behind select_find_overlapped(const ovk__method *method, const ovk__phase *begin,
                                     int iterations, scale s)
{
  behind all = {0}, b = {0};
  for (const ovk__phase *p = method->phases; p->kind; p++) select_add_phase(&all, p, s);
  for (const ovk__phase *p = begin;;) {
    p = p[1].kind ? p + 1 : method->phases;
    if (p == begin || (p->kind == OVK__WAIT && p->sum == begin->sum)) break;
    select_add_phase(&b, p, s);
  }
  return (behind){b.seconds + iterations * all.seconds, b.hiding + iterations * all.hiding};
}

/* Seconds of a reduction that overlapped work hides. */
static double select_hidden_seconds(behind b, double latency)
{
  return b.seconds > 0 ? b.hiding / b.seconds * fmin(latency, b.seconds) : 0;
}

/* Seconds of an iteration. */
static double select_predict(const ovk_solver *S, ovk__candidate c, const ovk__costs *costs)
{
  const scale s = {costs, S->M_kind, c.depth};
  double work = 0;
  for (const ovk__phase *p = c.method->phases; p->kind; p++) work += select_phase_seconds(p, s);
  const int others = c.depth ? c.depth - 1 : 0; /* whole iterations that hide a reduction */
  const double blocking = c.method->blocking + ovk__projection_sums(S, c.method);
  double seconds = work + blocking * costs->latency;
  for (const ovk__phase *p = c.method->phases; p->kind; p++) {
    if (p->kind != OVK__BEGIN) continue;
    const behind b = select_find_overlapped(c.method, p, others, s);
    seconds += costs->latency - select_hidden_seconds(b, costs->latency);
  }
  return seconds;
}

/* The simplest method for a class of matrices. */
static const ovk__method *select_classic_of(ovk__matrix_class A)
{
  static const ovk__method *const classic[] = {[OVK__A_DEFINITE] = &ovk__method_cg,
                                               [OVK__A_SYMMETRIC] = &ovk__method_minres,
                                               [OVK__A_ANY] = &ovk__method_bcgs};
  return classic[A];
}

double ovk__select_negligible(const ovk_solver *S)
{
  const ovk__method *classic = select_classic_of(S->selection.A_class);
  double reductions = classic->blocking + ovk__projection_sums(S, classic);
  for (const ovk__phase *p = classic->phases; p->kind; p++) reductions += p->kind == OVK__BEGIN;
  return (1 / GAIN - 1) / reductions;
}

double ovk__select_sweeps(const ovk_solver *S)
{
  int doubles = 0;
  for (const ovk__phase *p = select_classic_of(S->selection.A_class)->phases; p->kind; p++) {
    if (p->kind != OVK__UPDATE_WHILE) doubles += ovk__phase_doubles(p, S->M_kind, 0);
  }
  return (double)doubles / OVK__UPDATE_DOUBLES;
}

/* For these classes the list also has methods with other iterates. The phases do not show how many
 * iterations they need. */
static bool select_is_another_process(const ovk__method *method, ovk__matrix_class A)
{
  const ovk__method *classic = select_classic_of(A);
  return A != OVK__A_DEFINITE && method != classic && method->fallback != classic;
}

/* Methods with pairs of products gain accuracy, not time: one product hides a reduction as well.
 * Methods without reductions need more iterations than the others. Methods that keep vectors need
 * more memory. */
static bool select_is_candidate(const ovk_solver *S, const ovk__method *method,
                                const ovk__costs *costs)
{
  if (method->A != costs->A || select_is_another_process(method, costs->A)) return false;
  if (method->refused_norms[0] & (1u << S->opts.norm)) return false;
  if (!method->phases || method->makes_pairs || !method->reductions_per_iteration) return false;
  if (method->A == OVK__A_DEFINITE && method->vectors_per_restart) return false;
  return !method->needs_factors || (ovk__precond_has_factors(S->M) && !costs->no_factors);
}

static ovk__candidate select_find_fastest(const ovk_solver *S, const ovk__method *const *methods,
                                          int n, const ovk__costs *costs)
{
  ovk__candidate best = {select_classic_of(costs->A), 0};
  double least = select_predict(S, best, costs);
  for (int k = 0; k < n; k++) {
    if (!select_is_candidate(S, methods[k], costs)) continue;
    const bool deep = methods[k]->vectors_per_depth > 0;
    for (int depth = deep ? 1 : 0; depth <= (deep ? OVK__MAX_DEPTH : 0); depth++) {
      const ovk__candidate c = {methods[k], depth};
      const double seconds = select_predict(S, c, costs);
      if (seconds >= GAIN * least) continue;
      least = seconds;
      best = c;
    }
  }
  return best;
}

ovk__candidate ovk__select_method(ovk_solver *S, const ovk__method *const *methods, int n,
                                  const ovk__costs *costs)
{
  const ovk__candidate classic = {select_classic_of(costs->A), 0};
  const char *why = costs->class_why ? costs->class_why : "";
  if (S->exact) {
    snprintf(S->selection.why, sizeof S->selection.why,
             "%s, because %s%sexact sums rule out a timing trial", classic.method->name, why,
             *why ? ", and " : "");
    return classic;
  }
  if (costs->alone) {
    snprintf(S->selection.why, sizeof S->selection.why,
             "%s, because %s%sone rank waits for no reduction", classic.method->name, why,
             *why ? ", and " : "");
    return classic;
  }
  if (costs->failed) {
    snprintf(S->selection.why, sizeof S->selection.why, "%s, because the timing trial failed: %.*s",
             classic.method->name, OVK__MESSAGE_SIZE / 2, S->ctx->message);
    return classic;
  }
  if (costs->cheap_reductions) {
    snprintf(
        S->selection.why, sizeof S->selection.why,
        "%s, because %s%sa reduction takes %.3g us, and the rest of an iteration %.3g us or more",
        classic.method->name, why, *why ? ", and " : "", 1e6 * costs->latency,
        1e6 * (costs->product + costs->sweeps + costs->precond));
    return classic;
  }
  const ovk__candidate best = select_find_fastest(S, methods, n, costs);
  char spec[OVK__METHOD_SPEC];
  select_write_spec(best, spec);
  snprintf(S->selection.why, sizeof S->selection.why,
           "%s%s%s: predicted %.3g us per iteration, %.3g with %s; SpMV %.3g us, "
           "preconditioner %.3g us, reduction %.3g us, of which %.0f %% can be overlapped",
           spec, *why ? ", because " : "", why, 1e6 * select_predict(S, best, costs),
           1e6 * select_predict(S, classic, costs), classic.method->name, 1e6 * costs->product,
           1e6 * costs->precond, 1e6 * costs->latency, 100 * costs->hidden);
  return best;
}

ovk_err ovk__select_method_agree(const ovk_solver *S, ovk__candidate mine)
{
  char spec[OVK__METHOD_SPEC];
  select_write_spec(mine, spec);
  return ovk__agree_decided(S->ctx, "methods", spec);
}
