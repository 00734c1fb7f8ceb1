/* SPDX-License-Identifier: BSD-2-Clause */
/* The wait of a rank: it progresses its reductions, and wakes. */
#include "model/sim.h"

void ovk__rank_idle(ovk__sim *sim, int rank, double until)
{
  ovk__rank *own = &sim->ranks[rank];
  if (until <= own->clock) return;
  ovk__rank_spend(own, own->mode == OVK__WAITS_HALO ? OVK__HALO_TIME : OVK__SUM_WAITING,
                  until - own->clock);
  own->clock = until;
}

void ovk__rank_wake(ovk__sim *sim, int rank, double time)
{
  ovk__events_push(&sim->events, (ovk__event){.time = time,
                                              .rank = rank,
                                              .serial = sim->ranks[rank].serial,
                                              .kind = OVK__WOKEN});
}

void ovk__rank_serve(ovk__sim *sim, int rank, int sum, double time)
{
  ovk__rank *own = &sim->ranks[rank];
  ovk__rank_idle(sim, rank, ovk__sum_taken_from(sim, rank, sum, time));
  const double cost = ovk__sum_advance(sim, rank, sum, sim->backend.async ? time : own->clock);
  ovk__rank_spend(own, OVK__SUMMING, cost);
  own->clock += cost;
  if (own->mode == OVK__WAITS_HALO) own->received += cost;
}

void ovk__rank_serve_all(ovk__sim *sim, int rank)
{
  if (!sim->ranks[rank].active_sums) return;
  for (int k = 0; k < sim->nsums; k++) {
    if (sim->sums[k].states[rank].ready) ovk__rank_serve(sim, rank, k, sim->ranks[rank].clock);
  }
}
