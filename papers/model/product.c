/* SPDX-License-Identifier: BSD-2-Clause */
/* The halo exchange of an SpMV, for one rank. */
#include "model/sim.h"

#include <math.h>

static ovk__inbox *inbox_of(const ovk__sim *sim, int rank, uint32_t exchange)
{
  return &sim->halo.inboxes[2 * (size_t)rank + (exchange & 1)];
}

static bool has_all(const ovk__sim *sim, int rank)
{
  const ovk__rank *own = &sim->ranks[rank];
  return inbox_of(sim, rank, own->exchange)->count == own->around;
}

static double end_of(const ovk__sim *sim, int rank, int vectors)
{
  const ovk__rank *own = &sim->ranks[rank];
  return ovk__rank_grid_receive(&sim->halo, rank, own->exchange, vectors, own->clock);
}

void ovk__product_send(ovk__sim *sim, int rank, int vectors)
{
  const ovk_model_machine *machine = &sim->model->machine;
  ovk__rank *own = &sim->ranks[rank];
  const double start = own->clock;
  int neighbours[OVK__DIRECTIONS];
  (void)ovk__rank_grid_neighbours(&sim->halo, rank, neighbours);
  for (int d = 0; d < OVK__DIRECTIONS; d++) {
    const int peer = neighbours[d];
    if (peer < 0) continue;
    const int link = ovk__link_between(machine, rank, peer);
    own->clock += ovk__rank_grid_cost(&sim->halo, link, d, vectors);
    ovk__inbox *inbox = inbox_of(sim, peer, own->exchange);
    const double bytes = sim->halo.rows[d] * vectors * (double)sizeof(double);
    inbox->arrival[ovk__direction_back(d)] =
        ovk__adapter_send(&own->adapter, machine, link, own->clock, bytes);
    inbox->count++;
    const ovk__rank *other = &sim->ranks[peer];
    const bool waits = other->mode == OVK__WAITS_HALO && other->exchange == own->exchange;
    if (waits && has_all(sim, peer)) ovk__rank_wake(sim, peer, end_of(sim, peer, vectors));
  }
  ovk__rank_spend(own, OVK__HALO_TIME, own->clock - start);
}

void ovk__product_received(ovk__sim *sim, int rank, double time)
{
  ovk__rank *own = &sim->ranks[rank];
  ovk__rank_idle(sim, rank, fmax(time, own->received));
  inbox_of(sim, rank, own->exchange)->count = 0;
  own->exchange++;
}

bool ovk__product_receive(ovk__sim *sim, int rank, int vectors)
{
  ovk__rank *own = &sim->ranks[rank];
  ovk__rank_set_mode(own, OVK__WAITS_HALO);
  own->received = 0;
  if (own->around && own->active_sums) {
    ovk__rank_serve_all(sim, rank);
    own->received = own->clock + ovk__rank_grid_load(&sim->halo, rank, vectors);
  }
  if (!has_all(sim, rank)) return false; /* the last message wakes it */
  const double end = end_of(sim, rank, vectors);
  if (end > own->clock && own->active_sums) { /* sums may progress until then */
    ovk__rank_wake(sim, rank, end);
    return false;
  }
  ovk__product_received(sim, rank, end);
  return true;
}
