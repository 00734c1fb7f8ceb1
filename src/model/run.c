/* SPDX-License-Identifier: BSD-2-Clause */
/* A simulation: checks, sets up, carries out, adds up. */
#include "core/mem.h"
#include "model/sim.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum { MOST_RANKS = 1 << 20, MOST_ITERATIONS = 1000000, WARM_UP = 4 };

static const double MOST_SECONDS = 1e6; /* of any parameter */

/* A parameter and what it is called. */
typedef struct parameter {
  const char *name;
  double value;
} parameter;

static ovk_err check_parameters(ovk_ctx *ctx, const ovk_model *m)
{
  const parameter all[] = {
      {"machine.node.L", m->machine.node.L},
      {"machine.node.o", m->machine.node.o},
      {"machine.node.O", m->machine.node.O},
      {"machine.node.g", m->machine.node.g},
      {"machine.node.G", m->machine.node.G},
      {"machine.net.L", m->machine.net.L},
      {"machine.net.o", m->machine.net.o},
      {"machine.net.O", m->machine.net.O},
      {"machine.net.g", m->machine.net.g},
      {"machine.net.G", m->machine.net.G},
      {"machine.begin", m->machine.begin},
      {"machine.poll", m->machine.poll},
      {"machine.combine", m->machine.combine},
      {"machine.async_overhead", m->machine.async_overhead},
      {"work.product", m->work.product},
      {"work.boundary", m->work.boundary},
      {"work.precond", m->work.precond},
      {"work.stream", m->work.stream},
      {"work.pair", m->work.pair},
      {"noise.exponential", m->noise.exponential},
      {"noise.spike", m->noise.spike},
      {"noise.spikes_a_second", m->noise.spikes_a_second},
      {"noise.slow", m->noise.slow},
  };
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    OVK_CHECK(all[k].value >= 0 && all[k].value <= MOST_SECONDS, ctx, OVK_ERR_ARG,
              "%s is %g, not 0 to %g", all[k].name, all[k].value, MOST_SECONDS);
  }
  return OVK_OK;
}

static ovk_err check_grid(ovk_ctx *ctx, const ovk_model *m)
{
  const int *g = m->grid, *n = m->n;
  if (g[0] || g[1] || g[2]) {
    OVK_CHECK(g[0] > 0 && g[1] > 0 && g[2] > 0 && (double)g[0] * g[1] * g[2] == m->nranks, ctx,
              OVK_ERR_ARG, "a grid of %d x %d x %d is none of %d ranks", g[0], g[1], g[2],
              m->nranks);
  }
  OVK_CHECK(n[0] > 0 && n[1] > 0 && n[2] > 0 && (double)n[0] * n[1] * n[2] <= INT_MAX, ctx,
            OVK_ERR_ARG, "a rank has %d x %d x %d rows, not 1 to %d", n[0], n[1], n[2], INT_MAX);
  return OVK_OK;
}

static ovk_err check(ovk_ctx *ctx, const ovk_model *m)
{
  OVK_CHECK(m->nranks >= 1 && m->nranks <= MOST_RANKS, ctx, OVK_ERR_ARG,
            "nranks is %d, not 1 to %d", m->nranks, MOST_RANKS);
  OVK_CHECK(m->iterations >= 1 && m->iterations <= MOST_ITERATIONS, ctx, OVK_ERR_ARG,
            "iterations is %d, not 1 to %d", m->iterations, MOST_ITERATIONS);
  OVK_CHECK(m->poll_rows >= 0, ctx, OVK_ERR_ARG, "poll_rows is %d", m->poll_rows);
  OVK_CHECK(m->machine.ranks_per_node >= 1, ctx, OVK_ERR_ARG, "machine.ranks_per_node is %d",
            m->machine.ranks_per_node);
  OVK_TRY(check_grid(ctx, m));
  return check_parameters(ctx, m);
}

static ovk_err find_method(ovk__sim *sim)
{
  const char *text = sim->model->method ? sim->model->method : "algorithm1";
  OVK_TRY(ovk__method_read(sim->ctx, text, &sim->method, &sim->depth));
  OVK_CHECK(sim->method->phases, sim->ctx, OVK_ERR_UNSUPPORTED,
            "the model takes a method by its name, not '%s'", text);
  sim->C = sim->model->work.precond > 0 ? OVK__C_OTHER
           : sim->model->work.constant  ? OVK__C_CONSTANT
                                        : OVK__C_DIAGONAL;
  return OVK_OK;
}

/* The schedules for so many values, made if nobody has needed them yet. */
static ovk_err find_plan(ovk__sim *sim, int count, const ovk__plan **out)
{
  int k = 0;
  while (k < sim->nplans && sim->plans[k].count != count) k++;
  *out = &sim->plans[k];
  if (k < sim->nplans) return OVK_OK;
  sim->nplans++;
  return ovk__plan_make(sim->ctx, sim->model, &sim->backend.shape, count, &sim->plans[k]);
}

