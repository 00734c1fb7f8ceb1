/* SPDX-License-Identifier: BSD-2-Clause */
/* Active sums: rounds of messages. */
#include "model/sim.h"

#include <math.h>
#include <stdlib.h>

/* Processor time of messages, of the rank or its agent. */
static double message_cost(const ovk__sim *sim, int link, double count, double values)
{
  const ovk_model_machine *machine = &sim->model->machine;
  const ovk_model_link *l = ovk__link_at(machine, link);
  if (sim->backend.agent) return count * machine->agent;
  if (sim->backend.async) return count * machine->async_overhead;
  return count * l->o + values * sizeof(double) * l->O;
}

static ovk__arrivals *arrivals_at(const ovk__sum *s, int32_t round, uint32_t generation)
{
  return &s->arrivals[s->sets * (size_t)round + (generation & (s->sets - 1))];
}

static ovk__arrivals *arrivals_of(const ovk__sum *s, int rank)
{
  const ovk__sum_state *state = &s->states[rank];
  return arrivals_at(s, state->round, state->generation);
}

/* The arrival times of the messages of a round. */
static double *times_of(const ovk__sum *s, int32_t round, uint32_t generation)
{
  return s->times + (size_t)s->plan->nsends * (generation & (s->sets - 1)) +
         s->plan->rounds[round].first_receive;
}

/* Plans the event that a round has arrived, not before the rank has processed the previous one. */
static void plan_ready(ovk__sim *sim, int rank, int sum)
{
  const ovk__sum *s = &sim->sums[sum];
  const ovk__sum_state *state = &s->states[rank];
  const double last = arrivals_of(s, rank)->last;
  ovk__events_push(&sim->events, (ovk__event){.time = fmax(last, state->handled),
                                              .rank = rank,
                                              .serial = state->generation,
                                              .round = state->round,
                                              .kind = OVK__READY,
                                              .sum = (int16_t)sum});
}

/* The time in which an adapter adds a message to its data. */
static double adding_time(const ovk__sim *sim, const ovk__sum *s, const ovk__plan_send *send)
{
  const bool adds = sim->backend.async && !sim->backend.agent && send->channel != OVK__SHM;
  return adds && s->plan->rounds[send->round].combined ? sim->model->machine.loopback : 0;
}

/* Records the arrival time of a message; an adapter adds one after the other. */
static void post(ovk__sim *sim, int sum, uint32_t generation, const ovk__plan_send *send,
                 double arrival)
{
  ovk__sum *s = &sim->sums[sum];
  ovk__arrivals *a = arrivals_at(s, send->round, generation);
  const ovk__sum_state *state = &s->states[send->peer];
  a->last = fmax(a->last, arrival) + adding_time(sim, s, send);
  if (a->expected > 1) {
    times_of(s, send->round, generation)[a->expected - a->missing] = arrival;
  }
  if (--a->missing || !state->running || state->complete) return;
  if (state->generation == generation && state->round == send->round) {
    plan_ready(sim, send->peer, sum);
  }
}

/* Sends the messages of a round from `time` on; returns the time when that is done. */
static double send_round(ovk__sim *sim, int rank, int sum, double time)
{
  const ovk__sum *s = &sim->sums[sum];
  const ovk__plan_round *r = &s->plan->rounds[s->states[rank].round];
  ovk__rank *own = &sim->ranks[rank];
  ovk__model_adapter *adapter = sim->backend.async ? &own->async_adapter : &own->adapter;
  const uint32_t generation = s->states[rank].generation;
  for (const ovk__plan_send *m = s->plan->sends + r->first_send, *end = m + r->nsends; m < end;
       m++) {
    time += message_cost(sim, m->link, 1, m->count);
    const double bytes = m->count * sizeof(double);
    post(sim, sum, generation, m,
         ovk__adapter_send(adapter, &sim->medium, &sim->model->machine, m->link, time, bytes));
    if (!sim->backend.async) time += ovk__link_forward(&sim->model->machine, m->link);
  }
  own->messages += r->nsends;
  return time;
}

/* Processor time of receiving the messages of a round. */
static double receive_cost(const ovk__sim *sim, int rank, int sum)
{
  const ovk__sum *s = &sim->sums[sum];
  const ovk__plan_round *r = &s->plan->rounds[s->states[rank].round];
  double cost = 0;
  for (int link = 0; link < OVK__LINKS; link++) {
    cost += message_cost(sim, link, r->nreceives[link], r->received[link]);
  }
  return cost;
}

