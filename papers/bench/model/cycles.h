/* SPDX-License-Identifier: BSD-2-Clause */
/* Simulates solves with a multigrid cycle by number of ranks and gathering threshold. */
#ifndef OVK_TOOL_CYCLES_H
#define OVK_TOOL_CYCLES_H

#include "bench/model/sims.h"
#include "bench/support/lists.h"

typedef struct cycles {
  int n[3]; /* points of a rank */
  numbers ranks, gather;
  words methods, backends;
  sims sims; /* by ranks, threshold, backend and method */
} cycles;

/* Simulates all combinations, and creates the table. Collective. Free c->sims also
 * after a failure. It must not be moved. */
ovk_err cycles_run(ovk_ctx *ctx, const parameters *p, int iterations, cycles *c);

#endif
