/* SPDX-License-Identifier: BSD-2-Clause */
/* The program of a rank: the phases of its method, repeated. */
#include "model/sim.h"

/* Waits for a sum, in the wait itself or in a blocking begin. False if an event is needed; then it
 * is called again. */
static bool wait_for(ovk__sim *sim, int rank, int sum, bool in_begin)
{
  ovk__rank *own = &sim->ranks[rank];
  ovk__sum_state *state = &sim->sums[sum].states[rank];
  if (!state->running) return true;
  ovk__rank_set_mode(own, OVK__WAITS);
  ovk__rank_serve_all(sim, rank);
  if (!state->complete) return false;
  const double end = in_begin ? state->handled : ovk__sum_complete_at(state);
  if (end > own->clock) {
    ovk__rank_wake(sim, rank, end);
    return false;
  }
  state->running = in_begin;
  return true;
}

/* The sum of a phase; a deep pipeline uses several in turn. */
static int sum_of(const ovk__sim *sim, const ovk__rank *own, const ovk__phase *phase)
{
  return sim->depth ? own->iteration % sim->depth : phase->sum;
}

static bool begin_sum(ovk__sim *sim, int rank, int sum)
{
  ovk__rank *own = &sim->ranks[rank];
  if (own->step++ == 0) ovk__sum_begin(sim, rank, sum);
  return !sim->backend.blocking || wait_for(sim, rank, sum, true);
}

static bool multiply(ovk__sim *sim, int rank, int sum, bool pair)
{
  const ovk_model_work *work = &sim->model->work;
  const double products = pair ? (work->pair > 0 ? work->pair : 2) : 1;
  const ovk__step step = {.exchange = &sim->halo,
                          .stride = 1,
                          .rows = sim->rows,
                          .work = products * work->product,
                          .rest = products * work->boundary};
  return ovk__step_run(sim, rank, &step, pair ? 2 : 1, sum);
}

/* Seconds of a preconditioner and of a sweep. */
static double work_of(const ovk__sim *sim, const ovk__rank *own, const ovk__phase *phase)
{
  const ovk_model_work *work = &sim->model->work;
  const double sweep =
      work->stream * ovk__phase_doubles(phase, sim->C, sim->depth) + work->dot * phase->dots;
  switch (phase->kind) {
  case OVK__PRECOND:
    return work->precond + sweep;
  case OVK__PRECOND_LEFT:
  case OVK__PRECOND_RIGHT:
    return work->precond / 2 + sweep;
  case OVK__UPDATE_REST:
    return own->rest * sweep;
  default:
    return sweep;
  }
}

/* The sum that a phase polls, or -1. */
static int polled_by(const ovk__sim *sim, const ovk__phase *phase, int sum)
{
  const bool precond = phase->kind == OVK__PRECOND || phase->kind == OVK__PRECOND_LEFT ||
                       phase->kind == OVK__PRECOND_RIGHT;
  return phase->polls && !(precond && sim->model->precond_never_polls) ? sum : -1;
}

/* Executes a phase; false if it waits for an event and must be called again. */
static bool work_on(ovk__sim *sim, int rank, const ovk__phase *phase)
{
  ovk__rank *own = &sim->ranks[rank];
  const int sum = sum_of(sim, own, phase), polled = polled_by(sim, phase, sum);
  switch (phase->kind) {
  case OVK__BEGIN:
    return begin_sum(sim, rank, sum);
  case OVK__WAIT:
    return wait_for(sim, rank, sum, false);
  case OVK__PRODUCT:
  case OVK__PRODUCT_PAIR:
    return multiply(sim, rank, polled, phase->kind == OVK__PRODUCT_PAIR);
  case OVK__PRECOND:
    if (sim->cycle.n) return ovk__cycle_run(sim, rank, work_of(sim, own, phase), polled);
    /* fall through */
  default:
    if (own->step++) return true;
    return ovk__compute(sim, rank, work_of(sim, own, phase), sim->rows, polled,
                        phase->kind == OVK__UPDATE_WHILE);
  }
}

/* Ends an iteration, with the start and end of the counted ones; false after the last. */
static bool end_iteration(const ovk__sim *sim, ovk__rank *own)
{
  own->iteration++;
  own->phase = 0;
  if (own->iteration == sim->warm) {
    own->start = own->clock;
    own->messages = own->cycle_messages = own->cycle_seconds = 0;
    for (int k = 0; k < OVK__PURPOSES; k++) own->spent[k] = 0;
  }
  if (own->iteration < sim->last) return true;
  own->finish = own->clock;
  ovk__rank_set_mode(own, OVK__IS_DONE);
  return false;
}

void ovk__rank_run(ovk__sim *sim, int rank)
{
  ovk__rank *own = &sim->ranks[rank];
  while (work_on(sim, rank, &sim->phases[own->phase])) {
    own->step = 0;
    own->phase++;
    if (!sim->phases[own->phase].kind && !end_iteration(sim, own)) return;
  }
}
