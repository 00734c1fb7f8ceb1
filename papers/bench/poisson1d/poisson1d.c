/* SPDX-License-Identifier: BSD-2-Clause */
/* `ovk bench poisson1d`: flat and hierarchical sums, in CG on a line of points and on their own. */
#include "bench/bench.h"
#include "bench/poisson1d/latency.h"
#include "bench/poisson1d/line.h"
#include "bench/support/lists.h"

#include <ovkrylov/comm/reduction.h>
#include <stdio.h>

enum { SIZE, ITERATIONS, SPECS, SUMS, ROUNDS, JSON };

static const option poisson1d_options[] = {
    [SIZE] = OPTION_INTEGER("--size", "N", 1, 1 << 30, "10000", "points of a rank"),
    [ITERATIONS] = OPTION_INTEGER("--iterations", "N", 1, 1000000, "500", "iterations of CG"),
    [SPECS] = OPTION_TEXT("--specs", "A,B,C", NULL,
                          "reductions to measure; default: flat, two and three levels"),
    [SUMS] = OPTION_INTEGER("--sums", "N", 1, 1000000, "500",
                            "reductions of up to 4 KB in a round; fewer of longer ones"),
    [ROUNDS] = TABLE_ROUNDS_OPTION("9"),
    [JSON] = TABLE_JSON_OPTION,
    {0},
};

static const char definitions[] =
    "Three tables, after Gorentla Venkata et al., \"Optimizing blocking and nonblocking\n"
    "reduction operations for multicore systems: hierarchical design and implementation\":\n"
    "  cg         --iterations of CG for a 1-D Poisson problem with --size points on each rank,\n"
    "             for any number of ranks (weak scaling); speedup is the time of \"blocking\",\n"
    "             MPI_Allreduce, over this one, round by round\n"
    "  allreduce  latencies of sums of 8 B to 1 MB that all ranks get\n"
    "  reduce     the same of sums that rank 0 gets; the others may run ahead of it.\n"
    "A latency is the mean time of a call, or of begin and wait, one sum after the other. Times\n"
    "are those of the slowest rank. --specs accepts all backends; only nbc and verbs, with some\n"
    "of their keys, have a sum for rank 0 alone. levels=2 or levels=2x2 make groups of any ranks.\n"
    "The iterates of CG are known for this problem, and must be right to 1e-8; sums must be "
    "exact.\n"
    "On a node with one socket, levels=node and levels=socket+node are one group each: the tables\n"
    "show the cost of channels and levels. With more ranks than cores they show the scheduler. A\n"
    "gain of levels needs several nodes.\n";

static const column cg_columns[] = {
    {"ms", "cg_ms", "cg_min_ms", 1e3, 3},
    {"us/iter", "iteration_us", "iteration_min_us", 1e6, 3},
    {"speedup", "speedup", NULL, 1, 3},
};
enum { CG, ITERATION, SPEEDUP, CG_COLUMNS };

/* The solver backends for reductions by the MPI. */
static const char *const own_backends[LATENCY_OWN] = {"blocking", "iallreduce"};

typedef struct bench {
  int size, iterations, sums;
  words specs;
  line line;
  ovk_solver *solvers[LATENCY_MOST];
  double blocking_seconds; /* of this round */
  latency allreduce, reduce;
} bench;

static ovk_err measure_cg(void *self, int which, double *figures)
{
  bench *b = self;
  TRY(line_iterate(&b->line, b->solvers[which], b->iterations, &figures[CG]));
  if (which == 0) b->blocking_seconds = figures[CG];
  figures[ITERATION] = figures[CG] / b->iterations;
  figures[SPEEDUP] = b->blocking_seconds / figures[CG];
  return OVK_OK;
}

/* One level, two and three; three only where sockets can be detected. */
static ovk_err default_specs(ovk_ctx *ctx, words *out)
{
  static const char *const specs[] = {"nbc", "nbc:levels=node,channel=shm+p2p",
                                      "nbc:levels=socket+node,channel=shm+shm+p2p"};
  for (out->n = 0; out->n < 3; out->n++) {
    ovk_reduction *trial = NULL;
    const ovk_err err = ovk_reduction_create(ctx, specs[out->n], 1, &trial);
    ovk_reduction_destroy(&trial);
    if (err == OVK_ERR_UNSUPPORTED) break;
    TRY(err);
    out->at[out->n] = specs[out->n];
  }
  return OVK_OK;
}

