/* SPDX-License-Identifier: BSD-2-Clause */
/* Where a NaN or Inf came from: apart from the stopping rules because it is slow, collective and
 * runs at most once a solve. */
#include "solvers/stop.h"
#include "solvers/updates.h"

#include <math.h>

static int64_t count_bad(const ovk_vec *v)
{
  int64_t bad = 0;
  for (ovk_lidx i = 0; i < v->layout.local; i++) bad += !isfinite(v->array[i]);
  return bad;
}

/* The vectors are fine: does the MPI's own sum of the same parts work? */
static void blame_sum(ovk_solver *S, const char *sum, const ovk_vec *u, const ovk_vec *v)
{
  const double part = ovk__dot(u->layout.local, u->array, v->array);
  double total = 0;
  MPI_Allreduce(&part, &total, 1, MPI_DOUBLE, MPI_SUM, S->ctx->comm);
  if (isfinite(total)) {
    ovk__stop(S, OVK_NAN, "the reduction '%s' returned NaN or Inf for %s, which is %g", S->backend,
              sum, total);
  } else {
    ovk__stop(S, OVK_NAN, "%s overflows in iteration %d: scale the system", sum, S->iterations);
  }
}

void ovk__stop_blame(ovk_solver *S, const char *sum, const ovk_vec *u, const ovk_vec *v, int n,
                     const ovk_vec *const *suspects, const char *const *names)
{
  enum { MAX_SUSPECTS = 4 };
  int64_t mine[MAX_SUSPECTS] = {0}, all[MAX_SUSPECTS] = {0};
  for (int k = 0; k < n; k++) mine[k] = count_bad(suspects[k]);
  MPI_Allreduce(mine, all, n, MPI_INT64_T, MPI_SUM, S->ctx->comm);
  for (int k = 0; k < n; k++) {
    if (!all[k]) continue;
    ovk__stop(S, OVK_NAN, "NaN or Inf in iteration %d: %lld of %lld entries of %s", S->iterations,
              (long long)all[k], (long long)suspects[k]->layout.global, names[k]);
    return;
  }
  blame_sum(S, sum, u, v);
}
