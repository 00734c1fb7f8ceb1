/* SPDX-License-Identifier: BSD-2-Clause */
/* A hypre program that solves with ovkrylov: HYPRE_ParCSROvk... replaces HYPRE_ParCSRPCG... The
 * matrix is the 5-point Laplace operator on n x n points, b is 1, and BoomerAMG is the
 * preconditioner. */
#include <ovk_hypre.h>
#include <stdio.h>

enum { N = 100, ROWS = N * N };

/* Row `row` as hypre takes it. */
static void set_row(HYPRE_IJMatrix A, HYPRE_BigInt row)
{
  const HYPRE_BigInt x = row % N, y = row / N;
  HYPRE_BigInt col[5] = {row};
  HYPRE_Complex val[5] = {4, -1, -1, -1, -1};
  HYPRE_Int n = 1;
  if (y > 0) col[n++] = row - N;
  if (x > 0) col[n++] = row - 1;
  if (x < N - 1) col[n++] = row + 1;
  if (y < N - 1) col[n++] = row + N;
  HYPRE_IJMatrixSetValues(A, 1, &n, &row, col, val);
}

static HYPRE_IJMatrix make_matrix(HYPRE_BigInt first, HYPRE_BigInt last)
{
  HYPRE_IJMatrix A;
  HYPRE_IJMatrixCreate(MPI_COMM_WORLD, first, last, first, last, &A);
  HYPRE_IJMatrixSetObjectType(A, HYPRE_PARCSR);
  HYPRE_IJMatrixInitialize(A);
  for (HYPRE_BigInt row = first; row <= last; row++) set_row(A, row);
  HYPRE_IJMatrixAssemble(A);
  return A;
}

static HYPRE_IJVector make_vector(HYPRE_BigInt first, HYPRE_BigInt last, HYPRE_Complex value)
{
  HYPRE_IJVector v;
  HYPRE_IJVectorCreate(MPI_COMM_WORLD, first, last, &v);
  HYPRE_IJVectorSetObjectType(v, HYPRE_PARCSR);
  HYPRE_IJVectorInitialize(v);
  for (HYPRE_BigInt row = first; row <= last; row++) HYPRE_IJVectorSetValues(v, 1, &row, &value);
  HYPRE_IJVectorAssemble(v);
  return v;
}

/* The part that changes. Returns 0 if all went well. */
static HYPRE_Int solve(HYPRE_ParCSRMatrix A, HYPRE_ParVector b, HYPRE_ParVector x, int rank)
{
  HYPRE_Solver solver, amg;
  HYPRE_Int iterations = 0;
  HYPRE_Real residual = 0;
  HYPRE_BoomerAMGCreate(&amg);
  HYPRE_BoomerAMGSetTol(amg, 0);
  HYPRE_BoomerAMGSetMaxIter(amg, 1);
  HYPRE_BoomerAMGSetRelaxType(amg, 6); /* symmetric */
  if (HYPRE_ParCSROvkCreate(MPI_COMM_WORLD, &solver)) return HYPRE_GetError();
  HYPRE_ParCSROvkSetTol(solver, 1e-8);
  HYPRE_ParCSROvkSetTwoNorm(solver, 1);
  HYPRE_ParCSROvkSetPrecond(solver, HYPRE_BoomerAMGSolve, HYPRE_BoomerAMGSetup, amg);
  HYPRE_ParCSROvkSetup(solver, A, b, x);
  const HYPRE_Int failed = HYPRE_ParCSROvkSolve(solver, A, b, x);
  const char *message = "";
  if (failed) HYPRE_ParCSROvkGetMessage(solver, &message);
  HYPRE_ParCSROvkGetNumIterations(solver, &iterations);
  HYPRE_ParCSROvkGetFinalRelativeResidualNorm(solver, &residual);
  if (rank == 0) printf("%d iterations, residual %.3e %s\n", (int)iterations, residual, message);
  HYPRE_ParCSROvkDestroy(solver);
  HYPRE_BoomerAMGDestroy(amg);
  return failed;
}

int main(int argc, char **argv)
{
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  HYPRE_Init();
  const HYPRE_BigInt first = ROWS * rank / size, last = ROWS * (rank + 1) / size - 1;
  HYPRE_IJMatrix A = make_matrix(first, last);
  HYPRE_IJVector b = make_vector(first, last, 1), x = make_vector(first, last, 0);
  void *par_A, *par_b, *par_x;
  HYPRE_IJMatrixGetObject(A, &par_A);
  HYPRE_IJVectorGetObject(b, &par_b);
  HYPRE_IJVectorGetObject(x, &par_x);
  const HYPRE_Int failed = solve(par_A, par_b, par_x, rank);
  HYPRE_IJMatrixDestroy(A);
  HYPRE_IJVectorDestroy(b);
  HYPRE_IJVectorDestroy(x);
  HYPRE_Finalize();
  MPI_Finalize();
  return failed ? 1 : 0;
}
