/* SPDX-License-Identifier: BSD-2-Clause */
/* An error in a function of the program's own: the operator fails on one rank in its tenth product;
 * the solve ends on all ranks with that rank's error and message.
 *
 *     mpiexec -n 2 ex15_callback_error
 */
#include <ovkrylov/ovkrylov.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 1000 };

typedef struct operator_data {
  ovk_ctx *ctx;
  int products;
} operator_data;

/* y <- diag(1, 2, ...) x. The code is returned by the solve, the message is ovk_ctx_error()'s. */
static ovk_err multiply(void *user, const double *x, double *y, ovk_poll poll)
{
  operator_data *data = user;
  (void)poll; /* the product is short */
  if (++data->products == 10 && ovk_ctx_rank(data->ctx) == ovk_ctx_size(data->ctx) - 1)
    return ovk_ctx_fail(data->ctx, OVK_ERR_USER, "product %d: the table of %s is lost",
                        data->products, "materials");
  for (int i = 0; i < ROWS; i++) y[i] = (i + 1) * x[i];
  return OVK_OK;
}

int main(int argc, char **argv)
{
  operator_data data = {0};
  ovk_mat *A = NULL;
  ovk_vec *b = NULL, *x = NULL;
  ovk_result res = OVK_RESULT;
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  opts.method = "cg";
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ovk_err err = ovk_ctx_create(MPI_COMM_WORLD, &data.ctx);
  ovk_ctx *ctx = data.ctx;
  if (!err) {
    const ovk_shell_ops ops = {.size = sizeof ops, .mult = multiply};
    err = ovk_mat_create_shell(ctx, ROWS, &ops, &data, &A);
  }
  OVK_CALL(err, ovk_mat_create_vec(A, &b));
  OVK_CALL(err, ovk_mat_create_vec(A, &x));
  OVK_CALL(err, ovk_vec_fill(b, 1));
  OVK_CALL(err, ovk_solve(A, NULL, b, x, &opts, &res));
  /* the same on all ranks */
  const int as_expected = err == OVK_ERR_USER && strstr(ovk_ctx_error(ctx), "materials is lost");
  if (rank == 0) {
    fprintf(as_expected ? stdout : stderr, "%s: %s\n", ovk_err_text(err), ovk_ctx_error(ctx));
    if (as_expected) printf("iterations before: %d\n", res.iterations);
  }
  ovk_vec_destroy(&x);
  ovk_vec_destroy(&b);
  ovk_mat_destroy(&A);
  ovk_ctx_destroy(&ctx);
  MPI_Finalize();
  return as_expected ? 0 : 1;
}
