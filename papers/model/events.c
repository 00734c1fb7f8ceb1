/* SPDX-License-Identifier: BSD-2-Clause */
/* A 4-ary heap: half the depth of a binary one, and the children of a node are contiguous in
 * memory. */
#include "model/events.h"

#include <stdlib.h>

enum { CHILDREN = 4, FIRST_ROOM = 1024 };

static bool is_before(const ovk__event *a, const ovk__event *b)
{
  if (a->time != b->time) return a->time < b->time;
  if (a->rank != b->rank) return a->rank < b->rank;
  return a->number < b->number;
}

void ovk__events_free(ovk__events *events)
{
  free(events->heap);
  *events = (ovk__events){0};
}

static bool make_room(ovk__events *e)
{
  if (e->count < e->room) return true;
  const size_t wanted = e->room ? 2 * e->room : FIRST_ROOM;
  ovk__event *larger = realloc(e->heap, wanted * sizeof *larger);
  if (!larger) return false;
  e->heap = larger;
  e->room = wanted;
  return true;
}

void ovk__events_push(ovk__events *events, ovk__event event)
{
  if (!make_room(events)) {
    events->failed = true;
    return;
  }
  event.number = events->planned++;
  size_t at = events->count++;
  while (at > 0) {
    const size_t parent = (at - 1) / CHILDREN;
    if (!is_before(&event, &events->heap[parent])) break;
    events->heap[at] = events->heap[parent];
    at = parent;
  }
  events->heap[at] = event;
}

/* The earliest child of a node, or `count`. */
static size_t first_child(const ovk__events *e, size_t at)
{
  const size_t first = CHILDREN * at + 1, most = first + CHILDREN;
  const size_t end = most < e->count ? most : e->count;
  size_t best = first;
  if (first >= e->count) return e->count;
  for (size_t k = first + 1; k < end; k++) {
    if (is_before(&e->heap[k], &e->heap[best])) best = k;
  }
  return best;
}

bool ovk__events_pop(ovk__events *events, ovk__event *out)
{
  if (!events->count) return false;
  *out = events->heap[0];
  const ovk__event last = events->heap[--events->count];
  size_t at = 0;
  for (;;) {
    const size_t child = first_child(events, at);
    if (child == events->count || !is_before(&events->heap[child], &last)) break;
    events->heap[at] = events->heap[child];
    at = child;
  }
  if (events->count) events->heap[at] = last;
  return true;
}
