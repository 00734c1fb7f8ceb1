/* SPDX-License-Identifier: BSD-2-Clause */
/* A user-defined reduction backend. It sends the parts of each rank to all ranks and adds them in
 * rank order. A solve is then bitwise reproducible on a given number of ranks, in whatever order
 * MPI adds. ovkrylov/plugin/conformance.h has checks for such a backend. */
#include <ovkrylov/ovkrylov.h>
#include <ovkrylov/plugin/backend.h>
#include <stdio.h>
#include <stdlib.h>

/* The data of one reduction: prepare creates it once, and each begin uses it. */
typedef struct gather {
  MPI_Request request;
  double *parts; /* the values of rank 0, of rank 1, ... */
} gather;

static ovk_err gather_prepare(ovk_sum *sum)
{
  ovk_ctx *ctx = sum->backend->ctx;
  const size_t n = (size_t)ovk_ctx_size(ctx) * (size_t)sum->count;
  gather *g = malloc(sizeof *g);
  double *parts = malloc(n * sizeof *parts);
  if (!g || !parts) {
    free(g);
    free(parts);
    return ovk_ctx_fail(ctx, OVK_ERR_MEMORY, "gather: no memory for %zu parts", n);
  }
  *g = (gather){MPI_REQUEST_NULL, parts};
  sum->request = g;
  return OVK_OK;
}

static void gather_release(ovk_sum *sum)
{
  gather *g = sum->request;
  free(g->parts);
  free(g);
}

static ovk_err gather_begin(ovk_sum *sum)
{
  gather *g = sum->request;
  const int code = MPI_Iallgather(sum->values, sum->count, MPI_DOUBLE, g->parts, sum->count,
                                  MPI_DOUBLE, sum->backend->comm, &g->request);
  if (code == MPI_SUCCESS) return OVK_OK;
  return ovk_ctx_fail(sum->backend->ctx, OVK_ERR_MPI, "gather: MPI_Iallgather returned %d", code);
}

static ovk_err gather_test(ovk_sum *sum, bool *complete)
{
  gather *g = sum->request;
  int flag = 0;
  const int code = MPI_Test(&g->request, &flag, MPI_STATUS_IGNORE);
  if (code != MPI_SUCCESS) {
    return ovk_ctx_fail(sum->backend->ctx, OVK_ERR_MPI, "gather: MPI_Test returned %d", code);
  }
  *complete = flag != 0;
  if (!*complete) return OVK_OK;
  const int nranks = ovk_ctx_size(sum->backend->ctx);
  for (int k = 0; k < sum->count; k++) {
    sum->values[k] = 0;
    for (int rank = 0; rank < nranks; rank++) sum->values[k] += g->parts[rank * sum->count + k];
  }
  return OVK_OK;
}

/* There is no wait function: test is called until the sum is complete. */
static const ovk_backend_ops gather_ops = {
    .size = sizeof(ovk_backend_ops),
    .name = "gather",
    .summary = "every part to every rank, summed in the order of the ranks",
    .begin = gather_begin,
    .test = gather_test,
    .prepare = gather_prepare,
    .release = gather_release,
};

int main(int argc, char **argv)
{
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ovk_ctx *ctx = NULL;
  ovk_mat *A = NULL;
  ovk_vec *b = NULL, *x = NULL;
  ovk_result result = {.reason = OVK_REASON_NOT_RUN};
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  opts.backend = "gather";
  ovk_err err = OVK_OK;
  OVK_CALL(err, ovk_ctx_create(MPI_COMM_WORLD, &ctx));
  OVK_CALL(err, ovk_backend_register(ctx, &gather_ops, NULL));
  const int n[3] = {16, 16, 16}, grid[3] = {1, 1, ovk_ctx_size(ctx)};
  OVK_CALL(err, ovk_gallery_laplace7(ctx, n, grid, NULL, &A));
  OVK_CALL(err, ovk_mat_create_vec(A, &b));
  OVK_CALL(err, ovk_mat_create_vec(A, &x));
  OVK_CALL(err, ovk_vec_fill(b, 1.0));
  OVK_CALL(err, ovk_pcg_solve(A, NULL, b, x, &opts, &result)); /* NULL: no preconditioner */
  if (!err && rank == 0) {
    printf("%s over '%s' after %d iterations, ||b - A x|| / ||b|| = %.17g\n",
           ovk_reason_text(result.reason), opts.backend, result.iterations,
           result.true_relative_residual);
  }
  if (err && rank == 0) fprintf(stderr, "%s: %s\n", ovk_err_text(err), ovk_ctx_error(ctx));
  ovk_vec_destroy(&x);
  ovk_vec_destroy(&b);
  ovk_mat_destroy(&A);
  ovk_ctx_destroy(&ctx);
  MPI_Finalize();
  return !err && result.reason > 0 ? 0 : 1;
}
