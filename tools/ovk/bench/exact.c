/* SPDX-License-Identifier: BSD-2-Clause */
/* `ovk bench exact`: the cost of exact sums by size, format and method. */
#include "bench/bench.h"
#include "bench/support/table.h"
#include "bench/support/testbed.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROBLEM, SIZES, FORMATS, METHODS, MODES, PRECOND, BACKEND, ROUNDS, JSON };

static const option options[] = {
    [PROBLEM] = OPTION_WORD("--problem", "laplace27", "the problem to solve", "laplace27",
                            "laplace7", "varsym27", "irregular27"),
    [SIZES] = OPTION_LIST("--sizes", 2, 1000, "10,60", "points of a rank in x, y and z"),
    [FORMATS] = OPTION_TEXT("--formats", "A,B,C", "auto", "formats of the matrix"),
    [METHODS] = OPTION_TEXT("--methods", "A,B,C", "cg,pipecg,minres,bcgs,gmres", "methods"),
    [MODES] = OPTION_TEXT("--exact", "A,B,C", "off,sums",
                          "kinds of sums, as `ovk solve --exact` takes them"),
    [PRECOND] = OPTION_TEXT("--precond", "SPEC", "jacobi", "preconditioner"),
    [BACKEND] = OPTION_TEXT("--backend", "SPEC", NULL,
                            "backend of the reductions; default: $OVK_BACKEND or auto"),
    [ROUNDS] = TABLE_ROUNDS_OPTION("9"),
    [JSON] = TABLE_JSON_OPTION,
    {0},
};

static const char definitions[] =
    "Solves to 1e-8, all rows in turn in each round. Of short solves a round has many, and\n"
    "counts their median.\n"
    "  iteration us  microseconds an iteration, of the slowest rank\n"
    "  ratio         that time over the time with the first kind of sums in the same round\n";

/* A matrix for each size, format and kind: products for the kind `all` may change the matrix. */
typedef struct bench {
  ovk_ctx *ctx;
  numbers sizes;
  words formats, methods, modes;
  const char *backend;
  testbed *beds;
  int *repeats;   /* of each row, so that a measurement is not too short; 0: not known yet */
  double *before; /* of each row without its kind: the time with the first kind in this round */
} bench;

typedef enum figure { ITERATION, RATIO, ITERATIONS, FIGURES } figure;

static const column columns[FIGURES] = {
    [ITERATION] = {"iteration us", "iteration_us", "iteration_min_us", 1e6, 2},
    [RATIO] = {"ratio", "ratio", NULL, 1, 3},
    [ITERATIONS] = {"iterations", "iterations", NULL, 1, 0},
};

/* The subject of a row; kinds vary fastest. */
typedef struct subject {
  int size, format, method, mode;
} subject;

static subject subject_of(const bench *b, int which)
{
  subject s;
  s.mode = which % b->modes.n;
  which /= b->modes.n;
  s.method = which % b->methods.n;
  which /= b->methods.n;
  s.format = which % b->formats.n;
  s.size = which / b->formats.n;
  return s;
}

static testbed *bed_of(const bench *b, subject s)
{
  return &b->beds[(s.size * b->formats.n + s.format) * b->modes.n + s.mode];
}

enum { MOST_REPEATS = 1000 };

static int repeats_for(double seconds)
{
  const double enough = 0.03;
  return seconds * MOST_REPEATS < enough ? MOST_REPEATS : 1 + (int)(enough / seconds);
}

static ovk_err exact_measure(void *arg, int which, double *figures)
{
  bench *b = arg;
  const subject s = subject_of(b, which);
  int *repeats = &b->repeats[which];
  double *before = &b->before[which / b->modes.n];
  ovk_result result = OVK_RESULT;
  const int times = *repeats ? *repeats : 1;
  double seconds[MOST_REPEATS];
  TRY(testbed_solve_each(bed_of(b, s), b->methods.at[s.method], b->backend, times, &result,
                         seconds));
  const double solve = tool_median(seconds, times);
  if (!*repeats) *repeats = repeats_for(solve);
  figures[ITERATION] = solve / (result.iterations > 0 ? result.iterations : 1);
  figures[ITERATIONS] = result.iterations;
  if (s.mode == 0) *before = figures[ITERATION];
  figures[RATIO] = figures[ITERATION] / *before;
  return OVK_OK;
}

