/* SPDX-License-Identifier: BSD-2-Clause */
/* The parameters of a simulation, and those of two clusters. */
#include "bench/model/parameters.h"
#include "tool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *name, *unit;
  double scale, least, most;
} keys[PARAMETERS] = {
    [NET_L] = {"L", "us", 1e-6, 0, 1e9},
    [NET_o] = {"o", "us", 1e-6, 0, 1e9},
    [NET_O] = {"O", "ns/byte", 1e-9, 0, 1e9},
    [NET_g] = {"g", "us", 1e-6, 0, 1e9},
    [NET_G] = {"G", "ns/byte", 1e-9, 0, 1e9},
    [NODE_L] = {"node.L", "us", 1e-6, 0, 1e9},
    [NODE_o] = {"node.o", "us", 1e-6, 0, 1e9},
    [NODE_O] = {"node.O", "ns/byte", 1e-9, 0, 1e9},
    [NODE_g] = {"node.g", "us", 1e-6, 0, 1e9},
    [NODE_G] = {"node.G", "ns/byte", 1e-9, 0, 1e9},
    [RANKS_PER_NODE] = {"ranks-per-node", "", 1, 1, 1 << 20},
    [POLL_ROWS] = {"poll-rows", "", 1, 1, 1 << 30},
    [BEGIN] = {"begin", "us", 1e-6, 0, 1e9},
    [POLL] = {"poll", "us", 1e-6, 0, 1e9},
    [COMBINE] = {"combine", "us", 1e-6, 0, 1e9},
    [ASYNC] = {"async", "us", 1e-6, 0, 1e9},
    [LOOPBACK] = {"loopback", "us", 1e-6, 0, 1e9},
    [AGENT] = {"agent", "us", 1e-6, 0, 1e9},
    [INTERRUPT] = {"interrupt", "us", 1e-6, 0, 1e9},
    [FORWARD] = {"forward", "us", 1e-6, 0, 1e9},
    [MEDIUM] = {"medium", "us", 1e-6, 0, 1e9},
    [ENTRY] = {"entry", "ns", 1e-9, 0, 1e9},
    [BOUNDARY] = {"boundary", "ns", 1e-9, 0, 1e9},
    [PAIR] = {"pair", "", 1, 1, 2},
    [STREAM] = {"stream", "ns", 1e-9, 0, 1e9},
    [DOT] = {"dot", "ns", 1e-9, 0, 1e9},
    [CACHE] = {"cache", "kB", 1e3, 0, 1e9},
    [CACHED] = {"cached", "", 1, 0, 1},
    [PRECOND] = {"precond", "ns", 1e-9, 0, 1e9},
    [PRECOND1] = {"precond1", "ns", 1e-9, 0, 1e9},
    [EXPONENTIAL] = {"exponential", "", 1, 0, 1e3},
    [NODE_EXPONENTIAL] = {"node.exponential", "", 1, 0, 1e3},
    [SPIKE] = {"spike", "us", 1e-6, 0, 1e9},
    [SPIKES] = {"spikes", "1/s", 1, 0, 1e6},
    [SLOW] = {"slow", "", 1, 0, 1e3},
    [SEED] = {"seed", "", 1, 0, 1 << 30},
};

