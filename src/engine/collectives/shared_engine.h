/* SPDX-License-Identifier: BSD-2-Clause */
/* Engines of collective operations: one a context and spec, made at the first use, closed with the
 * context. */
#ifndef OVK_ENGINE_COLLECTIVES_SHARED_ENGINE_H
#define OVK_ENGINE_COLLECTIVES_SHARED_ENGINE_H

#include "core/ctx_impl.h"
#include "engine/run.h"

typedef struct ovk__shared_engine {
  ovk__resource resource;
  ovk_ctx *ctx;
  char *spec;
  MPI_Comm comm; /* the engine's own */
  ovk__engine *engine;
  int next_tag; /* the same on all ranks */
} ovk__shared_engine;

/* The engine for a spec, which is the same on all ranks. Collective; errors are agreed. */
ovk_err ovk__shared_engine_open(ovk_ctx *ctx, const char *spec, ovk__shared_engine **out);

/* A tag for one more run, counted even if the run cannot be made on some rank. */
int ovk__shared_engine_tag(ovk__shared_engine *shared);

#endif
