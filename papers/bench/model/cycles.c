/* SPDX-License-Identifier: BSD-2-Clause */
/* Simulates solves with a multigrid cycle by number of ranks and gathering threshold. */
#include "bench/model/modes.h"
#include "tool.h"

#include <math.h>
#include <stdio.h>

enum { ITERATION, CYCLE, COMPUTE, SUMS, SUM_WAIT, HALO, SENT, OF_BEST, COLUMNS };

static const column columns[COLUMNS] = {
    [ITERATION] = {"iteration", "iteration_us", NULL, 1e6, 2},
    [CYCLE] = {"cycle", "cycle_us", NULL, 1e6, 2},
    [COMPUTE] = {"compute", "compute_us", NULL, 1e6, 2},
    [SUMS] = {"sums", "sums_us", NULL, 1e6, 2},
    [SUM_WAIT] = {"sum wait", "sum_wait_us", NULL, 1e6, 2},
    [HALO] = {"halo", "halo_us", NULL, 1e6, 2},
    [SENT] = {"sent", "cycle_messages", NULL, 1, 1},
    [OF_BEST] = {"x best", "times_best", NULL, 1, 3},
};

/* Simulations on one number of ranks. */
static int cycles_group(const cycles *c)
{
  return c->gather.n * c->backends.n * c->methods.n;
}

static double cycles_least(const cycles *c, int which)
{
  const int group = cycles_group(c), first = which - which % group;
  double least = INFINITY;
  for (int k = first; k < first + group; k++) least = fmin(least, c->sims.all[k].result.iteration);
  return least;
}

static ovk_err cycles_show(void *arg, int which, double *figures)
{
  const cycles *c = arg;
  const ovk_model_result *r = &c->sims.all[which].result;
  figures[ITERATION] = r->iteration;
  figures[CYCLE] = r->cycle;
  figures[COMPUTE] = r->compute;
  figures[SUMS] = r->sums;
  figures[SUM_WAIT] = r->sum_wait;
  figures[HALO] = r->halo;
  figures[SENT] = r->cycle_messages;
  figures[OF_BEST] = r->iteration / cycles_least(c, which);
  return OVK_OK;
}

static void cycles_name(const sim *s, row *r)
{
  snprintf(r->name, sizeof r->name, "%7d  %6d  %-10s  %s", s->ranks, s->gather, s->method,
           s->backend);
  sim_add_labels(s, r);
  row_add_number(r, "gather", s->gather);
  row_add_text(r, "method", s->method);
  row_add_text(r, "backend", s->backend);
}

ovk_err cycles_run(ovk_ctx *ctx, const parameters *p, int iterations, cycles *c)
{
  const int group = cycles_group(c), programs = c->backends.n * c->methods.n;
  const int n = c->ranks.n * group;
  TRY(sims_create(ctx, n, &c->sims));
  for (int k = 0; k < n; k++) {
    c->sims.all[k] = (sim){.method = c->methods.at[k % c->methods.n],
                           .backend = c->backends.at[k % programs / c->methods.n],
                           .ranks = c->ranks.at[k / group],
                           .n = {c->n[0], c->n[1], c->n[2]},
                           .cycle = true,
                           .gather = c->gather.at[k % group / programs]};
  }
  TRY(sims_run(ctx, p, iterations, c->sims.all, n));
  table *t = &c->sims.table;
  TRY(table_create_computed(ctx, "cycles", columns, COLUMNS, cycles_show, c, n, t));
  for (int k = 0; k < n; k++) cycles_name(&c->sims.all[k], &t->rows[k]);
  snprintf(t->title, sizeof t->title,
           "simulated, us an iteration, %d x %d x %d points a rank: ranks, gather, method, backend",
           c->n[0], c->n[1], c->n[2]);
  return OVK_OK;
}
