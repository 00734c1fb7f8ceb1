/* SPDX-License-Identifier: BSD-2-Clause */
/* Operations of one rank of each node, the leaders: schedules of the engine over MPI messages. They
 * block. Memory is allocated in advance, so that no rank can fail while others wait for it. */
#ifndef OVK_CARRY_EXCHANGE_H
#define OVK_CARRY_EXCHANGE_H

#include "carry/nodes/nodes.h"

#include <ovkrylov/comm/board.h>

typedef struct carry_exchange carry_exchange;

/* For parts of at most `bytes` bytes. NULL without memory. Not collective. */
carry_exchange *carry_exchange_new(ovk_ctx *ctx, const carry_nodes *nodes, size_t bytes);
void carry_exchange_free(carry_exchange **exchange);

/* Broadcasts and reductions to one rank. */
bool carry_exchange_has_root(const ovk_board_operation *operation);

/* Bytes of a part. */
size_t carry_exchange_bytes(const ovk_board_operation *operation);

/* Memory for a part. */
void *carry_exchange_part(carry_exchange *exchange);

/* Combines `part` of all nodes on all nodes or on that of the root, or broadcasts that of its node,
 * in place. The root is the leader of its node, the lowest rank is that of other nodes; to be
 * called by leaders only. `failed`: the operation has failed in this node; the leaders that need
 * its part then get MPI_ERR_ARG, as they do if nodes differ in the operation. Returns MPI_SUCCESS
 * or an error. */
int carry_exchange_run(carry_exchange *exchange, const ovk_board_operation *operation, void *part,
                       bool failed);

#endif
