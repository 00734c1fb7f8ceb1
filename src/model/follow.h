/* SPDX-License-Identifier: BSD-2-Clause */
/* What the model makes of a backend. */
#ifndef OVK_MODEL_FOLLOW_H
#define OVK_MODEL_FOLLOW_H

#include "backends/delay/latency.h"
#include "engine/schedule/shape.h"

#include <ovkrylov/model.h>

enum { OVK__MAX_DELAYS = 4 };

/* How sums go. */
typedef struct ovk__followed {
  bool blocking; /* begin waits */
  bool async;    /* nobody needs to poll */
  int ndelays;
  ovk__latency delays[OVK__MAX_DELAYS]; /* of decorators, from outside in */
  ovk__shape shape;                     /* its levels by size */
} ovk__followed;

/* Reads model->backend. */
ovk_err ovk__follow(ovk_ctx *ctx, const ovk_model *model, ovk__followed *out);

#endif