static ovk_err read_options(ovk_ctx *ctx, const args *given, bench *b)
{
  args_int(given, SIZE, &b->size);
  args_int(given, ITERATIONS, &b->iterations);
  args_int(given, SUMS, &b->sums);
  const int64_t points = (int64_t)b->size * ovk_ctx_size(ctx);
  if (b->iterations >= points / 2) {
    return ovk_ctx_fail(ctx, OVK_ERR_ARG, "CG ends before %d iterations with %lld points",
                        b->iterations, (long long)points);
  }
  return args_has(given, SPECS) ? list_words(ctx, given, SPECS, NULL, &b->specs)
                                : default_specs(ctx, &b->specs);
}

static ovk_err set_up(ovk_ctx *ctx, bench *b)
{
  TRY(line_create(ctx, b->size, &b->line));
  for (int k = 0; k < LATENCY_OWN + b->specs.n; k++) {
    const char *backend = k < LATENCY_OWN ? own_backends[k] : b->specs.at[k - LATENCY_OWN];
    TRY(line_solver(&b->line, backend, b->iterations, &b->solvers[k]));
  }
  TRY(latency_create(ctx, OPERATION_SUM, &b->specs, b->sums, &b->allreduce));
  return latency_create(ctx, OPERATION_REDUCE, &b->specs, b->sums, &b->reduce);
}

static void clean_up(bench *b)
{
  latency_destroy(&b->reduce);
  latency_destroy(&b->allreduce);
  for (int k = 0; k < LATENCY_MOST; k++) ovk_solver_destroy(&b->solvers[k]);
  line_destroy(&b->line);
}

static void name_row(row *r, const char *spec)
{
  snprintf(r->name, sizeof r->name, "%s", spec);
  row_add_text(r, "spec", spec);
}

static void name_solves(const bench *b, table *t)
{
  snprintf(t->title, sizeof t->title, "CG in 1-D; points of a rank: %d; iterations: %d", b->size,
           b->iterations);
  for (int k = 0; k < t->nrows; k++) {
    name_row(&t->rows[k], ovk_solver_backend(b->solvers[k]));
    row_add_number(&t->rows[k], "size", b->size);
    row_add_number(&t->rows[k], "iterations", b->iterations);
  }
}

static void name_sums(const bench *b, const latency *l, table *t)
{
  snprintf(t->title, sizeof t->title, "latency of %s, us", t->key);
  for (int k = 0; k < t->nrows; k++) {
    name_row(&t->rows[k], latency_spec(l->kind, &b->specs, k));
  }
}

static ovk_err measure_and_report(ovk_ctx *ctx, const args *given, bench *b, table *const *tables)
{
  TRY(set_up(ctx, b));
  for (int k = 0; k < 3; k++) {
    TRY(table_create(ctx, LATENCY_OWN + b->specs.n, args_integer(given, ROUNDS), tables[k]));
  }
  name_solves(b, tables[0]);
  name_sums(b, &b->allreduce, tables[1]);
  name_sums(b, &b->reduce, tables[2]);
  return tables_run(ctx, args_text(given, JSON), tables, 3);
}

static ovk_err poisson1d_run(ovk_ctx *ctx, const args *given)
{
  bench b = {.size = 0};
  table cg = {
      .key = "cg", .columns = cg_columns, .ncolumns = CG_COLUMNS, .measure = measure_cg, .arg = &b};
  table allreduce = {.key = "allreduce",
                     .columns = latency_columns,
                     .ncolumns = LATENCY_SIZES,
                     .measure = latency_measure,
                     .arg = &b.allreduce};
  table reduce = allreduce;
  reduce.key = "reduce";
  reduce.arg = &b.reduce;
  table *const tables[] = {&cg, &allreduce, &reduce};
  TRY(read_options(ctx, given, &b));
  const ovk_err err = measure_and_report(ctx, given, &b, tables);
  for (int k = 0; k < 3; k++) table_destroy(tables[k]);
  clean_up(&b);
  return err;
}

const command bench_poisson1d = {
    .name = "poisson1d",
    .usage = "[OPTIONS]",
    .summary = "flat and hierarchical reductions: CG in 1-D, and latencies up to 1 MB",
    .notes = definitions,
    .options = poisson1d_options,
    .run = poisson1d_run,
};
