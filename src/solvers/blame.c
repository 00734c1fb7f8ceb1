/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a NaN or Inf, or a zero that should be none, came from: apart from the stopping rules
 * because it is slow, collective and runs at most once a solve. */
#include "solvers/stop.h"
#include "solvers/updates.h"

#include <float.h>
#include <math.h>

static int64_t count_bad(const ovk_vec *v)
{
  int64_t bad = 0;
  for (ovk_lidx i = 0; v && i < v->layout.local; i++) bad += !isfinite(v->array[i]);
  return bad;
}

/* The vectors are fine: does the MPI's own sum of the same parts work? */
static void blame_sum(ovk_solver *S, const ovk__suspicion *suspicion)
{
  const double part =
      ovk__dot(suspicion->u->layout.local, suspicion->u->array, suspicion->v->array);
  double total = 0;
  MPI_Allreduce(&part, &total, 1, MPI_DOUBLE, MPI_SUM, S->ctx->comm);
  if (isfinite(total)) {
    ovk__stop(S, OVK_NAN, "the reduction '%s' returned NaN or Inf for %s, which is %g", S->backend,
              suspicion->sum, total);
  } else {
    ovk__stop(S, OVK_NAN, "%s overflows in iteration %d: scale the system", suspicion->sum,
              suspicion->iteration);
  }
}

void ovk__stop_blame(ovk_solver *S, const ovk__suspicion *suspicion)
{
  int64_t mine[3] = {0}, all[3] = {0};
  for (int k = 0; k < suspicion->n; k++) mine[k] = count_bad(suspicion->suspects[k]);
  MPI_Allreduce(mine, all, 3, MPI_INT64_T, MPI_SUM, S->ctx->comm);
  for (int k = 0; k < suspicion->n; k++) {
    if (!all[k]) continue;
    ovk__stop(S, OVK_NAN, "NaN or Inf in iteration %d: %lld of %lld entries of %s",
              suspicion->iteration, (long long)all[k],
              (long long)suspicion->suspects[k]->layout.global, suspicion->names[k]);
    return;
  }
  blame_sum(S, suspicion);
}

bool ovk__stop_underflow(ovk_solver *S, const ovk__suspicion *suspicion)
{
  double u = 0, v = 0;
  if (ovk_vec_norm(suspicion->u, &u) || ovk_vec_norm(suspicion->v, &v)) return false;
  if (u == 0 || v == 0 || u > DBL_MIN / DBL_EPSILON / v) return false;
  ovk__stop(S, OVK_NAN, "%s underflows in iteration %d, with norms %g and %g: scale the system",
            suspicion->sum, suspicion->iteration, u, v);
  return true;
}
