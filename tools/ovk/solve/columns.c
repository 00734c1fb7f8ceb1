/* SPDX-License-Identifier: BSD-2-Clause */
/* Several right-hand sides for `ovk solve`: those of a file, or of --columns. */
#include "solve/columns.h"
#include "splitmix64.h"
#include "tool.h"

#include <stdlib.h>

static ovk_err set_column(ovk_multivec *b, int column, const double *values)
{
  return ovk_multivec_set(b, column, 1, values, ovk_multivec_local_size(b));
}

/* b, and random numbers of different rows for each further column. */
static ovk_err columns_draw(const ovk_mat *A, const ovk_vec *b, columns *c)
{
  ovk_vec *v = NULL;
  const ovk_gidx rows = ovk_mat_size(A), first = ovk_mat_row_begin(A);
  TRY(ovk_mat_create_vec(A, &v));
  ovk_err err = set_column(c->b, 0, ovk_vec_array_const(b));
  for (int k = 1; k < c->count && !err; k++) {
    for (ovk_lidx i = 0; i < ovk_vec_local_size(v); i++) {
      ovk_vec_array(v)[i] = random_value(k * rows + first + i);
    }
    err = set_column(c->b, k, ovk_vec_array_const(v));
  }
  ovk_vec_destroy(&v);
  return tool_agree(ovk_mat_ctx(A), err);
}

/* The right-hand sides of the file become those of `out`. */
static ovk_err columns_take(problem *p, columns *out)
{
  const int k = ovk_multivec_columns(p->columns);
  if (out->count && out->count != k) {
    return ovk_ctx_fail(ovk_mat_ctx(p->A), OVK_ERR_ARG,
                        "--columns is %d, but the file of --rhs has %d columns", out->count, k);
  }
  out->count = k;
  out->b = p->columns;
  p->columns = NULL;
  return OVK_OK;
}

ovk_err columns_create(problem *p, int count, columns *out)
{
  const ovk_mat *A = p->A;
  *out = (columns){.count = count};
  if (p->columns) TRY(columns_take(p, out));
  if (out->count == 0) return OVK_OK;
  TRY(ovk_mat_create_multivec(A, out->count, &out->x));
  out->results = calloc((size_t)out->count, sizeof *out->results);
  TRY(tool_got_memory(ovk_mat_ctx(A), out->results));
  if (out->b) return OVK_OK;
  TRY(ovk_mat_create_multivec(A, count, &out->b));
  return columns_draw(A, p->b, out);
}

void columns_destroy(columns *c)
{
  ovk_multivec_destroy(&c->b);
  ovk_multivec_destroy(&c->x);
  free(c->results);
  c->results = NULL;
}

static ovk_err columns_clear(ovk_multivec *x)
{
  const ovk_lidx n = ovk_multivec_local_size(x);
  double *zeros = calloc((size_t)n + 1, sizeof *zeros);
  ovk_err err = zeros ? OVK_OK : OVK_ERR_MEMORY;
  for (int k = 0; k < ovk_multivec_columns(x) && !err; k++) err = set_column(x, k, zeros);
  free(zeros);
  return tool_agree(ovk_multivec_ctx(x), err);
}

ovk_err columns_solve(ovk_solver *solver, columns *c, ovk_result *result)
{
  ovk_seconds all = {0};
  TRY(columns_clear(c->x));
  for (int k = 0; k < c->count; k++) c->results[k] = (ovk_result)OVK_RESULT;
  TRY(ovk_solver_solve_many(solver, c->b, c->x, c->results));
  *result = c->results[ovk_results_worst(c->results, c->count)];
  for (int k = 0; k < c->count; k++) {
    const ovk_seconds *s = &c->results[k].seconds;
    all = (ovk_seconds){.solve = all.solve + s->solve,
                        .mult = all.mult + s->mult,
                        .halo_wait = all.halo_wait + s->halo_wait,
                        .precond = all.precond + s->precond,
                        .vector = all.vector + s->vector,
                        .reduction_begin = all.reduction_begin + s->reduction_begin,
                        .reduction_wait = all.reduction_wait + s->reduction_wait};
  }
  result->seconds = all;
  return OVK_OK;
}

ovk_err columns_first(const columns *c, ovk_vec *x)
{
  return ovk_multivec_get(c->x, 0, 1, ovk_vec_array(x), ovk_vec_local_size(x));
}

void columns_print(FILE *file, const columns *c)
{
  if (c->count) fprintf(file, "\ncolumn  iterations  true relative residual  reason\n");
  for (int k = 0; k < c->count; k++) {
    const ovk_result *r = &c->results[k];
    fprintf(file, "%6d  %10d  %22.3e  %s\n", k, r->iterations, r->true_relative_residual,
            ovk_reason_text(r->reason));
  }
}

void columns_write(json *out, const columns *c)
{
  if (!c->count) return;
  json_open(out, "columns", '[');
  for (int k = 0; k < c->count; k++) {
    const ovk_result *r = &c->results[k];
    json_open(out, NULL, '{');
    json_int(out, "iterations", r->iterations);
    json_bool(out, "converged", r->reason > 0);
    json_text(out, "reason", ovk_reason_text(r->reason));
    json_real(out, "true_relative_residual", r->true_relative_residual);
    json_close(out, '}');
  }
  json_close(out, ']');
}
