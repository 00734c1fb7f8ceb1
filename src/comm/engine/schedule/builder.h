/* SPDX-License-Identifier: BSD-2-Clause */
/* Builds schedules action by action and round by round, from the point of view of a group of ranks.
 */
#ifndef OVK_COMM_ENGINE_SCHEDULE_BUILDER_H
#define OVK_COMM_ENGINE_SCHEDULE_BUILDER_H

#include "comm/engine/schedule/schedule.h"

/* The ranks of an operation, or of a level of it. Algorithms count them from 0; index 0 is the root
 * or leader, if there is one. */
typedef struct ovk__group {
  int size, index;  /* index: this rank's */
  const int *ranks; /* NULL: index and rank are the same */
} ovk__group;

/* A schedule under construction. The first error is kept and returned by ovk__build_end(). */
typedef struct ovk__builder {
  ovk_ctx *ctx;
  ovk__schedule *schedule;
  ovk__group group;
  ovk__channel channel;
  int action_capacity, round_capacity;
  ovk_err err;
} ovk__builder;

/* A range of a vector; may be empty. */
typedef struct ovk__segment {
  size_t first, count;
} ovk__segment;

/* Begin a schedule of `group`, over point-to-point messages. `group` and `channel` may be changed
 * between rounds. ovk__schedule_free() must be called also after an error. */
ovk__builder ovk__build_begin(ovk_ctx *ctx, ovk__group group, ovk__schedule *out);

/* Begins another schedule of `group` in the place of the last one and in its memory, which grows if
 * it must. */
void ovk__build_again(ovk__builder *b, ovk__group group);

/* Begins a round. Empty rounds are removed. */
void ovk__build_round(ovk__builder *b);

/* Ends the schedule. */
ovk_err ovk__build_end(ovk__builder *b);

/* Add an action to the current round; messages before local actions. `peer` is an index in the
 * group. Empty combinations and copies, and copies onto themselves, are omitted. */
void ovk__build_send(ovk__builder *b, int peer, ovk_place from, size_t count);
void ovk__build_receive(ovk__builder *b, int peer, ovk_place to, size_t count);
void ovk__build_combine(ovk__builder *b, ovk_place from, ovk_place to, size_t count);
void ovk__build_copy(ovk__builder *b, ovk_place from, ovk_place to, size_t count);

/* The n segments from number k on, of m segments of nearly equal size of `count` elements; the
 * first ones have one element more. */
ovk__segment ovk__segments_of(size_t count, int k, int n, int m);

/* Add a message with a segment of the vector at `at`, unless it is empty. */
void ovk__build_send_segment(ovk__builder *b, int peer, ovk_place at, ovk__segment segment);
void ovk__build_receive_segment(ovk__builder *b, int peer, ovk_place at, ovk__segment segment);

/* Add an action as it is, with the rank of its peer. */
void ovk__build_action(ovk__builder *b, ovk__action action);

/* The place `count` elements further. */
ovk_place ovk__place_after(ovk_place place, size_t count);

#endif
