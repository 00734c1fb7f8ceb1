/* SPDX-License-Identifier: BSD-2-Clause */
/* The engines of the collective operations of a context: opened at the first use, closed with the
 * context. There is one engine for all specs of "nbc", and one for each NIC that specs of "verbs"
 * name. */
#ifndef OVK_COMM_ENGINE_COLLECTIVES_SHARED_ENGINE_H
#define OVK_COMM_ENGINE_COLLECTIVES_SHARED_ENGINE_H

#include "comm/engine/executor.h"
#include "core/context/ctx_impl.h"

#include <ovkrylov/plugin/spec.h>

typedef struct ovk__shared_engine {
  ovk__resource resource;
  ovk_spec *spec;                 /* a copy of the spec that it was opened for */
  MPI_Comm comm;                  /* the engine's own */
  struct ovk__endpoint *endpoint; /* for "verbs", or NULL */
  ovk__engine *engine;            /* uses it */
  struct ovk__agent *agent;       /* for agent=thread, or NULL */
} ovk__shared_engine;

/* Get the engine for a spec, which is the same on all ranks. Collective; errors are agreed. */
ovk_err ovk__shared_engine_open(ovk_ctx *ctx, const ovk_spec *spec, ovk__shared_engine **out);

#endif
