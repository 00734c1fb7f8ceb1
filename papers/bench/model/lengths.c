/* SPDX-License-Identifier: BSD-2-Clause */
/* Simulated latencies of reductions, by length. */
#include "bench/model/modes.h"
#include "tool.h"

#include <stdio.h>

enum { LATENCY, MESSAGES, OF_FIRST, COLUMNS };

static const column columns[COLUMNS] = {
    [LATENCY] = {"latency", "latency_us", NULL, 1e6, 2},
    [MESSAGES] = {"messages", "messages", NULL, 1, 1},
    [OF_FIRST] = {"x first", "times_first", NULL, 1, 3},
};

static ovk_err show(void *arg, int which, double *figures)
{
  const lengths *l = arg;
  const sim *s = &l->sims.all[which], *first = s - which % l->backends.n;
  figures[LATENCY] = s->result.iteration;
  figures[MESSAGES] = s->result.messages;
  figures[OF_FIRST] = s->result.iteration / first->result.iteration;
  return OVK_OK;
}

static void name_row(const sim *s, row *r)
{
  snprintf(r->name, sizeof r->name, "%6d ranks %9d bytes  %s", s->ranks, 8 * s->doubles,
           s->backend);
  row_add_text(r, "origin", "simulated");
  row_add_text(r, "backend", s->backend);
  row_add_number(r, "ranks", s->ranks);
  row_add_number(r, "bytes", 8 * s->doubles);
}

ovk_err lengths_run(ovk_ctx *ctx, const parameters *p, int iterations, lengths *l)
{
  const int lines = l->doubles.n * l->backends.n, n = l->ranks.n * lines;
  TRY(sims_create(ctx, n, &l->sims));
  for (int k = 0; k < n; k++) {
    l->sims.all[k] = (sim){.method = "cg",
                           .backend = l->backends.at[k % l->backends.n],
                           .n = {4, 4, 4}, /* unused */
                           .ranks = l->ranks.at[k / lines],
                           .doubles = l->doubles.at[k % lines / l->backends.n],
                           .to_root = l->to_root};
  }
  TRY(sims_run(ctx, p, iterations, l->sims.all, n));
  table *t = &l->sims.table;
  TRY(table_create_computed(ctx, "lengths", columns, COLUMNS, show, l, n, t));
  for (int k = 0; k < n; k++) name_row(&l->sims.all[k], &t->rows[k]);
  snprintf(t->title, sizeof t->title,
           "simulated: us of a reduction to %s, and its time over that of the first backend",
           l->to_root ? "one rank" : "all ranks");
  return OVK_OK;
}
