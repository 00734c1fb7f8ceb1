/* SPDX-License-Identifier: BSD-2-Clause */
/* Internals of a collective operation. */
#ifndef OVK_COMM_ENGINE_COLLECTIVES_COLLECTIVE_H
#define OVK_COMM_ENGINE_COLLECTIVES_COLLECTIVE_H

#include "comm/agent/agent.h"
#include "comm/engine/pipeline.h"
#include "core/context/handle.h"

#include <ovkrylov/comm/collective.h>

typedef enum ovk__collective_state { OVK__IDLE, OVK__RUNNING, OVK__FAILED } ovk__collective_state;

struct ovk_collective {
  ovk_ctx *ctx, *held;
  const ovk__engine *engine;
  int spins;                    /* see core/job.h */
  ovk__schedule schedule, last; /* of a fragment, and of the last one if it is shorter */
  ovk__pipeline pipeline;
  ovk__submission submission; /* of the pipeline to an agent, if an agent executes it */
  ovk__endpoint *endpoint;    /* endpoint of the agent; NULL: there is no agent */
  ovk__lent lent;             /* the buffers, if an agent moves long messages between them */
  ovk__collective_state state;
  ovk__job job;
  bool over; /* running, and its pipeline is complete or has failed */
  int code;
  unsigned empty_polls; /* tests without completion */
  /* copy by begin for schedules that work in place; bytes = 0: none */
  const void *from;
  void *to;
  size_t bytes;
};
OVK_IS_HANDLE(ovk_collective);

/* Check whether an agent has completed it: an ovk__advance, whose self is the collective. */
int ovk__collective_look(void *self, bool *complete);

#endif
