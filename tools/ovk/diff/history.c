/* SPDX-License-Identifier: BSD-2-Clause */
/* The histories of two runs: residuals and fingerprints of the totals, iteration by iteration. */
#include "diff/history.h"

#include <stdlib.h>

/* One entry of the arrays of a history. */
typedef struct history_entry {
  const char *iteration, *residual, *sums;
} history_entry;

static history_entry history_begin(const run_file *run)
{
  const char *history = run_file_value(run, "history");
  return (history_entry){.iteration = json_first(json_member(history, "iteration")),
                         .residual = json_first(json_member(history, "residual")),
                         .sums = json_first(json_member(history, "sums"))};
}

static void history_advance(history_entry *at)
{
  at->iteration = json_next(at->iteration);
  at->residual = json_next(at->residual);
  at->sums = json_next(at->sums);
}

/* The totals count only where both runs have exact sums. */
static bool history_same(const history_entry *a, const history_entry *b)
{
  return json_same(a->iteration, b->iteration) && json_same(a->residual, b->residual) &&
         (!a->sums || !b->sums || json_same(a->sums, b->sums));
}

void history_compare(const run_file two[2], history_parting *out)
{
  history_entry a = history_begin(&two[0]), b = history_begin(&two[1]);
  *out = (history_parting){.missing = !a.iteration ? &two[0] : !b.iteration ? &two[1] : NULL};
  if (out->missing) return;
  for (; a.iteration && b.iteration; history_advance(&a), history_advance(&b)) {
    out->iteration = strtol(a.iteration, NULL, 10);
    if (history_same(&a, &b)) continue;
    *out = (history_parting){.iteration = out->iteration,
                             .residual = {a.residual, b.residual},
                             .sums = {a.sums, b.sums},
                             .parts = true};
    return;
  }
  out->ended = a.iteration ? &two[1] : b.iteration ? &two[0] : NULL;
  out->parts = out->ended;
}
