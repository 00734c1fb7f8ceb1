/* SPDX-License-Identifier: BSD-2-Clause */
/* `ovk bench noise`: how much longer solves take while daemons disturb the cores. */
#include "bench/bench.h"
#include "bench/support/daemons.h"
#include "bench/support/table.h"
#include "bench/support/testbed.h"

#include <math.h>
#include <stdio.h>

enum { METHODS = PROBLEM_OPTIONS, BACKENDS, DURATIONS, FREQUENCIES, SECONDS, ROUNDS, JSON };

enum { MILLION = 1000000 };

static const option options[] = {
    PROBLEM_OPTION_ROWS,
    [METHODS] = OPTION_TEXT("--methods", "A,B,C", "split-cg,overlap,pipecg", "methods"),
    [BACKENDS] = OPTION_TEXT("--backends", "A,B,C", "auto", "backends of the reductions"),
    [DURATIONS] =
        OPTION_LIST("--durations", 1, MILLION, "50,100,200", "durations of noise in microseconds"),
    [FREQUENCIES] =
        OPTION_LIST("--frequencies", 1, MILLION, "20,100,1000", "how often a second noise occurs"),
    [SECONDS] = OPTION_REAL("--seconds", "S", 0, HUGE_VAL, "0.5", "repeat solves for this time"),
    [ROUNDS] = TABLE_ROUNDS_OPTION("5"),
    [JSON] = TABLE_JSON_OPTION,
    {0},
};

static const char definitions[] =
    "Kandalla et al., non-blocking allreduce with collective offload (2012), figure 12: solves a\n"
    "problem, by default --laplace27 60 60 60, with Jacobi to 1e-8, for each row in each round\n"
    "first without noise and then with it. On every core that ranks may use, a separate thread\n"
    "multiplies small matrices until it has had the core for the given duration. It repeats this\n"
    "with the given frequency, not on all cores at once.\n"
    "  quiet        milliseconds a solve of the slowest rank, over as many solves as fill\n"
    "               --seconds\n"
    "  noisy        the same with noise\n"
    "  degradation  noisy / quiet - 1\n"
    "  noise        the share of the cores that the threads got. If no rank waited for disturbed\n"
    "               ranks, the degradation would be noise / (1 - noise)\n"
    "Bind each rank to a core (mpiexec --bind-to core): a rank that may move avoids the noise, "
    "and\n"
    "all cores that it may move to get noise.\n"
    "On one node with few cores noise seldom meets a rank that others wait for. Reductions over\n"
    "MPI or shared memory need the processors. Reductions by an adapter suffer less, as in the\n"
    "paper; this effect needs an adapter.\n";

typedef struct bench {
  testbed bed;
  words methods, backends;
  numbers durations, frequencies;
  double seconds;
  int solves[LIST_MAX * LIST_MAX]; /* number of solves that take `seconds`, by method and backend */
  daemons *daemons;
} bench;

/* The setting of a row. */
typedef struct setting {
  int program; /* index of method and backend */
  const char *method, *backend;
  int duration, frequency;
} setting;

typedef enum figure { QUIET, NOISY, DEGRADATION, NOISE, FIGURES } figure;

static const column columns[FIGURES] = {
    [QUIET] = {"quiet ms", "quiet_ms", "quiet_min_ms", 1e3, 3},
    [NOISY] = {"noisy ms", "noisy_ms", "noisy_min_ms", 1e3, 3},
    [DEGRADATION] = {"degradation %", "degradation_pct", NULL, 100, 1},
    [NOISE] = {"noise %", "noise_pct", NULL, 100, 2},
};

static setting setting_of(const bench *b, int which)
{
  const int program = which / (b->durations.n * b->frequencies.n);
  return (setting){.program = program,
                   .method = b->methods.at[program / b->backends.n],
                   .backend = b->backends.at[program % b->backends.n],
                   .duration = b->durations.at[which / b->frequencies.n % b->durations.n],
                   .frequency = b->frequencies.at[which % b->frequencies.n]};
}

/* *mean <- seconds per solve. */
static ovk_err solve(bench *b, const setting *s, double *mean)
{
  ovk_result result = OVK_RESULT;
  const int times = b->solves[s->program];
  TRY(testbed_solve(&b->bed, s->method, s->backend, times, &result, mean));
  *mean /= times;
  return OVK_OK;
}

