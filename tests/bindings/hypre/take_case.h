/* SPDX-License-Identifier: BSD-2-Clause */
/* The systems, solvers and lines of take_program.c, which knows nothing of ovkrylov and of CMocka.
 */
#ifndef OVK_TEST_TAKE_CASE_H
#define OVK_TEST_TAKE_CASE_H

#include <HYPRE.h>
#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>
#include <stdbool.h>

enum { N = 24, ROWS = N * N };

/* A system; on three ranks and more the last has no rows, which Euclid and Schwarz do not support.
 */
typedef struct grid {
  HYPRE_IJMatrix ij;
  HYPRE_IJVector ij_b, ij_x;
  HYPRE_ParCSRMatrix A;
  HYPRE_ParVector b, x;
  HYPRE_BigInt first, end;
} grid;

/* In MPI_COMM_WORLD. */
extern int rank, size;

/* `wind`: of the convection; 0 for a symmetric matrix. */
grid open_grid(double wind);
void close_grid(grid *g);

/* Adds a row to the matrix. */
void fill_row(const grid *g, HYPRE_BigInt i, double wind);

/* A vector of zeros. */
HYPRE_ParVector open_vector(const grid *g, HYPRE_IJVector *ij);
double norm_of(HYPRE_ParVector v);

/* The hypre functions of a kind of solver; set, get: the names of the other family for the same. */
typedef HYPRE_Int (*run_fn)(HYPRE_Solver, HYPRE_ParCSRMatrix, HYPRE_ParVector, HYPRE_ParVector);
typedef struct kind {
  const char *name;
  HYPRE_Int (*create)(MPI_Comm, HYPRE_Solver *);
  HYPRE_Int (*destroy)(HYPRE_Solver);
  run_fn setup, solve;
  HYPRE_Int (*any_setup)(HYPRE_Solver, HYPRE_Matrix, HYPRE_Vector, HYPRE_Vector);
  HYPRE_Int (*any_solve)(HYPRE_Solver, HYPRE_Matrix, HYPRE_Vector, HYPRE_Vector);
  HYPRE_Int (*tol)(HYPRE_Solver, HYPRE_Real), (*a_tol)(HYPRE_Solver, HYPRE_Real);
  HYPRE_Int (*max_iter)(HYPRE_Solver, HYPRE_Int), (*logging)(HYPRE_Solver, HYPRE_Int);
  HYPRE_Int (*precond)(HYPRE_Solver, HYPRE_PtrToParSolverFcn, HYPRE_PtrToParSolverFcn,
                       HYPRE_Solver);
  HYPRE_Int (*iterations)(HYPRE_Solver, HYPRE_Int *), (*norm)(HYPRE_Solver, HYPRE_Real *);
  HYPRE_Int (*converged)(HYPRE_Solver, HYPRE_Int *); /* NULL: there is none */
  HYPRE_Int (*residual)(HYPRE_Solver, HYPRE_ParVector *);
} kind;

extern const kind kinds[];
enum { PCG, GMRES, FLEXGMRES, BICGSTAB, KINDS };

typedef struct precond {
  const char *name;
  HYPRE_PtrToParSolverFcn solve, setup;
  HYPRE_Solver solver;
} precond;

HYPRE_Solver open_solver(const kind *k, const precond *M);

/* Sets up and solves from x = 0, by the functions that take any matrix or those of ParCSR, and
 * reports. */
void solve(const kind *k, HYPRE_Solver solver, const char *what, grid *g, bool any);

/* Writes a line, and clears the flags of errors. */
void report(const kind *k, HYPRE_Solver solver, const char *what, const grid *g);

#endif
