/* SPDX-License-Identifier: BSD-2-Clause */
/* The engine of a context's collective operations: opened at the first use, closed with the
 * context. */
#ifndef OVK_ENGINE_COLLECTIVES_SHARED_ENGINE_H
#define OVK_ENGINE_COLLECTIVES_SHARED_ENGINE_H

#include "core/ctx_impl.h"
#include "engine/run.h"

typedef struct ovk__shared_engine {
  ovk__resource resource;
  MPI_Comm comm; /* the engine's own */
  ovk__engine *engine;
} ovk__shared_engine;

/* Collective; errors are agreed. */
ovk_err ovk__shared_engine_open(ovk_ctx *ctx, ovk__shared_engine **out);

#endif
