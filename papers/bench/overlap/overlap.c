/* SPDX-License-Identifier: BSD-2-Clause */
/* `ovk bench overlap`: the time of one collective operation, and how much of it is overlapped with
 * work, by the number of polls. */
#include "bench/bench.h"
#include "bench/operations/operations.h"
#include "bench/overlap/single.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPERATIONS, SPECS, COUNT, POLLS, AT_ONCE, IN_A_ROW, BARRIER, ITERS, ROUNDS, JSON };

static const option options[] = {
    [OPERATIONS] =
        OPTION_TEXT("--operations", "A,B,C", "allreduce", "operations listed below, or all"),
    [SPECS] = OPTION_TEXT("--specs", "A,B,C", NULL,
                          "backends of reductions, engines of others; default: all, and nbc"),
    [COUNT] = OPTION_LIST("--count", 1, 100000000, NULL,
                          "doubles in a vector, or in the share of a rank; default: 1 or 4096"),
    [POLLS] =
        OPTION_LIST("--polls", 0, 1000000, "2,10,100,1000,10000", "numbers of polls; 0: none"),
    [AT_ONCE] = OPTION_INTEGER("--at-once", "K", 1, SINGLE_MOST_AT_ONCE, "1",
                               "operations that run at the same time"),
    [IN_A_ROW] = OPTION_FLAG("--in-a-row", "one after the other, without a barrier before each"),
    [BARRIER] =
        OPTION_TEXT("--barrier", "SPEC", NULL,
                    "dissemination before each, such as nbc or nbc:ways=3; default: MPI_Barrier"),
    [ITERS] = OPTION_INTEGER("--iters", "N", 1, 100000000, "50", "operations a round and row"),
    [ROUNDS] = TABLE_ROUNDS_OPTION("5"),
    [JSON] = TABLE_JSON_OPTION,
    {0},
};

static const char definitions[] =
    "Operations: allreduce (by backends, of 1 double by default); reduce, reduce_scatter, scan,\n"
    "bcast, gather, scatter, allgather, alltoall, gatherv, scatterv, allgatherv, alltoallv,\n"
    "barrier (by the engine of the library; of 4096 doubles by default: the vector, or the share\n"
    "that a rank sends or receives; with v the mean of shares of different lengths).\n"
    "All of them and those of the MPI, blocking and nonblocking, take turns in each round.\n"
    "Each operation, after a barrier: begin, work in as many slices as there are polls with a\n"
    "poll after each, wait (with 0 polls one slice and none). The work takes as long as the\n"
    "operation without any, its latency, which is measured before, and one step a slice at least.\n"
    "With --at-once several are begun, polled and waited for one after the other. Times are\n"
    "medians over the --iters operations of a round, of the slowest rank, without the readings\n"
    "of the clock:\n"
    "  latency   begin and wait without work; least, mean, most: of these operations;\n"
    "            fastest: latency of the fastest rank\n"
    "  init      inside begin; test: inside all polls together; wait: inside wait\n"
    "  total     from before begin to after wait, with the work\n"
    "  hidden    1 - (init + test + wait) / latency: the share of the latency that costs no time\n"
    "            (NBCBench: Hoefler, Lumsdaine, Rehm, SC'07, listing 3)\n"
    "  busy      (total - test - wait) / total: the share of the time left for work, with init\n"
    "            counted as work (Kandalla et al., non-blocking all-to-all for a 3D FFT, 2011,\n"
    "            figure 5)\n"
    "  own       processor time of the calling thread, minus that of the same work without an\n"
    "            operation\n"
    "  offloaded 1 - own / latency: the share of the latency in which the calling thread does\n"
    "            not work on the operation. hidden is smaller if an agent shares its processor\n"
    "Those of the MPI are polled with MPI_Test; its blocking one is complete when begin returns.\n"
    "If the slices of many polls together are longer than the latency, busy depends more on the\n"
    "work than on the operation. With --in-a-row ranks may be several operations apart if data go\n"
    "one way only, and a latency contains no waiting for the others.\n"
    "On one node the processors copy all messages themselves: there, hidden is the waiting for\n"
    "other ranks. Messages move while all processors work, as in the papers, only with specs of\n"
    "verbs and an adapter.\n";

