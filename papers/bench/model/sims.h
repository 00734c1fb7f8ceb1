/* SPDX-License-Identifier: BSD-2-Clause */
/* Simulations, distributed over the ranks of the program. */
#ifndef OVK_TOOL_SIMS_H
#define OVK_TOOL_SIMS_H

#include "bench/model/parameters.h"

/* One simulation. */
typedef struct sim {
  const char *method;
  const char *backend; /* a spec, or "offload|SPEC": the adapter progresses SPEC */
  int ranks, n[3];     /* number of ranks, points of each */
  bool cycle;          /* preconditioned by a multigrid cycle, */
  int gather;          /* with this threshold */
  int doubles;         /* > 0: reductions of so many, and no solve; */
  bool to_root;        /* to one rank */
  ovk_model_result result;
} sim;

/* Simulations, and the table of their results. */
typedef struct sims {
  sim *all;
  table table;
} sims;

/* Allocates n simulations. Collective. Free them with sims_destroy(), also after a failure. */
ovk_err sims_create(ovk_ctx *ctx, int n, sims *s);
void sims_destroy(sims *s);

/* Runs all simulations, number k on rank k modulo the number of ranks; the results are on all
 * ranks. Collective. */
ovk_err sims_run(ovk_ctx *ctx, const parameters *p, int iterations, sim *all, int n);

/* Adds the labels of points and ranks of a simulated solve. */
void sim_add_labels(const sim *s, row *r);

#endif
