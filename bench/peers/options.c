/* SPDX-License-Identifier: BSD-2-Clause */
/* The command line of all drivers: the options of `ovk solve`, and --product. */
#include "options.h"
#include "cli/args.h"
#include "cli/help.h"

#include <string.h>

enum { MOST = 100000000 };

#define BOX(name, help) OPTION_INTEGERS("--" name, 3, "NX NY NZ", 1, MOST, NULL, help)
#define COUNT(name, help) OPTION_INTEGER(name, "N", 1, MOST, NULL, help)

/* The model problems are first; sizes are points of a rank. */
enum { KINDS = 10 };
enum {
  MATRIX = KINDS,
  RHS,
  METHOD,
  BACKEND,
  FORMAT,
  PRECOND,
  RTOL,
  MAXIT,
  REPEAT,
  PRODUCT,
  APPLY,
  STEPS,
  COLUMNS,
  JSON
};

static const option known[] = {
    BOX("laplace27", "27 points, constant, as `ovk solve --laplace27`"),
    BOX("laplace7", "7 points, as `ovk solve --laplace7`"),
    BOX("varsym27", "27 points, variable coefficients"),
    BOX("irregular27", "the same without 30 % of the edges, rows shuffled"),
    BOX("aniso7", "7 points, 100 times as strong in x"),
    BOX("jumps7", "7 points, coefficients of points are 1 or 1e6 at random"),
    BOX("cubes7", "7 points, coefficients of cubes of 8^3 points are 1 or 1e6 at random"),
    BOX("graph27", "Laplacian of a random graph of neighbors, shifted by 1e-3, rows shuffled"),
    BOX("elasticity", "trilinear elements, 3 unknowns a point, a soft ball in the middle"),
    BOX("convdiff7", "7 points, unsymmetric: solves need --method"),
    [MATRIX] = OPTION_TEXT("--matrix", "FILE.mtx", NULL, "a matrix in Matrix Market format"),
    [RHS] = OPTION_WORD("--rhs", NULL, "right-hand side; default ones, Aones with --matrix", "ones",
                        "Aones", "random"),
    [METHOD] = OPTION_TEXT("--method", "NAME", NULL, "what the library calls so"),
    [BACKEND] = OPTION_TEXT("--backend", "NAME", NULL, "what the library calls so"),
    [FORMAT] = OPTION_TEXT("--format", "NAME", NULL, "what the library calls so"),
    [PRECOND] =
        OPTION_TEXT("--precond", "NAME", "jacobi", "ilu, chebyshev, ...: see docs/benchmarks.md"),
    [RTOL] = OPTION_REAL("--rtol", "R", 0, HUGE_VAL, "1e-8", "stop at ||b - A x|| <= R ||b||"),
    [MAXIT] = OPTION_INTEGER("--maxit", "K", 1, MOST, "10000", "most iterations"),
    [REPEAT] = OPTION_INTEGER("--repeat", "N", 1, MOST, "1",
                              "timed runs, of which the median is reported"),
    [PRODUCT] = COUNT("--product", "a run is N products A x instead of a solve"),
    [APPLY] = COUNT("--apply", "a run is N applications of the preconditioner"),
    [STEPS] = COUNT("--steps", "a run is N steps: new values, an update, a solve"),
    [COLUMNS] = COUNT("--columns", "solve for N right-hand sides at once: --rhs, and random ones"),
    [JSON] = OPTION_TEXT("--json", "FILE|-", NULL, "write the result as JSON"),
    {0}};

void options_print(FILE *file, const char *program)
{
  fprintf(file, "usage: %s PROBLEM [OPTIONS]\n\n", program);
  help_print_options(file, known);
}

static void read_values(const args *given, options *out)
{
  *out = (options){.path = args_text(given, MATRIX),
                   .rhs = args_text(given, RHS),
                   .method = args_text(given, METHOD),
                   .backend = args_text(given, BACKEND),
                   .format = args_text(given, FORMAT),
                   .precond = args_text(given, PRECOND),
                   .json = args_text(given, JSON)};
  args_real(given, RTOL, &out->rtol);
  args_int(given, MAXIT, &out->maxit);
  args_int(given, REPEAT, &out->repeat);
  args_int(given, PRODUCT, &out->products);
  args_int(given, APPLY, &out->applications);
  args_int(given, STEPS, &out->steps);
  args_int(given, COLUMNS, &out->columns);
}

ovk_err options_read(ovk_ctx *ctx, int argc, char **argv, options *out)
{
  args given;
  const ovk_err err = args_parse(ctx, known, 0, argc, argv, &given);
  if (err) return err;
  read_values(&given, out);
  int problems = out->path != NULL;
  for (int k = 0; k < KINDS; k++) {
    if (!args_has(&given, k)) continue;
    problems++;
    out->kind = box_find(known[k].name + strlen("--"));
    args_int(&given, k, out->n);
  }
  if (!out->rhs) out->rhs = out->kind ? "ones" : "Aones";
  out->help = given.help;
  if (out->help) return OVK_OK;
  if (problems != 1)
    return ovk_ctx_fail(ctx, OVK_ERR_ARG, "exactly one problem is needed, %d given", problems);
  if (!!out->products + !!out->applications + !!out->steps + !!out->columns <= 1) return OVK_OK;
  return ovk_ctx_fail(ctx, OVK_ERR_ARG, "a run has one of --product, --apply, --steps, --columns");
}

int options_unknowns(const options *o)
{
  return o->kind ? o->kind->unknowns : 1;
}
