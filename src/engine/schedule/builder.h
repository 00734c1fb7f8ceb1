/* SPDX-License-Identifier: BSD-2-Clause */
/* How the algorithms write schedules down: action by action, round by round, seen from a group of
 * ranks. */
#ifndef OVK_ENGINE_SCHEDULE_BUILDER_H
#define OVK_ENGINE_SCHEDULE_BUILDER_H

#include "engine/schedule/schedule.h"

/* The ranks that take part in (a level of) an operation. Algorithms count them from 0; the one with
 * index 0 is the root, or leader, where there is one. */
typedef struct ovk__group {
  int size, index;  /* index: this rank's */
  const int *ranks; /* NULL: index and rank are the same */
} ovk__group;

/* A schedule in the making. A failure is kept, and returned by ovk__build_end(). */
typedef struct ovk__builder {
  ovk_ctx *ctx;
  ovk__schedule *schedule;
  ovk__group group;
  ovk__channel channel;
  int action_room, round_room;
  ovk_err err;
} ovk__builder;

/* Begins a schedule of `group`, over point-to-point messages. `group` and `channel` may be changed
 * between rounds. Whatever happens later, ovk__schedule_free() is due. */
ovk__builder ovk__build_begin(ovk_ctx *ctx, ovk__group group, ovk__schedule *out);

/* Begins a round. A round that stays without actions is dropped. */
void ovk__build_round(ovk__builder *b);

/* Ends the schedule. */
ovk_err ovk__build_end(ovk__builder *b);

/* Add to the round that was begun last; messages before local actions. `peer` counts in the group.
 * Combinations and copies of nothing, and copies onto themselves, are left out. */
void ovk__build_send(ovk__builder *b, int peer, ovk__place from, size_t count);
void ovk__build_receive(ovk__builder *b, int peer, ovk__place to, size_t count);
void ovk__build_combine(ovk__builder *b, ovk__place from, ovk__place to, size_t count);
void ovk__build_copy(ovk__builder *b, ovk__place from, ovk__place to, size_t count);

/* The place `count` elements further on. */
ovk__place ovk__place_after(ovk__place place, size_t count);

#endif
