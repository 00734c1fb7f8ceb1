/* SPDX-License-Identifier: BSD-2-Clause */
/* A simulation: checks, set-up, event loop and results. */
#include "core/abi_struct.h"
#include "core/context/mem.h"
#include "model/network/grid.h"
#include "model/sim.h"

#include <stdlib.h>

enum { WARM_UP = 4 }; /* iterations before the counted ones */

static bool needs_factors(const ovk__method *method)
{
  const ovk__phase *p = method->phases;
  while (p->kind && p->kind != OVK__PRECOND_LEFT) p++;
  return p->kind != OVK__NO_PHASE;
}

static ovk_err find_method(ovk__sim *sim)
{
  const char *text = sim->model->method ? sim->model->method : "cg";
  OVK_TRY(ovk__method_read(sim->ctx, text, &sim->method, &sim->settings));
  sim->depth = sim->settings.depth;
  OVK_CHECK(sim->method->phases, sim->ctx, OVK_ERR_UNSUPPORTED,
            "the model takes a method by its name, not '%s'", text);
  OVK_CHECK(!sim->model->cycle.degree || !needs_factors(sim->method), sim->ctx, OVK_ERR_UNSUPPORTED,
            "the method '%s' needs factors of the preconditioner, which a cycle lacks", text);
  sim->C = sim->model->work.precond > 0 || sim->model->cycle.degree ? OVK__M_OTHER
           : sim->model->work.constant                              ? OVK__M_CONSTANT
                                                                    : OVK__M_DIAGONAL;
  return OVK_OK;
}

/* The plan for sums of `count` values, built at its first use. */
static ovk_err find_plan(ovk__sim *sim, int count, const ovk__model_plan **out)
{
  int k = 0;
  while (k < sim->nplans && sim->plans[k].count != count) k++;
  *out = &sim->plans[k];
  if (k < sim->nplans) return OVK_OK;
  sim->nplans++;
  return ovk__plan_make(sim->ctx, sim->model, &sim->backend.algorithms, count, &sim->plans[k]);
}

/* The generations of a sum that may be in flight; of those to one rank, at most all. */
static uint32_t sets_of(const ovk__sim *sim, int sum)
{
  uint32_t most = 0, sets = 2;
  for (const ovk__phase *p = sim->phases; sim->model->to_root && p->kind; p++) {
    most += p->kind == OVK__BEGIN && p->sum == sum;
  }
  while (sets <= most * (uint32_t)sim->last && sets < UINT32_MAX / 2) sets *= 2;
  return sets;
}

static ovk_err make_arrivals(const ovk__sim *sim, ovk__sum *s)
{
  const size_t sets = s->sets;
  OVK_NEW_ZEROS(sim->ctx, s->arrivals, sets * (size_t)s->plan->nrounds);
  for (int32_t k = 0; k < s->plan->nrounds; k++) {
    const int32_t all = ovk__plan_receives(&s->plan->rounds[k]);
    for (size_t set = 0; set < sets; set++) {
      s->arrivals[sets * (size_t)k + set] = (ovk__arrivals){.missing = all, .expected = all};
    }
  }
  OVK_NEW_ZEROS(sim->ctx, s->times, sets * (size_t)s->plan->nsends);
  return OVK_OK;
}

static ovk_err make_sums(ovk__sim *sim)
{
  for (const ovk__phase *p = sim->phases; p->kind; p++) {
    if (p->kind == OVK__BEGIN && p->sum >= sim->nsums) sim->nsums = p->sum + 1;
  }
  if (sim->depth) sim->nsums = sim->depth;
  for (int k = 0; k < sim->nsums; k++) {
    const ovk__sum_shape *shape = &sim->method->sums[k];
    ovk__sum *s = &sim->sums[k];
    const int values = ovk__sum_values(shape, &sim->settings) + shape->status;
    OVK_TRY(find_plan(sim, sim->pieces ? sim->piece : values, &s->plan));
    OVK_NEW_ZEROS(sim->ctx, s->states, sim->model->nranks);
    s->sets = sets_of(sim, k);
    OVK_TRY(make_arrivals(sim, s));
  }
  return OVK_OK;
}

