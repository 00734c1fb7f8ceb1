/* SPDX-License-Identifier: BSD-2-Clause */
/* Growing lists of actions and rounds. */
#include "backends/schedule/builder.h"

#include <stdlib.h>

/* Makes room for one more element of `size` bytes; returns the array, or NULL with the failure
 * kept. */
static void *make_room(ovk__builder *b, void *array, int count, int *room, size_t size)
{
  if (count < *room) return array;
  const int wanted = *room ? 2 * *room : 16;
  void *larger = realloc(array, (size_t)wanted * size);
  if (!larger) {
    b->err = OVK_FAIL(b->ctx, OVK_ERR_MEMORY, "no memory for a schedule of %d steps", wanted);
    return NULL;
  }
  *room = wanted;
  return larger;
}

void ovk__build_end(ovk__builder *b)
{
  ovk__schedule *s = b->schedule;
  if (s->nrounds && s->rounds[s->nrounds - 1].first == s->nactions) s->nrounds--; /* still empty */
}

void ovk__build_round(ovk__builder *b)
{
  ovk__schedule *s = b->schedule;
  if (b->err) return;
  ovk__build_end(b);
  ovk__round *rounds = make_room(b, s->rounds, s->nrounds, &b->round_room, sizeof *rounds);
  if (!rounds) return;
  s->rounds = rounds;
  s->rounds[s->nrounds++] = (ovk__round){.first = s->nactions};
}

static void add(ovk__builder *b, ovk__action action)
{
  ovk__schedule *s = b->schedule;
  if (b->err) return;
  ovk__action *actions = make_room(b, s->actions, s->nactions, &b->action_room, sizeof *actions);
  if (!actions) return;
  s->actions = actions;
  s->actions[s->nactions++] = action;
  ovk__round *round = &s->rounds[s->nrounds - 1];
  if (action.kind == OVK__SEND || action.kind == OVK__RECEIVE) {
    round->nmessages++;
  } else {
    round->nlocal++;
  }
  if (action.to >= s->nbuffers) s->nbuffers = action.to + 1;
}

void ovk__build_send(ovk__builder *b, int peer, int from)
{
  add(b, (ovk__action){.kind = OVK__SEND, .peer = peer, .from = from});
}

void ovk__build_receive(ovk__builder *b, int peer, int to)
{
  add(b, (ovk__action){.kind = OVK__RECEIVE, .peer = peer, .to = to});
}

void ovk__build_combine(ovk__builder *b, int from, int to)
{
  add(b, (ovk__action){.kind = OVK__COMBINE, .from = from, .to = to});
}

void ovk__build_copy(ovk__builder *b, int from, int to)
{
  if (from != to) add(b, (ovk__action){.kind = OVK__COPY, .from = from, .to = to});
}
