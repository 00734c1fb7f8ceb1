/* SPDX-License-Identifier: BSD-2-Clause */
/* The report of a solve: a text table, or JSON. */
#include "solve/solve_report.h"
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* One of the times of a solve. */
typedef struct time_entry {
  const char *key, *label; /* in JSON, in the table */
  double seconds;
} time_entry;

enum { NTIMES = 6 };

static void list_times(const ovk_seconds *s, time_entry times[NTIMES])
{
  times[0] = (time_entry){"spmv", "matrix product", s->mult};
  times[1] = (time_entry){"halo_wait", "halo wait", s->halo_wait};
  times[2] = (time_entry){"precond", "preconditioner", s->precond};
  times[3] = (time_entry){"vector", "vector updates", s->vector};
  times[4] = (time_entry){"reduction_begin", "reduction begin", s->reduction_begin};
  times[5] = (time_entry){"reduction_wait", "reduction wait", s->reduction_wait};
}

/* NaN where no iteration was made. */
static double seconds_per_iteration(const ovk_result *result)
{
  return result->iterations > 0 ? result->seconds.solve / result->iterations : (double)NAN;
}

static void print_system(FILE *file, const report *r)
{
  const ovk_mat *A = r->problem->A;
  fprintf(file, "problem            %s\n", problem_text(r->problem));
  fprintf(file, "ranks              %d\n", ovk_ctx_size(ovk_mat_ctx(A)));
  fprintf(file, "rows               %" PRId64 "\n", ovk_mat_size(A));
  fprintf(file, "nonzeros           %" PRId64 "\n", ovk_mat_nnz(A));
  fprintf(file, "format             %s, %.3f MB%s\n", ovk_mat_format(A),
          1e-6 * (double)ovk_mat_bytes(A),
          ovk_mat_order(A) ? ", rows in reverse Cuthill-McKee order" : "");
}

static void print_outcome(FILE *file, const report *r)
{
  const ovk_result *result = r->result;
  const char *why = ovk_solver_method_why(r->solver), *info = ovk_precond_info(r->M);
  fprintf(file, "method             %s\n", why[0] ? why : ovk_solver_method(r->solver));
  fprintf(file, "preconditioner     %s, %.3f MB%s%s\n", r->precond,
          1e-6 * (double)ovk_precond_bytes(r->M), info[0] ? ", " : "", info);
  if (r->precond_view) ovk_precond_view(r->M, file);
  fprintf(file, "reductions         %s, %d an iteration\n", ovk_solver_backend(r->solver),
          result->reductions_per_iteration);
  fprintf(file, "iterations         %d\n", result->iterations);
  if (result->replacements || result->method_changes) {
    fprintf(file, "replacements       %d, method changes %d\n", result->replacements,
            result->method_changes);
  }
  fprintf(file, "reason             %s\n", ovk_reason_text(result->reason));
  fprintf(file, "relative residual  %.3e recursive", result->relative_residual);
  if (strcmp(r->norm, "unpreconditioned") != 0) fprintf(file, " in the %s norm", r->norm);
  fprintf(file, ", %.3e true\n", result->true_relative_residual);
  if (r->nullspace) {
    fprintf(file, "null space         %.3e of the right-hand side\n", result->rhs_null_part);
  }
}

static void print_fingerprint(FILE *file, const fingerprint *f)
{
  if (!f) return;
  fprintf(file, "fingerprint        A=%016" PRIx64 " b=%016" PRIx64, f->A, f->b);
  if (f->sums) fprintf(file, " sums=%016" PRIx64, f->sums);
  fprintf(file, " x=%016" PRIx64 "\n", f->x);
}

static void print_seconds(FILE *file, const report *r)
{
  const ovk_seconds *s = &r->result->seconds;
  const double each = seconds_per_iteration(r->result);
  time_entry times[NTIMES];
  list_times(s, times);
  fprintf(file, "\nseconds            greatest of all ranks");
  if (r->repeat > 0) fprintf(file, ", median of %d solves", r->repeat);
  fprintf(file, "\n  assemble         %10.6f\n  precond. setup   %10.6f\n", r->problem->seconds,
          r->precond_setup);
  fprintf(file, "  solve            %10.6f\n", s->solve);
  if (!isnan(each)) fprintf(file, "  per iteration    %10.6f\n", each);
  for (const time_entry *t = times; t < times + NTIMES; t++) {
    fprintf(file, "  %-16s %10.6f %5.1f %%\n", t->label, t->seconds,
            s->solve > 0 ? 100 * t->seconds / s->solve : 0);
  }
}

