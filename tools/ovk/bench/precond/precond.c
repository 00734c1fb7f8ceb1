/* SPDX-License-Identifier: BSD-2-Clause */
/* `ovk bench precond`: preconditioners on one system, measured alternately. */
#include "bench/bench.h"
#include "bench/precond/application.h"
#include "bench/support/lists.h"
#include "bench/support/table.h"
#include "problem/problem_options.h"

#include <limits.h>
#include <stdio.h>

enum { PRECOND = PROBLEM_OPTIONS, METHOD, RTOL, MAXIT, ITERS, COLUMNS, ROUNDS, JSON };

static const option options[] = {
    PROBLEM_OPTION_ROWS,
    [PRECOND] = OPTION_TEXT("--precond", "A,B,C", NULL,
                            "preconditioners; default: all that this matrix allows"),
    [METHOD] = OPTION_TEXT("--method", "NAME", "cg", "method of the solve"),
    [RTOL] = OPTION_REAL("--rtol", "R", 0, HUGE_VAL, "1e-8", "relative tolerance of the solve"),
    [MAXIT] = OPTION_INTEGER("--maxit", "K", 1, INT_MAX, "10000", "most iterations of the solve"),
    [ITERS] = OPTION_INTEGER("--iters", "N", 1, 1000000, "20", "applications in a round"),
    [COLUMNS] =
        OPTION_INTEGER("--columns", "K", 1, 1024, "8", "columns that are applied to at once"),
    [ROUNDS] = TABLE_ROUNDS_OPTION("5"),
    [JSON] = TABLE_JSON_OPTION,
    {0},
};

static const char definitions[] =
    "The preconditioners take turns in each round. Times are those of the slowest rank:\n"
    "  setup      ovk_precond_create\n"
    "  update     ovk_precond_update, for new values\n"
    "  apply      ovk_precond_apply, z = M^-1 r, a mean over --iters; on several ranks with two\n"
    "             agreements on errors, which methods do not make\n"
    "  column     ovk_precond_apply_many with --columns, the time of one column / apply\n"
    "  left+right ovk_precond_apply_left and _right, if there are factors M = L L^T\n"
    "  held       memory of the preconditioner, all ranks together\n"
    "  of CSR     held / the matrix in compressed rows, of 12 bytes an entry and 8 a row\n"
    "  moved      bytes that one application reads and writes by a model. Factors are read once\n"
    "             (ilu) or twice (ic), the matrix once for each degree (chebyshev). A store to a\n"
    "             vector counts twice, for the line that it reads first\n"
    "  model      the time of moved at the bandwidth that is measured with it, on arrays as large\n"
    "             as moved, up to 96 MB a rank: factors at that of an inner product, vectors at\n"
    "             that of the triad\n"
    "  x model    apply / model: below 1 if caches keep more than the model assumes\n"
    "  iterations, solve   of a solve from x = 0; - if it did not converge\n";

static const column columns[APPLICATION_FIGURES] = {
    [APPLICATION_SETUP] = {"setup ms", "setup_ms", "setup_min_ms", 1e3, 3},
    [APPLICATION_UPDATE] = {"update ms", "update_ms", "update_min_ms", 1e3, 3},
    [APPLICATION_APPLY] = {"apply ms", "apply_ms", "apply_min_ms", 1e3, 4},
    [APPLICATION_COLUMN] = {"column", "column_ratio", NULL, 1, 2},
    [APPLICATION_LEFT_RIGHT] = {"left+right ms", "left_right_ms", "left_right_min_ms", 1e3, 4},
    [APPLICATION_HELD] = {"held MB", "held_mb", NULL, 1e-6, 3},
    [APPLICATION_OF_CSR] = {"of CSR", "held_of_csr", NULL, 1, 2},
    [APPLICATION_TRAFFIC] = {"moved MB", "moved_mb", NULL, 1e-6, 3},
    [APPLICATION_MODEL] = {"model ms", "model_ms", "model_min_ms", 1e3, 4},
    [APPLICATION_RATIO] = {"x model", "times_model", NULL, 1, 2},
    [APPLICATION_ITERATIONS] = {"iterations", "iterations", NULL, 1, 0},
    [APPLICATION_SOLVE] = {"solve ms", "solve_ms", "solve_min_ms", 1e3, 3},
};

typedef struct bench {
  application application;
  words preconds;
} bench;

static ovk_err measure(void *arg, int which, double *figures)
{
  bench *b = arg;
  return application_measure(&b->application, b->preconds.at[which], figures);
}

