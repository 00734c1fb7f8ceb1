/* SPDX-License-Identifier: BSD-2-Clause */
/* Simulations, distributed over the ranks of the program. */
#include "bench/model/sims.h"
#include "tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The model of a simulation; `iterations` to simulate. */
static ovk_model sim_model(const sim *s, const parameters *p, int iterations)
{
  static const char offload[] = "offload|";
  static const int inside[3] = {2, 2, 2}; /* neighbors on all sides, as most ranks have */
  const size_t prefix = sizeof offload - 1;
  ovk_model model = OVK_MODEL;
  model.async = strncmp(s->backend, offload, prefix) == 0;
  model.method = s->method;
  model.backend = s->backend + (model.async ? prefix : 0);
  model.nranks = s->ranks;
  model.iterations = iterations;
  model.doubles = s->doubles;
  model.to_root = s->to_root;
  memcpy(model.n, s->n, sizeof model.n);
  parameters_apply(p, inside, &model);
  if (s->cycle) {
    model.work.precond = 0;
    model.cycle = parameters_cycle(p);
    model.cycle.gather = s->gather;
  } else if (p->value[PRECOND1] > 0 && strcmp(s->method, "cg") == 0) {
    const double rows = (double)s->n[0] * s->n[1] * s->n[2];
    model.work.precond = rows * p->value[PRECOND1] * parameter_unit(PRECOND1);
  }
  return model;
}

ovk_err sims_create(ovk_ctx *ctx, int n, sims *s)
{
  s->all = calloc((size_t)n, sizeof *s->all);
  return tool_got_memory(ctx, s->all);
}

void sims_destroy(sims *s)
{
  table_destroy(&s->table);
  free(s->all);
  s->all = NULL;
}

void sim_add_labels(const sim *s, row *r)
{
  row_add_text(r, "origin", "simulated");
  row_add_number(r, "nx", s->n[0]);
  row_add_number(r, "ny", s->n[1]);
  row_add_number(r, "nz", s->n[2]);
  row_add_number(r, "ranks", s->ranks);
}

/* The first failure of any rank, on all ranks. */
static ovk_err agree(ovk_ctx *ctx, ovk_err mine)
{
  enum { LENGTH = 1024 };
  struct {
    int failed, rank;
  } first = {mine != OVK_OK, ovk_ctx_rank(ctx)};
  char text[LENGTH] = "";
  int code = (int)mine;
  if (mine) snprintf(text, sizeof text, "%s", ovk_ctx_error(ctx));
  TRY(tool_mpi(ctx, MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_2INT, MPI_MAXLOC, MPI_COMM_WORLD),
               "MPI_Allreduce"));
  if (!first.failed) return OVK_OK;
  TRY(tool_mpi(ctx, MPI_Bcast(&code, 1, MPI_INT, first.rank, MPI_COMM_WORLD), "MPI_Bcast"));
  TRY(tool_mpi(ctx, MPI_Bcast(text, LENGTH, MPI_CHAR, first.rank, MPI_COMM_WORLD), "MPI_Bcast"));
  return ovk_ctx_fail(ctx, (ovk_err)code, "%s", text);
}

static ovk_err run_mine(ovk_ctx *ctx, const parameters *p, int iterations, sim *all, int n)
{
  for (int k = ovk_ctx_rank(ctx); k < n; k += ovk_ctx_size(ctx)) {
    const ovk_model model = sim_model(&all[k], p, iterations);
    TRY(ovk_model_run(ctx, &model, &all[k].result));
  }
  return OVK_OK;
}

ovk_err sims_run(ovk_ctx *ctx, const parameters *p, int iterations, sim *all, int n)
{
  TRY(agree(ctx, run_mine(ctx, p, iterations, all, n)));
  for (int k = 0; k < n; k++) {
    TRY(tool_mpi(ctx,
                 MPI_Bcast(&all[k].result, (int)sizeof all[k].result, MPI_BYTE,
                           k % ovk_ctx_size(ctx), MPI_COMM_WORLD),
                 "MPI_Bcast"));
  }
  return OVK_OK;
}
