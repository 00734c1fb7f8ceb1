/* SPDX-License-Identifier: BSD-2-Clause */
/* Several solvers on one matrix: a loose solver for the first phase of a program, and a tight one
 * for the last. They share the matrix and the preconditioner, and have methods, tolerances and
 * vectors of their own. After new values, each solver is updated.
 *
 *     mpiexec -n 2 ex17_several_solvers
 */
#include <ovkrylov/ovkrylov.h>
#include <stdio.h>

enum { ROWS = 400 }; /* rows of a rank */

/* The matrix of -u'' + shift u on a line; collective. */
static ovk_err assemble(ovk_mat *A, double shift)
{
  const ovk_gidx first = ovk_mat_row_begin(A), n = ovk_mat_size(A);
  for (ovk_gidx i = first; i < first + ROWS; i++) {
    ovk_mat_add(A, i, i, 2 + shift); /* a failure is kept for ovk_mat_assemble() */
    if (i > 0) ovk_mat_add(A, i, i - 1, -1);
    if (i < n - 1) ovk_mat_add(A, i, i + 1, -1);
  }
  return ovk_mat_assemble(A);
}

/* Creates a solver with a method and a tolerance; collective. */
static ovk_err solver_create(ovk_mat *A, ovk_precond *M, const char *method, double rtol,
                             ovk_solver **out)
{
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  opts.method = method;
  opts.rtol = rtol;
  opts.spd = true;
  return ovk_solver_create(A, M, &opts, out);
}

/* Solves from zero, and reports; collective. */
static ovk_err solve(ovk_ctx *ctx, const char *name, ovk_solver *solver, ovk_vec *b, ovk_vec *x)
{
  ovk_result result = OVK_RESULT;
  ovk_err err = OVK_OK;
  OVK_CALL(err, ovk_vec_fill(x, 0));
  OVK_CALL(err, ovk_solver_solve(solver, b, x, &result));
  if (err) return err;
  if (ovk_ctx_rank(ctx) == 0) {
    printf("%-6s %3d iterations, true relative residual %.1e\n", name, result.iterations,
           result.true_relative_residual);
  }
  return result.reason > 0 ? OVK_OK : OVK_ERR_STATE;
}

int main(int argc, char **argv)
{
  ovk_ctx *ctx = NULL;
  ovk_mat *A = NULL;
  ovk_precond *M = NULL;
  ovk_solver *loose = NULL, *tight = NULL;
  ovk_vec *b = NULL, *x = NULL;
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  ovk_err err = ovk_ctx_create(MPI_COMM_WORLD, &ctx);
  OVK_CALL(err, ovk_mat_create(ctx, ROWS, &A));
  OVK_CALL(err, assemble(A, 0.01));
  OVK_CALL(err, ovk_precond_create(A, "jacobi", &M));
  OVK_CALL(err, solver_create(A, M, "pipecg", 1e-3, &loose));
  OVK_CALL(err, solver_create(A, M, "cg", 1e-10, &tight));
  OVK_CALL(err, ovk_mat_create_vec(A, &b));
  OVK_CALL(err, ovk_mat_create_vec(A, &x));
  OVK_CALL(err, ovk_vec_fill(b, 1));
  OVK_CALL(err, solve(ctx, "loose", loose, b, x));
  OVK_CALL(err, solve(ctx, "tight", tight, b, x));

  OVK_CALL(err, ovk_mat_reset_values(A)); /* new values in the old pattern */
  OVK_CALL(err, assemble(A, 0.1));
  OVK_CALL(err, ovk_solver_update(loose));
  OVK_CALL(err, ovk_solver_update(tight));
  OVK_CALL(err, solve(ctx, "loose", loose, b, x));
  OVK_CALL(err, solve(ctx, "tight", tight, b, x));

  if (rank == 0 && err) fprintf(stderr, "%s: %s\n", ovk_err_text(err), ovk_ctx_error(ctx));
  ovk_vec_destroy(&x);
  ovk_vec_destroy(&b);
  ovk_solver_destroy(&tight);
  ovk_solver_destroy(&loose);
  ovk_precond_destroy(&M);
  ovk_mat_destroy(&A);
  ovk_ctx_destroy(&ctx);
  MPI_Finalize();
  return err ? 1 : 0;
}
