/* SPDX-License-Identifier: BSD-2-Clause */
/* `ovk bench model`: simulates iterations on more ranks than there are. */
#include "bench/bench.h"
#include "bench/model/measured/measured.h"
#include "bench/model/modes.h"
#include "bench/support/testbed.h"

#include <string.h>

enum {
  RANKS,
  LAPLACE27,
  METHODS,
  BACKENDS,
  MACHINE,
  MEASURE,
  SET,
  ITERATIONS,
  SCALE,
  CYCLE,
  GATHER,
  FIGURE10,
  DOUBLES,
  TO_ROOT,
  CHECK,
  SIZES,
  US,
  ROUNDS,
  JSON
};

#define RANKS_OF_SWEEP "64,512"
#define BACKENDS_OF_SWEEP "nbc,offload|nbc"
#define BACKENDS_OF_LENGTHS "blocking,nbc:levels=node,channel=shm+p2p"
#define METHODS_OF_CYCLES "cg,groppcg,pipecg"
#define RANKS_OF_CYCLES "100,1000,10000"

static const option options[] = {
    [RANKS] = OPTION_LIST("--ranks", 1, 1 << 20, NULL,
                          "ranks to simulate; default: " RANKS_OF_SWEEP "; " RANKS_OF_CYCLES
                          " with --cycle"),
    [LAPLACE27] = OPTION_INTEGERS("--laplace27", 3, "NX NY NZ", 1, 10000, NULL,
                                  "points of a rank; default: 60 60 60; 20 20 20 with --cycle"),
    [METHODS] = OPTION_TEXT("--methods", "A,B,C", NULL,
                            "methods; default: all; " METHODS_OF_CYCLES " with --cycle"),
    [BACKENDS] =
        OPTION_TEXT("--backends", "A,B,C", NULL,
                    "backends of the reductions; default: " BACKENDS_OF_SWEEP
                    "; nbc with --cycle; " BACKENDS_OF_LENGTHS
                    " with --doubles; --check: over real links, default: emulated latency"),
    [MACHINE] =
        OPTION_TEXT("--machine", "NAME", NULL, "infiniband or connectx2; default: infiniband"),
    [MEASURE] = OPTION_FLAG("--measure", "measure the parameters that the available ranks allow"),
    [SET] = OPTION_TEXT("--set", "K=V,K=V", "", "change parameters"),
    [ITERATIONS] = OPTION_INTEGER("--iterations", "N", 1, 100000, NULL,
                                  "iterations to simulate; default: 12; 5 with --scale, 3 with "
                                  "--cycle or --doubles, 40 with --figure10"),
    [SCALE] = OPTION_FLAG("--scale", "8^3, 16^3, 32^3, 64^3 points; 64 to 32768 ranks"),
    [CYCLE] = OPTION_FLAG("--cycle", "a multigrid cycle as preconditioner"),
    [GATHER] = OPTION_LIST("--gather", 0, 100000000, "0,100,500,2000",
                           "--cycle: rows a rank, below which a level moves to fewer ranks"),
    [FIGURE10] = OPTION_FLAG("--figure10", "figure 10 of Kandalla et al. (2012), on connectx2"),
    [DOUBLES] = OPTION_LIST("--doubles", 1, 100000000, NULL,
                            "no solves: latencies of reductions of so many doubles"),
    [TO_ROOT] = OPTION_FLAG("--to-root", "--doubles: to one rank, in a loop"),
    [CHECK] = OPTION_FLAG("--check", "compare with solves on the available ranks"),
    [SIZES] = OPTION_LIST("--sizes", 1, 1000, "20,32,48", "--check: N^3 points a rank"),
    [US] = OPTION_LIST("--us", 0, 1000000, "0,10,30,100,300,1000",
                       "--check: latencies in microseconds"),
    [ROUNDS] = TABLE_ROUNDS_OPTION("5"),
    [JSON] = TABLE_JSON_OPTION,
    {0},
};

