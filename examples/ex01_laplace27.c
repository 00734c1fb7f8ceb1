/* SPDX-License-Identifier: BSD-2-Clause */
/* Solves the 27-point or 7-point problem with preconditioned conjugate gradients: all steps of an
 * application from MPI_Init to the result. The options are those of the hypre program ij.
 *
 *     mpiexec -n 2 ex01_laplace27 -27pt -n 40 40 40 -P 1 1 2 -solver overlap -backend nbc
 *
 * -27pt (default), -laplacian: 27 or 7 points; -n: points of each process; -P: processes in x, y,
 * z; -solver: see `ovk list methods`; -backend: of the reductions, see `ovk list backends`. */
#include <ovkrylov/ovkrylov.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct options {
  int n[3], grid[3];
  bool seven_points;
  const char *solver, *backend; /* NULL: the default */
} options;

/* Three whole numbers >= 1. */
static bool parse_three(char **words, int out[3])
{
  for (int k = 0; k < 3; k++) {
    char *end;
    const long value = words[k] ? strtol(words[k], &end, 10) : 0;
    if (value < 1 || value > 100000 || *end) return false;
    out[k] = (int)value;
  }
  return true;
}

static bool parse(char **argv, int nranks, options *o)
{
  *o = (options){.n = {20, 20, 20}, .grid = {1, 1, nranks}, .solver = NULL};
  char **word = argv + 1;
  while (*word) {
    if (strcmp(*word, "-solver") == 0 && word[1]) {
      o->solver = word[1];
      word += 2;
    } else if (strcmp(*word, "-backend") == 0 && word[1]) {
      o->backend = word[1];
      word += 2;
    } else if (strcmp(*word, "-laplacian") == 0 || strcmp(*word, "-27pt") == 0) {
      o->seven_points = word[0][1] == 'l';
      word++;
    } else if (strcmp(*word, "-n") == 0 && parse_three(word + 1, o->n)) {
      word += 4;
    } else if (strcmp(*word, "-P") == 0 && parse_three(word + 1, o->grid)) {
      word += 4;
    } else {
      return false;
    }
  }
  return true;
}

static ovk_err solve(ovk_ctx *ctx, const options *o, ovk_result *result)
{
  ovk_err err = OVK_OK;
  ovk_mat *A = NULL;
  ovk_precond *M = NULL;
  ovk_vec *b = NULL, *x = NULL;
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  opts.method = o->solver;
  opts.backend = o->backend;
  opts.rtol = 1e-8;
  if (o->seven_points) {
    OVK_CALL(err, ovk_gallery_laplace7(ctx, o->n, o->grid, NULL, &A));
  } else {
    OVK_CALL(err, ovk_gallery_laplace27(ctx, o->n, o->grid, NULL, &A));
  }
  OVK_CALL(err, ovk_precond_create(A, "jacobi", &M));
  OVK_CALL(err, ovk_mat_create_vec(A, &b));
  OVK_CALL(err, ovk_mat_create_vec(A, &x)); /* zeros: the initial guess */
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
  int rank, nranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &nranks);
  options o;
  if (!parse(argv, nranks, &o)) {
    if (rank == 0)
      fputs("usage: ex01_laplace27 [-27pt | -laplacian] [-n NX NY NZ] [-P PX PY PZ] [-solver NAME] "
            "[-backend SPEC]\n",
            stderr);
    MPI_Finalize();
    return 1;
  }
  ovk_ctx *ctx = NULL;
  ovk_result result = {.reason = OVK_REASON_NOT_RUN};
  ovk_err err = OVK_OK;
  OVK_CALL(err, ovk_ctx_create(MPI_COMM_WORLD, &ctx));
  OVK_CALL(err, solve(ctx, &o, &result));
  if (!err && rank == 0) {
    printf("%s after %d iterations, ||b - A x|| / ||b|| = %.2e, %.4f seconds\n",
           ovk_reason_text(result.reason), result.iterations, result.true_relative_residual,
           result.seconds.solve);
  }
  if (err && rank == 0) fprintf(stderr, "%s: %s\n", ovk_err_text(err), ovk_ctx_error(ctx));
  ovk_ctx_destroy(&ctx);
  MPI_Finalize();
  return !err && result.reason > 0 ? 0 : 1;
}
