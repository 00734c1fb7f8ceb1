/* SPDX-License-Identifier: BSD-2-Clause */
/* Solves one system over several reduction backends. A backend is a string: neither the program nor
 * the method changes, and the iterations stay the same.
 *
 *     mpiexec -n 2 ex02_choose_backend                             all backends
 *     mpiexec -n 2 ex02_choose_backend blocking iallreduce         these backends
 */
#include <ovkrylov/ovkrylov.h>
#include <stdio.h>

typedef struct linear_system {
  ovk_mat *A;
  ovk_precond *M;
  ovk_vec *b, *x;
} linear_system;

static ovk_err system_create(ovk_ctx *ctx, linear_system *s)
{
  const int n[3] = {16, 16, 16}, grid[3] = {1, 1, ovk_ctx_size(ctx)};
  ovk_err err = OVK_OK;
  OVK_CALL(err, ovk_gallery_laplace27(ctx, n, grid, NULL, &s->A));
  OVK_CALL(err, ovk_precond_create(s->A, "jacobi", &s->M));
  OVK_CALL(err, ovk_mat_create_vec(s->A, &s->b));
  OVK_CALL(err, ovk_mat_create_vec(s->A, &s->x));
  OVK_CALL(err, ovk_vec_fill(s->b, 1.0));
  return err;
}

static void system_destroy(linear_system *s)
{
  ovk_vec_destroy(&s->x);
  ovk_vec_destroy(&s->b);
  ovk_precond_destroy(&s->M);
  ovk_mat_destroy(&s->A);
}

/* Solves over one backend. False if the solve failed; a backend that this machine or this build
 * does not support is skipped. */
static bool solve_over(ovk_ctx *ctx, linear_system *s, const char *backend)
{
  const bool speaks = ovk_ctx_rank(ctx) == 0;
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  opts.method = "overlap";
  opts.backend = backend;
  ovk_result result = {.reason = OVK_REASON_NOT_RUN};
  ovk_err err = OVK_OK;
  OVK_CALL(err, ovk_vec_fill(s->x, 0.0)); /* the initial guess; x still holds the last solution */
  OVK_CALL(err, ovk_pcg_solve(s->A, s->M, s->b, s->x, &opts, &result));
  if (!err && speaks) {
    printf("%-24s %10d %14.2e %10.4f\n", backend, result.iterations, result.true_relative_residual,
           result.seconds.solve);
  }
  if (err && speaks) printf("%-24s %s\n", backend, ovk_ctx_error(ctx));
  return err ? err == OVK_ERR_UNSUPPORTED : result.reason > 0;
}

int main(int argc, char **argv)
{
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ovk_ctx *ctx = NULL;
  linear_system s = {0};
  bool good = true;
  ovk_err err = OVK_OK;
  OVK_CALL(err, ovk_ctx_create(MPI_COMM_WORLD, &ctx));
  OVK_CALL(err, system_create(ctx, &s));
  if (!err && rank == 0) {
    printf("%-24s %10s %14s %10s\n", "backend", "iterations", "true residual", "seconds");
  }
  for (int k = 1; !err && k < argc; k++) good = solve_over(ctx, &s, argv[k]) && good;
  ovk_choice choice = OVK_CHOICE;
  for (int k = 0; !err && argc < 2 && ovk_list_backends(ctx, k, &choice); k++) {
    if (choice.decorates) continue; /* wraps another backend, as in "emulate-latency:us=50|shm" */
    good = solve_over(ctx, &s, choice.name) && good;
  }
  if (err && rank == 0) fprintf(stderr, "%s: %s\n", ovk_err_text(err), ovk_ctx_error(ctx));
  system_destroy(&s);
  ovk_ctx_destroy(&ctx);
  MPI_Finalize();
  return !err && good ? 0 : 1;
}
