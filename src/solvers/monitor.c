/* SPDX-License-Identifier: BSD-2-Clause */
/* The monitors provided by the library, and the queries of monitors. */
#include "core/context/agree.h"
#include "solvers/ops/ops.h"
#include "solvers/ops/scale.h"

#include <math.h>

int ovk_monitor_print(void *file, const ovk_progress *progress)
{
  if (!file) return 0;
  fprintf(file, "%6d  ||r|| / ||b|| = %.6e", progress->iteration,
          progress->residual_norm / progress->rhs_norm);
  if (!isnan(progress->true_residual_norm)) {
    fprintf(file, "  true %.6e", progress->true_residual_norm / progress->rhs_norm);
  }
  fprintf(file, "\n");
  return 0;
}

int ovk_monitor_record(void *history, const ovk_progress *progress)
{
  ovk_history *h = history;
  if (h->count < h->capacity) h->entries[h->count] = *progress;
  h->count++;
  return 0;
}

static ovk_err monitor_check(const ovk_solver *S, const ovk_vec *x)
{
  OVK_CHECK(S->monitor.active, S->ctx, OVK_ERR_STATE, "no monitor is being called");
  OVK_CHECK_HANDLE(S->ctx, x);
  OVK_CHECK(x != S->x, S->ctx, OVK_ERR_ARG, "x is the vector being solved for");
  OVK_CHECK_UNUSED(x, "x");
  return OVK_OK;
}

/* x <- x + M^-1 y */
static ovk_err monitor_add_preconditioned(ovk_solver *S, const ovk_vec *y, ovk_vec *x)
{
  ovk_vec *z = NULL;
  OVK_TRY(ovk_vec_duplicate(x, &z));
  ovk__op_apply(S, y, z, ovk_poll_none());
  const ovk_err err = ovk_vec_axpy(1, z, x);
  ovk_vec_destroy(&z);
  return err;
}

ovk_err ovk_solver_current_x(ovk_solver *S, ovk_vec *x)
{
  if (!S) return OVK_ERR_ARG;
  OVK_TRY(ovk__agree(S->ctx, monitor_check(S, x)));
  ovk_err err = ovk_vec_copy(S->x, x);
  const bool completes = S->active->complete != NULL;
  if (!err && !completes && S->monitor.x_p && !S->monitor.precond_update)
    err = ovk_vec_axpy(S->monitor.x_alpha, S->monitor.x_p, x);
  OVK_TRY(ovk__agree(S->ctx, err));
  if (completes) err = S->active->complete(S, x);
  if (!completes && S->monitor.precond_update)
    err = monitor_add_preconditioned(S, S->monitor.precond_update, x);
  ovk__scale_solution(S, x);
  return err;
}