/* Operations of one kind and length, by each spec and by the MPI; those with the same index run at
 * the same time. */
typedef struct set {
  operations copies[SINGLE_MOST_AT_ONCE];
} set;

typedef struct place {
  set *set;
  int spec, polls;
} place;

typedef struct bench {
  words names, backends, engines; /* of operations, and specs */
  numbers counts, polls;          /* no counts: the defaults */
  single single;
  set *sets;
  int nsets;
  place *places; /* of the rows */
} bench;

static const column columns[SINGLE_FIGURES] = {
    [SINGLE_LATENCY] = {"latency", "latency_us", "latency_min_us", 1e6, 3},
    [SINGLE_LEAST] = {"least", "single_least_us", NULL, 1e6, 3},
    [SINGLE_MEAN] = {"mean", "single_mean_us", NULL, 1e6, 3},
    [SINGLE_MOST] = {"most", "single_most_us", NULL, 1e6, 3},
    [SINGLE_INIT] = {"init", "init_us", "init_min_us", 1e6, 3},
    [SINGLE_TEST] = {"test", "test_us", "test_min_us", 1e6, 3},
    [SINGLE_WAIT] = {"wait", "wait_us", "wait_min_us", 1e6, 3},
    [SINGLE_TOTAL] = {"total", "total_us", "total_min_us", 1e6, 3},
    [SINGLE_OWN] = {"own", "own_us", "own_min_us", 1e6, 3},
    [SINGLE_HIDDEN] = {"hidden %", "overlap_hidden_pct", NULL, 1, 1},
    [SINGLE_BUSY] = {"busy %", "overlap_busy_pct", NULL, 1, 1},
    [SINGLE_OFFLOADED] = {"offloaded %", "overlap_offloaded_pct", NULL, 1, 1},
    [SINGLE_FASTEST] = {"fastest", "fastest_us", NULL, 1e6, 3},
};

static ovk_err measure(void *arg, int which, double *figures)
{
  bench *b = arg;
  const place *p = &b->places[which];
  b->single.polls = p->polls;
  for (int k = 0; k < b->single.at_once; k++) b->single.at[k] = &p->set->copies[k].at[p->spec];
  return single_measure(&b->single, figures);
}

static ovk_err read_options(ovk_ctx *ctx, const args *given, bench *b)
{
  single *s = &b->single;
  s->ctx = ctx;
  s->in_a_row = args_has(given, IN_A_ROW);
  args_int(given, AT_ONCE, &s->at_once);
  args_int(given, ITERS, &s->iterations);
  if (args_has(given, BARRIER)) {
    TRY(ovk_collective_create_barrier(ctx, args_text(given, BARRIER), &s->barrier));
  }
  TRY(list_numbers(ctx, given, POLLS, NULL, &b->polls));
  if (args_has(given, COUNT)) TRY(list_numbers(ctx, given, COUNT, NULL, &b->counts));
  TRY(list_words(ctx, given, OPERATIONS, NULL, &b->names));
  TRY(list_backends(ctx, given, SPECS, &b->backends));
  return list_words(ctx, given, SPECS, "nbc", &b->engines);
}

static ovk_err kind_named(ovk_ctx *ctx, const char *name, operation_kind *kind)
{
  for (int k = 0; k < OPERATION_KINDS; k++) {
    *kind = (operation_kind)k;
    if (strcmp(name, operation_names[k]) == 0) return OVK_OK;
  }
  return args_unknown(ctx, "operation", name, operation_names, OPERATION_KINDS);
}