/* Which of the modes is requested, and which options belong to only one of them. */
static ovk_err check_combination(ovk_ctx *ctx, const args *given)
{
  static const struct {
    int option, with;
  } pairs[] = {{SIZES, CHECK}, {US, CHECK}, {ROUNDS, CHECK}, {GATHER, CYCLE}, {TO_ROOT, DOUBLES}};
  static const struct {
    int option, without;
  } clashes[] = {
      {FIGURE10, CHECK},     {SCALE, CHECK},      {SCALE, FIGURE10},   {RANKS, SCALE},
      {RANKS, FIGURE10},     {RANKS, CHECK},      {METHODS, FIGURE10}, {BACKENDS, FIGURE10},
      {LAPLACE27, FIGURE10}, {MEASURE, FIGURE10}, {BACKENDS, US},      {LAPLACE27, CHECK},
      {ITERATIONS, CHECK},   {MEASURE, CHECK},    {MEASURE, SCALE},    {LAPLACE27, SCALE},
      {CYCLE, SCALE},        {CYCLE, FIGURE10},   {CYCLE, CHECK},      {CYCLE, MEASURE},
      {DOUBLES, SCALE},      {DOUBLES, FIGURE10}, {DOUBLES, CHECK},    {DOUBLES, MEASURE},
      {DOUBLES, CYCLE},      {DOUBLES, METHODS},  {DOUBLES, LAPLACE27}};
  for (size_t k = 0; k < sizeof pairs / sizeof pairs[0]; k++) {
    if (!args_has(given, pairs[k].option) || args_has(given, pairs[k].with)) continue;
    return ovk_ctx_fail(ctx, OVK_ERR_ARG, "%s is for %s", options[pairs[k].option].name,
                        options[pairs[k].with].name);
  }
  for (size_t k = 0; k < sizeof clashes / sizeof clashes[0]; k++) {
    if (!args_has(given, clashes[k].option) || !args_has(given, clashes[k].without)) continue;
    return ovk_ctx_fail(ctx, OVK_ERR_ARG, "%s does not go with %s", options[clashes[k].option].name,
                        options[clashes[k].without].name);
  }
  return OVK_OK;
}

static const char *machine_of(const args *given)
{
  if (args_has(given, MACHINE)) return args_text(given, MACHINE);
  return args_has(given, FIGURE10) ? "connectx2" : "infiniband";
}

/* Measures the work of the problem to be simulated on the available ranks, stacked in z. */
static ovk_err measure(ovk_ctx *ctx, const int n[3], parameters *p)
{
  const int size = ovk_ctx_size(ctx), grid[3] = {1, 1, size};
  enum { TIMES = 9, VECTORS = 8 };
  testbed bed = {0};
  workbench *work = NULL;
  TRY(measured_links(ctx, p));
  TRY(measured_sums(ctx, "nbc", p));
  TRY(measured_agent(ctx, p));
  ovk_err err = testbed_create_on(ctx, n, grid, &bed);
  if (!err) err = workbench_create(&bed, n, &work);
  if (!err) err = workbench_measure(work, VECTORS, TIMES, p);
  workbench_destroy(&work);
  testbed_destroy(&bed);
  return err;
}

static ovk_err report(ovk_ctx *ctx, const args *given, parameters *p, table *const *tables, int n)
{
  table shown = {0};
  table *all[3] = {&shown};
  memcpy(all + 1, tables, (size_t)n * sizeof *tables);
  const char *measured = args_has(given, MEASURE) ? ", and this one" : "";
  ovk_err err = parameters_table(ctx, machine_of(given), measured, p, &shown);
  if (!err) err = tables_run(ctx, args_text(given, JSON), all, 1 + n);
  table_destroy(&shown);
  return err;
}

static ovk_err run_figure10(ovk_ctx *ctx, const args *given, int iterations, parameters *p)
{
  sims f = {0};
  table *const tables[] = {&f.table};
  ovk_err err = figure10_run(ctx, p, iterations, &f);
  if (!err) err = report(ctx, given, p, tables, 1);
  sims_destroy(&f);
  return err;
}

static ovk_err read_sweep(ovk_ctx *ctx, const args *given, sweep *s)
{
  const char *ranks = args_has(given, SCALE) ? "64,512,4096,32768" : RANKS_OF_SWEEP;
  TRY(list_numbers(ctx, given, RANKS, ranks, &s->ranks));
  TRY(list_methods(ctx, given, METHODS, NULL, &s->methods));
  return list_words(ctx, given, BACKENDS, BACKENDS_OF_SWEEP, &s->backends);
}

/* The points of a rank, `preset` in each direction if not given. */
static void read_box(const args *given, int preset, int n[3])
{
  for (int k = 0; k < 3; k++) n[k] = preset;
  if (args_has(given, LAPLACE27)) args_int(given, LAPLACE27, n);
}

