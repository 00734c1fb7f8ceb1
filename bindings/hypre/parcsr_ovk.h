/* SPDX-License-Identifier: BSD-2-Clause */
/* What is behind a HYPRE_Solver of HYPRE_ParCSROvkCreate(). */
#ifndef OVK_HYPRE_PARCSR_OVK_H
#define OVK_HYPRE_PARCSR_OVK_H

#include "ovk_hypre.h"
#include "precond.h"

typedef struct ovk__parcsr_solver {
  MPI_Comm comm;
  ovk_ctx *ctx;
  ovk_solver_opts opts;                      /* its texts are these: */
  char *method, *backend, *format, *precond; /* NULL: defaults */
  ovk__hypre_solver with;                    /* hypre's preconditioner, if `precond` is NULL */
  HYPRE_Int functions;                       /* unknowns of a point */
  HYPRE_Int num_vectors;
  HYPRE_ParVector *vectors; /* near the null space; the array is own */
  bool scales;  /* `precond` stands for HYPRE_ParCSRDiagScale, which follows the values of A */
  bool solving; /* a monitor or a preconditioner of the program's may be calling */
  /* made by setup: */
  ovk_err failed; /* what it failed with, the context's message says why */
  HYPRE_ParCSRMatrix given;
  uint64_t values; /* its values, as ovk__hypre_hash_values() has them */
  ovk_mat *A;
  ovk_precond *M;
  ovk_solver *solver;
  ovk_result result;
} ovk__parcsr_solver;

/* Flags an error of ours with its text. Returns all flags. */
HYPRE_Int ovk__parcsr_raise(const ovk__parcsr_solver *s, ovk_err err);

/* OVK_ERR_STATE, with a text, during a solve. */
ovk_err ovk__parcsr_check_idle(const ovk__parcsr_solver *s);

/* Gives s->A the block size and the near-null space. Collective. */
ovk_err ovk__parcsr_describe_problem(const ovk__parcsr_solver *s);

/* Destroys what setup has made. */
void ovk__parcsr_tear_down(ovk__parcsr_solver *s);

#endif
