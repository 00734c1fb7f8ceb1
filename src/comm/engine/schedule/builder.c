/* SPDX-License-Identifier: BSD-2-Clause */
/* Appends actions and rounds to a schedule; frees schedules. */
#include "comm/engine/schedule/builder.h"

#include <stdlib.h>

/* Extends an array by one element of `size` bytes. Returns it, or NULL and keeps the error. */
static void *grow(ovk__builder *b, void *array, int count, int *capacity, size_t size)
{
  if (count < *capacity) return array;
  const int larger_capacity = *capacity ? 2 * *capacity : 16;
  void *larger = realloc(array, (size_t)larger_capacity * size);
  if (!larger) {
    b->err =
        OVK_FAIL(b->ctx, OVK_ERR_MEMORY, "no memory for a schedule of %d actions", larger_capacity);
    return NULL;
  }
  *capacity = larger_capacity;
  return larger;
}

void ovk__schedule_free(ovk__schedule *schedule)
{
  free(schedule->actions);
  free(schedule->rounds);
  *schedule = (ovk__schedule){0};
}

ovk__builder ovk__build_begin(ovk_ctx *ctx, ovk__group group, ovk__schedule *out)
{
  *out = (ovk__schedule){0};
  return (ovk__builder){.ctx = ctx, .schedule = out, .group = group};
}

void ovk__build_again(ovk__builder *b, ovk__group group)
{
  b->schedule->nactions = b->schedule->nrounds = 0;
  b->schedule->work = 0;
  b->group = group;
  b->err = OVK_OK;
}

static void drop_empty_round(ovk__schedule *s)
{
  if (s->nrounds && s->rounds[s->nrounds - 1].first == s->nactions) s->nrounds--;
}

ovk_err ovk__build_end(ovk__builder *b)
{
  drop_empty_round(b->schedule);
  return b->err;
}

void ovk__build_round(ovk__builder *b)
{
  ovk__schedule *s = b->schedule;
  if (b->err) return;
  drop_empty_round(s);
  ovk__round *rounds = grow(b, s->rounds, s->nrounds, &b->round_capacity, sizeof *rounds);
  if (!rounds) return;
  s->rounds = rounds;
  s->rounds[s->nrounds++] = (ovk__round){.first = s->nactions};
}

/* Extends the work space to contain a place. */
static void reserve(ovk__schedule *s, ovk_place place, size_t count)
{
  if (place.buffer == OVK_WORK && place.first + count > s->work) s->work = place.first + count;
}

void ovk__build_action(ovk__builder *b, ovk__action action)
{
  ovk__schedule *s = b->schedule;
  if (b->err) return;
  ovk__action *actions = grow(b, s->actions, s->nactions, &b->action_capacity, sizeof *actions);
  if (!actions) return;
  s->actions = actions;
  s->actions[s->nactions++] = action;
  ovk__round *round = &s->rounds[s->nrounds - 1];
  if (action.kind == OVK__SEND || action.kind == OVK__RECEIVE) {
    round->nmessages++;
  } else {
    round->nlocal++;
  }
  reserve(s, action.from, action.count);
  reserve(s, action.to, action.count);
}

/* A send or a receive. The place of a message is both of the places of its action. */
static void add_message(ovk__builder *b, ovk__action_kind kind, int peer, ovk_place at,
                        size_t count)
{
  ovk__build_action(b, (ovk__action){.kind = kind,
                                     .channel = b->channel,
                                     .peer = b->group.ranks ? b->group.ranks[peer] : peer,
                                     .count = count,
                                     .from = at,
                                     .to = at});
}

void ovk__build_send(ovk__builder *b, int peer, ovk_place from, size_t count)
{
  add_message(b, OVK__SEND, peer, from, count);
}

void ovk__build_receive(ovk__builder *b, int peer, ovk_place to, size_t count)
{
  add_message(b, OVK__RECEIVE, peer, to, count);
}

static size_t segment_start(size_t count, size_t k, size_t m)
{
  return k * (count / m) + (k < count % m ? k : count % m);
}

ovk__segment ovk__segments_of(size_t count, int k, int n, int m)
{
  const size_t first = segment_start(count, (size_t)k, (size_t)m);
  return (ovk__segment){first, segment_start(count, (size_t)k + (size_t)n, (size_t)m) - first};
}

void ovk__build_send_segment(ovk__builder *b, int peer, ovk_place at, ovk__segment segment)
{
  if (segment.count) ovk__build_send(b, peer, ovk__place_after(at, segment.first), segment.count);
}

void ovk__build_receive_segment(ovk__builder *b, int peer, ovk_place at, ovk__segment segment)
{
  if (segment.count)
    ovk__build_receive(b, peer, ovk__place_after(at, segment.first), segment.count);
}

void ovk__build_combine(ovk__builder *b, ovk_place from, ovk_place to, size_t count)
{
  const ovk__action action = {.kind = OVK__COMBINE, .count = count, .from = from, .to = to};
  if (count) ovk__build_action(b, action);
}

void ovk__build_copy(ovk__builder *b, ovk_place from, ovk_place to, size_t count)
{
  const ovk__action action = {.kind = OVK__COPY, .count = count, .from = from, .to = to};
  if (count && (from.buffer != to.buffer || from.first != to.first)) ovk__build_action(b, action);
}

ovk_place ovk__place_after(ovk_place place, size_t count)
{
  return (ovk_place){place.buffer, place.first + count};
}
