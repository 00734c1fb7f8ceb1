/* SPDX-License-Identifier: BSD-2-Clause */
/* `ovk bench model`: simulates iterations on more ranks than there are. */
#include "bench/bench.h"
#include "bench/model/measured/measured.h"
#include "bench/model/modes.h"
#include "bench/support/testbed.h"

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

/* A mode that simulates; the first that is requested, or the last. */
typedef struct mode {
  int option;                             /* that requests it */
  int iterations, points;                 /* defaults; points of a rank in each direction */
  const char *ranks, *methods, *backends; /* defaults of the lists; NULL for `methods`: all */
  ovk_err (*simulate)(ovk_ctx *ctx, const parameters *p, int iterations, study *s);
  ovk_err (*tabulate)(ovk_ctx *ctx, study *s);
} mode;

static const mode modes[] = {
    {DOUBLES, 3, 4, RANKS_OF_SWEEP, "cg", BACKENDS_OF_LENGTHS, study_simulate, lengths_tabulate},
    {CYCLE, 3, 20, RANKS_OF_CYCLES, METHODS_OF_CYCLES, "nbc", study_simulate, cycles_tabulate},
    {FIGURE10, 40, 0, NULL, NULL, NULL, figure10_simulate, figure10_tabulate},
    {SCALE, 5, 0, "64,512,4096,32768", NULL, BACKENDS_OF_SWEEP, study_simulate, sweep_tabulate},
    {0, 12, 60, RANKS_OF_SWEEP, NULL, BACKENDS_OF_SWEEP, study_simulate, sweep_tabulate},
};

static const mode *find_mode(const args *given)
{
  const mode *m = modes, *last = modes + sizeof modes / sizeof *modes - 1;
  while (m < last && !args_has(given, m->option)) m++;
  return m;
}

/* With few points per rank a problem is at its strong-scaling limit. */
static void choose_boxes(const args *given, const mode *m, study *s)
{
  static const int cubes[STUDY_BOXES] = {8, 16, 32, 64};
  s->nboxes = args_has(given, SCALE) ? STUDY_BOXES : 1;
  for (int k = 0; k < 3 * s->nboxes; k++)
    s->boxes[k / 3][k % 3] = m->points ? m->points : cubes[k / 3];
  if (args_has(given, LAPLACE27)) args_int(given, LAPLACE27, s->boxes[0]);
}

static ovk_err read_study(ovk_ctx *ctx, const args *given, const mode *m, study *s)
{
  s->cycle = args_has(given, CYCLE);
  s->to_root = args_has(given, TO_ROOT);
  if (args_has(given, FIGURE10)) return OVK_OK; /* has none of the lists */
  choose_boxes(given, m, s);
  TRY(list_numbers(ctx, given, RANKS, m->ranks, &s->ranks));
  TRY(list_methods(ctx, given, METHODS, m->methods, &s->methods));
  TRY(list_words(ctx, given, BACKENDS, m->backends, &s->backends));
  if (s->cycle) TRY(list_numbers(ctx, given, GATHER, NULL, &s->gather));
  if (args_has(given, DOUBLES)) TRY(list_numbers(ctx, given, DOUBLES, NULL, &s->doubles));
  return m->tabulate == sweep_tabulate ? sweep_add_reference(ctx, &s->methods) : OVK_OK;
}

static ovk_err report(ovk_ctx *ctx, const args *given, parameters *p, study *s)
{
  table shown = {0};
  table *const all[] = {&shown, &s->tables[0], &s->tables[1]};
  const char *measured = args_has(given, MEASURE) ? ", and this one" : "";
  ovk_err err = parameters_table(ctx, machine_of(given), measured, p, &shown);
  if (!err) err = tables_run(ctx, args_text(given, JSON), all, 1 + s->ntables);
  table_destroy(&shown);
  return err;
}

static ovk_err run_study(ovk_ctx *ctx, const args *given, parameters *p)
{
  study s = {0};
  const mode *m = find_mode(given);
  int iterations = m->iterations;
  args_int(given, ITERATIONS, &iterations);
  TRY(read_study(ctx, given, m, &s));
  if (args_has(given, MEASURE)) {
    TRY(measure(ctx, s.boxes[0], p));
    TRY(parameters_set(ctx, args_text(given, SET), p));
  }
  ovk_err err = m->simulate(ctx, p, iterations, &s);
  if (!err) err = m->tabulate(ctx, &s);
  if (!err) err = report(ctx, given, p, &s);
  study_destroy(&s);
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

static ovk_err model_run(ovk_ctx *ctx, const args *given)
{
  parameters p;
  TRY(check_combination(ctx, given));
  TRY(parameters_named(ctx, machine_of(given), &p));
  TRY(parameters_set(ctx, args_text(given, SET), &p));
  return args_has(given, CHECK) ? run_check(ctx, given, &p) : run_study(ctx, given, &p);
}

const command bench_model = {
    .name = "model",
    .usage = "[OPTIONS]",
    .summary = "iterations of every method, simulated on 64 to 32768 ranks",
    .notes = model_notes,
    .options = options,
    .run = model_run,
};
