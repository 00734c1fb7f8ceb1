/* SPDX-License-Identifier: BSD-2-Clause */
/* A projection onto the complement of a null space by a separate reduction. */
#include "solvers/ops/dots.h"
#include "solvers/ops/marks.h"
#include "solvers/ops/ops_impl.h"

#include <math.h>

ovk_err ovk__op_project(ovk_solver *S, const ovk__null_space *N, ovk_vec *v, ovk__split *squares)
{
  const int n = N->count;
  double *values = ovk__dots_parts(N->sum), null = 0;
  bool finite = true;
  double start = ovk__op_now(S);
  ovk__null_multiply(S, N, v, values);
  values[n] = ovk__part_dot(S, v->array, v->array);
  ovk__op_log(S, OVK_EVENT_VECTOR, start);
  OVK_TRY(ovk__op_reduce_unnumbered(S, N->sum));
  start = ovk__op_now(S);
  for (int k = 0; k < n; k++) {
    null += values[k] * values[k];
    finite = finite && isfinite(values[k]);
  }
  if (squares) *squares = (ovk__split){values[n], null};
  if (!finite) return OVK_OK; /* (v, v) may overflow */
  ovk__null_take_out(N, values, v);
  ovk__op_log(S, OVK_EVENT_VECTOR, start);
  return OVK_OK;
}
