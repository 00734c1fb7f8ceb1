/* SPDX-License-Identifier: BSD-2-Clause */
/* Convection and diffusion: a matrix that is not symmetric, so conjugate gradients would fail.
 * "auto" sees that in the values and takes a method for any matrix; here it is named.
 *
 *     mpiexec -n 2 ex07_convection_diffusion [bicgstab]
 */
#include <ovkrylov/ovkrylov.h>
#include <stdio.h>

/* Jumps to `done` if a call fails. All ranks get the same error, so all of them do. */
#define TRY(call)                                                                                  \
  do {                                                                                             \
    err = (call);                                                                                  \
    if (err) goto done;                                                                            \
  } while (0)

static ovk_err solve(ovk_ctx *ctx, const char *method, ovk_result *result)
{
  ovk_err err;
  ovk_mat *A = NULL;
  ovk_precond *M = NULL;
  ovk_vec *b = NULL, *x = NULL;
  ovk_pcg_opts opts = OVK_PCG_OPTS;
  opts.method = method;
  const int n[3] = {16, 16, 16}, grid[3] = {1, 1, ovk_ctx_size(ctx)};
  TRY(ovk_gallery_convdiff7(ctx, n, grid, 2.0, false, NULL, &A));
  TRY(ovk_precond_create(A, "ilu", &M));
  TRY(ovk_mat_create_vec(A, &b));
  TRY(ovk_mat_create_vec(A, &x));
  TRY(ovk_vec_fill(b, 1.0));
  TRY(ovk_solve(A, M, b, x, &opts, result));
done:
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
  ovk_err err;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  TRY(ovk_ctx_create(MPI_COMM_WORLD, &ctx));
  TRY(solve(ctx, argc > 1 ? argv[1] : "bicgstab", &result));
  if (rank == 0) {
    printf("%s after %d iterations, ||b - A x|| / ||b|| = %.2e\n", ovk_reason_text(result.reason),
           result.iterations, result.true_relative_residual);
  }
done:
  if (err && rank == 0) fprintf(stderr, "%s: %s\n", ovk_err_text(err), ovk_ctx_error(ctx));
  ovk_ctx_destroy(&ctx);
  MPI_Finalize();
  return !err && result.reason > 0 ? 0 : 1;
}
