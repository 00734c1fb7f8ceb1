/* SPDX-License-Identifier: BSD-2-Clause */
/* `ovk bench fft`: 3-D Fourier transforms of sine waves; exchanges are blocking or overlap other
 * work. */
#include "bench/bench.h"
#include "bench/fft/transform.h"
#include "bench/fft/waves.h"
#include "bench/support/lists.h"
#include "bench/support/table.h"
#include "bench/support/timing.h"

#include <math.h>
#include <stdlib.h>

enum { SIZE, VARIABLES, PARTS, GRID, POLLS, SPECS, ROUNDS, JSON };

enum { MAX_VARIABLES = 64 };

static const option fft_options[] = {
    [SIZE] = OPTION_INTEGERS("--size", 3, "NX NY NZ", 3, 1 << 20, "48 48 48", "points of the box"),
    [VARIABLES] =
        OPTION_INTEGER("--variables", "N", 1, MAX_VARIABLES, "4", "arrays that are transformed"),
    [PARTS] = OPTION_INTEGER("--parts", "N", 1, 1 << 20, "1",
                             "exchanges of an array, of as many parts of its planes"),
    [GRID] = OPTION_INTEGERS("--grid", 2, "P Q", 1, 1 << 20, NULL,
                             "ranks in a row and in a column; default: those of MPI_Dims_create"),
    [POLLS] = OPTION_INTEGER("--polls", "N", 0, 1 << 20, "8",
                             "tests while lines of a variable are transformed"),
    [SPECS] = OPTION_TEXT("--specs", "A,B,C", "nbc:window=6", "the all-to-alls of the library"),
    [ROUNDS] = TABLE_ROUNDS_OPTION("9"),
    [JSON] = TABLE_JSON_OPTION,
    {0},
};

static const char definitions[] =
    "Real arrays are transformed forward, divided by the number of points and transformed back,\n"
    "like the sine kernel of P3DFFT in Kandalla et al., \"Improving parallel 3D FFT performance\n"
    "using hardware offloaded collective communication\". A rank has lines of points (pencils):\n"
    "along x, after an exchange in its row of ranks along y, after one in its column along z.\n"
    "FFTW transforms lines. Rows exchange by MPI_Alltoall; columns\n"
    "  alltoall   by MPI_Alltoall, too\n"
    "  one-sided  by MPI_Put between fences: while data of one array are put, the next is\n"
    "             transformed in x and y, or the previous one in z\n"
    "  SPEC       likewise, by the nonblocking all-to-all of the library, with --polls tests in\n"
    "             each direction.\n"
    "With --parts N these exchange the planes of z of an array in N parts: the planes of a part\n"
    "are transformed in x and y while those before them are exchanged, as in section 5.2 of\n"
    "Hoefler, Lumsdaine and Rehm, \"Implementation and performance analysis of non-blocking\n"
    "collective operations for MPI\".\n"
    "The rest is the same code. Times are those of the slowest rank, for all arrays; speedup is\n"
    "the time of alltoall over this one, round by round. Each array has a sine wave with a\n"
    "different amplitude. Its coefficients, and then the wave again, must be right to 1e-11.\n"
    "On one node the cores copy the data of an exchange themselves: nothing overlaps, and the\n"
    "table shows the cost of each way. Between two ranks there is one message each way, and a\n"
    "window changes nothing. A gain of overlap needs a network that moves data by itself.\n";

static const column columns[] = {
    {"ms", "total_ms", "total_min_ms", 1e3, 3},
    {"forward", "forward_ms", "forward_min_ms", 1e3, 3},
    {"backward", "backward_ms", "backward_min_ms", 1e3, 3},
    {"speedup", "speedup", NULL, 1, 3},
};
enum { TOTAL, FORWARD_PART, BACKWARD_PART, SPEEDUP, NCOLUMNS };

static const char *const mpi_ways[] = {EXCHANGE_ALLTOALL, EXCHANGE_ONE_SIDED};
enum { BLOCKING, MPI_WAYS = sizeof mpi_ways / sizeof mpi_ways[0] };

typedef struct bench {
  ovk_ctx *ctx;
  int points[3], grid[2];
  int nvariables, parts, polls;
  int nruns; /* so far */
  words specs;
  int nways;
  transform transforms[MPI_WAYS + LIST_MAX]; /* by way; their pencils are the same */
  double complex *u[MAX_VARIABLES], *s[MAX_VARIABLES];
  double blocking_seconds; /* of this round */
  table table;
  char size[48], ranks[32]; /* row labels */
} bench;

static const char *way_of(const bench *b, int way)
{
  return way < MPI_WAYS ? mpi_ways[way] : b->specs.at[way - MPI_WAYS];
}

/* A blocking exchange would only have more messages. */
static int parts_of(const bench *b, int way)
{
  return way == BLOCKING ? 1 : b->parts;
}

/* Different for each variable of each run, so that stale data cannot pass for a result. */
static double amplitude_of(const bench *b, int variable)
{
  return 1 + variable + (double)b->nvariables * b->nruns;
}

static ovk_err check(const bench *b, const char *way, const char *what, double error)
{
  TRY(tool_greatest(b->ctx, &error, 1));
  if (error <= 1e-11) return OVK_OK;
  return ovk_ctx_fail(b->ctx, OVK_ERR_INTERNAL, "%s: %s wrong by %.3g of the amplitude", way, what,
                      error);
}

