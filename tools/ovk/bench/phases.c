/* SPDX-License-Identifier: BSD-2-Clause */
/* `ovk bench phases`: the time of a solve by operation, and by waiting and computing. */
#include "bench/bench.h"
#include "bench/support/diag_scale.h"
#include "bench/support/table.h"
#include "bench/support/textbook.h"

#include <stdio.h>
#include <string.h>

enum { PRECOND = PROBLEM_OPTIONS, METHODS, BACKENDS, ROUNDS, JSON };

static const option options[] = {
    PROBLEM_OPTION_ROWS,
    [PRECOND] =
        OPTION_TEXT("--precond", "SPEC", "jacobi", "preconditioner; see `ovk list preconds`"),
    [METHODS] =
        OPTION_TEXT("--methods", "A,B,C", NULL, "methods to break up; default: all but auto"),
    [BACKENDS] = OPTION_TEXT("--backends", "A,B,C", NULL,
                             "backends of the reductions; default: all that work here"),
    [ROUNDS] = TABLE_ROUNDS_OPTION("5"),
    [JSON] = TABLE_JSON_OPTION,
    {0},
};

static const char definitions[] =
    "Solves a problem, by default --laplace27 40 40 40, to 1e-8, all programs in turn in each\n"
    "round. It must be symmetric and positive definite.\n"
    "After Kandalla et al., non-blocking allreduce with collective offload (2012).\n"
    "Operations (table I): cg, split-cg and overlap as printed in figures 3, 6 and 7, with one\n"
    "call of the public interface for each operation, followed by a reading of the clock.\n"
    "Microseconds an iteration, of the slowest rank:\n"
    "  product   ovk_mat_mult, with its halo exchange\n"
    "  sdotp     ovk_vec_local_dot and the reduction, begin and wait; gamma, iprod: likewise.\n"
    "            In overlap others are between begin and wait, as in the paper\n"
    "  precond   ovk_precond_apply; in the others ovk_precond_apply_left and _right\n"
    "  axpy      three times ovk_vec_axpy\n"
    "  scaling   a loop over p, as p = z + beta p is a scaling and an axpy in the paper; none in\n"
    "            overlap, which has p_prev\n"
    "  inner     sdotp, gamma and iprod; sum: all operations\n"
    "With --precond jacobi also cg with the DiagScale of figure 4 of the paper, named\n"
    "cg/DiagScale: it divides by entries found through the row pointers of a CSR matrix.\n"
    "The methods of the library fuse several of these operations in one sweep, so they cannot be\n"
    "split this way. Compare sum with their solve.\n"
    "Break-up (figure 11): the solve of each method, by ovk_result.seconds:\n"
    "  solve     microseconds an iteration of the slowest rank, with the SpMVs at the start and "
    "at\n"
    "            the end\n"
    "  waitall   waiting for the halo, in per cent of the solve; this and the others are averages\n"
    "            over ranks\n"
    "  allreduce begin and wait of reductions, with the waiting for slower ranks\n"
    "  compute   the rest\n"
    "On one node a reduction takes about a microsecond: the table shows the cost of methods that\n"
    "overlap reductions, but not their gain. For that, emulate latency:\n"
    "--backends \"emulate-latency:us=200|shm\".\n";

typedef struct bench {
  testbed bed;
  words methods, backends;
  ovk_precond *diag_scale; /* NULL: not measured */
} bench;

typedef enum operations_figure {
  INNER = TEXTBOOK_OPERATIONS, /* indices below it: the operations themselves */
  SUM,
  OPERATIONS_ITERATIONS,
  OPERATIONS_FIGURES
} operations_figure;

static const column operations_columns[OPERATIONS_FIGURES] = {
    [TEXTBOOK_PRODUCT] = {"product", "product_us", "product_min_us", 1e6, 2},
    [TEXTBOOK_SDOTP] = {"sdotp", "sdotp_us", "sdotp_min_us", 1e6, 2},
    [TEXTBOOK_GAMMA] = {"gamma", "gamma_us", "gamma_min_us", 1e6, 2},
    [TEXTBOOK_IPROD] = {"iprod", "iprod_us", "iprod_min_us", 1e6, 2},
    [TEXTBOOK_PRECOND] = {"precond", "precond_us", "precond_min_us", 1e6, 2},
    [TEXTBOOK_AXPY] = {"axpy", "axpy_us", "axpy_min_us", 1e6, 2},
    [TEXTBOOK_SCALING] = {"scaling", "scaling_us", "scaling_min_us", 1e6, 2},
    [INNER] = {"inner", "inner_us", "inner_min_us", 1e6, 2},
    [SUM] = {"sum", "sum_us", "sum_min_us", 1e6, 2},
    [OPERATIONS_ITERATIONS] = {"iterations", "iterations", NULL, 1, 0},
};

typedef enum breakup_figure {
  SOLVE,
  WAITALL,
  ALLREDUCE,
  COMPUTE,
  BREAKUP_ITERATIONS,
  BREAKUP_FIGURES
} breakup_figure;

static const column breakup_columns[BREAKUP_FIGURES] = {
    [SOLVE] = {"solve us", "solve_us", "solve_min_us", 1e6, 2},
    [WAITALL] = {"waitall %", "waitall_pct", NULL, 100, 2},
    [ALLREDUCE] = {"allreduce %", "allreduce_pct", NULL, 100, 2},
    [COMPUTE] = {"compute %", "compute_pct", NULL, 100, 2},
    [BREAKUP_ITERATIONS] = {"iterations", "iterations", NULL, 1, 0},
};

