/* SPDX-License-Identifier: BSD-2-Clause */
/* A user-defined preconditioner: symmetric Gauss-Seidel for the 7-point problem, each rank on its
 * block alone. With A = D - E - E^T on the block, E strictly lower and D = 6 I,
 *
 *     M = (D - E) D^-1 (D - E)^T = L L^T,    L = (D - E) D^-1/2.
 *
 * It provides its two factors, so that methods with a split preconditioner can use it too.
 */
#include <math.h>
#include <ovkrylov/ovkrylov.h>
#include <stdio.h>

static const double diagonal = 6; /* of the 7-point operator */

/* The state argument of the functions below. */
typedef struct block {
  int n[3]; /* points of this rank in x, y, z */
} block;

/* side = -1: z <- (D - E)^-1 D^1/2 r, forward, from the neighbors before each point;
 * side = 1: z <- (D - E)^-T D^1/2 r, backward, from those after it. z and r may be the same. */
static ovk_err sweep(const block *B, int side, const double *r, double *z, ovk_poll poll)
{
  const double root = sqrt(diagonal);
  const int *n = B->n, plane = n[0] * n[1], rows = plane * n[2];
  for (int step = 0; step < rows; step++) {
    const int row = side < 0 ? step : rows - 1 - step;
    const int i = row % n[0] + side, j = row / n[0] % n[1] + side, k = row / plane + side;
    double sum = root * r[row];
    if (i >= 0 && i < n[0]) sum += z[row + side];
    if (j >= 0 && j < n[1]) sum += z[row + side * n[0]];
    if (k >= 0 && k < n[2]) sum += z[row + side * plane];
    z[row] = sum / diagonal;
    if (step % plane == 0) ovk_poll_call(poll); /* from time to time: progresses a running sum */
  }
  return OVK_OK;
}

/* t <- L^-1 r = (D - E)^-1 D^1/2 r */
static ovk_err apply_left(void *state, const double *r, double *t, ovk_poll poll)
{
  return sweep(state, -1, r, t, poll);
}

/* w <- L^-T t = (D - E)^-T D^1/2 t */
static ovk_err apply_right(void *state, const double *t, double *w, ovk_poll poll)
{
  return sweep(state, 1, t, w, poll);
}

/* z <- M^-1 r = L^-T L^-1 r */
static ovk_err sgs_apply(void *state, const double *r, double *z, ovk_poll poll)
{
  const ovk_err err = apply_left(state, r, z, poll);
  return err ? err : apply_right(state, z, z, poll);
}

/* The factors need no preparation. */
static ovk_err factor(void *state)
{
  (void)state;
  return OVK_OK;
}

/* No setup: the state is the one given at registration. */
static const ovk_precond_ops ops = {
    .size = sizeof(ovk_precond_ops),
    .name = "block-sgs",
    .summary = "symmetric Gauss-Seidel on each rank's block of the 7-point problem",
    .apply = sgs_apply,
    .factor = factor,
    .apply_left = apply_left,
    .apply_right = apply_right,
};

static ovk_err solve(ovk_mat *A, const char *precond, const char *method, bool *converged)
{
  ovk_ctx *ctx = ovk_mat_ctx(A);
  ovk_err err = OVK_OK;
  ovk_precond *M = NULL;
  ovk_vec *b = NULL, *x = NULL;
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  opts.method = method;
  ovk_result result = OVK_RESULT;
  OVK_CALL(err, ovk_precond_create(A, precond, &M));
  OVK_CALL(err, ovk_mat_create_vec(A, &b));
  OVK_CALL(err, ovk_mat_create_vec(A, &x));
  OVK_CALL(err, ovk_vec_fill(b, 1.0));
  OVK_CALL(err, ovk_pcg_solve(A, M, b, x, &opts, &result));
  *converged = *converged && result.reason > 0;
  if (!err && ovk_ctx_rank(ctx) == 0) {
    printf("%-12s %-12s %4d iterations, ||b - A x|| / ||b|| = %.2e\n", method, precond,
           result.iterations, result.true_relative_residual);
  }
  ovk_vec_destroy(&x);
  ovk_vec_destroy(&b);
  ovk_precond_destroy(&M);
  return err;
}

int main(int argc, char **argv)
{
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  block B = {{20, 20, 20}};
  ovk_ctx *ctx = NULL;
  ovk_mat *A = NULL;
  bool converged = true;
  ovk_err err = OVK_OK;
  OVK_CALL(err, ovk_ctx_create(MPI_COMM_WORLD, &ctx));
  OVK_CALL(err, ovk_precond_register(ctx, &ops, &B));
  const int grid[3] = {1, 1, ovk_ctx_size(ctx)};
  OVK_CALL(err, ovk_gallery_laplace7(ctx, B.n, grid, NULL, &A));
  OVK_CALL(err, solve(A, "jacobi", "cg", &converged));
  OVK_CALL(err, solve(A, "block-sgs", "cg", &converged));
  OVK_CALL(err, solve(A, "block-sgs", "overlap", &converged));
  if (err && rank == 0) fprintf(stderr, "%s: %s\n", ovk_err_text(err), ovk_ctx_error(ctx));
  ovk_mat_destroy(&A);
  ovk_ctx_destroy(&ctx);
  MPI_Finalize();
  return !err && converged ? 0 : 1;
}
