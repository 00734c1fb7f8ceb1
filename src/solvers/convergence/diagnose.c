/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the origin of a NaN or Inf, or of an inner product that is zero by underflow. That is slow
 * and collective, and happens at most once a solve; so it is not part of the stopping rules. */
#include "solvers/convergence/diagnose.h"
#include "core/context/agree.h"
#include "matrix/vector/vec_exact.h"
#include "solvers/convergence/advice.h"
#include "solvers/ops/dots.h"
#include "solvers/ops/marks.h"

#include <float.h>
#include <math.h>

/* values <- their totals over the ranks, the same on all ranks. */
static ovk_err diagnose_reduce(ovk_solver *S, double *values, int n, MPI_Op op)
{
  return ovk__agree(S->ctx, ovk__total(S->ctx, values, n, op));
}

ovk__bad_entries ovk__diagnose_find(const ovk__bad_sum *sum)
{
  ovk__bad_entries bad = {.iteration = sum->iteration};
  for (int k = 0; k < OVK__CANDIDATES; k++) {
    const ovk_vec *v = sum->candidates[k].vec;
    bad.lowest[k][OVK__ROW] = bad.lowest[k][OVK__RANK] = INFINITY;
    for (ovk_lidx i = 0; v && i < v->layout.local; i++) {
      if (isfinite(v->array[i])) continue;
      if (bad.count[k]++ > 0) continue;
      bad.lowest[k][OVK__ROW] = (double)(v->layout.first + i);
      bad.lowest[k][OVK__RANK] = v->ctx->rank;
    }
  }
  return bad;
}

/* Whether scalars are unlikely to overflow if a vector has this norm. */
static bool diagnose_is_ordinary(double norm)
{
  return norm > 1e-75 && norm < 1e75;
}

static ovk_err diagnose_norm(ovk_solver *S, const ovk_vec *v, double *norm)
{
  return ovk__agree(S->ctx, S->exact ? ovk__vec_exact_norm(v, norm) : ovk_vec_norm(v, norm));
}

/* The vectors are finite: compares the total with a plain sum of the same parts. The reduction is
 * reported as the origin only if no scalar of the method can have overflowed before it, or
 * since. */
static ovk_err diagnose_sum(ovk_solver *S, const ovk__bad_sum *sum)
{
  double total = ovk__part_dot(S, sum->u->array, sum->v->array), norm_u, norm_v;
  OVK_TRY(ovk__dots_total(S, 1, &total, &total));
  OVK_TRY(diagnose_norm(S, sum->u, &norm_u));
  OVK_TRY(diagnose_norm(S, sum->v, &norm_v));
  const bool wrong =
      isfinite(total) && diagnose_is_ordinary(norm_u) && diagnose_is_ordinary(norm_v);
  S->facts |= wrong ? OVK__FACT_BAD_SUM : OVK__FACT_RANGE;
  if (wrong) {
    ovk__stop(S, OVK_REASON_NAN, "the reduction '%s' returned NaN or Inf for %s, which is %g",
              S->backend, sum->name, total);
  } else if (isfinite(total)) {
    ovk__stop(S, OVK_REASON_NAN,
              "%s = %g in iteration %d: numbers computed from it overflow or underflow", sum->name,
              total, sum->iteration);
  } else {
    ovk__stop(S, OVK_REASON_NAN, "%s overflows in iteration %d", sum->name, sum->iteration);
  }
  return OVK_OK;
}

/* bad <- the bad entries of all ranks in the first iteration in which a rank has found some. */
static ovk_err diagnose_unite(ovk_solver *S, ovk__bad_entries *bad)
{
  const int n = OVK__CANDIDATES;
  double first = bad->iteration;
  OVK_TRY(diagnose_reduce(S, &first, 1, MPI_MIN));
  for (int k = 0; bad->iteration > first && k < n; k++) {
    bad->count[k] = 0;
    bad->lowest[k][OVK__ROW] = bad->lowest[k][OVK__RANK] = INFINITY;
  }
  bad->iteration = (int)first;
  OVK_TRY(diagnose_reduce(S, bad->count, n, MPI_SUM));
  return diagnose_reduce(S, &bad->lowest[0][0], n * OVK__LOWEST, MPI_MIN);
}

ovk_err ovk__diagnose_found(ovk_solver *S, const ovk__bad_sum *sum, ovk__bad_entries bad)
{
  OVK_TRY(diagnose_unite(S, &bad));
  for (int k = 0; k < OVK__CANDIDATES; k++) {
    if (bad.count[k] == 0) continue;
    S->facts |= OVK__FACT_BAD_ENTRIES;
    ovk__stop(
        S, OVK_REASON_NAN,
        "NaN or Inf in iteration %d: %.0f of %lld entries of %s; the first is row %.0f, on rank "
        "%.0f",
        bad.iteration, bad.count[k], (long long)S->A->layout.global, sum->candidates[k].name,
        bad.lowest[k][OVK__ROW], bad.lowest[k][OVK__RANK]);
    return OVK_OK;
  }
  return diagnose_sum(S, sum);
}

ovk_err ovk__diagnose_value(ovk_solver *S, const ovk__bad_sum *sum)
{
  return ovk__diagnose_found(S, sum, ovk__diagnose_find(sum));
}

static double diagnose_largest(const ovk_vec *v)
{
  double max = 0;
  for (ovk_lidx i = 0; i < v->layout.local; i++) max = fmax(max, fabs(v->array[i]));
  return max;
}

ovk_err ovk__diagnose_underflow(ovk_solver *S, const ovk__bad_sum *sum)
{
  double max[2] = {diagnose_largest(sum->u), diagnose_largest(sum->v)};
  OVK_TRY(diagnose_reduce(S, max, 2, MPI_MAX));
  if (max[0] == 0 || max[1] == 0 || max[0] > DBL_MIN / DBL_EPSILON / max[1]) return OVK_OK;
  S->facts |= OVK__FACT_RANGE;
  ovk__stop(S, OVK_REASON_NAN, "%s underflows in iteration %d, with entries of at most %g and %g",
            sum->name, sum->iteration, max[0], max[1]);
  return OVK_OK;
}
