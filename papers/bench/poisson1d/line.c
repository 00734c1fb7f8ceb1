/* SPDX-License-Identifier: BSD-2-Clause */
/* A 1-D Poisson problem, solved by the library. */
#include "bench/poisson1d/line.h"
#include "tool.h"

#include <math.h>

/* An entry that cannot be added is reported by the assembly. */
static void add_rows(ovk_mat *A)
{
  const ovk_gidx first = ovk_mat_row_begin(A), end = first + ovk_mat_local_size(A);
  for (ovk_gidx i = first; i < end; i++) {
    if (i > 0) ovk_mat_add(A, i, i - 1, -1);
    ovk_mat_add(A, i, i, 2);
    if (i + 1 < ovk_mat_size(A)) ovk_mat_add(A, i, i + 1, -1);
  }
}

ovk_err line_create(ovk_ctx *ctx, int points, line *out)
{
  *out = (line){.ctx = ctx};
  TRY(ovk_mat_create(ctx, points, &out->A));
  add_rows(out->A);
  TRY(ovk_mat_assemble(out->A));
  TRY(ovk_mat_create_vec(out->A, &out->x));
  TRY(ovk_mat_create_vec(out->A, &out->b));
  return ovk_vec_fill(out->b, 1);
}

void line_destroy(line *l)
{
  ovk_vec_destroy(&l->b);
  ovk_vec_destroy(&l->x);
  ovk_mat_destroy(&l->A);
}

ovk_err line_solver(const line *l, const char *backend, int iterations, ovk_solver **out)
{
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  opts.method = "cg";
  opts.backend = backend;
  opts.maxit = iterations;
  return ovk_solver_create(l->A, NULL, &opts, out);
}

/* The k-th iterate from x = 0 in exact arithmetic: A^k b is 1 except for k points at either end, so
 * x minimizes the error among all vectors that are constant between those points. Near the ends x
 * is the solution, t (n + 1 - t) / 2 at point t from the end; from point k on it is constant. */
static double exact_iterate(ovk_gidx n, ovk_gidx i, int k)
{
  const ovk_gidx nearer = i + 1 < n - i ? i + 1 : n - i, t = nearer < k ? nearer : k;
  return 0.5 * (double)t * (double)(n + 1 - t);
}

/* The maximum relative error of x on this rank. */
static double error_of(const line *l, int iterations)
{
  const double *x = ovk_vec_array_const(l->x);
  const ovk_gidx n = ovk_vec_size(l->x), first = ovk_vec_first(l->x);
  double error = 0;
  for (ovk_lidx i = 0; i < ovk_vec_local_size(l->x); i++) {
    const double exact = exact_iterate(n, first + i, iterations), here = fabs(x[i] - exact) / exact;
    error = isnan(here) ? INFINITY : fmax(error, here);
  }
  return error;
}

ovk_err line_iterate(line *l, ovk_solver *solver, int iterations, double *seconds)
{
  ovk_result result = OVK_RESULT;
  TRY(ovk_vec_fill(l->x, 0));
  TRY(tool_mpi(l->ctx, MPI_Barrier(MPI_COMM_WORLD), "MPI_Barrier"));
  TRY(ovk_solver_solve(solver, l->b, l->x, &result));
  double found[2] = {result.seconds.solve, error_of(l, iterations)};
  TRY(tool_greatest(l->ctx, found, 2));
  *seconds = found[0];
  if (result.iterations == iterations && found[1] <= 1e-8) return OVK_OK;
  return ovk_ctx_fail(l->ctx, OVK_ERR_INTERNAL, "%s: x is wrong by %.3g after %d iterations",
                      ovk_solver_backend(solver), found[1], result.iterations);
}