/* Errors about the matrix, or about a spec that needs keys: not a fault of the machine. */
static bool is_refusal(ovk_err err)
{
  return err == OVK_ERR_ARG || err == OVK_ERR_INDEFINITE || err == OVK_ERR_UNSUPPORTED ||
         err == OVK_ERR_RANGE;
}

/* Tries each: those named must work; built-in ones that do not are omitted. */
static ovk_err choose(ovk_ctx *ctx, ovk_mat *A, const args *given, words *out)
{
  const bool named = args_has(given, PRECOND);
  words all = {0};
  ovk_choice choice = OVK_CHOICE;
  if (named) TRY(list_words(ctx, given, PRECOND, NULL, out));
  for (int k = 0; !named && all.n < LIST_MAX && ovk_list_preconds(ctx, k, &choice); k++)
    all.at[all.n++] = choice.name;
  const words *candidates = named ? out : &all;
  for (int k = 0; k < candidates->n; k++) {
    ovk_precond *trial = NULL;
    const ovk_err err = ovk_precond_create(A, candidates->at[k], &trial);
    ovk_precond_destroy(&trial);
    if (err && (named || !is_refusal(err))) return err;
    if (!named && !err) out->at[out->n++] = candidates->at[k];
  }
  return OVK_OK;
}

static void name_rows(const bench *b, table *t)
{
  for (int which = 0; which < t->nrows; which++) {
    row *r = &t->rows[which];
    snprintf(r->name, sizeof r->name, "%s", b->preconds.at[which]);
    row_add_text(r, "precond", b->preconds.at[which]);
    row_add_text(r, "problem", problem_text(&b->application.problem));
    row_add_text(r, "method", b->application.method);
  }
}

/* All columns are those of the vector. */
static ovk_err create_columns(const args *given, application *a)
{
  const int count = args_integer(given, COLUMNS);
  TRY(ovk_mat_create_multivec(a->problem.A, count, &a->columns_in));
  TRY(ovk_mat_create_multivec(a->problem.A, count, &a->columns_out));
  for (int k = 0; k < count; k++) {
    TRY(ovk_multivec_set(a->columns_in, k, 1, ovk_vec_array(a->in), ovk_vec_local_size(a->in)));
  }
  return OVK_OK;
}

static ovk_err set_up(ovk_ctx *ctx, const args *given, application *a)
{
  problem_request request;
  TRY(problem_options_read(ctx, given, &request));
  a->method = args_text(given, METHOD);
  args_real(given, RTOL, &a->rtol);
  args_int(given, MAXIT, &a->maxit);
  args_int(given, ITERS, &a->times);
  TRY(problem_create(ctx, &request, &a->problem));
  TRY(ovk_mat_create_vec(a->problem.A, &a->in));
  TRY(ovk_mat_create_vec(a->problem.A, &a->out));
  TRY(ovk_mat_create_vec(a->problem.A, &a->x));
  TRY(ovk_vec_fill(a->in, 1));
  return create_columns(given, a);
}

static ovk_err measure_and_report(ovk_ctx *ctx, const args *given, bench *b, table *t)
{
  TRY(set_up(ctx, given, &b->application));
  TRY(choose(ctx, b->application.problem.A, given, &b->preconds));
  TRY(table_create(ctx, b->preconds.n, args_integer(given, ROUNDS), t));
  name_rows(b, t);
  snprintf(t->title, sizeof t->title, "preconditioners, %s; %lld rows, solved by %s",
           problem_text(&b->application.problem), (long long)ovk_mat_size(b->application.problem.A),
           b->application.method);
  return tables_run(ctx, args_text(given, JSON), &t, 1);
}

static ovk_err precond_run(ovk_ctx *ctx, const args *given)
{
  bench b = {.application = {.ctx = ctx}};
  table t = {.columns = columns, .ncolumns = APPLICATION_FIGURES, .measure = measure, .arg = &b};
  const ovk_err err = measure_and_report(ctx, given, &b, &t);
  ovk_vec_destroy(&b.application.in);
  ovk_vec_destroy(&b.application.out);
  ovk_vec_destroy(&b.application.x);
  ovk_multivec_destroy(&b.application.columns_in);
  ovk_multivec_destroy(&b.application.columns_out);
  problem_destroy(&b.application.problem);
  table_destroy(&t);
  return err;
}

const command bench_precond = {
    .name = "precond",
    .usage = "(--laplace27 NX NY NZ | --matrix FILE.mtx | ...) [OPTIONS]",
    .summary = "preconditioners: setup, application against its bytes, time to solution",
    .notes = definitions,
    .options = options,
    .run = precond_run,
};
