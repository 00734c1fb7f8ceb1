/* SPDX-License-Identifier: BSD-2-Clause */
/* The inside of a collective operation. */
#ifndef OVK_ENGINE_COLLECTIVES_COLLECTIVE_H
#define OVK_ENGINE_COLLECTIVES_COLLECTIVE_H

#include "engine/job.h"
#include "engine/run.h"

#include <ovkrylov/collectives.h>

typedef enum ovk__collective_state { OVK__IDLE, OVK__RUNNING, OVK__BROKEN } ovk__collective_state;

struct ovk_collective {
  ovk_ctx *ctx;
  const ovk__engine *engine;
  int spins; /* see job.h */
  ovk__schedule schedule;
  ovk__run *run;
  ovk__collective_state state;
  ovk__job job;
  bool over; /* running, and complete; or failed, with the run's */
  int code;
  unsigned looks; /* in vain */
  /* what begin copies, for schedules that work in place; nothing else does so */
  const void *from;
  void *to;
  size_t bytes;
};

#endif