void report_table(FILE *file, const report *r)
{
  print_system(file, r);
  print_outcome(file, r);
  print_fingerprint(file, r->fingerprint);
  columns_print(file, r->columns);
  print_seconds(file, r);
}

static void write_seconds(json *out, const report *r)
{
  time_entry times[NTIMES];
  list_times(&r->result->seconds, times);
  json_open(out, "seconds", '{');
  json_real(out, "assemble", r->problem->seconds);
  json_real(out, "precond_setup", r->precond_setup);
  json_real(out, "solve", r->result->seconds.solve);
  json_real(out, "per_iteration", seconds_per_iteration(r->result));
  for (const time_entry *t = times; t < times + NTIMES; t++) json_real(out, t->key, t->seconds);
  json_close(out, '}');
}

static void write_hash(json *out, const char *key, uint64_t hash)
{
  char digits[17];
  snprintf(digits, sizeof digits, "%016" PRIx64, hash);
  json_text(out, key, digits);
}

static void write_fingerprint(json *out, const fingerprint *f)
{
  if (!f) return;
  json_open(out, "fingerprint", '{');
  write_hash(out, "A", f->A);
  write_hash(out, "b", f->b);
  if (f->sums) write_hash(out, "sums", f->sums);
  write_hash(out, "x", f->x);
  json_close(out, '}');
}

/* One array a quantity, with an entry for each call of the monitor. */
static void write_record(json *out, const record *r)
{
  if (!r) return;
  json_open(out, "history", '{');
  json_open(out, "iteration", '[');
  for (size_t k = 0; k < r->n; k++) json_int(out, NULL, r->entries[k].iteration);
  json_close(out, ']');
  json_open(out, "residual", '[');
  for (size_t k = 0; k < r->n; k++) json_real(out, NULL, r->entries[k].residual_norm);
  json_close(out, ']');
  if (r->n > 0 && r->entries[0].fingerprint) {
    json_open(out, "sums", '[');
    for (size_t k = 0; k < r->n; k++) write_hash(out, NULL, r->entries[k].fingerprint);
    json_close(out, ']');
  }
  json_close(out, '}');
}

void report_json(FILE *file, const report *r)
{
  const ovk_mat *A = r->problem->A;
  const ovk_result *result = r->result;
  json out = {file, 0, false};
  json_open(&out, NULL, '{');
  json_text(&out, "version", ovk_version());
  json_text(&out, "problem", problem_text(r->problem));
  json_int(&out, "ranks", ovk_ctx_size(ovk_mat_ctx(A)));
  json_int(&out, "rows", ovk_mat_size(A));
  json_int(&out, "nnz", ovk_mat_nnz(A));
  json_text(&out, "method", ovk_solver_method(r->solver));
  json_text(&out, "method_why", ovk_solver_method_why(r->solver));
  json_text(&out, "precond", r->precond);
  json_text(&out, "backend", ovk_solver_backend(r->solver));
  json_text(&out, "format", ovk_mat_format(A));
  json_text(&out, "order", ovk_mat_order(A) ? "rcm" : "natural");
  json_text(&out, "norm", r->norm);
  json_real(&out, "rtol", r->rtol);
  json_real(&out, "atol", r->atol);
  json_int(&out, "iterations", result->iterations);
  json_int(&out, "restarts", result->restarts);
  json_bool(&out, "converged", result->reason > 0);
  json_text(&out, "reason", ovk_reason_text(result->reason));
  json_text(&out, "sentence", r->message);
  json_real(&out, "relative_residual", result->relative_residual);
  json_real(&out, "true_relative_residual", result->true_relative_residual);
  json_real(&out, "rhs_null_part", result->rhs_null_part);
  json_int(&out, "replacements", result->replacements);
  json_int(&out, "method_changes", result->method_changes);
  json_int(&out, "reductions_per_iteration", result->reductions_per_iteration);
  json_int(&out, "matrix_bytes", ovk_mat_bytes(A));
  json_int(&out, "precond_bytes", ovk_precond_bytes(r->M));
  json_text(&out, "precond_info", ovk_precond_info(r->M));
  write_fingerprint(&out, r->fingerprint);
  columns_write(&out, r->columns);
  write_record(&out, r->record);
  write_seconds(&out, r);
  json_close(&out, '}');
}
