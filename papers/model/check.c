/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks of the parameters of a model. */
#include "model/sim.h"

#include <limits.h>

enum { MOST_RANKS = 1 << 20, MOST_ITERATIONS = 1000000 };

static const double MAX_SECONDS = 1e6; /* upper bound of every parameter in seconds */

/* A parameter and its name. */
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
      {"machine.loopback", m->machine.loopback},
      {"machine.agent", m->machine.agent},
      {"machine.interrupt", m->machine.interrupt},
      {"machine.forward", m->machine.forward},
      {"machine.medium", m->machine.medium},
      {"work.product", m->work.product},
      {"work.boundary", m->work.boundary},
      {"work.precond", m->work.precond},
      {"work.stream", m->work.stream},
      {"work.dot", m->work.dot},
      {"work.pair", m->work.pair},
      {"cycle.start", m->cycle.start},
      {"cycle.product", m->cycle.product},
      {"cycle.transfer", m->cycle.transfer},
      {"cycle.inverse", m->cycle.inverse},
      {"noise.exponential", m->noise.exponential},
      {"noise.spike", m->noise.spike},
      {"noise.spikes_a_second", m->noise.spikes_a_second},
      {"noise.node", m->noise.node},
      {"noise.slow", m->noise.slow},
  };
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    OVK_CHECK(all[k].value >= 0 && all[k].value <= MAX_SECONDS, ctx, OVK_ERR_ARG,
              "%s is %g, not 0 to %g", all[k].name, all[k].value, MAX_SECONDS);
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

static ovk_err check_cycle(ovk_ctx *ctx, const ovk_model *m)
{
  enum { MOST_DEGREE = 100, MOST_GATHER = 100000000, MOST_COARSE = 100000, MOST_COARSENING = 1000 };
  const ovk_model_cycle *c = &m->cycle;
  OVK_CHECK(c->degree >= 0 && c->degree <= MOST_DEGREE, ctx, OVK_ERR_ARG,
            "cycle.degree is %d, not 0 to %d", c->degree, MOST_DEGREE);
  if (c->degree == 0) return OVK_OK;
  OVK_CHECK(m->work.precond == 0, ctx, OVK_ERR_ARG,
            "work.precond is %g, but must be 0 with a cycle", m->work.precond);
  OVK_CHECK(c->gather >= 0 && c->gather <= MOST_GATHER, ctx, OVK_ERR_ARG,
            "cycle.gather is %d, not 0 to %d", c->gather, MOST_GATHER);
  OVK_CHECK(c->coarse >= 1 && c->coarse <= MOST_COARSE, ctx, OVK_ERR_ARG,
            "cycle.coarse is %d, not 1 to %d", c->coarse, MOST_COARSE);
  OVK_CHECK(c->coarsening >= 2 && c->coarsening <= MOST_COARSENING, ctx, OVK_ERR_ARG,
            "cycle.coarsening is %g, not 2 to %d", c->coarsening, MOST_COARSENING);
  OVK_CHECK(c->cache_rows >= 0, ctx, OVK_ERR_ARG, "cycle.cache_rows is %g, but must be >= 0",
            c->cache_rows);
  OVK_CHECK(c->cached >= 0 && c->cached <= 1, ctx, OVK_ERR_ARG, "cycle.cached is %g, not 0 to 1",
            c->cached);
  return OVK_OK;
}

ovk_err ovk__model_check(ovk_ctx *ctx, const ovk_model *m)
{
  OVK_CHECK(m->nranks >= 1 && m->nranks <= MOST_RANKS, ctx, OVK_ERR_ARG,
            "nranks is %d, not 1 to %d", m->nranks, MOST_RANKS);
  OVK_CHECK(m->iterations >= 1 && m->iterations <= MOST_ITERATIONS, ctx, OVK_ERR_ARG,
            "iterations is %d, not 1 to %d", m->iterations, MOST_ITERATIONS);
  OVK_CHECK(m->poll_rows >= 0, ctx, OVK_ERR_ARG, "poll_rows is %d", m->poll_rows);
  OVK_CHECK(m->doubles >= 0, ctx, OVK_ERR_ARG, "doubles is %d", m->doubles);
  OVK_CHECK(!m->to_root || m->doubles > 0, ctx, OVK_ERR_ARG, "to_root needs doubles > 0");
  OVK_CHECK(m->machine.ranks_per_node >= 1, ctx, OVK_ERR_ARG, "machine.ranks_per_node is %d",
            m->machine.ranks_per_node);
  OVK_TRY(check_grid(ctx, m));
  OVK_TRY(check_cycle(ctx, m));
  return check_parameters(ctx, m);
}
