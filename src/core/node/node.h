/* SPDX-License-Identifier: BSD-2-Clause */
/* The node of a context: the ranks that share memory with this one, their memory, and how long to
 * poll. It is found once, as splitting a communicator and mapping memory take longer than a small
 * solve. */
#ifndef OVK_CORE_NODE_NODE_H
#define OVK_CORE_NODE_NODE_H

#include "core/context/ctx_impl.h"
#include "core/node/arena.h"

typedef struct ovk__node {
  ovk__resource resource;
  MPI_Comm comm;      /* of these ranks; MPI_COMM_NULL: they are all ranks of the context */
  ovk__arenas arenas; /* their memory, for reductions, halo exchanges, boards and meetings */
  int *members;       /* their ranks in the context, increasing */
  int spins;          /* of waits within a solve, see core/job.h */
  int few_spins;      /* of waits during which other ranks may wait for messages of this one */
} ovk__node;

/* *out <- the node, which is found by the first call and belongs to the context. If all ranks are
 * on it, they agree by meetings from then on (core/node/meeting.h). Collective; errors are agreed.
 */
ovk_err ovk__node_find(ovk_ctx *ctx, ovk__node **out);

/* Whether all ranks of the context are on this node; the same on all ranks. */
static inline bool ovk__node_has_all(const ovk__node *node)
{
  return node->comm == MPI_COMM_NULL;
}

/* The rank within the node of a rank of the context, or -1 if it is on another node. */
int ovk__node_rank(const ovk__node *node, int rank);

#endif
