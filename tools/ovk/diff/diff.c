/* SPDX-License-Identifier: BSD-2-Clause */
/* `ovk diff`: where two runs of `ovk solve` part: in A, in b, at which iteration, or in x. */
#include "commands/commands.h"
#include "diff/run_file.h"
#include "tool.h"

#include <stdlib.h>
#include <string.h>

/* The values of a key in both runs. */
typedef struct pair {
  const char *a, *b;
} pair;

static pair values_of(const run_file two[2], const char *key)
{
  return (pair){run_file_value(&two[0], key), run_file_value(&two[1], key)};
}

static pair fingerprints_of(const run_file two[2], const char *name)
{
  return (pair){run_file_fingerprint(&two[0], name), run_file_fingerprint(&two[1], name)};
}

/* Whether both runs have it, and not the same. */
static bool differ(pair p)
{
  return p.a && p.b && !json_same(p.a, p.b);
}

static ovk_err diff_refuse(ovk_ctx *ctx, const run_file two[2], const char *key, pair p)
{
  return ovk_ctx_fail(
      ctx, OVK_ERR_ARG, "these runs cannot be compared: %s is %.*s in %s and %.*s in %s", key,
      (int)json_length(p.a), p.a, two[0].path, (int)json_length(p.b), p.b, two[1].path);
}

/* Solves of other requests have no common bits. The text of a problem may differ for the same
 * matrix: it has the distribution, or the name of a file. */
static ovk_err diff_check_requests(ovk_ctx *ctx, const run_file two[2])
{
  static const char *const keys[] = {"rows", "nnz", "method", "precond", "norm", "rtol", "atol"};
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
    const pair p = values_of(two, keys[k]);
    if (differ(p)) return diff_refuse(ctx, two, keys[k], p);
  }
  return OVK_OK;
}

/* Where two histories part. */
typedef struct history_parting {
  const run_file *missing;           /* the run that has no history; NULL: both have one */
  const run_file *ended;             /* the run whose history is the begin of the other's */
  long iteration;                    /* the first that differs, or the last common one */
  const char *residual[2], *sums[2]; /* the values there; NULL: there are none */
  bool parts;                        /* the histories differ */
} history_parting;

/* One entry of the arrays of a history. */
typedef struct history_entry {
  const char *iteration, *residual, *sums;
} history_entry;

static history_entry history_begin(const run_file *run)
{
  const char *history = run_file_value(run, "history");
  return (history_entry){.iteration = json_first(json_member(history, "iteration")),
                         .residual = json_first(json_member(history, "residual")),
                         .sums = json_first(json_member(history, "sums"))};
}

static void history_advance(history_entry *at)
{
  at->iteration = json_next(at->iteration);
  at->residual = json_next(at->residual);
  at->sums = json_next(at->sums);
}

/* The totals count only where both runs have exact sums. */
static bool history_same(const history_entry *a, const history_entry *b)
{
  return json_same(a->iteration, b->iteration) && json_same(a->residual, b->residual) &&
         (!a->sums || !b->sums || json_same(a->sums, b->sums));
}

static void history_compare(const run_file two[2], history_parting *out)
{
  history_entry a = history_begin(&two[0]), b = history_begin(&two[1]);
  *out = (history_parting){.missing = !a.iteration ? &two[0] : !b.iteration ? &two[1] : NULL};
  if (out->missing) return;
  for (; a.iteration && b.iteration; history_advance(&a), history_advance(&b)) {
    out->iteration = strtol(a.iteration, NULL, 10);
    if (history_same(&a, &b)) continue;
    *out = (history_parting){.iteration = out->iteration,
                             .residual = {a.residual, b.residual},
                             .sums = {a.sums, b.sums},
                             .parts = true};
    return;
  }
  out->ended = a.iteration ? &two[1] : b.iteration ? &two[0] : NULL;
  out->parts = out->ended;
}

/* Prints a value as it is in the JSON, without quotes. */
static void print_value(const char *value)
{
  const int quotes = *value == '"';
  printf("%.*s", (int)json_length(value) - 2 * quotes, value + quotes);
}

static void print_pair(const char *label, pair p)
{
  fputs(label, stdout);
  print_value(p.a);
  if (differ(p)) {
    fputs(" | ", stdout);
    print_value(p.b);
  }
}

