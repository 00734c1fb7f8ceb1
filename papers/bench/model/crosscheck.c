/* SPDX-License-Identifier: BSD-2-Clause */
/* Compares the model with solves on the ranks of the program. */
#include "bench/model/measured/measured.h"
#include "bench/model/modes.h"
#include "bench/model/timed.h"
#include "tool.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TIMES = 9, SOLVES = 5, SPEC = 48 };
static const double WITHIN = 0.15;

enum { MEASURED, MODELED, RATIO, COLUMNS };

static const column columns[COLUMNS] = {
    [MEASURED] = {"measured", "measured_us", "measured_min_us", 1e6, 2},
    [MODELED] = {"model", "model_us", NULL, 1e6, 2},
    [RATIO] = {"model/measured", "ratio", NULL, 1, 3},
};

/* A box of points on each rank. */
typedef struct box {
  int n[3];
  testbed bed;
  workbench *work;
} box;

typedef struct crosscheck {
  ovk_ctx *ctx;
  const crosscheck_request *request;
  parameters p;
  int grid[3], sides[3]; /* ranks are stacked in z */
  box boxes[LIST_MAX];
  char emulated[LIST_MAX][SPEC];  /* backends by latency */
  const char *backends[LIST_MAX]; /* these, or those of the request */
  int nbackends;
  int vectors[LIST_MAX]; /* by method, counted from the warm-up round on */
  parameters mean;       /* of the costs that depend on other ranks, */
  int measurements;      /* over so many */
  table table;
} crosscheck;

/* The setting of the row `which`. */
typedef struct setting {
  box *box;
  const char *method, *backend;
  int number; /* of the method */
  int us;     /* -1: not emulated */
} setting;

static setting setting_of(crosscheck *c, int which)
{
  const crosscheck_request *r = c->request;
  const int n = c->nbackends, backend = which % n, number = which / n % r->methods.n;
  return (setting){.box = &c->boxes[which / (n * r->methods.n)],
                   .method = r->methods.at[number],
                   .number = number,
                   .backend = c->backends[backend],
                   .us = r->backends.n ? -1 : r->us.at[backend]};
}

static ovk_err simulate(crosscheck *c, const setting *s, const parameters *p, double *seconds)
{
  ovk_model model = OVK_MODEL;
  ovk_model_result result;
  model.method = s->method;
  model.backend = s->backend;
  model.nranks = ovk_ctx_size(c->ctx);
  memcpy(model.grid, c->grid, sizeof model.grid);
  memcpy(model.n, s->box->n, sizeof model.n);
  parameters_apply(p, c->sides, &model);
  TRY(ovk_model_run(c->ctx, &model, &result));
  *seconds = result.iteration;
  return OVK_OK;
}

/* These depend on which ranks share a processor, which changes slowly. So their mean counts. */
static void take_mean(crosscheck *c, parameters *p)
{
  static const parameter slow[] = {NET_L, NET_o, NET_g, MEDIUM, INTERRUPT, FORWARD};
  c->measurements++;
  for (size_t k = 0; k < sizeof slow / sizeof *slow; k++) {
    double *mean = &c->mean.value[slow[k]];
    *mean += (p->value[slow[k]] - *mean) / c->measurements;
    p->value[slow[k]] = *mean;
  }
}

static ovk_err measure_machine(crosscheck *c, const setting *s, parameters *p)
{
  TRY(measured_latencies(c->ctx, p));
  if (s->us < 0) take_mean(c, p);
  return workbench_measure(s->box->work, c->vectors[s->number], TIMES, p);
}

/* Ranks that share processors are moved between them more slowly than a solve takes, so that of
 * several solves counts. */
static ovk_err measure_solves(crosscheck *c, const setting *s, double *seconds)
{
  double samples[SOLVES];
  const int n = s->us < 0 ? SOLVES : 1;
  for (int k = 0; k < n; k++) {
    TRY(timed_solve(&s->box->bed, s->method, s->backend, &samples[k], &c->vectors[s->number]));
  }
  *seconds = tool_median(samples, n);
  return OVK_OK;
}

/* Work and latencies are measured before and after the solve, because the speed of the machine may
 * change. */
static ovk_err measure(void *arg, int which, double *figures)
{
  crosscheck *c = arg;
  const setting s = setting_of(c, which);
  parameters before = c->p, after = c->p;
  TRY(measure_machine(c, &s, &before));
  TRY(measure_solves(c, &s, &figures[MEASURED]));
  TRY(measure_machine(c, &s, &after));
  for (int k = 0; k < PARAMETERS; k++) after.value[k] = (before.value[k] + after.value[k]) / 2;
  TRY(simulate(c, &s, &after, &figures[MODELED]));
  figures[RATIO] = figures[MODELED] / figures[MEASURED];
  return OVK_OK;
}

