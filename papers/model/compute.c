/* SPDX-License-Identifier: BSD-2-Clause */
/* Computing with polls. There is no event for each poll: when all messages of a round of the sum
 * have arrived, an event is planned for the next poll. */
#include "model/sim.h"

#include <math.h>

/* The time of poll number k. */
static double poll_time(const ovk__computing *c, int k)
{
  const int before = c->poll_first ? k : k - 1;
  return c->base + fmin(k * c->stretch, c->work) + before * c->poll;
}

static int first_poll(const ovk__computing *c)
{
  return c->poll_first ? 0 : 1;
}

/* The first poll from `time` on, or -1 if there is none. There can be 2^31 - 1 polls. */
static int next_poll(const ovk__computing *c, double time)
{
  const int first = first_poll(c), last = first - 1 + c->npolls;
  const double cycle = c->stretch + c->poll;
  if (cycle == 0) return c->base < time ? -1 : first; /* all polls at the same time */
  const double guess = (time - c->base) / cycle - 1;
  int k = guess > first ? (guess < last ? (int)guess : last) : first;
  while (k > first && poll_time(c, k - 1) >= time) k--;
  while (k < last && poll_time(c, k) < time) k++;
  return poll_time(c, k) < time ? -1 : k;
}

double ovk__compute_until(const ovk__computing *computing)
{
  return computing->base + computing->done + computing->paid * computing->poll;
}

/* Poll number k finds the sum complete: later polls cost nothing or are not made. */
static void cut(ovk__computing *c, int k)
{
  if (k < 0) return;
  c->paid = c->poll_first ? k + 1 : k;
  if (c->poll_first) c->done = fmin(k * c->stretch, c->work);
}

/* The polled sum is complete: at the poll that found it complete, or later when it is due. */
static void cut_complete(ovk__computing *c, const ovk__sum_state *state)
{
  const int first = first_poll(c);
  if (state->due > state->handled) {
    cut(c, next_poll(c, state->due));
  } else {
    cut(c, c->last > first ? c->last : first);
  }
}

void ovk__compute_plan_end(ovk__sim *sim, int rank)
{
  const ovk__rank *own = &sim->ranks[rank];
  ovk__events_push(&sim->events, (ovk__event){.time = ovk__compute_until(&own->now),
                                              .rank = rank,
                                              .serial = own->serial,
                                              .kind = OVK__ENDED});
}

static void plan_poll(ovk__sim *sim, int rank, double time)
{
  const ovk__rank *own = &sim->ranks[rank];
  const int k = next_poll(&own->now, time);
  if (k < 0) return;
  ovk__events_push(&sim->events, (ovk__event){.time = fmax(poll_time(&own->now, k), time),
                                              .rank = rank,
                                              .serial = own->serial,
                                              .round = k,
                                              .kind = OVK__POLLED});
}

/* Sets the polls of an active sum while a rank works on so many rows. */
static void set_polls(const ovk__sim *sim, ovk__computing *c, double rows)
{
  const double every = sim->model->poll_rows;
  c->npolls = (int)ceil(rows / every);
  c->paid = c->npolls;
  c->stretch = c->work * every / rows;
  c->poll = sim->model->machine.poll;
}

bool ovk__compute(ovk__sim *sim, int rank, double work, double rows, int sum, bool while_incomplete)
{
  ovk__rank *own = &sim->ranks[rank];
  ovk__computing *c = &own->now;
  const ovk__sum_state *state = sum < 0 ? NULL : &sim->sums[sum].states[rank];
  const bool polls = state && state->running && sim->model->poll_rows && work > 0;
  work = ovk__noise_add(sim->model, rank, own->piece++, work);
  *c = (ovk__computing){.base = own->clock, .work = work, .sum = polls ? sum : -1};
  c->poll_first = while_incomplete;
  c->done = while_incomplete && !polls ? 0 : work;
  if (polls) set_polls(sim, c, rows);
  if (polls && state->complete) {
    const double complete = ovk__sum_complete_at(state);
    if (complete > own->clock || while_incomplete) {
      cut(c, next_poll(c, complete));
    } else {
      c->paid = 0;
    }
  }
  ovk__rank_set_mode(own, OVK__COMPUTES);
  const bool disturbed = sim->backend.async && own->active_sums;
  if (!(polls && !state->complete) && !disturbed) {
    ovk__compute_end(sim, rank);
    return true;
  }
  ovk__compute_plan_end(sim, rank);
  if (polls && state->ready) plan_poll(sim, rank, own->clock);
  return false;
}

void ovk__compute_end(ovk__sim *sim, int rank)
{
  ovk__rank *own = &sim->ranks[rank];
  const ovk__computing *c = &own->now;
  ovk__rank_spend(own, OVK__COMPUTING, c->done);
  ovk__rank_spend(own, OVK__SUMMING, c->paid * c->poll);
  if (c->poll_first) own->rest = c->work > 0 ? 1 - c->done / c->work : 1;
  own->clock = ovk__compute_until(c);
}

/* Progresses a sum; its processor time prolongs the computing. */
static void advance(ovk__sim *sim, int rank, int sum, double time)
{
  ovk__rank *own = &sim->ranks[rank];
  const double before = ovk__compute_until(&own->now);
  const double cost = ovk__sum_advance(sim, rank, sum, time);
  const ovk__sum_state *state = &sim->sums[sum].states[rank];
  own->now.base += cost;
  ovk__rank_spend(own, OVK__SUMMING, cost);
  if (state->complete && sum == own->now.sum) {
    if (sim->backend.async) {
      cut(&own->now, next_poll(&own->now, ovk__sum_complete_at(state)));
    } else {
      cut_complete(&own->now, state);
    }
  }
  if (ovk__compute_until(&own->now) < before) ovk__compute_plan_end(sim, rank);
}

void ovk__compute_poll(ovk__sim *sim, int rank, int number, double time)
{
  ovk__computing *c = &sim->ranks[rank].now;
  if (!sim->sums[c->sum].states[rank].ready) return;
  c->last = number;
  advance(sim, rank, c->sum, time + c->poll);
}

void ovk__compute_ready(ovk__sim *sim, int rank, int sum, double time)
{
  const ovk__sum_state *state = &sim->sums[sum].states[rank];
  if (sim->backend.async || time == state->handled) {
    advance(sim, rank, sum, time);
  } else if (sum == sim->ranks[rank].now.sum) {
    plan_poll(sim, rank, time);
  }
}