/* Other differences, which may be the cause. */
static void print_settings(const run_file two[2])
{
  static const char *const keys[] = {"version", "problem", "ranks", "backend", "format"};
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
    const pair p = values_of(two, keys[k]);
    if (!differ(p)) continue;
    printf("%-10s", keys[k]);
    print_pair("", p);
    putchar('\n');
  }
}

/* Returns whether this fingerprint differs. */
static bool print_fingerprint(const run_file two[2], const char *name)
{
  const pair p = fingerprints_of(two, name);
  printf("%-10s", name);
  if (p.a && p.b) {
    print_pair(differ(p) ? "differs  " : "same     ", p);
    putchar('\n');
  } else {
    printf("unknown  %s has none: solve with --exact sums\n", two[p.a ? 1 : 0].path);
  }
  return differ(p);
}

static void print_history(const history_parting *h)
{
  fputs("history   ", stdout);
  if (h->missing) {
    printf("unknown  %s has none: solve with --fingerprints\n", h->missing->path);
  } else if (h->ended) {
    printf("differs  %s ends at iteration %ld\n", h->ended->path, h->iteration);
  } else if (!h->parts) {
    printf("same     up to iteration %ld\n", h->iteration);
  } else {
    printf("differs  from iteration %ld on:", h->iteration);
    if (h->residual[0] && h->residual[1]) {
      print_pair(" residual ", (pair){h->residual[0], h->residual[1]});
    }
    if (h->sums[0] && h->sums[1]) print_pair(", sums ", (pair){h->sums[0], h->sums[1]});
    putchar('\n');
  }
}

/* Prints where the runs part. Returns whether they do. */
static bool diff_print(const run_file two[2])
{
  history_parting h;
  history_compare(two, &h);
  print_settings(two);
  const bool A = print_fingerprint(two, "A"), b = print_fingerprint(two, "b");
  print_history(&h);
  const bool sums = print_fingerprint(two, "sums"), x = print_fingerprint(two, "x");
  if (A || b) {
    printf("\nThe runs part before the solve: %s.\n",
           A && b ? "the matrices and the right-hand sides differ"
           : A    ? "the matrices differ"
                  : "the right-hand sides differ");
  } else if (h.parts) {
    printf("\nThe runs part at iteration %ld. A and b are the same.\n", h.iteration);
  } else if (sums || x) {
    puts(h.missing ? "\nThe runs part in the solve. A and b are the same."
                   : "\nThe runs part after the last iteration. A and b are the same.");
  } else {
    puts("\nThe runs are the same.");
  }
  return A || b || h.parts || sums || x;
}

static ovk_err diff_files(ovk_ctx *ctx, run_file two[2], const args *given, int *status)
{
  TRY(run_file_read(ctx, given->word, &two[0]));
  TRY(run_file_read(ctx, given->detail, &two[1]));
  TRY(diff_check_requests(ctx, two));
  *status = diff_print(two) ? STATUS_NOT_CONVERGED : STATUS_CONVERGED;
  return OVK_OK;
}

static ovk_err diff_run(ovk_ctx *ctx, const args *given, int *status)
{
  run_file two[2] = {{0}, {0}};
  ovk_err err = OVK_OK;
  if (!given->detail) {
    return ovk_ctx_fail(ctx, OVK_ERR_ARG, "diff: which two files? see ovk diff --help");
  }
  if (ovk_ctx_rank(ctx) == 0) err = diff_files(ctx, two, given, status);
  for (int k = 0; k < 2; k++) run_file_free(&two[k]);
  TRY(tool_agree(ctx, err));
  return tool_mpi(ctx, MPI_Bcast(status, 1, MPI_INT, 0, MPI_COMM_WORLD), "MPI_Bcast");
}

const command diff_command = {
    .name = "diff",
    .usage = "A.json B.json",
    .summary = "find where two runs part: in A, in b, at an iteration, or in x",
    .notes = "The files are those of `ovk solve --fingerprints --json FILE`, of the same request.\n"
             "With exact sums, the totals of the inner products are compared, too.\n"
             "See docs/exact.md.\n",
    .exit_status = "0 the runs are the same, 1 they differ, 2 bad usage or input, or runs that "
                   "cannot be compared",
    .words = 2,
    .judge = diff_run,
};