static ovk_err exact_set_up(bench *b, const args *given)
{
  static const problem_maker makers[] = {problem_laplace27, problem_laplace7, problem_named,
                                         problem_named};
  const int chosen = args_word(given, PROBLEM);
  for (int k = 0; k < b->sizes.n * b->formats.n * b->modes.n; k++) {
    const int n = b->sizes.at[k / (b->formats.n * b->modes.n)];
    const char *format = b->formats.at[k / b->modes.n % b->formats.n];
    const problem_request request = {.name = options[PROBLEM].words[chosen],
                                     .make = makers[chosen],
                                     .n = {n, n, n},
                                     .rhs = "ones",
                                     .format = strcmp(format, "auto") == 0 ? NULL : format};
    testbed *bed = &b->beds[k];
    TRY(testbed_create_for(b->ctx, &request, bed));
    TRY(testbed_precondition(bed, args_text(given, PRECOND)));
    bed->exact = b->modes.at[k % b->modes.n];
  }
  return OVK_OK;
}

static void exact_name_rows(const bench *b, table *t)
{
  for (int which = 0; which < t->nrows; which++) {
    row *r = &t->rows[which];
    const subject s = subject_of(b, which);
    const char *method = b->methods.at[s.method], *mode = b->modes.at[s.mode];
    const char *format = ovk_mat_format(bed_of(b, s)->problem.A);
    snprintf(r->name, sizeof r->name, "%4d^3  %-8s  %-8s  %s", b->sizes.at[s.size], format, method,
             mode);
    row_add_number(r, "size", b->sizes.at[s.size]);
    row_add_text(r, "format", format);
    row_add_text(r, "method", method);
    row_add_text(r, "exact", mode);
  }
}

static ovk_err exact_measure_all(const args *given, bench *b, table *t)
{
  TRY(list_numbers(b->ctx, given, SIZES, NULL, &b->sizes));
  TRY(list_words(b->ctx, given, FORMATS, NULL, &b->formats));
  TRY(list_words(b->ctx, given, METHODS, NULL, &b->methods));
  TRY(list_words(b->ctx, given, MODES, NULL, &b->modes));
  b->backend = args_text(given, BACKEND);
  const int beds = b->sizes.n * b->formats.n * b->modes.n, rows = beds * b->methods.n;
  const int groups = rows / b->modes.n;
  b->beds = calloc((size_t)beds, sizeof *b->beds);
  b->repeats = calloc((size_t)rows, sizeof *b->repeats);
  b->before = calloc((size_t)groups, sizeof *b->before);
  TRY(tool_got_memory(b->ctx, b->beds && b->repeats && b->before));
  TRY(exact_set_up(b, given));
  TRY(table_create(b->ctx, rows, args_integer(given, ROUNDS), t));
  exact_name_rows(b, t);
  snprintf(t->title, sizeof t->title, "exact sums; %s, %s", args_text(given, PROBLEM),
           args_text(given, PRECOND));
  return tables_run(b->ctx, args_text(given, JSON), &t, 1);
}

static ovk_err exact_run(ovk_ctx *ctx, const args *given)
{
  bench b = {.ctx = ctx};
  table t = {.columns = columns, .ncolumns = FIGURES, .measure = exact_measure, .arg = &b};
  const ovk_err err = exact_measure_all(given, &b, &t);
  table_destroy(&t);
  for (int k = 0; b.beds && k < b.sizes.n * b.formats.n * b.modes.n; k++) {
    testbed_destroy(&b.beds[k]);
  }
  free(b.beds);
  free(b.repeats);
  free(b.before);
  return err;
}

const command bench_exact = {
    .name = "exact",
    .usage = "[OPTIONS]",
    .summary = "the time of iterations with and without exact sums",
    .notes = definitions,
    .options = options,
    .run = exact_run,
};
