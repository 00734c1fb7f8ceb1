/* SPDX-License-Identifier: BSD-2-Clause */
/* Systems, solvers and lines. */
#include "take_case.h"

#include <math.h>
#include <stdio.h>

int rank, size;

static void put(const grid *g, HYPRE_BigInt i, HYPRE_BigInt j, double value)
{
  HYPRE_Int one = 1;
  HYPRE_IJMatrixAddToValues(g->ij, 1, &one, &i, &j, &value);
}

void fill_row(const grid *g, HYPRE_BigInt i, double wind)
{
  put(g, i, i, 4);
  if (i >= N) put(g, i, i - N, -1);
  if (i < ROWS - N) put(g, i, i + N, -1);
  if (i % N > 0) put(g, i, i - 1, -1 - wind);
  if (i % N < N - 1) put(g, i, i + 1, -1 + wind);
}

HYPRE_ParVector open_vector(const grid *g, HYPRE_IJVector *ij)
{
  void *object = NULL;
  HYPRE_IJVectorCreate(MPI_COMM_WORLD, g->first, g->end - 1, ij);
  HYPRE_IJVectorSetObjectType(*ij, HYPRE_PARCSR);
  HYPRE_IJVectorInitialize(*ij);
  HYPRE_IJVectorAssemble(*ij);
  HYPRE_IJVectorGetObject(*ij, &object);
  return object;
}

grid open_grid(double wind)
{
  const int owners = size > 2 ? size - 1 : size, owner = rank < owners ? rank : owners;
  grid g = {.first = (HYPRE_BigInt)owner * ROWS / owners};
  g.end = owner < owners ? (HYPRE_BigInt)(owner + 1) * ROWS / owners : ROWS;
  void *object = NULL;
  HYPRE_IJMatrixCreate(MPI_COMM_WORLD, g.first, g.end - 1, g.first, g.end - 1, &g.ij);
  HYPRE_IJMatrixSetObjectType(g.ij, HYPRE_PARCSR);
  HYPRE_IJMatrixInitialize(g.ij);
  for (HYPRE_BigInt i = g.first; i < g.end; i++) fill_row(&g, i, wind);
  HYPRE_IJMatrixAssemble(g.ij);
  HYPRE_IJMatrixGetObject(g.ij, &object);
  g.A = object;
  g.b = open_vector(&g, &g.ij_b);
  g.x = open_vector(&g, &g.ij_x);
  for (HYPRE_BigInt i = g.first; i < g.end; i++) {
    const double value = sin(1 + 0.7 * (double)i);
    HYPRE_IJVectorSetValues(g.ij_b, 1, &i, &value);
  }
  return g;
}

void close_grid(grid *g)
{
  HYPRE_IJVectorDestroy(g->ij_b);
  HYPRE_IJVectorDestroy(g->ij_x);
  HYPRE_IJMatrixDestroy(g->ij);
}

#define KIND(name, converged)                                                                      \
  {                                                                                                \
#name, HYPRE_ParCSR##name##Create, HYPRE_ParCSR##name##Destroy, HYPRE_ParCSR##name##Setup,     \
        HYPRE_ParCSR##name##Solve, HYPRE_##name##Setup, HYPRE_##name##Solve,                       \
        HYPRE_ParCSR##name##SetTol, HYPRE_##name##SetAbsoluteTol, HYPRE_##name##SetMaxIter,        \
        HYPRE_ParCSR##name##SetLogging, HYPRE_ParCSR##name##SetPrecond,                            \
        HYPRE_##name##GetNumIterations, HYPRE_ParCSR##name##GetFinalRelativeResidualNorm,          \
        converged, HYPRE_ParCSR##name##GetResidual                                                 \
  }

const kind kinds[] = {KIND(PCG, HYPRE_PCGGetConverged), KIND(GMRES, HYPRE_GMRESGetConverged),
                      KIND(FlexGMRES, HYPRE_FlexGMRESGetConverged), KIND(BiCGSTAB, NULL)};

double norm_of(HYPRE_ParVector v)
{
  double square = 0;
  HYPRE_ParVectorInnerProd(v, v, &square);
  return sqrt(square);
}

void report(const kind *k, HYPRE_Solver solver, const char *what, const grid *g)
{
  HYPRE_Int iterations = -1, converged = -1;
  HYPRE_Real norm = -1;
  const HYPRE_Int flags = HYPRE_GetError();
  HYPRE_ClearAllErrors();
  k->iterations(solver, &iterations);
  k->norm(solver, &norm);
  if (k->converged) k->converged(solver, &converged);
  const double x = norm_of(g->x);
  if (rank == 0) {
    printf("%s %s %d %d %d %.15e %.15e\n", k->name, what, (int)iterations, (int)converged,
           (int)flags, norm, x);
  }
}

HYPRE_Solver open_solver(const kind *k, const precond *M)
{
  HYPRE_Solver solver = NULL;
  k->create(MPI_COMM_WORLD, &solver);
  k->max_iter(solver, 500);
  k->tol(solver, 1e-7);
  k->logging(solver, 1);
  if (M->solve) k->precond(solver, M->solve, M->setup, M->solver);
  if (k == &kinds[GMRES]) HYPRE_GMRESSetKDim(solver, 30);
  return solver;
}

void solve(const kind *k, HYPRE_Solver solver, const char *what, grid *g, bool any)
{
  HYPRE_Matrix A = (HYPRE_Matrix)g->A;
  HYPRE_Vector b = (HYPRE_Vector)g->b, x = (HYPRE_Vector)g->x;
  HYPRE_ParVectorSetConstantValues(g->x, 0);
  if (any) {
    k->any_setup(solver, A, b, x);
    k->any_solve(solver, A, b, x);
  } else {
    k->setup(solver, g->A, g->b, g->x);
    k->solve(solver, g->A, g->b, g->x);
  }
  report(k, solver, what, g);
}
