/* SPDX-License-Identifier: BSD-2-Clause */
/* Every method with every backend on every number of ranks, simulated, and which is the fastest. */
#ifndef OVK_TOOL_SWEEP_H
#define OVK_TOOL_SWEEP_H

#include "bench/lists.h"
#include "bench/model/sims.h"

typedef struct sweep {
  numbers ranks;
  words methods, backends;
  int n[3];        /* points of a rank */
  sim *sims;       /* by ranks, backend and method */
  table all, wins; /* of all, and of the fastest with each number of ranks */
} sweep;

/* Simulates what ranks, methods, backends and n say, and makes the tables. Collective. Free it with
 * sweep_destroy(), also after a failure. It must not be moved. */
ovk_err sweep_run(ovk_ctx *ctx, const parameters *p, int iterations, sweep *s);
void sweep_destroy(sweep *s);

#endif