static const char *const algorithms[] = {"cg", "split-cg", "overlap", "cg/DiagScale"};
enum { DIAG_SCALE = 3 }; /* the last one, which other preconditioners omit */
static const textbook_algorithm printed[] = {TEXTBOOK_CG, TEXTBOOK_SPLIT_CG, TEXTBOOK_OVERLAP,
                                             TEXTBOOK_CG};

static ovk_err measure_operations(void *arg, int which, double *figures)
{
  bench *b = arg;
  const int nbackends = b->backends.n;
  const int algorithm = which / nbackends;
  testbed bed = b->bed;
  if (algorithm == DIAG_SCALE) bed.M = b->diag_scale;
  textbook *u = NULL;
  int iterations = 1;
  ovk_err err = textbook_create(&bed, b->backends.at[which % nbackends], &u);
  if (!err) err = textbook_solve(u, printed[algorithm], figures, &iterations);
  textbook_destroy(&u);
  TRY(err);
  figures[INNER] = figures[TEXTBOOK_SDOTP] + figures[TEXTBOOK_GAMMA] + figures[TEXTBOOK_IPROD];
  figures[SUM] = 0;
  for (int k = 0; k < TEXTBOOK_OPERATIONS; k++) figures[SUM] += figures[k];
  for (int k = 0; k <= SUM; k++) figures[k] /= iterations;
  figures[OPERATIONS_ITERATIONS] = iterations;
  return tool_greatest(b->bed.ctx, figures, OPERATIONS_FIGURES);
}

static ovk_err measure_breakup(void *arg, int which, double *figures)
{
  bench *b = arg;
  ovk_ctx *ctx = b->bed.ctx;
  const char *method = b->methods.at[which / b->backends.n];
  const char *backend = b->backends.at[which % b->backends.n];
  ovk_result result = OVK_RESULT;
  TRY(testbed_solve(&b->bed, method, backend, 1, &result, &figures[SOLVE]));
  figures[SOLVE] /= result.iterations;
  figures[BREAKUP_ITERATIONS] = result.iterations;
  const ovk_seconds *s = &result.seconds;
  const double whole = s->solve * ovk_ctx_size(ctx);
  figures[WAITALL] = s->halo_wait / whole;
  figures[ALLREDUCE] = (s->reduction_begin + s->reduction_wait) / whole;
  TRY(tool_mpi(
      ctx, MPI_Allreduce(MPI_IN_PLACE, &figures[WAITALL], 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD),
      "MPI_Allreduce"));
  figures[COMPUTE] = 1 - figures[WAITALL] - figures[ALLREDUCE];
  return OVK_OK;
}

/* One row for each method with each backend. */
static void name_rows(const char *const *methods, const words *backends, const char *precond,
                      table *t)
{
  for (int which = 0; which < t->nrows; which++) {
    row *r = &t->rows[which];
    const char *method = methods[which / backends->n], *backend = backends->at[which % backends->n];
    snprintf(r->name, sizeof r->name, "%-20s  %s", method, backend);
    row_add_text(r, "method", method);
    row_add_text(r, "backend", backend);
    row_add_text(r, "precond", precond);
  }
}

static ovk_err measure_and_report(ovk_ctx *ctx, const args *given, bench *b, table *operations,
                                  table *breakup)
{
  static const int n[3] = {40, 40, 40};
  const int rounds = args_integer(given, ROUNDS);
  TRY(list_methods(ctx, given, METHODS, NULL, &b->methods));
  TRY(list_backends(ctx, given, BACKENDS, &b->backends));
  TRY(testbed_create(ctx, given, n, &b->bed));
  const char *precond = args_text(given, PRECOND);
  TRY(testbed_precondition(&b->bed, precond));
  TRY(testbed_check(&b->bed, &b->methods, &b->backends));
  const bool jacobi = strcmp(precond, "jacobi") == 0;
  if (jacobi) TRY(diag_scale_create(b->bed.problem.A, &b->diag_scale));
  TRY(table_create(ctx, (jacobi ? DIAG_SCALE + 1 : DIAG_SCALE) * b->backends.n, rounds,
                   operations));
  TRY(table_create(ctx, b->methods.n * b->backends.n, rounds, breakup));
  name_rows(algorithms, &b->backends, precond, operations);
  name_rows(b->methods.at, &b->backends, precond, breakup);
  snprintf(operations->title, sizeof operations->title, "operations, us an iteration; %s, %s",
           problem_text(&b->bed.problem), precond);
  snprintf(breakup->title, sizeof breakup->title, "break-up of the library's methods");
  table *const both[] = {operations, breakup};
  return tables_run(ctx, args_text(given, JSON), both, 2);
}

static ovk_err phases_run(ovk_ctx *ctx, const args *given)
{
  bench b = {0};
  table operations = {.key = "operations",
                      .columns = operations_columns,
                      .ncolumns = OPERATIONS_FIGURES,
                      .measure = measure_operations,
                      .arg = &b};
  table breakup = {.key = "breakup",
                   .columns = breakup_columns,
                   .ncolumns = BREAKUP_FIGURES,
                   .measure = measure_breakup,
                   .arg = &b};
  const ovk_err err = measure_and_report(ctx, given, &b, &operations, &breakup);
  ovk_precond_destroy(&b.diag_scale);
  testbed_destroy(&b.bed);
  table_destroy(&operations);
  table_destroy(&breakup);
  return err;
}

const command bench_phases = {
    .name = "phases",
    .usage = "[OPTIONS]",
    .summary = "where the time of a solve goes: by operation, and waiting or computing",
    .notes = definitions,
    .options = options,
    .run = phases_run,
};