/* Must agree with the text of `ovk bench model --help`. */
static const struct {
  const char *name;
  parameters p;
} machines[] = {
    {"infiniband",
     {{[NET_L] = 1.0,         [NET_o] = 0.25,    [NET_O] = 0.02, [NET_g] = 0.1,     [NET_G] = 1.28,
       [NODE_L] = 0.3,        [NODE_o] = 0.1,    [NODE_O] = 0.1, [NODE_g] = 0.05,   [NODE_G] = 0.1,
       [RANKS_PER_NODE] = 64, [BEGIN] = 0.1,     [POLL] = 0.05,  [COMBINE] = 0.001, [ASYNC] = 0.05,
       [ENTRY] = 3.75,        [BOUNDARY] = 3.75, [PAIR] = 1.25,  [STREAM] = 2.5,    [DOT] = 0.06,
       [CACHE] = 4000,        [CACHED] = 0.25,   [AGENT] = 0.25, [POLL_ROWS] = 4096}}},
    {"connectx2", {{[NET_L] = 1.3,          [NET_o] = 0.4,     [NET_O] = 0.1,        [NET_g] = 0.5,
                    [NET_G] = 2.5,          [NODE_L] = 0.4,    [NODE_o] = 0.2,       [NODE_O] = 0.2,
                    [NODE_g] = 0.1,         [NODE_G] = 0.3,    [RANKS_PER_NODE] = 8, [BEGIN] = 0.5,
                    [POLL] = 0.1,           [COMBINE] = 0.002, [ASYNC] = 0.1,        [ENTRY] = 7.26,
                    [BOUNDARY] = 7.26,      [PAIR] = 1.25,     [STREAM] = 2.09,      [DOT] = 0.3,
                    [PRECOND] = 17.5,       [PRECOND1] = 35.8, [LOOPBACK] = 30,      [CACHED] = 1,
                    [EXPONENTIAL] = 0.0295, [AGENT] = 0.4,     [POLL_ROWS] = 4096}}},
};
enum { MACHINES = sizeof machines / sizeof machines[0] };

double parameter_unit(parameter which)
{
  return keys[which].scale;
}

ovk_err parameters_named(ovk_ctx *ctx, const char *name, parameters *out)
{
  const char *names[MACHINES];
  for (int k = 0; k < MACHINES; k++) {
    names[k] = machines[k].name;
    if (strcmp(name, names[k]) != 0) continue;
    *out = machines[k].p;
    return OVK_OK;
  }
  return args_unknown(ctx, "machine", name, names, MACHINES);
}

static ovk_err find(ovk_ctx *ctx, const char *name, parameter *which)
{
  const char *names[PARAMETERS];
  for (int k = 0; k < PARAMETERS; k++) {
    names[k] = keys[k].name;
    *which = (parameter)k;
    if (strcmp(name, names[k]) == 0) return OVK_OK;
  }
  return args_unknown(ctx, "parameter", name, names, PARAMETERS);
}

/* Sets one parameter from a word such as "L=1.2". */
static ovk_err set_one(ovk_ctx *ctx, char *word, parameters *p)
{
  parameter which;
  char *value = strchr(word, '='), *end;
  if (!value)
    return ovk_ctx_fail(ctx, OVK_ERR_ARG, "--set has '%s', but must be a list of KEY=VALUE", word);
  *value++ = '\0';
  TRY(find(ctx, word, &which));
  const double number = strtod(value, &end);
  const bool counts = which == RANKS_PER_NODE || which == POLL_ROWS || which == SEED;
  if (end == value || *end || (counts && number != floor(number)) ||
      !(number >= keys[which].least && number <= keys[which].most)) {
    return ovk_ctx_fail(ctx, OVK_ERR_ARG, "--set: %s is '%s', but must be a %snumber from %g to %g",
                        word, value, counts ? "whole " : "", keys[which].least, keys[which].most);
  }
  p->value[which] = number;
  return OVK_OK;
}

ovk_err parameters_set(ovk_ctx *ctx, const char *text, parameters *p)
{
  char copy[1024];
  if (!*text) return OVK_OK;
  if (strlen(text) >= sizeof copy) return ovk_ctx_fail(ctx, OVK_ERR_ARG, "--set: too long");
  memcpy(copy, text, strlen(text) + 1);
  for (char *word = copy, *comma; word; word = comma ? comma + 1 : NULL) {
    comma = strchr(word, ',');
    if (comma) *comma = '\0';
    TRY(set_one(ctx, word, p));
  }
  return OVK_OK;
}

static double get(const parameters *p, parameter which)
{
  return p->value[which] * keys[which].scale;
}

static ovk_model_link link_of(const parameters *p, int first)
{
  return (ovk_model_link){.L = get(p, (parameter)first),
                          .o = get(p, (parameter)(first + 1)),
                          .O = get(p, (parameter)(first + 2)),
                          .g = get(p, (parameter)(first + 3)),
                          .G = get(p, (parameter)(first + 4))};
}

/* In a direction with n points a rank has 3 n - 2 pairs of points that are neighbors in it or
 * equal, and one more for each side with points of another rank. */
