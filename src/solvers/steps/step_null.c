/* SPDX-License-Identifier: BSD-2-Clause */
/* The projection onto the complement of A's null space. Apart from the other steps as it is the
 * only one with a sum of its own. */
#include "solvers/kernels/updates.h"
#include "solvers/steps/step_impl.h"

#include <math.h>

ovk_err ovk__step_project(ovk_solver *S, ovk_vec *v, ovk__split *squares)
{
  const int n = S->null_count;
  double *values = ovk_reduction_values(S->null_sum), null = 0;
  double start = MPI_Wtime();
  for (int k = 0; k < n; k++) values[k] = ovk__dot(rows(S), S->null_basis[k]->array, v->array);
  values[n] = ovk__dot(rows(S), v->array, v->array);
  ovk__step_book(S, OVK_EVENT_VECTOR, start);
  OVK_TRY(ovk__step_total(S, S->null_sum));
  start = MPI_Wtime();
  for (int k = 0; k < n; k++) null += values[k] * values[k];
  if (squares) *squares = (ovk__split){values[n], null};
  if (!isfinite(values[n])) return OVK_OK;
  for (int k = 0; k < n; k++) {
    ovk__axpy(rows(S), -values[k], S->null_basis[k]->array, v->array, ovk_poll_none());
  }
  ovk__step_book(S, OVK_EVENT_VECTOR, start);
  return OVK_OK;
}
