/* SPDX-License-Identifier: BSD-2-Clause */
/* Handling of an event, depending on the mode of the rank. */
#include "model/sim.h"

/* All messages of a round of a sum have arrived, unless the event is outdated. */
static void handle_ready(ovk__sim *sim, const ovk__event *event)
{
  const int rank = event->rank, sum = event->sum;
  const ovk__rank *own = &sim->ranks[rank];
  ovk__sum_state *state = &sim->sums[sum].states[rank];
  if (state->complete || state->generation != event->serial || state->round != event->round) return;
  state->ready = true;
  switch (own->mode) {
  case OVK__COMPUTES:
    ovk__compute_ready(sim, rank, sum, event->time);
    return;
  case OVK__WAITS:
    ovk__rank_serve(sim, rank, sum, event->time);
    ovk__rank_run(sim, rank);
    return;
  case OVK__WAITS_HALO:
    ovk__rank_serve(sim, rank, sum, event->time);
    return;
  case OVK__IS_DONE:
    return;
  }
}

/* The computation or wait of a rank has ended, unless the event is outdated. */
static void handle_end(ovk__sim *sim, const ovk__event *event)
{
  const int rank = event->rank;
  const ovk__rank *own = &sim->ranks[rank];
  if (own->mode == OVK__COMPUTES) {
    ovk__compute_end(sim, rank);
  } else if (own->mode == OVK__WAITS_HALO) {
    ovk__messages_received(sim, rank, event->time);
  } else {
    ovk__rank_idle(sim, rank, event->time);
  }
  ovk__rank_run(sim, rank);
}

void ovk__rank_handle_event(ovk__sim *sim, const ovk__event *event)
{
  const int rank = event->rank;
  const ovk__rank *own = &sim->ranks[rank];
  if (event->kind == OVK__READY) {
    handle_ready(sim, event);
  } else if (event->serial != own->serial) {
    return; /* outdated */
  } else if (event->kind == OVK__POLLED) {
    ovk__compute_poll(sim, rank, event->round, event->time);
  } else if (event->kind == OVK__ENDED && event->time < ovk__compute_until(&own->now)) {
    ovk__compute_plan_end(sim, rank);
  } else {
    handle_end(sim, event);
  }
}