static ovk_model_work work_of(const parameters *p, const int n[3], const int sides[3])
{
  enum { ENTRY_BYTES = 12, VECTORS = 9 }; /* of a compressed row, of "pipecg" */
  double rows = 1, own = 1, all = 1;
  for (int d = 0; d < 3; d++) {
    rows *= n[d];
    own *= 3.0 * n[d] - 2;
    all *= 3.0 * n[d] - 2 + sides[d];
  }
  const double bytes = all * ENTRY_BYTES + rows * VECTORS * (double)sizeof(double);
  const double speed = bytes <= get(p, CACHE) ? get(p, CACHED) : 1;
  return (ovk_model_work){.product = own * get(p, ENTRY) * speed,
                          .boundary = (all - own) * get(p, BOUNDARY) * speed,
                          .precond = rows * get(p, PRECOND),
                          .stream = rows * get(p, STREAM) * speed,
                          .dot = rows * get(p, DOT),
                          .pair = get(p, PAIR),
                          .constant = true};
}

void parameters_apply(const parameters *p, const int sides[3], ovk_model *model)
{
  model->machine = (ovk_model_machine){.node = link_of(p, NODE_L),
                                       .net = link_of(p, NET_L),
                                       .ranks_per_node = (int)p->value[RANKS_PER_NODE],
                                       .begin = get(p, BEGIN),
                                       .poll = get(p, POLL),
                                       .combine = get(p, COMBINE),
                                       .async_overhead = get(p, ASYNC),
                                       .loopback = get(p, LOOPBACK),
                                       .agent = get(p, AGENT),
                                       .interrupt = get(p, INTERRUPT),
                                       .forward = get(p, FORWARD),
                                       .medium = get(p, MEDIUM)};
  model->noise = (ovk_model_noise){.exponential = get(p, EXPONENTIAL),
                                   .spike = get(p, SPIKE),
                                   .spikes_a_second = get(p, SPIKES),
                                   .node = get(p, NODE_EXPONENTIAL),
                                   .slow = get(p, SLOW),
                                   .seed = (uint64_t)p->value[SEED]};
  model->poll_rows = (int)p->value[POLL_ROWS];
  model->work = work_of(p, model->n, sides);
}

ovk_model_cycle parameters_cycle(const parameters *p)
{
  enum { ENTRIES = 27, FLOAT_ENTRY_BYTES = 8, VECTORS = 9 };
  static const double float_entry = 8.0 / 12, transfer_entries = 4.4; /* a row of P */
  const double entry = get(p, ENTRY), stream = get(p, STREAM);
  return (ovk_model_cycle){
      .degree = 2,
      .coarse = 512,
      .coarsening = 27,
      .start = 4 * stream,                                     /* reads b and D^-1, writes x */
      .product = ENTRIES * entry * float_entry + 5.5 * stream, /* reads x too; d in two of four */
      .transfer = transfer_entries * entry * float_entry + 2 * stream,
      .cache_rows =
          get(p, CACHE) / (ENTRIES * FLOAT_ENTRY_BYTES + VECTORS * (double)sizeof(double)),
      .cached = get(p, CACHED),
      .inverse = stream * get(p, CACHED),
      .twice = true}; /* level 2 has 1 / 27^2 of the entries */
}

static ovk_err show(void *arg, int which, double *figures)
{
  figures[0] = ((const parameters *)arg)->value[which];
  return OVK_OK;
}

ovk_err parameters_table(ovk_ctx *ctx, const char *machine, const char *more, parameters *p,
                         table *out)
{
  static const column columns[] = {{"value", "value", NULL, 1, 4}};
  TRY(table_create_computed(ctx, "parameters", columns, 1, show, p, PARAMETERS, out));
  snprintf(out->title, sizeof out->title, "parameters of the simulation: %s%s", machine, more);
  for (int k = 0; k < PARAMETERS; k++) {
    row *r = &out->rows[k];
    snprintf(r->name, sizeof r->name, "%-14s  %s", keys[k].name, keys[k].unit);
    row_add_text(r, "parameter", keys[k].name);
    row_add_text(r, "unit", keys[k].unit);
  }
  return OVK_OK;
}
