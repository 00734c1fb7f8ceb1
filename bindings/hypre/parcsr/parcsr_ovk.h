/* SPDX-License-Identifier: BSD-2-Clause */
/* The data of a HYPRE_Solver that HYPRE_ParCSROvkCreate() returns. */
#ifndef OVK_HYPRE_PARCSR_OVK_H
#define OVK_HYPRE_PARCSR_OVK_H

#include "ovk_hypre.h"
#include "precond.h"

typedef struct ovk__parcsr_solver {
  MPI_Comm comm;
  ovk_ctx *ctx;
  ovk_solver_opts opts;                              /* its strings are these: */
  char *method, *backend, *exact, *format, *precond; /* NULL: defaults */
  ovk__hypre_solver with; /* a preconditioner of hypre, if `precond` is NULL */
  int functions;          /* unknowns of a point; -1: none that can be */
  HYPRE_Int num_vectors;
  HYPRE_ParVector *vectors; /* near the null space; the solver owns the array */
  bool scales;  /* `precond` replaces HYPRE_ParCSRDiagScale, which follows the values of A */
  bool solving; /* a monitor or a preconditioner of the program may call */
  /* created by setup: */
  ovk_err failed; /* its error; the context has the message */
  HYPRE_ParCSRMatrix given;
  uint64_t values; /* their hash, of ovk__hypre_hash_values() */
  ovk_mat *A;
  ovk_precond *M;
  ovk_solver *solver;
  ovk_result result;
} ovk__parcsr_solver;

static inline ovk__parcsr_solver *ovk__parcsr_of(HYPRE_Solver solver)
{
  return (ovk__parcsr_solver *)solver;
}

/* Returns from the caller unless its arguments are so: a handle that is NULL has no context for a
 * message. */
#define OVK__PARCSR_CHECK(condition)                                                               \
  do {                                                                                             \
    if (!(condition)) return ovk__parcsr_raise(NULL, OVK_ERR_ARG);                                 \
  } while (0)

/* Flags an error of ovkrylov with its message. Returns all flags. */
HYPRE_Int ovk__parcsr_raise(const ovk__parcsr_solver *s, ovk_err err);

/* Returns OVK_ERR_STATE, with a message, during a solve. */
ovk_err ovk__parcsr_check_idle(const ovk__parcsr_solver *s);

/* Sets the block size and the near-null space of s->A. Collective. */
ovk_err ovk__parcsr_describe_problem(const ovk__parcsr_solver *s);

/* Solves for all components of b at once; s->result <- that of the worst one. Collective. */
ovk_err ovk__parcsr_solve_columns(ovk__parcsr_solver *s, HYPRE_ParVector b, HYPRE_ParVector x);

/* Destroys the objects that setup has created. */
void ovk__parcsr_tear_down(ovk__parcsr_solver *s);

#endif