/* With few points per rank a problem is at its strong-scaling limit. */
static void choose_boxes(const args *given, sweep *s)
{
  static const int cubes[SWEEP_BOXES] = {8, 16, 32, 64};
  s->nboxes = args_has(given, SCALE) ? SWEEP_BOXES : 1;
  read_box(given, 60, s->boxes[0]);
  for (int k = 0; args_has(given, SCALE) && k < 3 * SWEEP_BOXES; k++) {
    s->boxes[k / 3][k % 3] = cubes[k / 3];
  }
}

static ovk_err run_sweep(ovk_ctx *ctx, const args *given, int iterations, parameters *p)
{
  sweep s = {0};
  table *const tables[] = {&s.wins, &s.sims.table};
  choose_boxes(given, &s);
  TRY(read_sweep(ctx, given, &s));
  if (args_has(given, MEASURE)) {
    TRY(measure(ctx, s.boxes[0], p));
    TRY(parameters_set(ctx, args_text(given, SET), p));
  }
  ovk_err err = sweep_run(ctx, p, iterations, &s);
  if (!err) err = report(ctx, given, p, tables, 2);
  sweep_destroy(&s);
  return err;
}

static ovk_err run_cycles(ovk_ctx *ctx, const args *given, int iterations, parameters *p)
{
  cycles c = {0};
  table *const tables[] = {&c.sims.table};
  read_box(given, 20, c.n);
  TRY(list_numbers(ctx, given, RANKS, RANKS_OF_CYCLES, &c.ranks));
  TRY(list_numbers(ctx, given, GATHER, NULL, &c.gather));
  TRY(list_methods(ctx, given, METHODS, METHODS_OF_CYCLES, &c.methods));
  TRY(list_words(ctx, given, BACKENDS, "nbc", &c.backends));
  ovk_err err = cycles_run(ctx, p, iterations, &c);
  if (!err) err = report(ctx, given, p, tables, 1);
  sims_destroy(&c.sims);
  return err;
}

static ovk_err run_lengths(ovk_ctx *ctx, const args *given, int iterations, parameters *p)
{
  lengths l = {0};
  table *const tables[] = {&l.sims.table};
  TRY(list_numbers(ctx, given, RANKS, RANKS_OF_SWEEP, &l.ranks));
  TRY(list_numbers(ctx, given, DOUBLES, NULL, &l.doubles));
  TRY(list_words(ctx, given, BACKENDS, BACKENDS_OF_LENGTHS, &l.backends));
  l.to_root = args_has(given, TO_ROOT);
  ovk_err err = lengths_run(ctx, p, iterations, &l);
  if (!err) err = report(ctx, given, p, tables, 1);
  sims_destroy(&l.sims);
  return err;
}

static ovk_err run_check(ovk_ctx *ctx, const args *given, const parameters *p)
{
  static const char methods[] = "cg,split-cg,overlap,single-reduction,groppcg,pipecg,"
                                "pipeprcg,pipelcg:l=2";
  crosscheck_request r = {.json = args_text(given, JSON)};
  args_int(given, ROUNDS, &r.rounds);
  TRY(list_numbers(ctx, given, SIZES, NULL, &r.sizes));
  TRY(list_numbers(ctx, given, US, NULL, &r.us));
  TRY(list_methods(ctx, given, METHODS, methods, &r.methods));
  if (args_has(given, BACKENDS)) TRY(list_words(ctx, given, BACKENDS, NULL, &r.backends));
  return crosscheck_run(ctx, &r, p);
}

static int default_iterations(const args *given)
{
  if (args_has(given, SCALE)) return 5;
  if (args_has(given, CYCLE) || args_has(given, DOUBLES)) return 3;
  return args_has(given, FIGURE10) ? 40 : 12;
}

static ovk_err model_run(ovk_ctx *ctx, const args *given)
{
  parameters p;
  int iterations = default_iterations(given);
  TRY(check_combination(ctx, given));
  TRY(parameters_named(ctx, machine_of(given), &p));
  TRY(parameters_set(ctx, args_text(given, SET), &p));
  args_int(given, ITERATIONS, &iterations);
  if (args_has(given, CHECK)) return run_check(ctx, given, &p);
  if (args_has(given, DOUBLES)) return run_lengths(ctx, given, iterations, &p);
  if (args_has(given, CYCLE)) return run_cycles(ctx, given, iterations, &p);
  if (args_has(given, FIGURE10)) return run_figure10(ctx, given, iterations, &p);
  return run_sweep(ctx, given, iterations, &p);
}

const command bench_model = {
    .name = "model",
    .usage = "[OPTIONS]",
    .summary = "iterations of every method, simulated on 64 to 32768 ranks",
    .notes = model_notes,
    .options = options,
    .run = model_run,
};
