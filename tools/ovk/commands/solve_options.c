/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of `ovk solve`: their table and their values. */
#include "commands/solve_options.h"
#include "measure.h"
#include "problem/problem_options.h"
#include "tool.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>

enum {
  METHOD = PROBLEM_OPTIONS,
  PRECOND,
  BACKEND,
  NORM,
  NULLSPACE,
  SPD,
  SYMMETRIC,
  RTOL,
  ATOL,
  MAXIT,
  REPEAT,
  MONITOR,
  HISTORY,
  SOLUTION,
  JSON
};

const option solve_option_table[] = {
    PROBLEM_OPTION_ROWS,
    [METHOD] = {"--method", 1, "NAME", "see `ovk list methods` (default: $OVK_METHOD)"},
    [PRECOND] = {"--precond", 1, "SPEC", "see `ovk list preconds` (default: jacobi)"},
    [BACKEND] = {"--backend", 1, "SPEC", "see `ovk list backends` (default: $OVK_BACKEND)"},
    [NORM] = {"--norm", 1, "NAME",
              "of residuals: unpreconditioned (default), preconditioned or natural"},
    [NULLSPACE] = {"--nullspace", 1, "constant", "of a singular matrix: the constant vectors"},
    [SPD] = {"--spd", 0, "", "A is positive definite: `auto` need not look at its values"},
    [SYMMETRIC] = {"--symmetric", 0, "", "A is symmetric: `auto` looks at its diagonal only"},
    [RTOL] = {"--rtol", 1, "R", "stop at ||b - A x|| <= R ||b|| (default: 1e-8)"},
    [ATOL] = {"--atol", 1, "A", "or at ||b - A x|| <= A (default: 0)"},
    [MAXIT] = {"--maxit", 1, "K", "most iterations (default: 10000)"},
    [REPEAT] = {"--repeat", 1, "N", "one warm-up, then N solves; times are medians"},
    [MONITOR] = {"--monitor", 0, "", "print a line an iteration"},
    [HISTORY] = {"--history", 1, "FILE.csv",
                 "write the residuals of every iteration; the true one costs a product each"},
    [SOLUTION] = {"--solution", 1, "FILE.mtx", "write x"},
    [JSON] = {"--json", 1, "FILE|-", "write the result as JSON; -: on standard output, no table"},
    {0},
};

const char *norm_name(ovk_norm norm)
{
  static const char *const names[] = {[OVK_NORM_UNPRECONDITIONED] = "unpreconditioned",
                                      [OVK_NORM_PRECONDITIONED] = "preconditioned",
                                      [OVK_NORM_NATURAL] = "natural"};
  return names[norm];
}

static ovk_err read_norm(ovk_ctx *ctx, const args *given, ovk_norm *out)
{
  enum { NORMS = OVK_NORM_NATURAL + 1 };
  const char *names[NORMS], *text = args_text(given, NORM, norm_name(OVK_NORM_UNPRECONDITIONED));
  for (int k = 0; k < NORMS; k++) {
    names[k] = norm_name((ovk_norm)k);
    *out = (ovk_norm)k;
    if (strcmp(text, names[k]) == 0) return OVK_OK;
  }
  const char *meant = ovk_closest(text, names, NORMS);
  return ovk_ctx_fail(ctx, OVK_ERR_UNKNOWN,
                      "--norm: '%s' is none of unpreconditioned, preconditioned, natural%s%s%s",
                      text, meant ? "; did you mean '" : "", meant ? meant : "", meant ? "'?" : "");
}

static ovk_err read_nullspace(ovk_ctx *ctx, const args *given, bool *constant)
{
  const char *text = args_text(given, NULLSPACE, NULL);
  *constant = text != NULL;
  if (!text || strcmp(text, "constant") == 0) return OVK_OK;
  return ovk_ctx_fail(ctx, OVK_ERR_UNKNOWN, "--nullspace: '%s' is not constant", text);
}

/* The file that an option names, or NULL. */
static const char *path_of(const args *given, int which)
{
  const char *path = args_text(given, which, NULL);
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
                          given->options[files[b]].name, args_text(given, files[b], ""),
                          given->options[files[a]].name, args_text(given, files[a], ""));
    }
  }
  return OVK_OK;
}

ovk_err solve_options_read(ovk_ctx *ctx, const args *given, solve_options *out)
{
  *out = (solve_options){.precond = args_text(given, PRECOND, "jacobi"),
                         .pcg = OVK_SOLVER_OPTS,
                         .monitor = args_has(given, MONITOR),
                         .history = args_text(given, HISTORY, NULL),
                         .solution = args_text(given, SOLUTION, NULL),
                         .json = args_text(given, JSON, NULL)};
  TRY(problem_options_read(ctx, given, &out->problem));
  out->pcg.method = args_text(given, METHOD, NULL);
  out->pcg.backend = args_text(given, BACKEND, NULL);
  out->pcg.true_residual_every = out->history ? 1 : 0;
  out->pcg.spd = args_has(given, SPD);
  out->pcg.symmetric = args_has(given, SYMMETRIC);
  TRY(read_norm(ctx, given, &out->pcg.norm));
  TRY(read_nullspace(ctx, given, &out->pcg.null_constant));
  TRY(args_real(ctx, given, RTOL, &out->pcg.rtol));
  TRY(args_real(ctx, given, ATOL, &out->pcg.atol));
  TRY(args_int(ctx, given, MAXIT, 0, INT_MAX, &out->pcg.maxit));
  TRY(args_int(ctx, given, REPEAT, 1, MAX_REPEAT, &out->repeat));
  return tool_agree(ctx, ovk_ctx_rank(ctx) == 0 ? check_files(ctx, given) : OVK_OK);
}
