/* SPDX-License-Identifier: BSD-2-Clause */
/* Simulations, dealt out to the ranks that the program runs on. */
#ifndef OVK_TOOL_SIMS_H
#define OVK_TOOL_SIMS_H

#include "bench/model/parameters.h"

/* One of them. */
typedef struct sim {
  const char *method;
  const char *backend; /* a spec, or "offload|SPEC": an adapter goes on with SPEC by itself */
  int ranks, n[3];     /* how many, and the points of each */
  ovk_model_result result;
} sim;

/* The model of one; `iterations` to simulate. */
ovk_model sim_model(const sim *s, const parameters *p, int iterations);

/* Simulates all, number k on rank k mod as many as there are; the results are on all ranks.
 * Collective. */
ovk_err sims_run(ovk_ctx *ctx, const parameters *p, int iterations, sim *all, int n);

#endif
