/* SPDX-License-Identifier: BSD-2-Clause */
/* Internals of an engine, for the code that executes schedules. */
#ifndef OVK_COMM_ENGINE_ENGINE_H
#define OVK_COMM_ENGINE_ENGINE_H

#include "comm/engine/channels/channel.h"
#include "comm/engine/executor.h"
#include "comm/engine/tags.h"

struct ovk__engine {
  ovk_ctx *ctx;
  ovk__transport_ctx transport; /* connects its ranks */
  int spins;                    /* see job.h */
  ovk__tags tags;
};

#endif
