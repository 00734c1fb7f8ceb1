/* SPDX-License-Identifier: BSD-2-Clause */
/* The driver of ovkrylov, using its public interface only. */
#include "peer.h"
#include "problem/model/model.h"
#include "problem/plugins.h"

#include <stdlib.h>
#include <string.h>

typedef struct state {
  ovk_ctx *ctx;
  const options *options;
  ovk_mat *A;
  ovk_precond *M;
  ovk_vec *vectors[PEER_VECTORS];
  ovk_solver *solver;
  ovk_multivec *b, *x; /* with several right-hand sides */
} state;

#define TRY(call)                                                                                  \
  do {                                                                                             \
    const ovk_err try_err_ = (call);                                                               \
    if (try_err_) return try_err_;                                                                 \
  } while (0)

static const char *version(void)
{
  return ovk_version();
}

static ovk_err assemble(ovk_ctx *ctx, const options *o, const block *rows, void **out)
{
  state *s = calloc(1, sizeof *s);
  if (!s) return ovk_ctx_fail(ctx, OVK_ERR_MEMORY, "no memory");
  *out = s;
  s->ctx = ctx;
  s->options = o;
  TRY(plugins_register(ctx));
  const bool elastic = options_unknowns(o) > 1;
  double *coordinates = elastic ? model_coordinates(o->n, rows) : NULL;
  if (elastic && !coordinates) return ovk_ctx_fail(ctx, OVK_ERR_MEMORY, "no memory");
  const ovk_err err = model_assemble(ctx, rows, o->format, coordinates, &s->A);
  free(coordinates);
  if (err) return err;
  for (int k = 0; k < PEER_VECTORS; k++) TRY(ovk_mat_create_vec(s->A, &s->vectors[k]));
  return OVK_OK;
}

static ovk_err prepare(void *data, int maxit)
{
  state *s = data;
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  opts.method = s->options->method;
  opts.backend = s->options->backend;
  opts.rtol = s->options->rtol;
  opts.maxit = maxit;
  ovk_solver_destroy(&s->solver);
  if (!s->M) TRY(ovk_precond_create(s->A, s->options->precond, &s->M));
  return ovk_solver_create(s->A, s->M, &opts, &s->solver);
}

static ovk_err refill(void *data, const block *rows)
{
  state *s = data;
  TRY(ovk_mat_reset_values(s->A));
  TRY(ovk_mat_add_csr(s->A, rows->ptr, rows->col, rows->val));
  return ovk_mat_assemble(s->A);
}

static ovk_err update(void *data)
{
  return ovk_solver_update(((state *)data)->solver);
}

static ovk_err solve(void *data, peer_outcome *out)
{
  state *s = data;
  ovk_result result = OVK_RESULT;
  TRY(ovk_solver_solve(s->solver, s->vectors[PEER_B], s->vectors[PEER_X], &result));
  *out = (peer_outcome){result.iterations, result.reason > 0};
  return OVK_OK;
}

static ovk_err solve_columns(void *data, int count, const double *b, double *x, peer_outcome *out)
{
  state *s = data;
  const ovk_lidx n = ovk_mat_local_size(s->A);
  ovk_result *results = malloc((size_t)count * sizeof *results);
  if (!results) return ovk_ctx_fail(s->ctx, OVK_ERR_MEMORY, "no memory");
  for (int c = 0; c < count; c++) results[c] = (ovk_result)OVK_RESULT;
  memset(x, 0, (size_t)count * (size_t)n * sizeof *x);
  ovk_err err = s->b ? OVK_OK : ovk_mat_create_multivec(s->A, count, &s->b);
  if (!err && !s->x) err = ovk_mat_create_multivec(s->A, count, &s->x);
  if (!err) err = ovk_multivec_set(s->b, 0, count, b, n);
  if (!err) err = ovk_multivec_set(s->x, 0, count, x, n);
  if (!err) err = ovk_solver_solve_many(s->solver, s->b, s->x, results);
  if (!err) err = ovk_multivec_get(s->x, 0, count, x, n);
  *out = (peer_outcome){0, results[ovk_results_worst(results, count)].reason > 0};
  for (int c = 0; c < count; c++) out->iterations += results[c].iterations;
  free(results);
  return err;
}

static ovk_err product(void *data)
{
  state *s = data;
  return ovk_mat_mult(s->A, s->vectors[PEER_X], s->vectors[PEER_Y]);
}

static ovk_err precond_apply(void *data)
{
  state *s = data;
  return ovk_precond_apply(s->M, s->vectors[PEER_X], s->vectors[PEER_Y], ovk_poll_none());
}

static size_t bytes(const state *s)
{
  return (size_t)ovk_mat_local_size(s->A) * sizeof(double);
}

static ovk_err load(void *data, int vector, const double *values)
{
  state *s = data;
  memcpy(ovk_vec_array(s->vectors[vector]), values, bytes(s));
  return OVK_OK;
}

static ovk_err fetch(void *data, int vector, double *values)
{
  state *s = data;
  memcpy(values, ovk_vec_array_const(s->vectors[vector]), bytes(s));
  return OVK_OK;
}

static peer_facts facts(const void *data)
{
  const state *s = data;
  return (peer_facts){.method = s->solver ? ovk_solver_method(s->solver) : NULL,
                      .backend = s->solver ? ovk_solver_backend(s->solver) : NULL,
                      .format = ovk_mat_format(s->A),
                      .matrix_bytes = ovk_mat_bytes(s->A)};
}

static void close_all(void *data)
{
  state *s = data;
  ovk_multivec_destroy(&s->b);
  ovk_multivec_destroy(&s->x);
  ovk_solver_destroy(&s->solver);
  ovk_precond_destroy(&s->M);
  for (int k = 0; k < PEER_VECTORS; k++) ovk_vec_destroy(&s->vectors[k]);
  ovk_mat_destroy(&s->A);
  free(s);
}

int main(int argc, char **argv)
{
  static const peer_ops ops = {
      .program = "ovk_pcg", .solve_columns = solve_columns, PEER_FUNCTIONS};
  return peer_main(argc, argv, &ops);
}
