/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints schedules as text. */
#include "comm/engine/schedule/algorithm_spec.h"

#include <stdio.h>

enum { PLACE_SIZE = 64 };

/* "work[2..4)" */
static void write_place(char text[PLACE_SIZE], ovk_place place, size_t count)
{
  static const char *const names[] = {
      [OVK_INPUT] = "input", [OVK_OUTPUT] = "output", [OVK_WORK] = "work"};
  snprintf(text, PLACE_SIZE, "%s[%zu..%zu)", names[place.buffer], place.first, place.first + count);
}

void ovk__action_print(const ovk__action *action, char text[OVK__ACTION_SIZE])
{
  const ovk__action *a = action;
  const char *channel = ovk__channel_names[a->channel];
  char from[PLACE_SIZE], to[PLACE_SIZE];
  write_place(from, a->from, a->count);
  write_place(to, a->to, a->count);
  switch (a->kind) {
  case OVK__SEND:
    snprintf(text, OVK__ACTION_SIZE, "send %s to %d over %s", from, a->peer, channel);
    break;
  case OVK__RECEIVE:
    snprintf(text, OVK__ACTION_SIZE, "receive %s from %d over %s", to, a->peer, channel);
    break;
  case OVK__COMBINE:
    snprintf(text, OVK__ACTION_SIZE, "combine %s into %s", from, to);
    break;
  case OVK__COPY:
    snprintf(text, OVK__ACTION_SIZE, "copy %s to %s", from, to);
    break;
  }
}

void ovk__schedule_print(const ovk__schedule *schedule, ovk_action_fn each, void *arg)
{
  for (int r = 0; r < schedule->nrounds; r++) {
    const ovk__round round = schedule->rounds[r];
    for (int k = round.first; k < round.first + round.nmessages + round.nlocal; k++) {
      char text[OVK__ACTION_SIZE];
      ovk__action_print(&schedule->actions[k], text);
      each(arg, r + 1, text);
    }
  }
}
