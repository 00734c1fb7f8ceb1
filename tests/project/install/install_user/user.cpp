/* SPDX-License-Identifier: BSD-2-Clause */
/* The same in C++11, the oldest version supported. mpi.h is included first here, as in existing
 * programs that use MPI. */
#include <mpi.h>

#include <cstdio>
#include <ovkrylov/ovkrylov.h>

static ovk_err solve(ovk_ctx *ctx, ovk_result *res)
{
  const int n[3] = {8, 8, 8}, grid[3] = {1, 1, ovk_ctx_size(ctx)};
  const ovk_solver_opts opts = ovk_solver_opts_default();
  ovk_mat *A = nullptr;
  ovk_precond *M = nullptr;
  ovk_vec *b = nullptr, *x = nullptr;
  ovk_err err = ovk_gallery_laplace27(ctx, n, grid, nullptr, &A);
  if (!err) err = ovk_precond_create(A, "jacobi", &M);
  if (!err) err = ovk_mat_create_vec(A, &b);
  if (!err) err = ovk_mat_create_vec(A, &x);
  if (!err) err = ovk_vec_fill(b, 1);
  if (!err) err = ovk_pcg_solve(A, M, b, x, &opts, res);
  ovk_vec_destroy(&x);
  ovk_vec_destroy(&b);
  ovk_precond_destroy(&M);
  ovk_mat_destroy(&A);
  return err;
}

int main(int argc, char **argv)
{
  ovk_ctx *ctx = nullptr;
  ovk_result res = OVK_RESULT;
  MPI_Init(&argc, &argv);
  ovk_err err = ovk_ctx_create(MPI_COMM_WORLD, &ctx);
  if (!err) err = solve(ctx, &res);
  if (err) {
    std::fprintf(stderr, "%s: %s\n", ovk_err_name(err), ovk_ctx_error(ctx));
  } else if (ovk_ctx_rank(ctx) == 0) {
    std::printf("ovkrylov %s, %d ranks: %s after %d iterations\n", ovk_version(), ovk_ctx_size(ctx),
                ovk_reason_text(res.reason), res.iterations);
  }
  ovk_ctx_destroy(&ctx);
  MPI_Finalize();
  return err || res.reason <= 0;
}
