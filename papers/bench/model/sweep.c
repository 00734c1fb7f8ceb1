/* SPDX-License-Identifier: BSD-2-Clause */
/* Every method with every backend on every number of ranks, and the fastest. */
#include "bench/model/modes.h"
#include "tool.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char reference[] = "cg";

/* Times that differ by less count as equal up to rounding; then the first one wins. */
static const double TIE = 1e-9;

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

/* After these: the time of each method with its best backend. */
enum { WIN_SPEEDUP, WIN_LEAD, WIN_METHODS };

static const column win_columns[WIN_METHODS] = {
    [WIN_SPEEDUP] = {"speedup", "speedup", NULL, 1, 3},
    [WIN_LEAD] = {"lead %", "lead_pct", NULL, 100, 2},
};

/* Number of programs for one box on one number of ranks. */
static int programs_of(const study *s)
{
  return s->methods.n * s->backends.n;
}

static double seconds_of(const study *s, int which)
{
  return s->all[which].result.iteration;
}

/* The fastest of group `k`, a box and a number of ranks, without method `but` (-1: of all). */
static int fastest(const study *s, int k, int but)
{
  int best = -1;
  for (int which = k * programs_of(s); which < (k + 1) * programs_of(s); which++) {
    if (which % s->methods.n == but) continue;
    if (best < 0 || seconds_of(s, which) < (1 - TIE) * seconds_of(s, best)) best = which;
  }
  return best;
}

/* The time of a method with its best backend. */
static double least_of(const study *s, int k, int method)
{
  double least = INFINITY;
  for (int b = 0; b < s->backends.n; b++) {
    least = fmin(least, seconds_of(s, k * programs_of(s) + b * s->methods.n + method));
  }
  return least;
}

/* The index of cg. */
static int reference_of(const study *s)
{
  int k = 0;
  while (strcmp(s->methods.at[k], reference) != 0) k++;
  return k;
}

static ovk_err show(void *arg, int which, double *figures)
{
  const study *s = arg;
  const ovk_model_result *r = &s->all[which].result;
  figures[ITERATION] = r->iteration;
  figures[COMPUTE] = r->compute;
  figures[SUMS] = r->sums;
  figures[SUM_WAIT] = r->sum_wait;
  figures[HALO] = r->halo;
  figures[MESSAGES] = r->messages;
  const int same = which - which % s->methods.n; /* the first method with this backend */
  figures[SPEEDUP] = seconds_of(s, same + reference_of(s)) / r->iteration;
  figures[OF_BEST] = r->iteration / seconds_of(s, fastest(s, which / programs_of(s), -1));
  return OVK_OK;
}

/* cg with its best backend is the reference. */
static ovk_err show_win(void *arg, int k, double *figures)
{
  const study *s = arg;
  const int first = fastest(s, k, -1), second = fastest(s, k, first % s->methods.n);
  figures[WIN_SPEEDUP] = least_of(s, k, reference_of(s)) / seconds_of(s, first);
  figures[WIN_LEAD] = second < 0 ? NAN : fmax(0, seconds_of(s, second) / seconds_of(s, first) - 1);
  for (int m = 0; m < s->methods.n; m++) figures[WIN_METHODS + m] = least_of(s, k, m);
  return OVK_OK;
}

static void name_row(const sim *s, row *r)
{
  snprintf(r->name, sizeof r->name, "%3dx%2dx%2d  %7d  %-17s  %s", s->n[0], s->n[1], s->n[2],
           s->ranks, s->method, s->backend);
  sim_add_labels(s, r);
  row_add_text(r, "method", s->method);
  row_add_text(r, "backend", s->backend);
}

static void make_columns(study *s)
{
  memcpy(s->columns, win_columns, sizeof win_columns);
  for (int m = 0; m < s->methods.n; m++) {
    const char *name = s->methods.at[m];
    s->columns[WIN_METHODS + m] = (column){.head = name, .key = name, .scale = 1e6, .digits = 2};
  }
}

ovk_err sweep_tabulate(ovk_ctx *ctx, study *s)
{
  const int groups = s->n / programs_of(s);
  make_columns(s);
  TRY(study_add_table(ctx, "fastest", s->columns, WIN_METHODS + s->methods.n, show_win, groups, s));
  TRY(study_add_table(ctx, "iterations", columns, COLUMNS, show, s->n, s));
  table *wins = &s->tables[0], *all = &s->tables[1];
  for (int k = 0; k < wins->nrows; k++) name_row(&s->all[fastest(s, k, -1)], &wins->rows[k]);
  for (int k = 0; k < all->nrows; k++) name_row(&s->all[k], &all->rows[k]);
  snprintf(wins->title, sizeof wins->title,
           "simulated, us an iteration: the fastest, and each method with its best backend");
  snprintf(all->title, sizeof all->title,
           "simulated, us an iteration: points of a rank, ranks, method, backend");
  return OVK_OK;
}

ovk_err sweep_add_reference(ovk_ctx *ctx, words *methods)
{
  enum { MOST = MAX_COLUMNS - WIN_METHODS };
  if (methods->n >= MOST) {
    return ovk_ctx_fail(ctx, OVK_ERR_ARG, "--methods: %d or more", MOST);
  }
  for (int k = 0; k < methods->n; k++) {
    if (strcmp(methods->at[k], reference) == 0) return OVK_OK;
  }
  memmove(methods->at + 1, methods->at, (size_t)methods->n++ * sizeof *methods->at);
  methods->at[0] = reference;
  return OVK_OK;
}
