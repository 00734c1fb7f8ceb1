/* SPDX-License-Identifier: BSD-2-Clause */
/* Nonblocking operations between nodes. The rank of a node that posts its part last sends the
 * combination of the node to all ranks of the other nodes. So no rank waits for another one that
 * passes data on: messages travel while ranks compute, or wait in the MPI. */
#ifndef OVK_CARRY_CROSSING_H
#define OVK_CARRY_CROSSING_H

#include "carry/nodes/nodes.h"

#include <ovkrylov/comm/board.h>
#include <stdint.h>

/* Operations that all ranks begin in the same order. */
typedef struct carry_lane {
  int number; /* among those of the ranks */
  uint64_t begun;
} carry_lane;

/* Messages that a rank sends at most, except for reductions to one rank. */
int carry_crossing_messages(const carry_nodes *nodes);

/* Opens the next lane; false, on all ranks: there are too many nodes or lanes. Collective.
 */
bool carry_lane_open(carry_nodes *nodes, carry_lane *out);

typedef struct carry_crossing carry_crossing;

/* The next operation of a lane, whose root is in range, of at most `most` bytes and
 * CARRY_MOST_MESSAGES messages. Sets its operation
 * on the board of this node, `inside`; complete if there is none. NULL without memory. */
carry_crossing *carry_crossing_new(carry_nodes *nodes, carry_lane *lane, size_t most,
                                   const ovk_board_operation *operation,
                                   ovk_board_operation *inside);

/* NULL is allowed. Its messages are complete, or have not begun. */
void carry_crossing_free(carry_crossing **crossing);

/* Begins to receive from other nodes. */
void carry_crossing_open(carry_crossing *x);

/* Sends once, if this rank does. *inside has no error that begin did not find, or is `complete`. */
void carry_crossing_send(carry_crossing *x, const ovk_board_operation *inside, bool complete);

/* Whether all messages are complete. Calls the MPI. */
bool carry_crossing_has_arrived(carry_crossing *x);

/* Sets the result of this rank. All messages and `inside` are complete. OVK_ERR_ARG: ranks differ
 * in the arguments. */
ovk_err carry_crossing_finish(carry_crossing *x, const ovk_board_operation *inside);

#endif
