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

static ovk_err lengths_show(void *arg, int which, double *figures)
{
  const study *lengths = arg;
  const sim *s = &lengths->all[which], *first = s - which % lengths->backends.n;
  figures[LATENCY] = s->result.iteration;
  figures[MESSAGES] = s->result.messages;
  figures[OF_FIRST] = s->result.iteration / first->result.iteration;
  return OVK_OK;
}

static void lengths_name(const sim *s, row *r)
{
  snprintf(r->name, sizeof r->name, "%6d ranks %9d bytes  %s", s->ranks, 8 * s->doubles,
           s->backend);
  row_add_text(r, "origin", "simulated");
  row_add_text(r, "backend", s->backend);
  row_add_number(r, "ranks", s->ranks);
  row_add_number(r, "bytes", 8 * s->doubles);
}

ovk_err lengths_tabulate(ovk_ctx *ctx, study *s)
{
  TRY(study_add_table(ctx, "lengths", columns, COLUMNS, lengths_show, s->n, s));
  table *t = &s->tables[0];
  for (int k = 0; k < s->n; k++) lengths_name(&s->all[k], &t->rows[k]);
  snprintf(t->title, sizeof t->title,
           "simulated: us of a reduction to %s, and its time over that of the first backend",
           s->to_root ? "one rank" : "all ranks");
  return OVK_OK;
}
