/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of `ovk solve`: their table and their values. */
#include "solve/solve_options.h"
#include "measure.h"
#include "problem/problem_options.h"
#include "solve/columns.h"
#include "tool.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>

enum {
  METHOD = PROBLEM_OPTIONS,
  PRECOND,
  BACKEND,
  EXACT,
  NORM,
  NULLSPACE,
  SPD,
  SYMMETRIC,
  RTOL,
  ATOL,
  MAXIT,
  COLUMNS,
  GUESSES,
  REPEAT,
  MONITOR,
  PRECOND_VIEW,
  HISTORY,
  SOLUTION,
  JSON,
  FINGERPRINTS
};

/* In the order of ovk_norm. */
#define NORM_NAMES "unpreconditioned", "preconditioned", "natural"

const option solve_option_table[] = {
    PROBLEM_OPTION_ROWS,
    [METHOD] = OPTION_TEXT("--method", "NAME", NULL,
                           "method, see `ovk list methods`; default: $OVK_METHOD or auto"),
    [PRECOND] = OPTION_TEXT("--precond", "SPEC", "auto",
                            "preconditioner, see `ovk list preconds`; with --exact all: jacobi"),
    [BACKEND] = OPTION_TEXT("--backend", "SPEC", NULL,
                            "reductions, see `ovk list backends`; default: $OVK_BACKEND or auto"),
    [EXACT] = OPTION_TEXT("--exact", "off|sums|all", NULL,
                          "the same bits with every backend (sums), on any number of ranks (all);"
                          " default: $OVK_EXACT or off"),
    [NORM] = OPTION_WORD("--norm", "unpreconditioned", "norm of residuals", NORM_NAMES),
    [NULLSPACE] = OPTION_WORD("--nullspace", NULL, "null space of a singular matrix", "constant"),
    [SPD] = OPTION_FLAG("--spd", "A is positive definite: `auto` need not examine its values"),
    [SYMMETRIC] = OPTION_FLAG("--symmetric", "A is symmetric: `auto` examines its diagonal only"),
    [RTOL] = OPTION_REAL("--rtol", "R", 0, HUGE_VAL, "1e-8", "stop at ||b - A x|| <= R ||b||"),
    [ATOL] = OPTION_REAL("--atol", "A", 0, HUGE_VAL, "0", "or at ||b - A x|| <= A"),
    [MAXIT] = OPTION_INTEGER("--maxit", "K", 0, INT_MAX, "10000", "most iterations"),
    [COLUMNS] = OPTION_INTEGER("--columns", "K", 1, MAX_COLUMNS, NULL,
                               "solve for K right-hand sides at once: --rhs, and random ones"),
    [GUESSES] = OPTION_INTEGER(
        "--guesses", "M", 0, 100, "0",
        "initial guesses from the last M solutions, of columns before and of --repeat"),
    [REPEAT] = OPTION_INTEGER("--repeat", "N", 1, MAX_REPEAT, NULL,
                              "one warm-up, then N solves; times are medians"),
    [MONITOR] = OPTION_FLAG("--monitor", "print a line an iteration"),
    [PRECOND_VIEW] =
        OPTION_FLAG("--precond-view", "print the parts of the preconditioner: the levels of `amg`"),
    [HISTORY] =
        OPTION_TEXT("--history", "FILE.csv", NULL,
                    "write the residuals of every iteration; the true one costs an SpMV each"),
    [SOLUTION] = OPTION_TEXT("--solution", "FILE.mtx", NULL, "write x"),
    [JSON] = OPTION_TEXT("--json", "FILE|-", NULL,
                         "write the result as JSON; -: on standard output, no table"),
    [FINGERPRINTS] =
        OPTION_FLAG("--fingerprints",
                    "also without exact sums; in JSON also of every iteration, for `ovk diff`"),
    {0},
};

const char *norm_name(ovk_norm norm)
{
  static const char *const names[] = {NORM_NAMES};
  return names[norm];
}

/* The file that an option names, or NULL. */
static const char *path_of(const args *given, int which)
{
  if (which == PROBLEM_MATRIX) return problem_options_matrix(given);
  const char *path = args_text(given, which);
  return path && which == PROBLEM_RHS && !problem_rhs_is_file(path) ? NULL : path;
}

static bool same_file(const char *a, const char *b)
{
  struct stat one, other;
  if (!a || !b) return false;
  if (stat(a, &one) != 0 || stat(b, &other) != 0) return strcmp(a, b) == 0; /* does not exist yet */
  return S_ISREG(one.st_mode) && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/* On rank 0: an output must not overwrite an input or another output. */
static ovk_err check_files(ovk_ctx *ctx, const args *given)
{
  static const int files[] = {PROBLEM_MATRIX, PROBLEM_RHS, SOLUTION, HISTORY, JSON};
  enum { INPUTS = 2, FILES = sizeof files / sizeof files[0] };
  for (int a = INPUTS; a < FILES; a++) {
    for (int b = 0; b < a; b++) {
      if (!same_file(path_of(given, files[a]), path_of(given, files[b]))) continue;
      return ovk_ctx_fail(ctx, OVK_ERR_ARG, "%s %s and %s %s are the same file",
                          given->options[files[b]].name, path_of(given, files[b]),
                          given->options[files[a]].name, path_of(given, files[a]));
    }
  }
  return OVK_OK;
}

ovk_err solve_options_read(ovk_ctx *ctx, const args *given, solve_options *out)
{
  *out = (solve_options){.precond = args_text(given, PRECOND),
                         .opts = OVK_SOLVER_OPTS,
                         .monitor = args_has(given, MONITOR),
                         .precond_view = args_has(given, PRECOND_VIEW),
                         .fingerprints = args_has(given, FINGERPRINTS),
                         .history = args_text(given, HISTORY),
                         .solution = args_text(given, SOLUTION),
                         .json = args_text(given, JSON)};
  TRY(problem_options_read(ctx, given, &out->problem));
  out->opts.method = args_text(given, METHOD);
  out->opts.backend = args_text(given, BACKEND);
  out->opts.exact = args_text(given, EXACT);
  const bool all =
      out->opts.exact && strcmp(out->opts.exact, "all") == 0; /* which refuses "auto" */
  if (all && !args_has(given, PRECOND)) out->precond = "jacobi";
  out->opts.true_residual_every = out->history ? 1 : 0;
  out->opts.spd = args_has(given, SPD);
  out->opts.symmetric = args_has(given, SYMMETRIC);
  out->opts.norm = (ovk_norm)args_word(given, NORM);
  out->opts.null_constant = args_has(given, NULLSPACE);
  args_real(given, RTOL, &out->opts.rtol);
  args_real(given, ATOL, &out->opts.atol);
  args_int(given, MAXIT, &out->opts.maxit);
  args_int(given, COLUMNS, &out->columns);
  args_int(given, GUESSES, &out->opts.guesses);
  args_int(given, REPEAT, &out->repeat);
  return tool_agree(ctx, ovk_ctx_rank(ctx) == 0 ? check_files(ctx, given) : OVK_OK);
}
