/* SPDX-License-Identifier: BSD-2-Clause */
/* Convection and diffusion: a matrix that is not symmetric, so conjugate gradients would fail.
 * "auto" sees that in the values and takes a method for any matrix; here it is named.
 *
 *     mpiexec -n 2 ex07_convection_diffusion [bcgs]
 */
#include <ovkrylov/ovkrylov.h>
#include <stdio.h>

static ovk_err solve(ovk_ctx *ctx, const char *method, ovk_result *result)
{
  ovk_err err = OVK_OK;
  ovk_mat *A = NULL;
  ovk_precond *M = NULL;
  ovk_vec *b = NULL, *x = NULL;
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  opts.method = method;
  const int n[3] = {16, 16, 16}, grid[3] = {1, 1, ovk_ctx_size(ctx)};
  OVK_CALL(err, ovk_gallery_convdiff7(ctx, n, grid, 2.0, false, NULL, &A));
  OVK_CALL(err, ovk_precond_create(A, "ilu", &M));
  OVK_CALL(err, ovk_mat_create_vec(A, &b));
  OVK_CALL(err, ovk_mat_create_vec(A, &x));
  OVK_CALL(err, ovk_vec_fill(b, 1.0));
  OVK_CALL(err, ovk_solve(A, M, b, x, &opts, result));
  ovk_vec_destroy(&x);
  ovk_vec_destroy(&b);
  ovk_precond_destroy(&M);
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
  OVK_CALL(err, solve(ctx, argc > 1 ? argv[1] : "bcgs", &result));
  if (!err && rank == 0) {
    printf("%s after %d iterations, ||b - A x|| / ||b|| = %.2e\n", ovk_reason_text(result.reason),
           result.iterations, result.true_relative_residual);
  }
  if (err && rank == 0) fprintf(stderr, "%s: %s\n", ovk_err_text(err), ovk_ctx_error(ctx));
  ovk_ctx_destroy(&ctx);
  MPI_Finalize();
  return !err && result.reason > 0 ? 0 : 1;
}
