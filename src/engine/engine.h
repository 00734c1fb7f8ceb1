/* SPDX-License-Identifier: BSD-2-Clause */
/* The inside of an engine, for those who carry schedules out. */
#ifndef OVK_ENGINE_ENGINE_H
#define OVK_ENGINE_ENGINE_H

#include "engine/arena.h"
#include "engine/run.h"
#include "engine/tags.h"

struct ovk__engine {
  ovk_ctx *ctx;
  MPI_Comm comm;
  MPI_Comm node; /* the ranks of comm that share memory with this one */
  MPI_Group comm_group, node_group;
  ovk__arenas arenas;             /* on the node */
  int spins;                      /* see job.h */
  struct ovk__endpoint *endpoint; /* of the channel verbs, or NULL */
  ovk__tags tags;
};

/* The rank on this node of rank `peer` of comm; MPI_UNDEFINED if it is elsewhere. */
int ovk__engine_node_rank(const ovk__engine *engine, int peer);

#endif