static ovk_err create_box(crosscheck *c, int size, box *out)
{
  for (int d = 0; d < 3; d++) out->n[d] = size;
  TRY(testbed_create_on(c->ctx, out->n, c->grid, &out->bed));
  return workbench_create(&out->bed, out->n, &out->work);
}

static void name_rows(crosscheck *c)
{
  table *t = &c->table;
  for (int which = 0; which < t->nrows; which++) {
    const setting s = setting_of(c, which);
    row *r = &t->rows[which];
    const int at = snprintf(r->name, sizeof r->name, "%3d^3  %-17s ", s.box->n[0], s.method);
    const size_t left = sizeof r->name - (size_t)at;
    if (s.us < 0)
      snprintf(r->name + at, left, "%s", s.backend);
    else
      snprintf(r->name + at, left, "%5d us", s.us);
    row_add_text(r, "origin", s.us < 0 ? "measured" : "emulated");
    row_add_number(r, "size", s.box->n[0]);
    row_add_text(r, "method", s.method);
    row_add_text(r, "backend", s.backend);
    if (s.us >= 0) row_add_number(r, "us", s.us);
  }
  snprintf(t->title, sizeof t->title, "solves%s and their simulation, us an iteration",
           c->request->backends.n ? "" : " with emulated latency");
}

static void choose_backends(crosscheck *c)
{
  const words *chosen = &c->request->backends;
  const numbers *us = &c->request->us;
  c->nbackends = chosen->n ? chosen->n : us->n;
  for (int k = 0; k < c->nbackends; k++) {
    if (!chosen->n) snprintf(c->emulated[k], SPEC, "emulate-latency:us=%d|shm", us->at[k]);
    c->backends[k] = chosen->n ? chosen->at[k] : c->emulated[k];
  }
}

static ovk_err set_up(crosscheck *c)
{
  const crosscheck_request *r = c->request;
  const int size = ovk_ctx_size(c->ctx);
  c->grid[0] = c->grid[1] = 1;
  c->grid[2] = size;
  c->sides[2] = size > 2 ? 2 : size - 1;
  choose_backends(c);
  for (int k = 0; k < r->sizes.n; k++) TRY(create_box(c, r->sizes.at[k], &c->boxes[k]));
  TRY(timed_check(&c->boxes[0].bed, &r->methods, c->backends[0]));
  TRY(measured_links(c->ctx, &c->p));
  TRY(measured_sums(c->ctx, r->backends.n ? r->backends.at[0] : "shm", &c->p));
  TRY(table_create(c->ctx, r->sizes.n * r->methods.n * c->nbackends, r->rounds, &c->table));
  name_rows(c);
  return OVK_OK;
}

/* A row outside, with the least and the greatest time of its solves in microseconds: no prediction
 * is closer than these are to each other. */
static void print_outside(const table *t, int which)
{
  const double *samples =
      &t->samples[(size_t)(which * t->ncolumns + MEASURED) * (size_t)t->nrounds];
  double least = samples[0], most = samples[0];
  for (int k = 1; k < t->nrounds; k++) {
    least = fmin(least, samples[k]);
    most = fmax(most, samples[k]);
  }
  printf("outside %.0f %%: %s, measured %.2f to %.2f\n", 100 * WITHIN, t->rows[which].name,
         1e6 * least, 1e6 * most);
}

static void print_verdict(const crosscheck *c)
{
  const table *t = &c->table;
  int outside = 0, worst = 0;
  double most = -1;
  puts("");
  for (int which = 0; which < t->nrows; which++) {
    const double off = fabs(table_median(t, which, RATIO) - 1);
    if (off > WITHIN) print_outside(t, which);
    outside += off > WITHIN;
    if (off <= most) continue;
    most = off;
    worst = which;
  }
  printf("%d of %d rows outside %.0f %%; worst: %.1f %%, %s\n", outside, t->nrows, 100 * WITHIN,
         100 * most, t->rows[worst].name);
}

static ovk_err crosscheck_measure(crosscheck *c)
{
  const char *json = c->request->json;
  TRY(set_up(c));
  table *const tables[] = {&c->table};
  TRY(tables_run(c->ctx, json, tables, 1));
  if (ovk_ctx_rank(c->ctx) == 0 && !(json && strcmp(json, "-") == 0)) print_verdict(c);
  return OVK_OK;
}

ovk_err crosscheck_run(ovk_ctx *ctx, const crosscheck_request *request, const parameters *p)
{
  crosscheck *c = calloc(1, sizeof *c);
  ovk_err err = tool_got_memory(ctx, c);
  if (!err) {
    *c = (crosscheck){.ctx = ctx, .request = request, .p = *p};
    c->table = (table){.columns = columns, .ncolumns = COLUMNS, .measure = measure, .arg = c};
    err = crosscheck_measure(c);
    table_destroy(&c->table);
    for (int k = 0; k < request->sizes.n; k++) {
      workbench_destroy(&c->boxes[k].work);
      testbed_destroy(&c->boxes[k].bed);
    }
  }
  free(c);
  return err;
}