static ovk_err create_sets(ovk_ctx *ctx, bench *b)
{
  const bool all = b->names.n == 1 && strcmp(b->names.at[0], "all") == 0;
  const int nkinds = all ? OPERATION_KINDS : b->names.n, ncounts = b->counts.n ? b->counts.n : 1;
  b->sets = calloc((size_t)nkinds * (size_t)ncounts, sizeof *b->sets);
  bool got = b->sets != NULL;
  for (int part = 0; part < SINGLE_PARTS; part++) {
    b->single.samples[part] = calloc((size_t)b->single.iterations, sizeof(double));
    got = got && b->single.samples[part];
  }
  TRY(tool_got_memory(ctx, got));
  for (int k = 0; k < nkinds * ncounts; k++) {
    operation_kind kind = (operation_kind)(k / ncounts);
    if (!all) TRY(kind_named(ctx, b->names.at[k / ncounts], &kind));
    const bool sum = kind == OPERATION_SUM;
    const int count = b->counts.n ? b->counts.at[k % ncounts] : sum ? 1 : 4096;
    if (kind == OPERATION_BARRIER && k % ncounts > 0) continue; /* which has no length */
    operations *copies = b->sets[b->nsets++].copies;
    for (int copy = 0; copy < b->single.at_once; copy++)
      TRY(operations_create(ctx, kind, sum ? &b->backends : &b->engines, count, &copies[copy]));
  }
  return OVK_OK;
}

static void name_row(const bench *b, const place *p, row *r)
{
  const operation *op = &p->set->copies[0].at[p->spec];
  char prefix[64];
  snprintf(prefix, sizeof prefix, "%-14s %8d %6d  ", operation_names[op->kind], op->count,
           p->polls);
  operations_name_row(op, prefix, r);
  row_add_number(r, "at_once", b->single.at_once);
  row_add_number(r, "polls", p->polls);
  row_add_text(r, "barrier", b->single.in_a_row ? "none" : "before each");
}

static ovk_err create_rows(ovk_ctx *ctx, bench *b, int rounds, table *t)
{
  int n = 0;
  for (int k = 0; k < b->nsets; k++) n += b->sets[k].copies[0].n * b->polls.n;
  b->places = calloc((size_t)n, sizeof *b->places);
  TRY(tool_got_memory(ctx, b->places != NULL));
  TRY(table_create(ctx, n, rounds, t));
  for (int k = 0, which = 0; k < b->nsets; k++) {
    for (int spec = 0; spec < b->sets[k].copies[0].n; spec++) {
      for (int polls = 0; polls < b->polls.n; polls++, which++) {
        b->places[which] = (place){&b->sets[k], spec, b->polls.at[polls]};
        name_row(b, &b->places[which], &t->rows[which]);
      }
    }
  }
  snprintf(t->title, sizeof t->title, "operations by doubles and polls, us; at once: %d%s",
           b->single.at_once, b->single.in_a_row ? "; in a row" : "");
  return OVK_OK;
}

static ovk_err measure_and_report(ovk_ctx *ctx, const args *given, bench *b, table *t)
{
  TRY(read_options(ctx, given, b));
  TRY(create_sets(ctx, b));
  TRY(create_rows(ctx, b, args_integer(given, ROUNDS), t));
  return tables_run(ctx, args_text(given, JSON), &t, 1);
}

static ovk_err overlap_run(ovk_ctx *ctx, const args *given)
{
  bench b = {.nsets = 0};
  table t = {.columns = columns, .ncolumns = SINGLE_FIGURES, .measure = measure, .arg = &b};
  const ovk_err err = measure_and_report(ctx, given, &b, &t);
  for (int k = 0; k < b.nsets; k++) {
    for (int copy = 0; copy < b.single.at_once; copy++) {
      operations_destroy(&b.sets[k].copies[copy]);
    }
  }
  table_destroy(&t);
  ovk_collective_destroy(&b.single.barrier);
  free(b.places);
  for (int part = 0; part < SINGLE_PARTS; part++) free(b.single.samples[part]);
  free(b.sets);
  return err;
}

const command bench_overlap = {
    .name = "overlap",
    .usage = "[OPTIONS]",
    .summary = "collective operations by length, and how much of them overlaps with work, by polls",
    .notes = definitions,
    .options = options,
    .run = overlap_run,
};
