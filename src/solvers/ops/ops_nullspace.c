/* SPDX-License-Identifier: BSD-2-Clause */
/* Projections onto the complement of a null space that share a reduction of the method. */
#include "solvers/kernels/updates/updates.h"
#include "solvers/ops/marks.h"
#include "solvers/ops/ops_impl.h"
#include "solvers/state/projection.h"

#include <math.h>
#include <string.h>

void ovk__null_multiply(ovk_solver *S, const ovk__null_space *N, const ovk_vec *v, double *parts)
{
  for (int k = 0; k < N->count; k++) {
    parts[k] = ovk__part_dot(S, N->basis[k]->array, v->array);
  }
}

void ovk__null_take_out(const ovk__null_space *N, const double *parts, ovk_vec *v)
{
  for (int k = 0; k < N->count; k++) {
    ovk__axpy(v->layout.local, -parts[k], N->basis[k]->array, v->array, ovk_poll_none());
  }
}

static bool projection_rides(const ovk_solver *S)
{
  return !S->D.d && ovk__projection_rides(S, S->active);
}

void ovk__op_project_begin(ovk_solver *S, int k, double *values)
{
  const ovk__sum_shape *sum = &S->active->sums[k];
  const int n = ovk__projection_values(S, sum);
  const double start = ovk__op_now(S);
  if (n == 0) return;
  memset(values, 0, (size_t)n * sizeof *values);
  for (int v = 0; projection_rides(S) && sum->projects >> v; v++) {
    if (!(sum->projects >> v & 1)) continue;
    ovk__null_multiply(S, &S->null, S->work[v], values);
    values += S->null.count;
  }
  ovk__op_log(S, OVK_EVENT_VECTOR, start);
}

/* A NaN or Inf would spread over all rows, and hide its origin. */
void ovk__op_project_end(ovk_solver *S, int k, const double *values)
{
  const ovk__sum_shape *sum = &S->active->sums[k];
  const int n = ovk__projection_values(S, sum);
  const double start = ovk__op_now(S);
  if (n == 0 || !projection_rides(S)) return;
  for (int i = 0; i < n; i++) {
    if (!isfinite(values[i])) return;
  }
  for (int v = 0; sum->projects >> v; v++) {
    if (!(sum->projects >> v & 1)) continue;
    ovk__null_take_out(&S->null, values, S->work[v]);
    values += S->null.count;
  }
  ovk__op_log(S, OVK_EVENT_VECTOR, start);
}
