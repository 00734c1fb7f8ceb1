/* SPDX-License-Identifier: BSD-2-Clause */
/* The command line of all drivers: the options of `ovk solve`, and --product. */
#include "options.h"

#include <stdlib.h>
#include <string.h>

const char options_help[] =
    "PROBLEM [OPTIONS]\n"
    "problems, sizes are points of a rank:\n"
    "  --laplace27 NX NY NZ    27 points, constant, as `ovk solve --laplace27`\n"
    "  --laplace7 NX NY NZ     7 points, as `ovk solve --laplace7`\n"
    "  --varsym27 NX NY NZ     27 points, variable coefficients\n"
    "  --irregular27 NX NY NZ  the same without 30 % of the edges, rows shuffled\n"
    "  --aniso7 NX NY NZ       7 points, 100 times as strong in x\n"
    "  --jumps7 NX NY NZ       7 points, coefficients of points are 1 or 1e6 at random\n"
    "  --cubes7 NX NY NZ       7 points, coefficients of cubes of 8^3 points are 1 or 1e6 at "
    "random\n"
    "  --graph27 NX NY NZ      Laplacian of a random graph of neighbors, shifted by 1e-3, rows "
    "shuffled\n"
    "  --elasticity NX NY NZ   trilinear elements, 3 unknowns a point, a soft ball in the middle\n"
    "  --convdiff7 NX NY NZ    7 points, unsymmetric: solves need --method\n"
    "  --matrix FILE.mtx       a matrix in Matrix Market format\n"
    "options:\n"
    "  --rhs NAME              ones (default), Aones (default with --matrix), random\n"
    "  --method, --backend, --format NAME   what the library calls so\n"
    "  --precond NAME          jacobi (default), ilu, chebyshev, ...: see docs/benchmarks.md\n"
    "  --rtol R                stop at ||b - A x|| <= R ||b|| (default: 1e-8)\n"
    "  --maxit K               most iterations (default: 10000)\n"
    "  --repeat N              timed runs, of which the median is reported (default: 1)\n"
    "  --product N             a run is N products A x instead of a solve\n"
    "  --apply N               a run is N applications of the preconditioner\n"
    "  --steps N               a run is N steps: new values, an update, a solve\n"
    "  --columns K             solve for K right-hand sides at once: --rhs, and random ones\n"
    "  --json FILE|-           write the result as JSON\n";

static bool take_text(char ***words, const char *name, const char **out)
{
  char **w = *words;
  if (strcmp(w[0], name) != 0 || !w[1]) return false;
  *out = w[1];
  *words += 2;
  return true;
}

static bool read_int(const char *word, int *out)
{
  char *end = NULL;
  const long value = word ? strtol(word, &end, 10) : 0;
  if (value < 1 || value > 100000000 || *end) return false;
  *out = (int)value;
  return true;
}

static bool take_int(char ***words, const char *name, int *out)
{
  if (strcmp(**words, name) != 0 || !read_int((*words)[1], out)) return false;
  *words += 2;
  return true;
}

static bool take_real(char ***words, const char *name, double *out)
{
  char **w = *words, *end = NULL;
  if (strcmp(w[0], name) != 0 || !w[1]) return false;
  *out = strtod(w[1], &end);
  if (end == w[1] || *end || !(*out >= 0)) return false;
  *words += 2;
  return true;
}

static bool take_model(char ***words, options *o)
{
  char **w = *words;
  const box_kind *kind = strncmp(w[0], "--", 2) == 0 ? box_find(w[0] + 2) : NULL;
  if (!kind) return false;
  for (int d = 0; d < 3; d++) {
    if (!read_int(w[1 + d], &o->n[d])) return false;
  }
  o->kind = kind;
  *words += 4;
  return true;
}

static bool take_word(char ***words, options *o)
{
  return take_model(words, o) || take_text(words, "--matrix", &o->path) ||
         take_text(words, "--rhs", &o->rhs) || take_text(words, "--method", &o->method) ||
         take_text(words, "--precond", &o->precond) ||
         take_int(words, "--apply", &o->applications) || take_int(words, "--steps", &o->steps) ||
         take_int(words, "--columns", &o->columns) || take_text(words, "--backend", &o->backend) ||
         take_text(words, "--format", &o->format) || take_real(words, "--rtol", &o->rtol) ||
         take_int(words, "--maxit", &o->maxit) || take_int(words, "--repeat", &o->repeat) ||
         take_int(words, "--product", &o->products) || take_text(words, "--json", &o->json);
}

static bool is_rhs(const char *name)
{
  return strcmp(name, "ones") == 0 || strcmp(name, "Aones") == 0 || strcmp(name, "random") == 0;
}

bool options_read(char **words, options *out, const char **fault)
{
  *out = (options){.rtol = 1e-8, .maxit = 10000, .repeat = 1, .precond = "jacobi"};
  *fault = NULL;
  while (*words) {
    if (take_word(&words, out)) continue;
    *fault = *words;
    return false;
  }
  if (!out->rhs) out->rhs = out->kind ? "ones" : "Aones";
  if (!is_rhs(out->rhs)) *fault = out->rhs;
  if (out->products && out->applications) *fault = "--apply";
  if (out->steps && (out->products || out->applications)) *fault = "--steps";
  if (out->columns && (out->steps || out->products || out->applications)) *fault = "--columns";
  return !*fault && !out->kind != !out->path;
}

int options_unknowns(const options *o)
{
  return o->kind ? o->kind->unknowns : 1;
}
