/* SPDX-License-Identifier: BSD-2-Clause */
/* `ovk bench poisson`: conjugate gradients on a 3-D grid, faces exchanged over three transports. */
#include "bench/bench.h"
#include "bench/poisson/solves.h"
#include "bench/support/table.h"

#include <stdlib.h>
#include <string.h>

enum { SIZE, RTOL, POLLS, SPEC, METHOD, BACKEND, ROUNDS, JSON };

static const option poisson_options[] = {
    [SIZE] = OPTION_INTEGERS("--size", 3, "NX NY NZ", 1, 1 << 20, "48 48 48", "points of the grid"),
    [RTOL] = OPTION_REAL("--rtol", "R", 1e-12, 1, NULL,
                         "reduction of the residual; default: 1e-2, and then 1e-8"),
    [POLLS] = OPTION_INTEGER("--polls", "N", 0, 1 << 20, "8", "tests of the exchange in an SpMV"),
    [SPEC] = OPTION_TEXT("--spec", "SPEC", "nbc", "the all-to-all of the library"),
    [METHOD] = OPTION_TEXT("--method", "NAME", "two-reductions", "conjugate gradients"),
    [BACKEND] = OPTION_TEXT("--backend", "SPEC", "auto", "backend of the reductions"),
    [ROUNDS] = TABLE_ROUNDS_OPTION("9"),
    [JSON] = TABLE_JSON_OPTION,
    {0},
};

static const char definitions[] =
    "Laplace's equation in a box, u = 1 on its boundary, in 7-point differences without a\n"
    "matrix; CG with two reductions, without a preconditioner, from u = 0. After Hoefler,\n"
    "Gottschling, Lumsdaine, Rehm, \"Optimizing a conjugate gradient solver with non-blocking "
    "collective operations\".\n"
    "The ranks form a grid of MPI_Dims_create; up to six neighbors exchange faces in each SpMV,\n"
    "  alltoallv  by MPI_Alltoallv, before the work on the local points\n"
    "  nbc        by the nonblocking all-to-all of the library, during that work, with --polls\n"
    "             tests\n"
    "  p2p        by MPI_Isend and MPI_Irecv, during that work, with as many calls of\n"
    "             MPI_Testall.\n"
    "The rest is the same code. Times are those of a whole solve on the slowest rank; speedup\n"
    "is the time of alltoallv over this one, round by round. All three must have the same\n"
    "residuals and the same u, bit for bit. The residual must bound the error of u.\n"
    "On one node the cores copy messages themselves: nothing overlaps, and the table shows the\n"
    "cost of each way. With more ranks than cores it shows the scheduler. A gain of overlap needs\n"
    "a network that moves data by itself.\n";

static const column columns[] = {
    {"ms", "solve_ms", "solve_min_ms", 1e3, 3},
    {"speedup", "speedup", NULL, 1, 3},
    {"iterations", "iterations", NULL, 1, 0},
};
enum { SOLVE, SPEEDUP, ITERATIONS, NCOLUMNS };

typedef struct bench {
  solves solves;
  table table;
  char size[48], grid[48], stops[SOLVES_STOPS][16]; /* row labels */
} bench;

/* A row is a tolerance and a transport of faces. */
static ovk_err measure(void *self, int which, double *figures)
{
  solves *s = &((bench *)self)->solves;
  TRY(solves_run(s, which / HALO_TRANSPORTS, (halo_transport)(which % HALO_TRANSPORTS)));
  figures[SOLVE] = s->now->result.seconds.solve;
  figures[SPEEDUP] = s->first.result.seconds.solve / figures[SOLVE];
  figures[ITERATIONS] = s->now->result.iterations;
  return OVK_OK;
}

static void name_rows(bench *b)
{
  table *t = &b->table;
  const int *n = b->solves.request.points, *ranks = b->solves.operator.box.ranks;
  snprintf(b->size, sizeof b->size, "%dx%dx%d", n[0], n[1], n[2]);
  snprintf(b->grid, sizeof b->grid, "%dx%dx%d", ranks[0], ranks[1], ranks[2]);
  snprintf(t->title, sizeof t->title, "CG on %s points, %s ranks, ms", b->size, b->grid);
  for (int which = 0; which < t->nrows; which++) {
    const char *transport = halo_names[which % HALO_TRANSPORTS];
    const int stop = which / HALO_TRANSPORTS;
    snprintf(b->stops[stop], sizeof b->stops[stop], "%.3g", b->solves.request.rtol[stop]);
    row *r = &t->rows[which];
    snprintf(r->name, sizeof r->name, "%-9s to %s", transport, b->stops[stop]);
    row_add_text(r, "exchange", transport);
    row_add_text(r, "size", b->size);
    row_add_text(r, "grid", b->grid);
    row_add_text(r, "rtol", b->stops[stop]);
  }
}

static solves_request read_options(const args *given)
{
  solves_request request = {.spec = args_text(given, SPEC),
                            .method = args_text(given, METHOD),
                            .backend = args_text(given, BACKEND),
                            .nstops = args_has(given, RTOL) ? 1 : SOLVES_STOPS,
                            .rtol = {1e-2, 1e-8}};
  args_int(given, SIZE, request.points);
  args_int(given, POLLS, &request.polls);
  args_real(given, RTOL, &request.rtol[0]);
  return request;
}

static ovk_err measure_and_report(const args *given, bench *b)
{
  ovk_ctx *ctx = b->solves.ctx;
  TRY(table_create(ctx, b->solves.request.nstops * HALO_TRANSPORTS, args_integer(given, ROUNDS),
                   &b->table));
  name_rows(b);
  table *const tables[] = {&b->table};
  return tables_run(ctx, args_text(given, JSON), tables, 1);
}

static ovk_err poisson_run(ovk_ctx *ctx, const args *given)
{
  const solves_request request = read_options(given);
  bench *b = calloc(1, sizeof *b);
  ovk_err err = tool_got_memory(ctx, b);
  if (!err) {
    b->table = (table){.columns = columns, .ncolumns = NCOLUMNS, .measure = measure, .arg = b};
    err = solves_create(ctx, &request, &b->solves);
    if (!err) err = measure_and_report(given, b);
    table_destroy(&b->table);
    solves_destroy(&b->solves);
  }
  free(b);
  return err;
}

const command bench_poisson = {
    .name = "poisson",
    .usage = "[OPTIONS]",
    .summary = "CG in 3-D, faces exchanged by a blocking and a nonblocking all-to-all",
    .notes = definitions,
    .options = poisson_options,
    .run = poisson_run,
};
