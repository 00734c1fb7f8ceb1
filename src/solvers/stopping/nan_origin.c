/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the origin of a NaN or Inf, or of an inner product that is zero by underflow. Slow and
 * collective, at most once a solve; therefore not part of the stopping rules. */
#include "solvers/kernels/updates.h"
#include "solvers/stopping/stop.h"

#include <float.h>
#include <math.h>

ovk_err ovk__stop_reduce(ovk_solver *S, double *values, int n, MPI_Op op)
{
  const int code = MPI_Allreduce(MPI_IN_PLACE, values, n, MPI_DOUBLE, op, S->ctx->comm);
  ovk_err err = OVK_OK;
  if (code != MPI_SUCCESS) err = ovk__fail_mpi(S->ctx, code, __FILE__, __LINE__, "MPI_Allreduce");
  return ovk__agree(S->ctx, err);
}

enum { CANDIDATES = 3 };
enum { ROW, RANK, MINIMA };

/* Entries that are NaN or Inf: their number, the first row and the lowest rank that have some; of
 * this rank, then reduced over all ranks. Rows and ranks are exact as doubles. */
typedef struct bad_entries {
  double count[CANDIDATES];
  double lowest[CANDIDATES][MINIMA];
} bad_entries;

static bad_entries find_bad(const ovk_solver *S, const ovk__bad_sum *sum)
{
  bad_entries bad = {{0}, {{0}}};
  for (int k = 0; k < CANDIDATES; k++) {
    const ovk_vec *v = k < sum->n ? sum->candidates[k] : NULL;
    bad.lowest[k][ROW] = bad.lowest[k][RANK] = INFINITY;
    for (ovk_lidx i = 0; v && i < v->layout.local; i++) {
      if (isfinite(v->array[i])) continue;
      if (bad.count[k]++ > 0) continue;
      bad.lowest[k][ROW] = (double)(v->layout.first + i);
      bad.lowest[k][RANK] = S->ctx->rank;
    }
  }
  return bad;
}

/* The vectors are finite: compares with a plain MPI_Allreduce of the same parts. */
static ovk_err diagnose_sum(ovk_solver *S, const ovk__bad_sum *sum)
{
  double total = ovk__dot(sum->u->layout.local, sum->u->array, sum->v->array);
  OVK_TRY(ovk__stop_reduce(S, &total, 1, MPI_SUM));
  if (isfinite(total)) {
    ovk__stop(S, OVK_REASON_NAN, "the reduction '%s' returned NaN or Inf for %s, which is %g",
              S->backend, sum->name, total);
  } else {
    ovk__stop(S, OVK_REASON_NAN, "%s overflows in iteration %d: scale the system", sum->name,
              sum->iteration);
  }
  return OVK_OK;
}

ovk_err ovk__stop_diagnose(ovk_solver *S, const ovk__bad_sum *sum)
{
  bad_entries bad = find_bad(S, sum);
  OVK_TRY(ovk__stop_reduce(S, bad.count, CANDIDATES, MPI_SUM));
  OVK_TRY(ovk__stop_reduce(S, &bad.lowest[0][0], CANDIDATES * MINIMA, MPI_MIN));
  for (int k = 0; k < sum->n; k++) {
    if (bad.count[k] == 0) continue;
    ovk__stop(
        S, OVK_REASON_NAN,
        "NaN or Inf in iteration %d: %.0f of %lld entries of %s; the first is row %.0f, on rank "
        "%.0f",
        sum->iteration, bad.count[k], (long long)sum->candidates[k]->layout.global,
        sum->candidate_names[k], bad.lowest[k][ROW], bad.lowest[k][RANK]);
    return OVK_OK;
  }
  return diagnose_sum(S, sum);
}

static double largest(const ovk_vec *v)
{
  double max = 0;
  for (ovk_lidx i = 0; i < v->layout.local; i++) max = fmax(max, fabs(v->array[i]));
  return max;
}

ovk_err ovk__stop_underflow(ovk_solver *S, const ovk__bad_sum *sum)
{
  double max[2] = {largest(sum->u), largest(sum->v)};
  OVK_TRY(ovk__stop_reduce(S, max, 2, MPI_MAX));
  if (max[0] == 0 || max[1] == 0 || max[0] > DBL_MIN / DBL_EPSILON / max[1]) return OVK_OK;
  ovk__stop(S, OVK_REASON_NAN,
            "%s underflows in iteration %d, with entries of at most %g and %g: scale the system",
            sum->name, sum->iteration, max[0], max[1]);
  return OVK_OK;
}
