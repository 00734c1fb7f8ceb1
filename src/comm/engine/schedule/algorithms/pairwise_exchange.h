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

#endif
