/* SPDX-License-Identifier: BSD-2-Clause */
/* How the deep method comes to a new v_j: its norm, its residual, and whether it gets anywhere.
 * Apart from walk and pipeline because both start with it. */
#include "solvers/deep_state.h"
#include "solvers/step_impl.h"
#include "solvers/stop.h"
#include "solvers/updates.h"

#include <math.h>

/* (r, r) is to come down by the factor PROGRESS in so many iterations, and half as many as there
 * were before: plateaus of ill-conditioned problems are shorter. */
static const double PROGRESS = 0.9;
enum { PATIENCE = 1000 };

bool ovk__deep_stalls(ovk__deep_state *d, double rr)
{
  if (rr < PROGRESS * d->least) {
    d->least = rr;
    d->least_at = d->j;
  }
  return d->j - d->least_at > PATIENCE + d->least_at / 2;
}

void ovk__deep_sum_arrival(ovk_solver *S, const ovk__deep_state *d, double *sums)
{
  const double start = MPI_Wtime();
  for (int q = 0; q < OVK__WALK_SUMS; q++) sums[q] = 0;
  sums[OVK__WALK_WZ] = ovk__deep_dot(rows(S), d->w->array, d->z->array);
  sums[OVK__WALK_WW] = ovk__deep_dot(rows(S), d->w->array, d->w->array);
  if (d->due) {
    sums[OVK__WALK_DUE] = ovk__deep_dot(rows(S), d->due->array, d->due->array) +
                          ovk__deep_dot(rows(S), d->p->array, d->p->array);
  }
  ovk__step_book(S, OVK_EVENT_VECTOR, start);
}

static void take_due(ovk_solver *S, ovk__deep_state *d, double total)
{
  if (!d->due) return;
  if (isfinite(total)) {
    ovk__step_axpy(S, 1, d->due, S->x, ovk_poll_none());
  } else {
    ovk__stop_blame(S, &(ovk__suspicion){.sum = "(C^-1 r, C^-1 r)",
                                         .u = d->due,
                                         .v = d->due,
                                         .iteration = S->iterations + 1,
                                         .n = 2,
                                         .suspects = {d->due, d->p},
                                         .names = {"the preconditioner's output",
                                                   "the preconditioner's output"}});
    S->rr = d->safe;
  }
  d->due = NULL;
}

ovk_err ovk__deep_take_due(ovk_solver *S, ovk__deep_state *d)
{
  double sums[OVK__WALK_SUMS];
  OVK_TRY(ovk__deep_begin_arrival(S, d));
  OVK_TRY(ovk__step_wait(S, OVK__WALK_NORM, sums));
  take_due(S, d, sums[OVK__WALK_DUE]);
  return OVK_OK;
}

/* v_j <- w / its norm; z <- C^-1 v_j */
static void normalise(ovk_solver *S, ovk__deep_state *d, double norm)
{
  const double start = MPI_Wtime();
  ovk__scale_add(rows(S), 1 / norm, d->w->array, 0, ovk__deep_v(d, d->j)->array);
  ovk__scale_add(rows(S), 0, d->w->array, 1 / norm, d->z->array);
  d->T.zeta[ovk__lanczos_at(d->j)] *= norm;
  if (d->j > 0) d->T.delta[ovk__lanczos_at(d->j - 1)] *= norm;
  ovk__step_book(S, OVK_EVENT_VECTOR, start);
}

ovk_err ovk__deep_arrive(ovk_solver *S, ovk__deep_state *d, const double *sums)
{
  const double zeta = d->T.zeta[ovk__lanczos_at(d->j)];
  take_due(S, d, sums[OVK__WALK_DUE]);
  if (S->reason) return OVK_OK;
  if (d->j > d->tested) {
    d->tested = d->j;
    OVK_TRY(ovk__stop_test(S, zeta * zeta * sums[OVK__WALK_WW], 0, NULL));
    d->stuck = ovk__deep_stalls(d, S->rr);
    if (S->reason || d->stuck) return OVK_OK;
  }
  if (ovk__stop_gamma(S, zeta * zeta * sums[OVK__WALK_WZ], d->w, d->z, "(r, C^-1 r)")) {
    return OVK_OK;
  }
  normalise(S, d, sqrt(sums[OVK__WALK_WZ]));
  return OVK_OK;
}

ovk_err ovk__deep_begin_arrival(ovk_solver *S, ovk__deep_state *d)
{
  double sums[OVK__WALK_SUMS];
  ovk__deep_sum_arrival(S, d, sums);
  return ovk__step_begin(S, OVK__WALK_NORM, sums);
}

ovk_err ovk__deep_end_arrival(ovk_solver *S, ovk__deep_state *d)
{
  double sums[OVK__WALK_SUMS];
  OVK_TRY(ovk__step_wait(S, OVK__WALK_NORM, sums));
  return ovk__deep_arrive(S, d, sums);
}
