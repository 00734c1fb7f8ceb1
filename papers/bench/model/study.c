/* SPDX-License-Identifier: BSD-2-Clause */
/* Simulations, distributed over the ranks of the program. */
#include "bench/model/study.h"
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

ovk_err study_create(ovk_ctx *ctx, int n, study *s)
{
  s->all = calloc((size_t)n, sizeof *s->all);
  s->n = n;
  return tool_got_memory(ctx, s->all);
}

void study_destroy(study *s)
{
  for (int k = 0; k < s->ntables; k++) table_destroy(&s->tables[k]);
  free(s->all);
  s->all = NULL;
}

ovk_err study_add_table(ovk_ctx *ctx, const char *key, const column *columns, int ncolumns,
                        ovk_err (*show)(void *study, int which, double *figures), int nrows,
                        study *s)
{
  table *t = &s->tables[s->ntables++];
  return table_create_computed(ctx, key, columns, ncolumns, show, s, nrows, t);
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

static ovk_err run_mine(ovk_ctx *ctx, const parameters *p, int iterations, study *s)
{
  for (int k = ovk_ctx_rank(ctx); k < s->n; k += ovk_ctx_size(ctx)) {
    const ovk_model model = sim_model(&s->all[k], p, iterations);
    TRY(ovk_model_run(ctx, &model, &s->all[k].result));
  }
  return OVK_OK;
}

ovk_err study_run(ovk_ctx *ctx, const parameters *p, int iterations, study *s)
{
  TRY(agree(ctx, run_mine(ctx, p, iterations, s)));
  for (int k = 0; k < s->n; k++) {
    ovk_model_result *result = &s->all[k].result;
    TRY(tool_mpi(
        ctx,
        MPI_Bcast(result, (int)sizeof *result, MPI_BYTE, k % ovk_ctx_size(ctx), MPI_COMM_WORLD),
        "MPI_Bcast"));
  }
  return OVK_OK;
}

/* The last digit of *k in base n, an index in a list of n entries, which is removed from *k. An
 * empty list counts as one entry. */
static int take_index(int *k, int n)
{
  const int length = n ? n : 1, index = *k % length;
  *k /= length;
  return index;
}

static sim study_sim(const study *s, int k)
{
  sim one = {.cycle = s->cycle, .to_root = s->to_root};
  one.method = s->methods.at[take_index(&k, s->methods.n)];
  one.backend = s->backends.at[take_index(&k, s->backends.n)];
  one.doubles = s->doubles.at[take_index(&k, s->doubles.n)];
  one.gather = s->gather.at[take_index(&k, s->gather.n)];
  one.ranks = s->ranks.at[take_index(&k, s->ranks.n)];
  memcpy(one.n, s->boxes[k], sizeof one.n);
  return one;
}

ovk_err study_simulate(ovk_ctx *ctx, const parameters *p, int iterations, study *s)
{
  const int programs = s->methods.n * s->backends.n, gather = s->gather.n ? s->gather.n : 1,
            doubles = s->doubles.n ? s->doubles.n : 1;
  TRY(study_create(ctx, s->nboxes * s->ranks.n * gather * doubles * programs, s));
  for (int k = 0; k < s->n; k++) s->all[k] = study_sim(s, k);
  return study_run(ctx, p, iterations, s);
}
