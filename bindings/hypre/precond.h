/* SPDX-License-Identifier: BSD-2-Clause */
/* Solvers of hypre as preconditioners: what all have in common. */
#ifndef OVK_HYPRE_PRECOND_H
#define OVK_HYPRE_PRECOND_H

#include "to_hypre.h"
#include "vectors.h"

#include <HYPRE_parcsr_ls.h>
#include <ovkrylov/precond.h>

/* A solver of hypre and its functions. */
typedef struct ovk__hypre_solver {
  HYPRE_Solver solver;
  HYPRE_PtrToParSolverFcn setup, solve;
  HYPRE_Int (*destroy)(HYPRE_Solver); /* NULL: the solver is the caller's */
} ovk__hypre_solver;

/* The state of a preconditioner. */
typedef struct ovk__hypre_precond {
  ovk_ctx *ctx;
  MPI_Comm comm;
  ovk__hypre_solver with;
  ovk__hypre_matrix copy; /* of our matrix; empty if the matrix was hypre's from the start */
  HYPRE_ParCSRMatrix A;   /* that, or hypre's */
  ovk__hypre_vectors vectors;
  HYPRE_ParVector b, x; /* what the next setup is given; NULL: zeros */
  char info[200];
} ovk__hypre_precond;

/* A new state with a communicator of its own; the caller sets `with`. Collective. NULL on all ranks
 * if some has failed; *err is this rank's error. */
ovk__hypre_precond *ovk__hypre_precond_open(ovk_ctx *ctx, ovk_err *err);

/* Hands the matrix over, unless P->A is set, and sets the solver up. *state <- P, or NULL, and P is
 * freed, if some rank has failed. Collective; errors are this rank's. */
ovk_err ovk__hypre_precond_set_up(const ovk_mat *A, ovk__hypre_precond *P, void **state);

/* Functions of an ovk_precond_ops. */
ovk_err ovk__hypre_precond_apply(void *state, const double *r, double *z, ovk_poll poll);
ovk_err ovk__hypre_precond_update(const ovk_mat *A, void *state);
void ovk__hypre_precond_destroy(void *state);

/* What a preconditioner is set up on instead of a copy of A and zeros: objects of hypre's, of which
 * the matrix stays. */
typedef struct ovk__hypre_given {
  HYPRE_ParCSRMatrix A;
  HYPRE_ParVector b, x;
} ovk__hypre_given;

/* As ovk_hypre_precond_create(). */
ovk_err ovk__hypre_precond_create_on(ovk_mat *A, ovk__hypre_given given, ovk__hypre_solver with,
                                     ovk_precond **out);

#endif
