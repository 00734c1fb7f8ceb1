/* SPDX-License-Identifier: BSD-2-Clause */
/* A matrix-free operator: -laplace u = f on a box, 7-point differences, zero on the boundary. The
 * planes of constant z are distributed over the ranks; each product fetches one plane from either
 * neighbor. */
#include <ovkrylov/ovkrylov.h>
#include <stdio.h>

enum { NX = 24, NY = 24, NZ = 24, PLANE = NX * NY };

/* The `user` argument of the functions below. */
typedef struct poisson {
  MPI_Comm comm;            /* a duplicate: messages cannot match the library's */
  int below, above;         /* neighbors; MPI_PROC_NULL at the ends */
  int planes;               /* of this rank */
  double from_below[PLANE]; /* planes of the neighbors; zero where there is none: */
  double from_above[PLANE]; /* MPI_PROC_NULL sends nothing, so they stay zero */
} poisson;

static ovk_err exchange(poisson *P, const double *x)
{
  const double *last = x + (P->planes - 1) * PLANE;
  const int up = MPI_Sendrecv(last, PLANE, MPI_DOUBLE, P->above, 0, P->from_below, PLANE,
                              MPI_DOUBLE, P->below, 0, P->comm, MPI_STATUS_IGNORE);
  const int down = MPI_Sendrecv(x, PLANE, MPI_DOUBLE, P->below, 0, P->from_above, PLANE, MPI_DOUBLE,
                                P->above, 0, P->comm, MPI_STATUS_IGNORE);
  return up == MPI_SUCCESS && down == MPI_SUCCESS ? OVK_OK : OVK_ERR_MPI;
}

/* y <- A x */
static ovk_err mult(void *user, const double *x, double *y, ovk_poll poll)
{
  poisson *P = user;
  const ovk_err err = exchange(P, x);
  if (err) return err;
  for (int k = 0; k < P->planes; k++) {
    const double *here = x + k * PLANE;
    const double *below = k > 0 ? here - PLANE : P->from_below;
    const double *above = k < P->planes - 1 ? here + PLANE : P->from_above;
    for (int at = 0; at < PLANE; at++) {
      const int i = at % NX, j = at / NX;
      double sum = 6 * here[at] - below[at] - above[at];
      if (i > 0) sum -= here[at - 1];
      if (i < NX - 1) sum -= here[at + 1];
      if (j > 0) sum -= here[at - NX];
      if (j < NY - 1) sum -= here[at + NX];
      y[k * PLANE + at] = sum;
    }
    ovk_poll_call(poll); /* from time to time: progresses a running sum */
  }
  return OVK_OK;
}

/* d <- the diagonal of A, for the preconditioner jacobi */
static ovk_err diagonal(void *user, double *d)
{
  const poisson *P = user;
  for (int row = 0; row < P->planes * PLANE; row++) d[row] = 6;
  return OVK_OK;
}

static ovk_err solve(ovk_ctx *ctx, poisson *P, ovk_result *result)
{
  const ovk_shell_ops ops = {.size = sizeof(ovk_shell_ops), .mult = mult, .diagonal = diagonal};
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  opts.method = "overlap";
  opts.backend = "iallreduce";
  ovk_err err = OVK_OK;
  ovk_mat *A = NULL;
  ovk_precond *M = NULL;
  ovk_vec *b = NULL, *x = NULL;
  OVK_CALL(err, ovk_mat_create_shell(ctx, P->planes * PLANE, &ops, P, &A));
  OVK_CALL(err, ovk_precond_create(A, "jacobi", &M));
  OVK_CALL(err, ovk_mat_create_vec(A, &b));
  OVK_CALL(err, ovk_mat_create_vec(A, &x));
  OVK_CALL(err, ovk_vec_fill(b, 1.0));
  OVK_CALL(err, ovk_pcg_solve(A, M, b, x, &opts, result));
  ovk_vec_destroy(&x);
  ovk_vec_destroy(&b);
  ovk_precond_destroy(&M);
  ovk_mat_destroy(&A);
  return err;
}

int main(int argc, char **argv)
{
  static poisson P; /* all zero */
  int rank, nranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &nranks);
  if (nranks > NZ) {
    if (rank == 0) fprintf(stderr, "each rank needs a plane: at most %d ranks\n", NZ);
    MPI_Finalize();
    return 1;
  }
  MPI_Comm_dup(MPI_COMM_WORLD, &P.comm);
  P.below = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  P.above = rank < nranks - 1 ? rank + 1 : MPI_PROC_NULL;
  P.planes = NZ / nranks + (rank < NZ % nranks);
  ovk_ctx *ctx = NULL;
  ovk_result result = {.reason = OVK_REASON_NOT_RUN};
  ovk_err err = OVK_OK;
  OVK_CALL(err, ovk_ctx_create(MPI_COMM_WORLD, &ctx));
  OVK_CALL(err, solve(ctx, &P, &result));
  if (!err && rank == 0) {
    printf("%s after %d iterations, ||b - A x|| / ||b|| = %.2e\n", ovk_reason_text(result.reason),
           result.iterations, result.true_relative_residual);
  }
  if (err && rank == 0) fprintf(stderr, "%s: %s\n", ovk_err_text(err), ovk_ctx_error(ctx));
  ovk_ctx_destroy(&ctx);
  MPI_Comm_free(&P.comm);
  MPI_Finalize();
  return !err && result.reason > 0 ? 0 : 1;
}
