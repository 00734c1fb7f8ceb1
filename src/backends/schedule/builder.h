/* SPDX-License-Identifier: BSD-2-Clause */
/* How the algorithms write schedules down: action by action, round by round. */
#ifndef OVK_BACKENDS_SCHEDULE_BUILDER_H
#define OVK_BACKENDS_SCHEDULE_BUILDER_H

#include "backends/schedule/schedule.h"

/* A schedule in the making. A failure is kept, and returned at the end. */
typedef struct ovk__builder {
  ovk_ctx *ctx;
  int nranks, rank;
  ovk__schedule *schedule;
  int action_room, round_room;
  ovk_err err;
} ovk__builder;

/* Begins a round. A round that stays without actions is dropped. */
void ovk__build_round(ovk__builder *b);

/* Ends the last round. */
void ovk__build_end(ovk__builder *b);

/* Add to the round that was begun last; messages before local actions. */
void ovk__build_send(ovk__builder *b, int peer, int from);
void ovk__build_receive(ovk__builder *b, int peer, int to);
void ovk__build_combine(ovk__builder *b, int from, int to);
void ovk__build_copy(ovk__builder *b, int from, int to);

/* The algorithms. */
void ovk__build_flat(ovk__builder *b);
void ovk__build_kary(ovk__builder *b, int k);
void ovk__build_tree(ovk__builder *b, int reduce, int bcast);

#endif
