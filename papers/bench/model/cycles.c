/* SPDX-License-Identifier: BSD-2-Clause */
/* Solves with a multigrid cycle by number of ranks and gathering threshold. */
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

/* Of the simulations on as many ranks. */
static double cycles_least(const study *s, int which)
{
  const int group = s->n / s->ranks.n, first = which - which % group;
  double least = INFINITY;
  for (int k = first; k < first + group; k++) least = fmin(least, s->all[k].result.iteration);
  return least;
}

static ovk_err cycles_show(void *arg, int which, double *figures)
{
  const study *s = arg;
  const ovk_model_result *r = &s->all[which].result;
  figures[ITERATION] = r->iteration;
  figures[CYCLE] = r->cycle;
  figures[COMPUTE] = r->compute;
  figures[SUMS] = r->sums;
  figures[SUM_WAIT] = r->sum_wait;
  figures[HALO] = r->halo;
  figures[SENT] = r->cycle_messages;
  figures[OF_BEST] = r->iteration / cycles_least(s, which);
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

ovk_err cycles_tabulate(ovk_ctx *ctx, study *s)
{
  TRY(study_add_table(ctx, "cycles", columns, COLUMNS, cycles_show, s->n, s));
  table *t = &s->tables[0];
  for (int k = 0; k < s->n; k++) cycles_name(&s->all[k], &t->rows[k]);
  snprintf(t->title, sizeof t->title,
           "simulated, us an iteration, %d x %d x %d points a rank: ranks, gather, method, backend",
           s->boxes[0][0], s->boxes[0][1], s->boxes[0][2]);
  return OVK_OK;
}
