/* SPDX-License-Identifier: BSD-2-Clause */
/* Pairwise exchanges: in step s = 1, 2, ... each rank sends to rank + s and receives from rank - s,
 * modulo the size, so that no rank receives from all others at the same time. A window of steps is
 * a round. */
#ifndef OVK_COMM_ENGINE_SCHEDULE_ALGORITHMS_PAIRWISE_EXCHANGE_H
#define OVK_COMM_ENGINE_SCHEDULE_ALGORITHMS_PAIRWISE_EXCHANGE_H

#include "comm/engine/schedule/algorithms/collectives.h"

/* Begin a schedule of all ranks and its first round. */
ovk__builder ovk__pairwise_begin(ovk_ctx *ctx, int size, int rank, ovk__schedule *out);

/* The peers of a step. */
int ovk__pairwise_to(const ovk__builder *b, int step);
int ovk__pairwise_from(const ovk__builder *b, int step);

/* Add a message with a segment of a buffer, unless it is empty. */
void ovk__pairwise_send(ovk__builder *b, int peer, ovk_buffer buffer, ovk__segment segment);
void ovk__pairwise_receive(ovk__builder *b, int peer, ovk_buffer buffer, ovk__segment segment);

/* Add the copy of the elements that a rank keeps, after the messages of the last round. */
void ovk__pairwise_keep(ovk__builder *b, size_t from, size_t to, size_t count);

#endif
