/* SPDX-License-Identifier: BSD-2-Clause */
/* The nodes of a set of ranks. */
#ifndef OVK_CARRY_NODES_H
#define OVK_CARRY_NODES_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct carry_nodes {
  MPI_Comm all;               /* the ranks, for messages between nodes */
  MPI_Comm begun;             /* the same, for messages of nonblocking operations */
  MPI_Comm inside;            /* those of this node */
  int rank, size;             /* in `all` */
  int n;                      /* nodes */
  int largest, fewest;        /* ranks of the one with most, with fewest */
  int *node;                  /* [rank]: its node, in the order of their lowest ranks */
  int *place;                 /* [rank]: its rank in the node */
  int *leader;                /* [node]: its lowest rank */
  int most_tag;               /* of messages in `all` and `begun` */
  int lanes;                  /* opened so far */
  struct carry_stray *strays; /* messages that arrived for other operations; see receive.c */
  uint64_t operations;        /* that block, begun so far */
  bool *apart;                /* [node]: for the operation that runs; see rounds.c */
  int *early;                 /* [node] */
} carry_nodes;

/* The nodes of the ranks of a communicator. Collective. NULL on all ranks if one of them has no
 * memory, or the MPI fails. */
carry_nodes *carry_nodes_new(MPI_Comm comm);

/* NULL is allowed. Collective. */
void carry_nodes_free(carry_nodes **nodes);

/* Whether all ranks of a communicator say yes. Collective. */
bool carry_nodes_agree(MPI_Comm comm, bool here);

#endif
