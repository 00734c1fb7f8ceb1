/* SPDX-License-Identifier: BSD-2-Clause */
/* How the model represents a backend. */
#ifndef OVK_MODEL_RESOLVE_H
#define OVK_MODEL_RESOLVE_H

#include "backends/emulate_latency/latency.h"
#include "comm/engine/pipeline.h"
#include "comm/engine/schedule/algorithm_spec.h"

#include "model/model.h"

enum { OVK__MAX_DELAYS = 4 };

/* The behavior of sums. */
typedef struct ovk__resolved {
  bool blocking; /* begin waits */
  bool async;    /* progresses without polls, */
  bool agent;    /* on a separate processor */
  int ndelays;
  ovk__latency delays[OVK__MAX_DELAYS]; /* of the decorators, outermost first */
  ovk__algorithm_spec algorithms;       /* the levels, by size */
  ovk__fragments fragments;             /* {0}: sums are whole */
} ovk__resolved;

/* Reads model->backend. */
ovk_err ovk__resolve(ovk_ctx *ctx, const ovk_model *model, ovk__resolved *out);

#endif
