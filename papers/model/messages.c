/* SPDX-License-Identifier: BSD-2-Clause */
/* The part of one rank in an exchange of messages. */
#include "model/sim.h"

#include <math.h>

/* Posts a message, and wakes its receiver if it was the last one. */
static void message_post(ovk__sim *sim, int rank, ovk__model_exchange *x, const ovk__post *post,
                         int vectors)
{
  const ovk_model_machine *machine = &sim->model->machine;
  const int peer = post->to, link = ovk__link_between(machine, rank, peer);
  const uint32_t odd = x->number[rank] & 1;
  ovk__rank *own = &sim->ranks[rank];
  own->clock += ovk__exchange_cost(x, post, vectors);
  const double bytes = (double)post->rows * vectors * (double)sizeof(double);
  x->arrival[odd][post->place] =
      ovk__adapter_send(&own->adapter, &sim->medium, machine, link, own->clock, bytes);
  own->clock += ovk__link_forward(machine, link);
  x->arrived[odd][peer]++;
  const ovk__rank *other = &sim->ranks[peer];
  const bool waits = other->mode == OVK__WAITS_HALO && other->exchange == x;
  if (waits && x->number[peer] == x->number[rank] && ovk__exchange_has_all(x, peer)) {
    ovk__rank_wake(sim, peer, ovk__exchange_end_of(x, peer, vectors, other->clock));
  }
}

void ovk__messages_send(ovk__sim *sim, int rank, ovk__model_exchange *x, int vectors)
{
  ovk__rank *own = &sim->ranks[rank];
  const double start = own->clock;
  const int32_t first = x->first_post[rank], end = x->first_post[rank + 1];
  for (int32_t k = first; k < end; k++) message_post(sim, rank, x, &x->posts[k], vectors);
  if (x != &sim->halo) own->cycle_messages += end - first;
  ovk__rank_spend(own, OVK__HALO_TIME, own->clock - start);
}

void ovk__messages_received(ovk__sim *sim, int rank, double time)
{
  ovk__rank *own = &sim->ranks[rank];
  ovk__model_exchange *x = own->exchange;
  ovk__rank_idle(sim, rank, fmax(time, own->received));
  x->arrived[x->number[rank]++ & 1][rank] = 0;
}

bool ovk__messages_receive(ovk__sim *sim, int rank, ovk__model_exchange *x, int vectors)
{
  ovk__rank *own = &sim->ranks[rank];
  own->exchange = x;
  ovk__rank_set_mode(own, OVK__WAITS_HALO);
  own->received = 0;
  if (ovk__exchange_receives(x, rank) && own->active_sums) {
    ovk__rank_serve_all(sim, rank);
    own->received = own->clock + ovk__exchange_load(x, rank, vectors);
  }
  if (!ovk__exchange_has_all(x, rank)) return false; /* the last message wakes it */
  const double end = ovk__exchange_end_of(x, rank, vectors, own->clock);
  if (end > own->clock && own->active_sums) { /* sums may progress until then */
    ovk__rank_wake(sim, rank, end);
    return false;
  }
  ovk__messages_received(sim, rank, end);
  return true;
}