static ovk_err time_forward(bench *b, int way, double *seconds)
{
  double start;
  for (int k = 0; k < b->nvariables; k++) {
    waves_fill(&b->transforms[0].pencils, amplitude_of(b, k), b->u[k]);
  }
  TRY(timing_start(b->ctx, &start));
  TRY(transform_forward(&b->transforms[way], b->nvariables, b->u, b->s));
  *seconds = MPI_Wtime() - start;
  return OVK_OK;
}

static ovk_err time_backward(bench *b, int way, double *seconds)
{
  double start;
  TRY(timing_start(b->ctx, &start));
  TRY(transform_backward(&b->transforms[way], b->nvariables, b->u, b->s));
  *seconds = MPI_Wtime() - start;
  return OVK_OK;
}

static double error_of_coefficients(bench *b)
{
  const pencils *p = &b->transforms[0].pencils;
  double error = 0;
  for (int k = 0; k < b->nvariables; k++) {
    waves_normalize(p, b->s[k]);
    error = fmax(error, waves_error_of_coefficients(p, amplitude_of(b, k), b->s[k]));
  }
  return error;
}

static double error_of_waves(const bench *b)
{
  double error = 0;
  for (int k = 0; k < b->nvariables; k++) {
    error = fmax(error, waves_error(&b->transforms[0].pencils, amplitude_of(b, k), b->u[k]));
  }
  return error;
}

static ovk_err measure(void *self, int way, double *figures)
{
  bench *b = self;
  b->nruns++;
  TRY(time_forward(b, way, &figures[FORWARD_PART]));
  TRY(check(b, way_of(b, way), "coefficients are", error_of_coefficients(b)));
  TRY(time_backward(b, way, &figures[BACKWARD_PART]));
  TRY(check(b, way_of(b, way), "the wave that comes back is", error_of_waves(b)));
  figures[TOTAL] = figures[FORWARD_PART] + figures[BACKWARD_PART];
  TRY(tool_greatest(b->ctx, figures, SPEEDUP));
  if (way == BLOCKING) b->blocking_seconds = figures[TOTAL];
  figures[SPEEDUP] = b->blocking_seconds / figures[TOTAL];
  return OVK_OK;
}

static void name_rows(bench *b)
{
  const int *n = b->points, *grid = b->transforms[0].pencils.grid;
  snprintf(b->size, sizeof b->size, "%dx%dx%d", n[X], n[Y], n[Z]);
  snprintf(b->ranks, sizeof b->ranks, "%dx%d", grid[0], grid[1]);
  snprintf(b->table.title, sizeof b->table.title, "FFT of %d x %s points on %s ranks, ms",
           b->nvariables, b->size, b->ranks);
  for (int way = 0; way < b->nways; way++) {
    row *r = &b->table.rows[way];
    snprintf(r->name, sizeof r->name, "%s", way_of(b, way));
    row_add_text(r, "columns", way_of(b, way));
    row_add_text(r, "size", b->size);
    row_add_text(r, "grid", b->ranks);
    row_add_number(r, "variables", b->nvariables);
    row_add_number(r, "parts", parts_of(b, way));
  }
}

static ovk_err create_variables(bench *b)
{
  bool got = true;
  for (int k = 0; k < b->nvariables; k++) {
    b->u[k] = calloc(pencils_numbers(&b->transforms[0].pencils, X), sizeof *b->u[k]);
    b->s[k] = calloc(pencils_numbers(&b->transforms[0].pencils, Z), sizeof *b->s[k]);
    got = got && b->u[k] && b->s[k];
  }
  return tool_got_memory(b->ctx, got);
}

static ovk_err read_options(ovk_ctx *ctx, const args *given, bench *b)
{
  args_int(given, SIZE, b->points);
  args_int(given, VARIABLES, &b->nvariables);
  args_int(given, PARTS, &b->parts);
  args_int(given, GRID, b->grid);
  args_int(given, POLLS, &b->polls);
  return list_words(ctx, given, SPECS, NULL, &b->specs);
}

static ovk_err measure_and_report(const args *given, bench *b)
{
  for (; b->nways < MPI_WAYS + b->specs.n; b->nways++)
    TRY(transform_create(b->ctx, b->points, b->grid, way_of(b, b->nways), b->polls,
                         parts_of(b, b->nways), &b->transforms[b->nways]));
  TRY(create_variables(b));
  TRY(table_create(b->ctx, b->nways, args_integer(given, ROUNDS), &b->table));
  name_rows(b);
  table *const tables[] = {&b->table};
  return tables_run(b->ctx, args_text(given, JSON), tables, 1);
}

static ovk_err fft_run(ovk_ctx *ctx, const args *given)
{
  bench b = {.ctx = ctx,
             .table = {.columns = columns, .ncolumns = NCOLUMNS, .measure = measure, .arg = &b}};
  for (int k = 0; k < MPI_WAYS + LIST_MAX; k++)
    b.transforms[k].pencils.row = b.transforms[k].pencils.column = MPI_COMM_NULL;
  TRY(read_options(ctx, given, &b));
  const ovk_err err = measure_and_report(given, &b);
  table_destroy(&b.table);
  for (int k = 0; k < b.nvariables; k++) {
    free(b.s[k]);
    free(b.u[k]);
  }
  for (int k = 0; k < MPI_WAYS + LIST_MAX; k++) transform_destroy(&b.transforms[k]);
  return err;
}

const command bench_fft = {
    .name = "fft",
    .usage = "[OPTIONS]",
    .summary = "Fourier transforms in 3-D, an exchange overlapped with the work on the next array",
    .notes = definitions,
    .options = fft_options,
    .run = fft_run,
};
