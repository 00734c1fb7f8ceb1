/* SPDX-License-Identifier: BSD-2-Clause */
/* The sums of the methods, and the failures and wishes that ride in them: apart from the sweeps of
 * step.c, which only keep failures. */
#include "solvers/step_impl.h"

#include <stdio.h>
#include <string.h>

/* What the rider of a sum adds for one rank: totals up to 2^20 ranks with a wish stay below
 * FAILURE. */
static const double WISH = 1, FAILURE = 1 << 20;

void ovk__step_keep(ovk_solver *S, ovk_err err)
{
  if (!err || S->failed) return;
  S->failed = err;
  snprintf(S->failed_why, sizeof S->failed_why, "%s", S->ctx->message);
}

/* Begins a sum whose own values are in place; `rider` is the place of the rider, or -1. */
static ovk_err begin(ovk_solver *S, ovk_reduction *sum, int rider)
{
  const double start = MPI_Wtime();
  if (rider >= 0) {
    ovk_reduction_values(sum)[rider] = (S->failed ? FAILURE : 0) + (S->my_wish ? WISH : 0);
  }
  const ovk_err err = ovk_reduction_begin(sum);
  ovk__step_book(S, OVK_EVENT_REDUCTION_BEGIN, start);
  return err;
}

/* Every rank comes here after the same sum: now there is time to agree. */
static ovk_err tell_failure(ovk_solver *S)
{
  const ovk_err mine = S->failed;
  if (mine) ovk__say(S->ctx, "%s", S->failed_why);
  return ovk__agree(S->ctx, mine);
}

static ovk_err wait(ovk_solver *S, ovk_reduction *sum, int rider)
{
  const double start = MPI_Wtime();
  const ovk_err err = ovk_reduction_wait(sum);
  ovk__step_book(S, OVK_EVENT_REDUCTION_WAIT, start);
  if (err || rider < 0) return err;
  const double riders = ovk_reduction_values(sum)[rider];
  if (riders >= FAILURE) return tell_failure(S);
  S->any_wish = riders > 0;
  return OVK_OK;
}

static int rider_of(const ovk_solver *S, int k)
{
  return S->active->sums[k].rider ? S->active->sums[k].count : -1;
}

static size_t values_of(const ovk_solver *S, int k)
{
  return (size_t)S->active->sums[k].count * sizeof(double);
}

ovk_poll ovk__step_poll(ovk_solver *S, int k)
{
  return ovk_reduction_poll(S->sums[k], S->opts.poll_rows);
}

ovk_err ovk__step_begin(ovk_solver *S, int k, const double *parts)
{
  memcpy(ovk_reduction_values(S->sums[k]), parts, values_of(S, k));
  return begin(S, S->sums[k], rider_of(S, k));
}

ovk_err ovk__step_wait(ovk_solver *S, int k, double *totals)
{
  OVK_TRY(wait(S, S->sums[k], rider_of(S, k)));
  memcpy(totals, ovk_reduction_values(S->sums[k]), values_of(S, k));
  return OVK_OK;
}

ovk_err ovk__step_drain(ovk_solver *S)
{
  ovk_err err = OVK_OK;
  for (int k = 0; k < OVK__MAX_SUMS; k++) {
    if (!ovk_reduction_running(S->sums[k])) continue;
    const ovk_err late = ovk_reduction_wait(S->sums[k]);
    if (!err) err = late;
  }
  return err;
}

ovk_err ovk__step_sum(ovk_solver *S, int k, double part, double *total)
{
  OVK_TRY(ovk__step_begin(S, k, &part));
  return ovk__step_wait(S, k, total);
}

ovk_err ovk__step_start_sum(ovk_solver *S, double *bb, double *rr)
{
  enum { BB, RR, RIDER };
  double *values = ovk_reduction_values(S->start);
  values[BB] = *bb;
  values[RR] = *rr;
  OVK_TRY(begin(S, S->start, RIDER));
  OVK_TRY(wait(S, S->start, RIDER));
  *bb = values[BB];
  *rr = values[RR];
  return OVK_OK;
}
