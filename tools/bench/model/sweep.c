/* SPDX-License-Identifier: BSD-2-Clause */
/* Every method with every backend on every number of ranks, simulated, and which is the fastest. */
#include "bench/model/sweep.h"
#include "tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char reference[] = "algorithm1";

enum { ITERATION, COMPUTE, SUMS, SUM_WAIT, HALO, MESSAGES, SPEEDUP, OF_BEST, COLUMNS };

static const column columns[COLUMNS] = {
    [ITERATION] = {"iteration", "iteration_us", NULL, 1e6, 2},
    [COMPUTE] = {"compute", "compute_us", NULL, 1e6, 2},
    [SUMS] = {"sums", "sums_us", NULL, 1e6, 2},
    [SUM_WAIT] = {"sum wait", "sum_wait_us", NULL, 1e6, 2},
    [HALO] = {"halo", "halo_us", NULL, 1e6, 2},
    [MESSAGES] = {"messages", "messages", NULL, 1, 1},
    [SPEEDUP] = {"speedup", "speedup", NULL, 1, 3},
    [OF_BEST] = {"x best", "times_best", NULL, 1, 3},
};

enum { WIN_ITERATION, WIN_SPEEDUP, WIN_LEAD, WIN_COLUMNS };

static const column win_columns[WIN_COLUMNS] = {
    [WIN_ITERATION] = {"iteration", "iteration_us", NULL, 1e6, 2},
    [WIN_SPEEDUP] = {"speedup", "speedup", NULL, 1, 3},
    [WIN_LEAD] = {"lead %", "lead_pct", NULL, 100, 2},
};

/* How many are on one number of ranks. */
static int programs_of(const sweep *s)
{
  return s->methods.n * s->backends.n;
}

static double seconds_of(const sweep *s, int which)
{
  return s->sims[which].result.iteration;
}

/* The fastest on the number of ranks `k`, without the method that `but` has, unless that is -1. */
static int fastest(const sweep *s, int k, int but)
{
  int best = -1;
  for (int which = k * programs_of(s); which < (k + 1) * programs_of(s); which++) {
    if (but >= 0 && s->sims[which].method == s->sims[but].method) continue;
    if (best < 0 || seconds_of(s, which) < seconds_of(s, best)) best = which;
  }
  return best;
}

/* algorithm1 with the backend of `which`, on as many ranks. */
static int reference_of(const sweep *s, int which)
{
  int k = which - which % s->methods.n;
  while (strcmp(s->sims[k].method, reference) != 0) k++;
  return k;
}

static ovk_err show(void *arg, int which, double *figures)
{
  const sweep *s = arg;
  const ovk_model_result *r = &s->sims[which].result;
  figures[ITERATION] = r->iteration;
  figures[COMPUTE] = r->compute;
  figures[SUMS] = r->sums;
  figures[SUM_WAIT] = r->sum_wait;
  figures[HALO] = r->halo;
  figures[MESSAGES] = r->messages;
  figures[SPEEDUP] = seconds_of(s, reference_of(s, which)) / r->iteration;
  figures[OF_BEST] = r->iteration / seconds_of(s, fastest(s, which / programs_of(s), -1));
  return OVK_OK;
}

/* algorithm1 at its best is what others must beat. */
static double best_reference(const sweep *s, int k)
{
  double least = INFINITY;
  for (int b = 0; b < s->backends.n; b++) {
    const int which = reference_of(s, k * programs_of(s) + b * s->methods.n);
    least = fmin(least, seconds_of(s, which));
  }
  return least;
}

static ovk_err show_win(void *arg, int k, double *figures)
{
  const sweep *s = arg;
  const int first = fastest(s, k, -1), second = fastest(s, k, first);
  figures[WIN_ITERATION] = seconds_of(s, first);
  figures[WIN_SPEEDUP] = best_reference(s, k) / seconds_of(s, first);
  figures[WIN_LEAD] = second < 0 ? NAN : seconds_of(s, second) / seconds_of(s, first) - 1;
  return OVK_OK;
}

static void name_row(const sim *s, row *r)
{
  snprintf(r->name, sizeof r->name, "%7d  %-17s  %s", s->ranks, s->method, s->backend);
  row_add_text(r, "origin", "simulated");
  row_add_number(r, "ranks", s->ranks);
  row_add_text(r, "method", s->method);
  row_add_text(r, "backend", s->backend);
}

static ovk_err make_tables(ovk_ctx *ctx, sweep *s)
{
  s->all = (table){.key = "iterations",
                   .columns = columns,
                   .ncolumns = COLUMNS,
                   .measure = show,
                   .arg = s,
                   .computed = true};
  s->wins = (table){.key = "fastest",
                    .columns = win_columns,
                    .ncolumns = WIN_COLUMNS,
                    .measure = show_win,
                    .arg = s,
                    .computed = true};
  TRY(table_create(ctx, s->ranks.n * programs_of(s), 1, &s->all));
  TRY(table_create(ctx, s->ranks.n, 1, &s->wins));
  for (int k = 0; k < s->all.nrows; k++) name_row(&s->sims[k], &s->all.rows[k]);
  for (int k = 0; k < s->wins.nrows; k++) {
    name_row(&s->sims[fastest(s, k, -1)], &s->wins.rows[k]);
  }
  snprintf(s->all.title, sizeof s->all.title, "simulated: us an iteration; %dx%dx%d points a rank",
           s->n[0], s->n[1], s->n[2]);
  snprintf(s->wins.title, sizeof s->wins.title, "simulated: the fastest, us an iteration");
  return OVK_OK;
}

/* All others are compared with it. */
static ovk_err add_reference(ovk_ctx *ctx, words *methods)
{
  for (int k = 0; k < methods->n; k++) {
    if (strcmp(methods->at[k], reference) == 0) return OVK_OK;
  }
  if (methods->n == LIST_MAX) {
    return ovk_ctx_fail(ctx, OVK_ERR_ARG, "--methods: more than %d with %s", LIST_MAX, reference);
  }
  memmove(methods->at + 1, methods->at, (size_t)methods->n++ * sizeof *methods->at);
  methods->at[0] = reference;
  return OVK_OK;
}

ovk_err sweep_run(ovk_ctx *ctx, const parameters *p, int iterations, sweep *s)
{
  TRY(add_reference(ctx, &s->methods));
  const int programs = programs_of(s), n = s->ranks.n * programs;
  s->sims = calloc((size_t)n, sizeof *s->sims);
  TRY(tool_got_memory(ctx, s->sims));
  for (int k = 0; k < n; k++) {
    s->sims[k] = (sim){.method = s->methods.at[k % s->methods.n],
                       .backend = s->backends.at[k % programs / s->methods.n],
                       .ranks = s->ranks.at[k / programs],
                       .n = {s->n[0], s->n[1], s->n[2]}};
  }
  TRY(sims_run(ctx, p, iterations, s->sims, n));
  return make_tables(ctx, s);
}

void sweep_destroy(sweep *s)
{
  table_destroy(&s->all);
  table_destroy(&s->wins);
  free(s->sims);
  s->sims = NULL;
}
