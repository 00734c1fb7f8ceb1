/* SPDX-License-Identifier: BSD-2-Clause */
/* A task list as a control message: the schedule of one rank for an all-reduce. */
#ifndef OVK_COMM_AGENT_WIRE_SCHEDULE_MESSAGE_H
#define OVK_COMM_AGENT_WIRE_SCHEDULE_MESSAGE_H

#include "comm/engine/schedule/schedule.h"

/* *words, to be freed with free(), and *n <- the message for the schedule of an all-reduce of
 * `count` values. */
ovk_err ovk__schedule_message_write(ovk_ctx *ctx, uint64_t id, const ovk__schedule *schedule,
                                    size_t count, uint64_t **words, size_t *n);

/* The content of a message: the schedule of the rank, between a round that receives its part from
 * `agent_peer` and a round that sends the totals to it. */
typedef struct ovk__schedule_message {
  uint64_t id;
  size_t count;
  ovk__schedule schedule;
  uint64_t bytes; /* memory of its request, without connections and registered memory */
  uint64_t moved; /* bytes that each execution combines or copies */
} ovk__schedule_message;

/* Read and check a message. For any content, a request with this schedule accesses only its buffers
 * and exchanges messages only over rdma, with ranks below `agent_peer` other than `rank` and with
 * `agent_peer`. ovk__schedule_free() must be called also after an error. */
ovk_err ovk__schedule_message_read(ovk_ctx *ctx, const uint64_t *words, size_t n, int rank,
                                   int agent_peer, ovk__schedule_message *out);

#endif
