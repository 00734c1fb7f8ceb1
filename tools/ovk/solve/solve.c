/* SPDX-License-Identifier: BSD-2-Clause */
/* `ovk solve`: sets up a system, solves it and reports the result. */
#include "commands/commands.h"
#include "measure.h"
#include "output.h"
#include "solve/columns.h"
#include "solve/solve_options.h"
#include "solve/solve_report.h"
#include "tool.h"

#include <string.h>
#include <unistd.h>

/* Everything that a solve needs, freed together. */
typedef struct job {
  solve_options options;
  problem problem;
  ovk_precond *M;
  double precond_setup; /* seconds, the maximum over the ranks */
  ovk_vec *x;
  columns columns; /* with --columns, or a file of several */
  ovk_solver *solver;
  output json, history;
  watch watch;
  record record; /* on rank 0, if fingerprints were asked for */
  ovk_result result;
  fingerprint fingerprint;
} job;

/* The display of rank 0 during the solve. Standard output is reserved for the JSON if that is
 * written there. */
static watch choose_watch(job *j)
{
  FILE *lines = output_is_stdout(&j->json) ? stderr : stdout;
  const bool monitor = j->options.monitor;
  return (watch){.lines = monitor ? lines : NULL,
                 .history = j->history.file,
                 .record = j->options.fingerprints ? &j->record : NULL,
                 .progress = !monitor && isatty(STDERR_FILENO)};
}

static ovk_err set_up(ovk_ctx *ctx, job *j)
{
  const solve_options *o = &j->options;
  TRY(output_check(ctx, o->solution)); /* fail now rather than after the solve */
  TRY(output_check(ctx, o->history));
  TRY(output_check(ctx, o->json));
  TRY(problem_create(ctx, &o->problem, &j->problem));
  TRY(ovk_mat_create_vec(j->problem.A, &j->x));
  TRY(ovk_precond_create(j->problem.A, o->precond, &j->M));
  ovk_solver_opts opts = o->opts;
  TRY(columns_create(&j->problem, o->columns, &j->columns));
  const bool watched = !j->columns.count || o->monitor || o->history || o->fingerprints;
  opts.monitor = watched ? watch_iteration : NULL; /* with one, columns are not solved at once */
  opts.monitor_arg = &j->watch;
  TRY(ovk_solver_create(j->problem.A, j->M, &opts, &j->solver)); /* which may make factors */
  j->precond_setup = ovk_log_seconds(ctx, OVK_EVENT_PRECOND_SETUP);
  TRY(tool_greatest(ctx, &j->precond_setup, 1));
  TRY(output_open(ctx, o->json, &j->json));
  TRY(output_open_in_place(ctx, o->history, &j->history));
  if (j->history.file) watch_head_history(j->history.file);
  if (ovk_ctx_rank(ctx) == 0) j->watch = choose_watch(j);
  return OVK_OK;
}

static bool prints_fingerprints(const job *j)
{
  return j->options.fingerprints || j->result.fingerprint;
}

/* The rows of a Laplacian without boundary conditions sum to 0. */
static bool has_zero_product(const job *j)
{
  return j->result.reason == OVK_REASON_CONVERGED_ZERO_RHS &&
         strcmp(j->options.problem.rhs, "Aones") == 0;
}

/* On rank 0. */
static void write_report(const ovk_ctx *ctx, const job *j)
{
  const report r = {.problem = &j->problem,
                    .solver = j->solver,
                    .precond = j->options.precond,
                    .M = j->M,
                    .precond_view = j->options.precond_view,
                    .precond_setup = j->precond_setup,
                    .norm = norm_name(j->options.opts.norm),
                    .nullspace = j->options.opts.null_constant,
                    .rtol = j->options.opts.rtol,
                    .atol = j->options.opts.atol,
                    .message = j->result.reason > 0 ? "" : ovk_ctx_error(ctx),
                    .repeat = j->options.repeat,
                    .fingerprint = prints_fingerprints(j) ? &j->fingerprint : NULL,
                    .record = j->options.fingerprints ? &j->record : NULL,
                    .columns = &j->columns,
                    .result = &j->result};
  if (!output_is_stdout(&j->json)) report_table(stdout, &r);
  if (j->json.file) report_json(j->json.file, &r);
  fflush(stdout);
  if (has_zero_product(j)) {
    fputs("ovk: b = A ones is 0, so constants are in the null space of A: try --rhs random "
          "--nullspace constant\n",
          stderr);
  }
  if (j->result.reason > 0) return;
  fprintf(stderr, "ovk: %s\n", ovk_ctx_error(ctx));
}

static ovk_err solve_system(void *self, ovk_result *result)
{
  job *j = self;
  if (j->columns.count) return columns_solve(j->solver, &j->columns, result);
  TRY(ovk_vec_fill(j->x, 0));
  return ovk_solver_solve(j->solver, j->problem.b, j->x, result);
}

static ovk_err write_solution(const job *j)
{
  const char *path = j->options.solution;
  if (!path) return OVK_OK;
  return j->columns.count ? ovk_multivec_write_mm(j->columns.x, path)
                          : ovk_vec_write_mm(j->x, path);
}

static ovk_err solve_and_report(ovk_ctx *ctx, job *j)
{
  TRY(measure_solve(ctx, solve_system, j, j->options.repeat, &j->watch, &j->result));
  if (j->columns.count) TRY(columns_first(&j->columns, j->x));
  j->fingerprint.sums = j->result.fingerprint;
  if (prints_fingerprints(j)) {
    TRY(tool_got_memory(ctx, !j->record.failed));
    TRY(fingerprint_system(j->problem.A, j->problem.b, j->x, &j->fingerprint));
  }
  if (ovk_ctx_rank(ctx) == 0) write_report(ctx, j);
  TRY(problem_restore(&j->problem, j->x, j->columns.x));
  TRY(write_solution(j));
  TRY(output_close(ctx, &j->history));
  return output_close(ctx, &j->json);
}

static void tear_down(job *j)
{
  ovk_solver_destroy(&j->solver);
  ovk_precond_destroy(&j->M);
  ovk_vec_destroy(&j->x);
  columns_destroy(&j->columns);
  problem_destroy(&j->problem);
  record_free(&j->record);
  output_discard(&j->history);
  output_discard(&j->json);
}

static ovk_err solve_run(ovk_ctx *ctx, const args *given, int *status)
{
  job j = {.result = OVK_RESULT};
  TRY(solve_options_read(ctx, given, &j.options));
  ovk_err err = set_up(ctx, &j);
  if (!err) err = solve_and_report(ctx, &j);
  *status = j.result.reason > 0 ? STATUS_CONVERGED : STATUS_NOT_CONVERGED;
  tear_down(&j);
  return err;
}

const command solve_command = {
    .name = "solve",
    .usage = "(FILE.mtx | --laplace27 NX NY NZ | ...) [OPTIONS]",
    .summary = "solve one system and report iterations, residuals and times",
    .options = solve_option_table,
    .words = 1,
    .judge = solve_run,
};
