/* SPDX-License-Identifier: BSD-2-Clause */
/* libovkhypre_take.so, preloaded into a program of hypre: ovkrylov executes its HYPRE_ParCSR
 * solvers. A solver that is taken remains an object of hypre, so all functions that set or get
 * values work as before. Setup and Solve read the settings from it and write the results to it. As
 * hypre, for one thread. */
#ifndef OVK_HYPRE_TAKE_H
#define OVK_HYPRE_TAKE_H

#include <HYPRE_krylov.h>
#include <HYPRE_parcsr_ls.h>
#include <stdbool.h>

/* The solvers that are taken, X(name), as in HYPRE_ParCSRPCGCreate(). */
#define OVK_TAKE_FAMILIES(X) X(PCG) X(GMRES) X(FlexGMRES) X(BiCGSTAB)

#define OVK_TAKE_ENUM(name) OVK_TAKE_##name,
typedef enum ovk__take_family { OVK_TAKE_FAMILIES(OVK_TAKE_ENUM) OVK_TAKE_NUMBER } ovk__take_family;
#undef OVK_TAKE_ENUM

/* The settings of a solver. */
typedef struct ovk__take_settings {
  bool own; /* a setting that ovkrylov lacks: the solver of hypre is used */
  HYPRE_Real tol, a_tol;
  HYPRE_Int max_iter, print_level, logging;
  /* the settings that Setup depends on: */
  HYPRE_Int two_norm;
  char method[48];                                /* "": the default among conjugate gradients */
  HYPRE_PtrToParSolverFcn precond, precond_setup; /* NULL: none */
  HYPRE_Solver precond_solver;
} ovk__take_settings;

/* How a solve went. */
typedef struct ovk__take_outcome {
  HYPRE_Int iterations, converged;
  HYPRE_Real norm; /* of the residual, relative */
} ovk__take_outcome;

/* settings.c: the settings of an object of hypre. */
ovk__take_settings ovk__take_read(ovk__take_family family, HYPRE_Solver solver);

/* settings.c: whether Setup gives the same for both. */
bool ovk__take_same_setup(const ovk__take_settings *a, const ovk__take_settings *b);

/* settings.c: writes this outcome to the object. */
void ovk__take_write(ovk__take_family family, HYPRE_Solver solver, ovk__take_outcome outcome);

/* settings.c: writes the residual b - A x to the object. Collective. */
void ovk__take_write_residual(ovk__take_family family, HYPRE_Solver solver, HYPRE_ParCSRMatrix A,
                              HYPRE_ParVector b, HYPRE_ParVector x);

/* A solver that is taken. */
typedef struct ovk__taken ovk__taken;

/* taken.c: takes a new solver of hypre. Without memory it is not taken. */
void ovk__taken_add(ovk__take_family family, HYPRE_Solver solver);

/* taken.c: the taken solver of this handle, or NULL if it is not taken. */
ovk__taken *ovk__taken_find(HYPRE_Solver solver);

/* taken.c: frees the taken solver of this handle, if there is one. Collective. */
void ovk__taken_remove(HYPRE_Solver solver);

/* taken.c: replacements of the functions of hypre. Collective. */
HYPRE_Int ovk__taken_setup(ovk__taken *t, HYPRE_ParCSRMatrix A, HYPRE_ParVector b,
                           HYPRE_ParVector x);
HYPRE_Int ovk__taken_solve(ovk__taken *t, HYPRE_ParCSRMatrix A, HYPRE_ParVector b,
                           HYPRE_ParVector x);

/* originals.c: the functions of hypre. */
typedef HYPRE_Int (*ovk__take_create_fn)(MPI_Comm comm, HYPRE_Solver *solver);
typedef HYPRE_Int (*ovk__take_destroy_fn)(HYPRE_Solver solver);
typedef struct ovk__take_original {
  ovk__take_create_fn create;
  ovk__take_destroy_fn destroy, destroy_any; /* HYPRE_BiCGSTABDestroy(); NULL: there is none */
  HYPRE_PtrToParSolverFcn setup, solve;      /* HYPRE_ParCSRPCGSetup() */
  HYPRE_PtrToSolverFcn setup_any, solve_any; /* HYPRE_PCGSetup() */
} ovk__take_original;
const ovk__take_original *ovk__take_original_of(ovk__take_family family);

#endif