/* Time that messages of a round have taken if they have arrived before the rank looked. */
static double interrupts(const ovk__sim *sim, const ovk__plan_round *r)
{
  double seconds = 0;
  if (sim->backend.async) return 0;
  for (int link = 0; link < OVK__LINKS; link++) {
    seconds += r->nreceives[link] * ovk__link_interrupt(&sim->model->machine, link);
  }
  return seconds;
}

static int compare(const void *left, const void *right)
{
  const double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

double ovk__sum_taken_from(const ovk__sim *sim, int rank, int sum, double time)
{
  const ovk__sum *s = &sim->sums[sum];
  const ovk__sum_state *state = &s->states[rank];
  const int32_t n = arrivals_of(s, rank)->expected;
  if (sim->backend.async || n < 2) return time;
  double *times = times_of(s, state->round, state->generation);
  const double all = receive_cost(sim, rank, sum);
  double taken = 0;
  qsort(times, (size_t)n, sizeof *times, compare);
  for (int32_t k = 0; k < n; k++) taken = fmax(taken, times[k]) + all / n;
  return fmin(time, taken - all);
}

/* Receives and combines the messages of a round from `time` on; returns the time when that is done.
 */
static double end_round(const ovk__sim *sim, int rank, int sum, double time)
{
  const ovk__sum *s = &sim->sums[sum];
  ovk__sum_state *state = &s->states[rank];
  const ovk__plan_round *r = &s->plan->rounds[s->states[rank].round];
  ovk__arrivals *a = arrivals_of(s, rank);
  if (a->last < time) time += interrupts(sim, r);
  time += receive_cost(sim, rank, sum);
  *a = (ovk__arrivals){.missing = a->expected, .expected = a->expected};
  state->round += s->plan->nranks;
  state->ready = false;
  return time + r->combined * sim->model->machine.combine;
}

/* Runs rounds until one has messages that have not arrived. */
static double run_rounds(ovk__sim *sim, int rank, int sum, double time)
{
  const ovk__sum *s = &sim->sums[sum];
  ovk__sum_state *state = &s->states[rank];
  const int32_t end = s->plan->end[rank];
  while (state->round < end) {
    const ovk__arrivals *a = arrivals_of(s, rank);
    state->handled = time = send_round(sim, rank, sum, time);
    if (a->missing) return time;
    if (a->last > time) {
      plan_ready(sim, rank, sum);
      return time;
    }
    time = end_round(sim, rank, sum, time);
  }
  state->complete = true;
  sim->ranks[rank].active_sums--;
  state->handled = time;
  return time;
}

static double latency_of(const ovk__sim *sim, int rank, uint64_t number)
{
  int64_t most = 0; /* nanoseconds */
  for (int k = 0; k < sim->backend.ndelays; k++) {
    const int64_t latency = ovk__latency_of(&sim->backend.delays[k], rank, number);
    if (latency > most) most = latency;
  }
  return 1e-9 * (double)most;
}

void ovk__sum_begin(ovk__sim *sim, int rank, int sum)
{
  ovk__rank *own = &sim->ranks[rank];
  ovk__sum_state *state = &sim->sums[sum].states[rank];
  if (state->running) sim->faulty = true;
  *state = (ovk__sum_state){.generation = state->generation + 1,
                            .round = rank,
                            .running = true,
                            .due = own->clock + latency_of(sim, rank, own->begun++)};
  own->active_sums++;
  const double start = own->clock, begun = start + sim->model->machine.begin;
  state->handled = begun + (sim->backend.agent ? sim->model->machine.agent : 0);
  const double end = run_rounds(sim, rank, sum, state->handled);
  own->clock = sim->backend.agent ? begun : end;
  ovk__rank_spend(own, OVK__SUMMING, own->clock - start);
}

double ovk__sum_advance(ovk__sim *sim, int rank, int sum, double time)
{
  const double end = run_rounds(sim, rank, sum, end_round(sim, rank, sum, time));
  return sim->backend.agent ? 0 : end - time;
}

double ovk__sum_complete_at(const ovk__sum_state *state)
{
  return state->complete ? fmax(state->handled, state->due) : INFINITY;
}
