/* SPDX-License-Identifier: BSD-2-Clause */
/* One system, in objects of ovkrylov and of hypre. */
#ifndef OVK_TEST_HYPRE_CASE_H
#define OVK_TEST_HYPRE_CASE_H

#include "support/test_main.h"

#include <_hypre_parcsr_mv.h>
#include <ovk_hypre.h>

/* Functions of hypre return flags that stay set. */
#define assert_hypre(call) assert_int_equal((call), 0)

typedef struct hypre_case {
  ovk_mat *A;
  ovk_vec *b, *x;
  HYPRE_IJMatrix ij;
  HYPRE_IJVector ij_b, ij_x;
  HYPRE_ParCSRMatrix par;
  HYPRE_ParVector par_b, par_x;
} hypre_case;

/* The system that the hypre program ij solves with -rhsrand: the 7-point operator and a random b of
 * norm 1. On 1 and 2 ranks it has 10 x 10 x 10 points, in the order of ij; on 3, 10 x 12 x 10. */
hypre_case hypre_case_open(void);

/* The same with another matrix, which goes over to the case. */
hypre_case hypre_case_of(ovk_mat *A);
void hypre_case_close(hypre_case *c);
#define scoped_hypre_case SCOPED(hypre_case_close) hypre_case

/* Sets row i of the matrix *ij, for ovk_mat_for_each_row(). */
ovk_err hypre_set_row(void *ij, ovk_gidx i, ovk_lidx n, const ovk_gidx *col, const double *val);

/* A solver of ovkrylov over all ranks, and the iterations of its last solve. */
HYPRE_Solver new_ovk_solver(void);
void destroy_ovk_solver(HYPRE_Solver *solver);
#define scoped_ovk_solver SCOPED(destroy_ovk_solver) HYPRE_Solver
HYPRE_Int iterations_of(HYPRE_Solver solver);

/* Set-up and tear-down of a group: hypre, also with its preconditioners registered. */
int open_hypre(void **state);
int open_hypre_and_register(void **state);
int close_hypre(void **state);

/* x <- 0 in both. */
void hypre_case_clear(hypre_case *c);

/* ||b - A x|| / ||b|| by hypre. */
double hypre_case_residual(hypre_case *c);

/* BoomerAMG with the defaults of ij, which are those of hypre except for the row sum, for one
 * application. */
HYPRE_Solver hypre_case_boomeramg(void);

/* A preconditioner of hypre; `solver` may be NULL. */
typedef struct hypre_precond {
  HYPRE_PtrToParSolverFcn solve, setup;
  HYPRE_Solver solver;
} hypre_precond;

extern const hypre_precond hypre_diag_scale;

/* Iterations, and the norm of the residual over that of b. */
typedef struct hypre_outcome {
  HYPRE_Int iterations;
  double residual;
} hypre_outcome;

/* The PCG of hypre for A with M, from x = 0, in the norm that `two_norm` says. */
hypre_outcome hypre_case_pcg(hypre_case *c, HYPRE_ParCSRMatrix A, const hypre_precond *M,
                             HYPRE_Int two_norm, double tolerance);

/* The same for the matrix of the case with that BoomerAMG. */
hypre_outcome hypre_case_solve(hypre_case *c, HYPRE_Int two_norm, double tolerance);

/* A vector with the rows of the matrix and several components, which are 0. */
hypre_ParVector *hypre_case_components(const hypre_case *c, int components);
void destroy_components(hypre_ParVector **v);
#define scoped_components SCOPED(destroy_components) hypre_ParVector

/* Asserts a flag of hypre and our text on all ranks, and clears the flags. */
void assert_flagged(HYPRE_Int flags, HYPRE_Int expected, HYPRE_Solver solver, const char *part);

#endif
