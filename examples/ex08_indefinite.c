/* SPDX-License-Identifier: BSD-2-Clause */
/* A symmetric matrix with eigenvalues of both signs: conjugate gradients say so and stop, MINRES
 * solves.
 *
 *     mpiexec -n 2 ex08_indefinite
 */
#include <ovkrylov/ovkrylov.h>
#include <stdio.h>

/* Solves A x = b from x = 0, and prints the result. */
static ovk_err solve_with(const char *method, ovk_mat *A, const ovk_vec *b, ovk_vec *x, bool speaks,
                          ovk_result *result)
{
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  opts.method = method;
  ovk_err err = ovk_vec_fill(x, 0);
  OVK_CALL(err, ovk_solve(A, NULL, b, x, &opts, result));
  if (!err && speaks) {
    printf("%s: %s after %d iterations, ||b - A x|| / ||b|| = %.2e\n", method,
           ovk_reason_text(result->reason), result->iterations, result->true_relative_residual);
  }
  return err;
}

static ovk_err solve(ovk_ctx *ctx, ovk_result *result)
{
  ovk_err err = OVK_OK;
  ovk_mat *A = NULL;
  ovk_vec *b = NULL, *x = NULL;
  const int n[3] = {12, 12, 12}, grid[3] = {1, 1, ovk_ctx_size(ctx)};
  const bool speaks = ovk_ctx_rank(ctx) == 0;
  OVK_CALL(err, ovk_gallery_helmholtz7(ctx, n, grid, 1.0, NULL, &A));
  OVK_CALL(err, ovk_mat_create_vec(A, &b));
  OVK_CALL(err, ovk_mat_create_vec(A, &x));
  OVK_CALL(err, ovk_vec_fill(b, 1.0));
  OVK_CALL(err, solve_with("cg", A, b, x, speaks, result));
  OVK_CALL(err, solve_with("minres", A, b, x, speaks, result));
  ovk_vec_destroy(&x);
  ovk_vec_destroy(&b);
  ovk_mat_destroy(&A);
  return err;
}

int main(int argc, char **argv)
{
  int rank;
  ovk_ctx *ctx = NULL;
  ovk_result result = {.reason = OVK_REASON_NOT_RUN};
  ovk_err err = OVK_OK;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  OVK_CALL(err, ovk_ctx_create(MPI_COMM_WORLD, &ctx));
  OVK_CALL(err, solve(ctx, &result));
  if (err && rank == 0) fprintf(stderr, "%s: %s\n", ovk_err_text(err), ovk_ctx_error(ctx));
  ovk_ctx_destroy(&ctx);
  MPI_Finalize();
  return !err && result.reason > 0 ? 0 : 1;
}