static ovk_err make_sums(ovk__sim *sim)
{
  for (const ovk__phase *p = sim->method->phases; p->kind; p++) {
    if (p->kind == OVK__BEGIN && p->sum >= sim->nsums) sim->nsums = p->sum + 1;
  }
  if (sim->depth) sim->nsums = sim->depth;
  for (int k = 0; k < sim->nsums; k++) {
    const ovk__sum_shape *shape = &sim->method->sums[k];
    ovk__sum *s = &sim->sums[k];
    OVK_TRY(find_plan(sim, shape->count + shape->rider, &s->plan));
    OVK_NEW_ZEROS(sim->ctx, s->parts, sim->model->nranks);
    for (int odd = 0; odd < 2; odd++) {
      OVK_NEW_ZEROS(sim->ctx, s->arrivals[odd], s->plan->nrounds);
    }
  }
  return OVK_OK;
}

static ovk_err make_ranks(ovk__sim *sim)
{
  int neighbours[OVK__DIRECTIONS];
  OVK_TRY(ovk__rank_grid_make(sim->ctx, sim->model, &sim->halo));
  OVK_NEW_ZEROS(sim->ctx, sim->ranks, sim->model->nranks);
  for (int rank = 0; rank < sim->model->nranks; rank++) {
    sim->ranks[rank].rest = 1;
    sim->ranks[rank].around = ovk__rank_grid_around(&sim->halo, rank, neighbours);
  }
  return OVK_OK;
}

static ovk_err set_up(ovk__sim *sim)
{
  const ovk_model *m = sim->model;
  OVK_TRY(find_method(sim));
  OVK_TRY(ovk__follow(sim->ctx, m, &sim->backend));
  OVK_TRY(make_sums(sim));
  OVK_TRY(make_ranks(sim));
  sim->rows = (double)m->n[0] * m->n[1] * m->n[2];
  sim->warm = WARM_UP + 2 * sim->depth;
  sim->last = sim->warm + m->iterations;
  return OVK_OK;
}

static void clean_up(ovk__sim *sim)
{
  for (int k = 0; k < sim->nplans; k++) ovk__plan_free(&sim->plans[k]);
  for (int k = 0; k < sim->nsums; k++) {
    free(sim->sums[k].parts);
    for (int odd = 0; odd < 2; odd++) free(sim->sums[k].arrivals[odd]);
  }
  ovk__rank_grid_free(&sim->halo);
  ovk__events_free(&sim->events);
  free(sim->ranks);
}

/* Until nothing happens any more: then all are done, or wait for each other. */
static ovk_err carry_out(ovk__sim *sim)
{
  const int nranks = sim->model->nranks;
  ovk__event event;
  for (int rank = 0; rank < nranks; rank++) ovk__rank_run(sim, rank);
  while (!sim->events.failed && ovk__events_pop(&sim->events, &event)) ovk__rank_meet(sim, &event);
  OVK_CHECK(!sim->events.failed, sim->ctx, OVK_ERR_MEMORY, "no memory for more than %zu events",
            sim->events.room);
  OVK_CHECK(!sim->faulty, sim->ctx, OVK_ERR_INTERNAL, "a simulated sum was begun twice");
  for (int rank = 0; rank < nranks; rank++) {
    OVK_CHECK(sim->ranks[rank].mode == OVK__IS_DONE, sim->ctx, OVK_ERR_INTERNAL,
              "simulated rank %d waits for ever, in phase %d of iteration %d", rank,
              sim->ranks[rank].phase, sim->ranks[rank].iteration);
  }
  return OVK_OK;
}

static void add_up(const ovk__sim *sim, ovk_model_result *out)
{
  double *const parts[OVK__PURPOSES] = {[OVK__COMPUTING] = &out->compute,
                                        [OVK__SUMMING] = &out->sums,
                                        [OVK__SUM_WAITING] = &out->sum_wait,
                                        [OVK__HALO_TIME] = &out->halo};
  const double each = 1.0 / ((double)sim->model->nranks * sim->model->iterations);
  *out = (ovk_model_result){0};
  for (int rank = 0; rank < sim->model->nranks; rank++) {
    const ovk__rank *own = &sim->ranks[rank];
    out->iteration += each * (own->finish - own->start);
    for (int k = 0; k < OVK__PURPOSES; k++) *parts[k] += each * own->spent[k];
    out->messages += each * own->messages;
  }
}

ovk_err ovk_model_run(ovk_ctx *ctx, const ovk_model *model, ovk_model_result *out)
{
  if (!ctx) return OVK_ERR_ARG;
  OVK_CHECK(model && out, ctx, OVK_ERR_ARG, "%s is NULL", model ? "out" : "model");
  *out = (ovk_model_result){0};
  OVK_TRY(check(ctx, model));
  ovk__sim *sim = ovk__zeros(1, sizeof *sim);
  OVK_CHECK(sim, ctx, OVK_ERR_MEMORY, "no memory for a simulation");
  sim->ctx = ctx;
  sim->model = model;
  ovk_err err = set_up(sim);
  if (!err) err = carry_out(sim);
  if (!err) add_up(sim, out);
  clean_up(sim);
  free(sim);
  return err;
}
