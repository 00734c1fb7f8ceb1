/* SPDX-License-Identifier: BSD-2-Clause */
/* `ovk bench reduction`: ways of summing against each other and against the MPI's own, taking
 * turns. */
#include "json.h"
#include "output.h"
#include "probe.h"
#include "tool.h"

#include <string.h>

enum { MAX_SPECS = 32, MAX_ROUNDS = 99, SPECS_LENGTH = 1024 };

enum { BENCH_SPECS, BENCH_COUNT, BENCH_ITERS, BENCH_ROUNDS, BENCH_JSON };

static const option bench_options[] = {
    [BENCH_SPECS] = {"--specs", 1, "A,B,C", "backends to measure; default: all that work here"},
    [BENCH_COUNT] = {"--count", 1, "N", "doubles in a sum; default 1"},
    [BENCH_ITERS] = {"--iters", 1, "N", "sums a round and figure; default 2000"},
    [BENCH_ROUNDS] = {"--rounds", 1, "N", "rounds; figures are their medians; default 9"},
    [BENCH_JSON] = {"--json", 1, "FILE|-", "write the rows as JSON, - for standard output"},
    {0},
};

static const char definitions[] =
    "All ways of summing take turns in each round, beside the MPI's own calls, mpi:allreduce and\n"
    "mpi:iallreduce. Times are those of the slowest rank; with t the latency and c that of work:\n"
    "  latency   begin and wait, one behind the other, an average over --iters sums\n"
    "  begin     time inside begin; wait: time inside wait\n"
    "  overhead  what no work can hide, as in NBCBench: the time inside begin, ten polls with\n"
    "            work of 0.4 t before each, and wait, readings of the clock taken off; polls of\n"
    "            mpi:iallreduce are MPI_Test, and mpi:allreduce is the call alone\n"
    "  overlap   with o the time of begin, work as long as t, and wait, without a poll:\n"
    "            OSU 1 - (o - c) / t; IMB-NBC (t + c - o) / min(t, c)\n"
    "  peer      one rank is busy for 20 ms after its begin: how long do the others wait\n"
    "On one node a sum of one double is nearly all work of the processors themselves: t is not\n"
    "much longer than the overhead, so that there is little to overlap, whoever does the sum.\n"
    "A spec with progress=thread needs MPI_THREAD_MULTIPLE, which can slow the other rows, too.\n";

typedef struct bench {
  int nspecs, count, iterations, rounds;
  char text[SPECS_LENGTH]; /* the specs, cut into strings */
  probe probes[MAX_SPECS];
  double figures[MAX_SPECS][PROBE_FIGURES][MAX_ROUNDS];
} bench;

static const char *const own_calls[] = {"mpi:allreduce", "mpi:iallreduce"};

static ovk_err add_probe(ovk_ctx *ctx, bench *b, const char *spec)
{
  if (b->nspecs == MAX_SPECS) {
    return ovk_ctx_fail(ctx, OVK_ERR_ARG, "--specs: more than %d", MAX_SPECS);
  }
  probe *p = &b->probes[b->nspecs];
  const ovk_err err = probe_create(ctx, spec, b->count, p);
  if (!err) {
    b->nspecs++;
    return OVK_OK;
  }
  probe_destroy(p);
  return ovk_ctx_fail(ctx, err, "%s: %s", spec, ovk_ctx_error(ctx));
}

/* A comma ends a spec unless "key=value" follows, which belongs to it: nbc:alg=kary,k=4,shm. */
static char *end_of_spec(char *spec)
{
  for (char *comma = strchr(spec, ','); comma; comma = strchr(comma + 1, ',')) {
    const size_t word = strcspn(comma + 1, ",:=");
    if (comma[1 + word] != '=') return comma;
  }
  return NULL;
}

static ovk_err add_given(ovk_ctx *ctx, bench *b, const char *specs)
{
  const size_t size = strlen(specs) + 1;
  if (size > sizeof b->text) return ovk_ctx_fail(ctx, OVK_ERR_ARG, "--specs: too long");
  memcpy(b->text, specs, size);
  for (char *spec = b->text, *end; spec; spec = end ? end + 1 : NULL) {
    end = end_of_spec(spec);
    if (end) *end = '\0';
    TRY(add_probe(ctx, b, spec));
  }
  return OVK_OK;
}

/* All backends with their defaults, but for those that this machine or MPI does not support. */
static ovk_err add_all(ovk_ctx *ctx, bench *b)
{
  ovk_choice choice;
  for (int k = 0; ovk_list_backends(ctx, k, &choice); k++) {
    if (choice.decorates) continue;
    const ovk_err err = add_probe(ctx, b, choice.name);
    if (err && err != OVK_ERR_UNSUPPORTED) return err;
  }
  return OVK_OK;
}

static ovk_err set_up(ovk_ctx *ctx, const args *given, bench *b)
{
  TRY(args_int(ctx, given, BENCH_COUNT, 1, 100000000, &b->count));
  TRY(args_int(ctx, given, BENCH_ITERS, 1, 100000000, &b->iterations));
  TRY(args_int(ctx, given, BENCH_ROUNDS, 1, MAX_ROUNDS, &b->rounds));
  for (int k = 0; k < 2; k++) TRY(add_probe(ctx, b, own_calls[k]));
  const char *specs = args_text(given, BENCH_SPECS, NULL);
  return specs ? add_given(ctx, b, specs) : add_all(ctx, b);
}

