/* SPDX-License-Identifier: BSD-2-Clause */
/* Load cases: one matrix and many right-hand sides, solved for at once. Each column has its own
 * result, and a message if it fails.
 *
 *     mpiexec -n 2 ex18_load_cases
 */
#include <ovkrylov/ovkrylov.h>
#include <stdio.h>

enum { CASES = 6, POINTS = 12 }; /* in each direction, of a process */

/* Column c <- a unit load on point c of each process. */
static ovk_err load(ovk_multivec *B)
{
  ovk_err err = OVK_OK;
  double b[POINTS * POINTS * POINTS] = {0};
  for (int c = 0; c < CASES; c++) {
    b[c] = 1;
    OVK_CALL(err, ovk_multivec_set(B, c, 1, b, POINTS * POINTS * POINTS));
    b[c] = 0;
  }
  return err;
}

static void report(const ovk_solver *solver, const ovk_result *results)
{
  for (int c = 0; c < CASES; c++) {
    printf("case %d: %3d iterations, true relative residual %.1e%s%s\n", c, results[c].iterations,
           results[c].true_relative_residual, results[c].reason > 0 ? "" : ": ",
           ovk_solver_column_message(solver, c));
  }
}

int main(int argc, char **argv)
{
  ovk_ctx *ctx = NULL;
  ovk_mat *A = NULL;
  ovk_precond *M = NULL;
  ovk_solver *solver = NULL;
  ovk_multivec *B = NULL, *X = NULL;
  ovk_result results[CASES];
  const int n[3] = {POINTS, POINTS, POINTS};
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int grid[3] = {1, 1, size};
  for (int c = 0; c < CASES; c++) results[c] = (ovk_result)OVK_RESULT;
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  opts.spd = true;
  ovk_err err = ovk_ctx_create(MPI_COMM_WORLD, &ctx);
  OVK_CALL(err, ovk_gallery_laplace27(ctx, n, grid, NULL, &A));
  OVK_CALL(err, ovk_precond_create(A, "ic", &M));
  OVK_CALL(err, ovk_solver_create(A, M, &opts, &solver));
  OVK_CALL(err, ovk_mat_create_multivec(A, CASES, &B));
  OVK_CALL(err, ovk_mat_create_multivec(A, CASES, &X)); /* initial guesses: 0 */
  OVK_CALL(err, load(B));
  OVK_CALL(err, ovk_solver_solve_many(solver, B, X, results));
  if (rank == 0 && !err) report(solver, results);
  if (rank == 0 && err) fprintf(stderr, "%s: %s\n", ovk_err_text(err), ovk_ctx_error(ctx));
  ovk_multivec_destroy(&X);
  ovk_multivec_destroy(&B);
  ovk_solver_destroy(&solver);
  ovk_precond_destroy(&M);
  ovk_mat_destroy(&A);
  ovk_ctx_destroy(&ctx);
  MPI_Finalize();
  return err ? 1 : 0;
}
