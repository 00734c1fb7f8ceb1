/* SPDX-License-Identifier: BSD-2-Clause */
/* A task list as a control message: one rank's schedule of a sum. */
#ifndef OVK_COMM_AGENT_WIRE_SCHEDULE_MESSAGE_H
#define OVK_COMM_AGENT_WIRE_SCHEDULE_MESSAGE_H

#include "comm/engine/schedule/schedule.h"

/* *words, to be freed with free(), and *n <- the message for the schedule of an all-reduce of
 * `count` values. */
ovk_err ovk__schedule_message_write(ovk_ctx *ctx, uint64_t id, const ovk__schedule *schedule,
                                    size_t count, uint64_t **words, size_t *n);

/* What a message has: the rank's schedule, between a round that receives its part from `agent_peer`
 * and one that sends the totals there. */
typedef struct ovk__schedule_message {
  uint64_t id;
  size_t count;
  ovk__schedule schedule;
  uint64_t bytes; /* that its request takes, without connections and registered memory */
  uint64_t moved; /* bytes that it combines or copies each time */
} ovk__schedule_message;

/* Reads and checks a message: whatever it has, a request of its schedule stays within its buffers
 * and exchanges messages with ranks below `agent_peer` only, over rdma, and not with `rank` itself.
 * ovk__schedule_free() must be called also after an error. */
ovk_err ovk__schedule_message_read(ovk_ctx *ctx, const uint64_t *words, size_t n, int rank,
                                   int agent_peer, ovk__schedule_message *out);

#endif