static ovk_err measure(bench *b)
{
  for (int round = -1; round < b->rounds; round++) { /* -1: the warm-up */
    for (int k = 0; k < b->nspecs; k++) {
      double figures[PROBE_FIGURES];
      TRY(probe_measure(&b->probes[k], b->iterations, figures));
      for (int f = 0; f < PROBE_FIGURES && round >= 0; f++) b->figures[k][f][round] = figures[f];
    }
  }
  return OVK_OK;
}

/* How a figure is shown. */
typedef struct column {
  const char *head;            /* in the table */
  const char *key, *least_key; /* in JSON: of the median, of the minimum */
  double scale;
  int digits;
} column;

static const column columns[PROBE_FIGURES] = {
    [PROBE_LATENCY] = {"latency", "latency_us", "latency_min_us", 1e6, 3},
    [PROBE_BEGIN] = {"begin", "begin_us", "begin_min_us", 1e6, 3},
    [PROBE_WAIT] = {"wait", "wait_us", "wait_min_us", 1e6, 3},
    [PROBE_OVERHEAD] = {"overhead", "overhead_us", "overhead_min_us", 1e6, 3},
    [PROBE_PEER_DELAY] = {"peer", "peer_delay_wait_us", "peer_delay_wait_min_us", 1e6, 1},
    [PROBE_OVERLAP_OSU] = {"OSU %", "overlap_osu_pct", NULL, 1, 1},
    [PROBE_OVERLAP_IMB] = {"IMB %", "overlap_imb_pct", NULL, 1, 1},
};

static void write_row(json *out, ovk_ctx *ctx, bench *b, int spec)
{
  json_open(out, NULL, '{');
  json_text(out, "spec", b->probes[spec].spec);
  json_text(out, "backend", b->probes[spec].backend);
  json_int(out, "ranks", ovk_ctx_size(ctx));
  json_int(out, "count", b->count);
  for (int f = 0; f < PROBE_FIGURES; f++) {
    const column *c = &columns[f];
    double *rounds = b->figures[spec][f];
    json_real(out, c->key, c->scale * tool_median(rounds, b->rounds));
    if (c->least_key) json_real(out, c->least_key, c->scale * rounds[0]); /* they are sorted now */
  }
  json_close(out, '}');
}

static void write_rows(FILE *file, ovk_ctx *ctx, bench *b)
{
  json out = {file, 0, false};
  json_open(&out, NULL, '[');
  for (int k = 0; k < b->nspecs; k++) write_row(&out, ctx, b, k);
  json_close(&out, ']');
}

static void print_row(bench *b, int spec)
{
  const probe *p = &b->probes[spec];
  char name[SPECS_LENGTH];
  const bool other = strcmp(p->spec, p->backend) != 0;
  snprintf(name, sizeof name, other ? "%s: %s" : "%s", p->spec, p->backend);
  printf("%-28s", name);
  for (int f = 0; f < PROBE_FIGURES; f++) {
    const column *c = &columns[f];
    printf(" %9.*f", c->digits, c->scale * tool_median(b->figures[spec][f], b->rounds));
  }
  puts("");
}

static void print_rows(ovk_ctx *ctx, bench *b)
{
  printf("sums of %d double%s over %d rank%s, medians of %d rounds, us\n\n%-28s", b->count,
         b->count > 1 ? "s" : "", ovk_ctx_size(ctx), ovk_ctx_size(ctx) > 1 ? "s" : "", b->rounds,
         "");
  for (int f = 0; f < PROBE_FIGURES; f++) printf(" %9s", columns[f].head);
  puts("");
  for (int k = 0; k < b->nspecs; k++) print_row(b, k);
}

static ovk_err measure_and_report(ovk_ctx *ctx, const args *given, bench *b)
{
  output file;
  TRY(set_up(ctx, given, b));
  TRY(output_open(ctx, args_text(given, BENCH_JSON, NULL), &file));
  const ovk_err err = measure(b);
  if (err) {
    output_discard(&file);
    return err;
  }
  if (file.file) write_rows(file.file, ctx, b);
  if (ovk_ctx_rank(ctx) == 0 && !output_is_stdout(&file)) print_rows(ctx, b);
  return output_close(ctx, &file);
}

static ovk_err run(ovk_ctx *ctx, const args *given, int *status)
{
  static const char *const names[] = {"reduction"};
  if (!given->word) return ovk_ctx_fail(ctx, OVK_ERR_ARG, "bench: what? there is: %s", names[0]);
  if (strcmp(given->word, names[0]) != 0) {
    return args_unknown(ctx, "benchmark", given->word, names, 1);
  }
  bench b = {.count = 1, .iterations = 2000, .rounds = 9};
  const ovk_err err = measure_and_report(ctx, given, &b);
  for (int k = 0; k < b.nspecs; k++) probe_destroy(&b.probes[k]);
  *status = STATUS_CONVERGED;
  return err;
}

const command bench_command = {
    .name = "bench",
    .usage = "reduction [OPTIONS]",
    .summary = "measure the reductions against the MPI's own",
    .notes = definitions,
    .options = bench_options,
    .words = 1,
    .run = run,
};