static ovk_err measure(void *arg, int which, double *figures)
{
  bench *b = arg;
  const setting s = setting_of(b, which);
  TRY(solve(b, &s, &figures[QUIET]));
  TRY(daemons_start(b->daemons, s.duration, s.frequency));
  const ovk_err err = solve(b, &s, &figures[NOISY]);
  TRY(daemons_stop(b->daemons, &figures[NOISE]));
  figures[DEGRADATION] = figures[NOISY] / figures[QUIET] - 1;
  return err;
}

/* Counts how many solves take as long as requested. */
static ovk_err count_solves(bench *b)
{
  enum { MOST = 1000000 };
  for (int k = 0; k < b->methods.n * b->backends.n; k++) {
    ovk_result result = OVK_RESULT;
    double once;
    TRY(testbed_solve(&b->bed, b->methods.at[k / b->backends.n], b->backends.at[k % b->backends.n],
                      1, &result, &once));
    b->solves[k] = (int)fmin(MOST, ceil(fmax(1, b->seconds / once)));
  }
  return OVK_OK;
}

static ovk_err read_noise(ovk_ctx *ctx, const args *given, bench *b)
{
  args_real(given, SECONDS, &b->seconds);
  TRY(list_numbers(ctx, given, DURATIONS, NULL, &b->durations));
  TRY(list_numbers(ctx, given, FREQUENCIES, NULL, &b->frequencies));
  for (int k = 0; k < b->durations.n * b->frequencies.n; k++) {
    const int duration = b->durations.at[k / b->frequencies.n];
    const int frequency = b->frequencies.at[k % b->frequencies.n];
    if ((double)duration * frequency < 0.9 * MILLION) continue;
    return ovk_ctx_fail(ctx, OVK_ERR_ARG,
                        "%d us of noise %d times a second leave nothing of a core", duration,
                        frequency);
  }
  return OVK_OK;
}

static void name_rows(const bench *b, table *t)
{
  for (int which = 0; which < t->nrows; which++) {
    const setting s = setting_of(b, which);
    row *r = &t->rows[which];
    snprintf(r->name, sizeof r->name, "%-17s %5d us %6d Hz  %s", s.method, s.duration, s.frequency,
             s.backend);
    row_add_text(r, "method", s.method);
    row_add_text(r, "backend", s.backend);
    row_add_number(r, "duration_us", s.duration);
    row_add_number(r, "frequency_hz", s.frequency);
    row_add_number(r, "solves", b->solves[s.program]);
  }
  snprintf(t->title, sizeof t->title, "solves with noise; %s", problem_text(&b->bed.problem));
}

static ovk_err measure_and_report(ovk_ctx *ctx, const args *given, bench *b, table *t)
{
  static const int n[3] = {60, 60, 60};
  TRY(read_noise(ctx, given, b));
  TRY(list_methods(ctx, given, METHODS, NULL, &b->methods));
  TRY(list_backends(ctx, given, BACKENDS, &b->backends));
  TRY(daemons_create(ctx, &b->daemons));
  TRY(testbed_create(ctx, given, n, &b->bed));
  TRY(testbed_check(&b->bed, &b->methods, &b->backends));
  TRY(count_solves(b));
  const int programs = b->methods.n * b->backends.n;
  TRY(table_create(ctx, programs * b->durations.n * b->frequencies.n, args_integer(given, ROUNDS),
                   t));
  name_rows(b, t);
  return tables_run(ctx, args_text(given, JSON), &t, 1);
}

static ovk_err noise_run(ovk_ctx *ctx, const args *given)
{
  bench b = {.seconds = 0};
  table t = {.columns = columns, .ncolumns = FIGURES, .measure = measure, .arg = &b};
  const ovk_err err = measure_and_report(ctx, given, &b, &t);
  daemons_destroy(&b.daemons);
  testbed_destroy(&b.bed);
  table_destroy(&t);
  return err;
}

const command bench_noise = {
    .name = "noise",
    .usage = "[OPTIONS]",
    .summary = "how much longer solves take while daemons disturb the cores",
    .notes = definitions,
    .options = options,
    .run = noise_run,
};
