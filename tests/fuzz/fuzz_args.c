/* SPDX-License-Identifier: BSD-2-Clause */
/* The program's arguments: any words are refused with a message, or give options within their
 * ranges, with which a small model problem can be set up. Input: words, separated by zeros and
 * newlines. */
#include "bench/support/lists.h"
#include "solve/solve_options.h"
#include "support/fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 64, MOST_POINTS = 2000 };

typedef struct words_given {
  int n;
  char **at; /* each allocated exactly; nothing follows the last one, as for a parser */
} words_given;

static words_given cut(const uint8_t *data, size_t size)
{
  words_given w = {0, calloc(MOST_WORDS, sizeof *w.at)};
  FUZZ_CHECK(w.at, "no memory");
  for (const uint8_t *end = data + size; data < end && w.n < MOST_WORDS; data++) {
    fuzz_bytes word = {data, data};
    while (word.end < end && *word.end != '\0' && *word.end != '\n') word.end++;
    data = word.end;
    w.at[w.n++] = fuzz_text(&word);
  }
  char **exact = realloc(w.at, ((size_t)w.n + !w.n) * sizeof *w.at);
  FUZZ_CHECK(exact, "no memory");
  w.at = exact;
  return w;
}

static void release_words(words_given *w)
{
  for (int k = 0; k < w->n; k++) free(w->at[k]);
  free(w->at);
}

static void check_options(const solve_options *o)
{
  const problem_request *p = &o->problem;
  FUZZ_CHECK(p->name && p->rhs && o->precond, "a word is missing");
  FUZZ_CHECK(isfinite(o->opts.rtol) && o->opts.rtol >= 0, "rtol %g", o->opts.rtol);
  FUZZ_CHECK(isfinite(o->opts.atol) && o->opts.atol >= 0, "atol %g", o->opts.atol);
  FUZZ_CHECK(o->opts.maxit >= 0 && o->repeat >= 0, "maxit %d, repeat %d", o->opts.maxit, o->repeat);
  for (int k = 0; p->make && k < 3; k++)
    FUZZ_CHECK(p->n[k] >= 1 && p->grid[k] >= 0, "%d points, %d processes", p->n[k], p->grid[k]);
}

/* A model problem that is small, or too large for any rank, with a right-hand side that is not a
 * file. */
static void check_problem(const problem_request *p)
{
  const double points = (double)p->n[0] * p->n[1] * p->n[2];
  if (!p->make || (points > MOST_POINTS && points <= INT32_MAX) || strpbrk(p->rhs, "./")) return;
  problem made;
  const ovk_err err = problem_create(fuzz_ctx(), p, &made);
  if (err) {
    fuzz_refused(err);
  } else {
    FUZZ_CHECK((double)ovk_mat_size(made.A) == points * ovk_ctx_size(fuzz_ctx()), "%g points",
               points);
    FUZZ_CHECK(strlen(problem_text(&made)) < sizeof made.text, "text of the problem");
  }
  problem_destroy(&made);
}

/* Lists as benchmarks accept them. */
static void check_lists(const char *text)
{
  enum { MOST = 1 << 20 };
  static const option table[] = {OPTION_LIST("--list", 1, MOST, NULL, ""), {0}};
  const args none = {.options = table};
  words list;
  numbers whole;
  ovk_err err = list_words(fuzz_ctx(), &none, 0, text, &list);
  if (err) {
    fuzz_refused(err);
  } else {
    size_t length = 0;
    for (int k = 0; k < list.n; k++) length += strlen(list.at[k]) + 1;
    FUZZ_CHECK(length == strlen(text) + 1, "%d words of '%s'", list.n, text);
  }
  err = list_numbers(fuzz_ctx(), &none, 0, text, &whole);
  if (err) fuzz_refused(err);
  for (int k = 0; !err && k < whole.n; k++)
    FUZZ_CHECK(whole.at[k] >= 1 && whole.at[k] <= MOST, "number %d", whole.at[k]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  words_given w = cut(data, size);
  args given;
  solve_options options;
  ovk_err err = args_parse(fuzz_ctx(), solve_option_table, 2, w.n, w.at, &given);
  if (!err && !given.help) {
    err = solve_options_read(fuzz_ctx(), &given, &options);
    if (!err) {
      check_options(&options);
      check_problem(&options.problem);
    }
  }
  if (err) fuzz_refused(err);
  for (int k = 0; k < w.n; k++) check_lists(w.at[k]);
  release_words(&w);
  return 0;
}
