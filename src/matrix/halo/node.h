/* SPDX-License-Identifier: BSD-2-Clause */
/* The memory that a context's ranks share with others on their node, for all its halo exchanges. */
#ifndef OVK_MATRIX_HALO_NODE_H
#define OVK_MATRIX_HALO_NODE_H

#include "core/arena.h"
#include "core/context/ctx_impl.h"

typedef struct ovk__halo_node {
  ovk__resource resource;
  MPI_Comm comm;
  ovk__arenas arenas;
  int *members; /* ranks of the context on this node, increasing */
  int spins;    /* see core/job.h */
} ovk__halo_node;

/* *out <- the node's memory, which is made at the first call and belongs to the context.
 * Collective; errors are agreed. */
ovk_err ovk__halo_node_find(ovk_ctx *ctx, ovk__halo_node **out);

/* The rank within the node of a rank of the context, or -1 if it is on another node. */
int ovk__halo_node_rank(const ovk__halo_node *node, int rank);

#endif
