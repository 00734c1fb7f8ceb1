/* SPDX-License-Identifier: BSD-2-Clause */
/* The reductions of the methods, and the status piggybacked on them: failures and stop requests.
 * The operations of ops.c only record failures. */
#include "backends/open.h"
#include "core/context/agree.h"
#include "core/context/compare.h"
#include "solvers/ops/dots.h"
#include "solvers/ops/ops_impl.h"
#include "solvers/ops/rounding.h"

#include <stdio.h>
#include <string.h>

/* A rank's contribution to the status of a reduction. MPI numbers ranks by an int, so the stop
 * requests of all of them stay below FAILURE, and their total is exact. */
static const double STOP_REQUEST = 1, FAILURE = 0x1p32;

void ovk__op_record_error(ovk_solver *S, ovk_err err)
{
  if (err && !S->failure.kept.err) S->failure.iteration = S->counts.iterations;
  ovk__keep_error(S->ctx, err, &S->failure.kept);
}

void ovk__op_record_made(ovk_solver *S, ovk_err err, ovk_vec *out)
{
  if (err) memset(out->array, 0, (size_t)out->layout.local * sizeof *out->array);
  ovk__op_record_error(S, err);
}

/* For check mode: the decisions that led this rank to the reduction that it begins. */
static void reduction_note_decisions(const ovk_solver *S, ovk__dots *sum)
{
  ovk__reduction_note(sum->reduction,
                      "iteration %d of %s, %d restarts, %d replacements, %d changes, %s",
                      S->counts.iterations, S->active->name, S->counts.restarts,
                      S->counts.replacements, S->counts.method_changes, ovk_reason_text(S->reason));
}

ovk_err ovk__op_begin_unnumbered(ovk_solver *S, ovk__dots *sum)
{
  const double start = ovk__op_now(S);
  if (ovk__checking(S->ctx)) reduction_note_decisions(S, sum);
  if (sum->status) {
    ovk__dots_parts(sum)[sum->count] =
        (S->failure.kept.err ? FAILURE : 0) + (S->monitor.stop_local ? STOP_REQUEST : 0);
  }
  const ovk_err err = ovk__dots_begin(sum);
  ovk__op_log(S, OVK_EVENT_REDUCTION_BEGIN, start);
  return err;
}

/* Every rank calls this after the same reduction, so the ranks can agree collectively. */
static ovk_err reduction_agree_on_failure(ovk_solver *S)
{
  if (S->failure.kept.err)
    ovk__set_message(S->ctx, "%s, after %d iteration%s", S->failure.kept.message,
                     S->failure.iteration, S->failure.iteration == 1 ? "" : "s");
  return ovk__agree(S->ctx, S->failure.kept.err);
}

ovk_err ovk__op_wait_unnumbered(ovk_solver *S, ovk__dots *sum)
{
  ovk_err err;
  OVK_TIMED(S, OVK_EVENT_REDUCTION_WAIT, err = ovk__dots_wait(S, sum));
  if (err || !sum->status) return err;
  const double statuses = ovk__dots_parts(sum)[sum->count];
  if (statuses >= FAILURE) return reduction_agree_on_failure(S);
  S->monitor.stop_global = statuses > 0;
  return OVK_OK;
}

/* The values that the method reduces; those of projections follow them. */
static int reduction_count_values(const ovk_solver *S, int k)
{
  return ovk__sum_values(&S->active->sums[k], &S->settings);
}

ovk_poll ovk__op_poll_unnumbered(ovk_solver *S, ovk__dots *sum)
{
  return ovk_reduction_poll(sum->reduction, S->opts.poll_rows);
}

ovk_poll ovk__op_poll(ovk_solver *S, int k)
{
  return ovk__op_poll_unnumbered(S, S->sums[k]);
}

ovk_err ovk__op_begin(ovk_solver *S, int k, const double *parts)
{
  double *values = ovk__dots_parts(S->sums[k]);
  const int own = reduction_count_values(S, k);
  memcpy(values, parts, (size_t)own * sizeof *values);
  ovk__op_project_begin(S, k, values + own);
  return ovk__op_begin_unnumbered(S, S->sums[k]);
}

ovk_err ovk__op_wait(ovk_solver *S, int k, double *totals)
{
  OVK_TRY(ovk__op_wait_unnumbered(S, S->sums[k]));
  const double *values = ovk__dots_parts(S->sums[k]);
  const int own = reduction_count_values(S, k);
  memcpy(totals, values, (size_t)own * sizeof *values);
  ovk__op_project_end(S, k, values + own);
  return OVK_OK;
}

ovk_err ovk__op_reduce_unnumbered(ovk_solver *S, ovk__dots *sum)
{
  OVK_TRY(ovk__op_begin_unnumbered(S, sum));
  return ovk__op_wait_unnumbered(S, sum);
}

ovk_err ovk__op_drain(ovk_solver *S)
{
  ovk_err err = OVK_OK;
  for (int k = 0; k < OVK__MAX_SUMS; k++) {
    ovk__dots *sum = S->sums[k];
    if (!sum || !ovk_reduction_running(sum->reduction)) continue;
    const ovk_err late = ovk_reduction_wait(sum->reduction);
    if (!err) err = late;
  }
  return err;
}

ovk_err ovk__op_reduce(ovk_solver *S, int k, double *values)
{
  OVK_TRY(ovk__op_begin(S, k, values));
  return ovk__op_wait(S, k, values);
}

ovk_err ovk__op_reduce_scalar(ovk_solver *S, int k, double part, double *total)
{
  *total = part;
  return ovk__op_reduce(S, k, total);
}

ovk_err ovk__op_reduce_squares(ovk_solver *S, ovk__square *b, ovk__square *r, double *rounding)
{
  enum { B, B_TEST, R, R_TEST, ROUNDING };
  _Static_assert((int)ROUNDING + (int)OVK__ROUNDING_SUMS == (int)OVK__START_SUMS, "all are summed");
  const size_t size = OVK__ROUNDING_SUMS * sizeof *rounding;
  double *values = ovk__dots_parts(S->start);
  memset(values + ROUNDING, 0, size);
  if (rounding) memcpy(values + ROUNDING, rounding, size);
  values[B] = b->plain;
  values[B_TEST] = b->test;
  values[R] = r->plain;
  values[R_TEST] = r->test;
  OVK_TRY(ovk__op_reduce_unnumbered(S, S->start));
  *b = (ovk__square){values[B], values[B_TEST]};
  *r = (ovk__square){values[R], values[R_TEST]};
  if (rounding) memcpy(rounding, values + ROUNDING, size);
  return OVK_OK;
}