static ovk_err make_ranks(ovk__sim *sim)
{
  const ovk_model *m = sim->model;
  ovk__rank_grid grid;
  OVK_TRY(ovk__rank_grid_make(sim->ctx, m, &grid));
  OVK_TRY(ovk__rank_grid_exchange(sim->ctx, m, &grid, &grid, false, &sim->halo));
  OVK_NEW_ZEROS(sim->ctx, sim->ranks, m->nranks);
  for (int rank = 0; rank < m->nranks; rank++) sim->ranks[rank].rest = 1;
  return ovk__cycle_make(sim->ctx, m, &sim->cycle);
}

static ovk_err set_up(ovk__sim *sim)
{
  const ovk_model *m = sim->model;
  OVK_TRY(find_method(sim));
  OVK_TRY(ovk__resolve(sim->ctx, m, &sim->backend));
  sim->phases = sim->method->phases;
  sim->warm = WARM_UP + 2 * sim->depth;
  sim->last = sim->warm + m->iterations;
  if (m->doubles > 0) OVK_TRY(ovk__pieces_make(sim));
  OVK_TRY(make_sums(sim));
  OVK_TRY(make_ranks(sim));
  sim->medium.seconds = m->machine.medium;
  sim->rows = (double)m->n[0] * m->n[1] * m->n[2];
  return OVK_OK;
}

static void clean_up(ovk__sim *sim)
{
  for (int k = 0; k < sim->nplans; k++) ovk__plan_free(&sim->plans[k]);
  for (int k = 0; k < sim->nsums; k++) {
    free(sim->sums[k].states);
    free(sim->sums[k].arrivals);
    free(sim->sums[k].times);
  }
  ovk__exchange_free(&sim->halo);
  ovk__cycle_free(&sim->cycle);
  ovk__events_free(&sim->events);
  free(sim->ranks);
  free(sim->pieces);
}

/* Runs until there are no events: then all ranks are done or deadlocked. */
static ovk_err carry_out(ovk__sim *sim)
{
  const int nranks = sim->model->nranks;
  ovk__event event;
  for (int rank = 0; rank < nranks; rank++) ovk__rank_run(sim, rank);
  while (!sim->events.failed && ovk__events_pop(&sim->events, &event))
    ovk__rank_handle_event(sim, &event);
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
  double *const times[OVK__PURPOSES] = {[OVK__COMPUTING] = &out->compute,
                                        [OVK__SUMMING] = &out->sums,
                                        [OVK__SUM_WAITING] = &out->sum_wait,
                                        [OVK__HALO_TIME] = &out->halo};
  const double each = 1.0 / ((double)sim->model->nranks * sim->model->iterations);
  *out = (ovk_model_result){0};
  for (int rank = 0; rank < sim->model->nranks; rank++) {
    const ovk__rank *own = &sim->ranks[rank];
    out->iteration += each * (own->finish - own->start);
    for (int k = 0; k < OVK__PURPOSES; k++) *times[k] += each * own->spent[k];
    out->messages += each * own->messages;
    out->cycle += each * own->cycle_seconds;
    out->cycle_messages += each * own->cycle_messages;
  }
  const ovk__rank *root = &sim->ranks[0];
  if (sim->model->to_root) out->iteration = (root->finish - root->start) / sim->model->iterations;
}

ovk_model ovk_model_default(void)
{
  return (ovk_model)OVK_MODEL;
}

ovk_err ovk_model_run(ovk_ctx *ctx, const ovk_model *model, ovk_model_result *out)
{
  if (!ctx) return OVK_ERR_ARG;
  OVK_CHECK(model && out, ctx, OVK_ERR_ARG, "%s is NULL", model ? "out" : "model");
  *out = (ovk_model_result){0};
  ovk_model own;
  OVK_TRY(OVK_TAKE_SIZED(ctx, ovk_model, noise, model, &own));
  for (int k = 0; own.doubles > 0 && k < 3; k++) own.n[k] = 1;
  OVK_TRY(ovk__model_check(ctx, &own));
  ovk__sim *sim = ovk__zeros(1, sizeof *sim);
  OVK_CHECK(sim, ctx, OVK_ERR_MEMORY, "no memory for a simulation");
  sim->ctx = ctx;
  sim->model = &own;
  ovk_err err = set_up(sim);
  if (!err) err = carry_out(sim);
  if (!err) add_up(sim, out);
  clean_up(sim);
  free(sim);
  return err;
}
