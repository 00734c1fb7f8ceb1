/* SPDX-License-Identifier: BSD-2-Clause */
/* The linear system of a KSP: matrices, null spaces and data about the problem. */
#ifndef OVKPETSC_SYSTEM_H
#define OVKPETSC_SYSTEM_H

#include "state/ksp_ovk.h"

/* rows.c: whether ovkpetsc_rows_open() can return the rows of A. Not collective. */
PetscErrorCode ovkpetsc_rows_exist(Mat A, PetscBool *exist);

/* rows.c: *readable <- A, or a conversion of it, whose rows can be added; the caller destroys it.
 */
PetscErrorCode ovkpetsc_rows_open(Mat A, Mat *readable);

/* rows.c: numbers that change with the values and with the pattern of A or of a block of it. PETSc
 * does not inform a nest of changes in its blocks. Not collective. */
PetscErrorCode ovkpetsc_rows_state(Mat A, PetscObjectState *values, PetscObjectState *pattern);

/* add_rows.c: adds the rows of A on this rank to `copy`; `half`: A stores one half of them.
 * Failures of ovkrylov are kept for ovk_mat_assemble(). Not collective. */
PetscErrorCode ovkpetsc_rows_add(Mat A, bool half, ovk_mat *copy);

/* rounding.c: *square <- this rank's part for ovk_shell_ops.rounding. Not collective. */
PetscErrorCode ovkpetsc_rounding_of(Mat A, double *square);

/* rounding.c: *W <- a bound of the norm of A, and of the rounding errors of its products in units
 * of 2^-53; infinite for other types than AIJ. Collective over A. */
PetscErrorCode ovkpetsc_rounding_bound(Mat A, double *W);

/* sample.c: *symmetric <- whether a sample of the entries on this rank is, up to rounding; *sampled
 * <- whether there is one. Not collective. */
PetscErrorCode ovkpetsc_sample(Mat A, bool *sampled, bool *symmetric);

/* operator.c: facts about the matrix of the KSP, as bits that are combined over the ranks. */
enum {
  OVKPETSC_OTHER_SIZE = 1,
  OVKPETSC_TOO_MANY = 2,
  OVKPETSC_COPIES = 4, /* its rows can be copied, and the options allow it */
  OVKPETSC_COPIES_NOT = 8,
  OVKPETSC_NO_ROWS = 16, /* the options have a format, and there are no rows */
  OVKPETSC_ALL_OF_OPERATOR = 31
};
PetscErrorCode ovkpetsc_operator_facts(KSP ksp, Mat A, int *facts);

/* operator.c: creates K->now.A from the matrix of the KSP: a copy of its rows, or a shell. A copy
 * that products have made becomes K->now.A; `new_values`: it has those of another state of the
 * matrix. */
PetscErrorCode ovkpetsc_operator_create(KSP ksp, Mat A, int facts, bool new_values);

/* operator.c: destroys a copy that products have made, and that is not D->A. Not collective. */
void ovkpetsc_operator_forget_copy(ovkpetsc_direction *D);

/* operator.c: creates K->now.P, a copy of the rows of the Pmat. */
PetscErrorCode ovkpetsc_operator_create_P(KSP ksp, Mat P);

/* operator.c: copies new values of the matrix, on the same pattern. Does nothing for a shell. */
PetscErrorCode ovkpetsc_operator_update(KSP ksp, Mat A, ovk_mat *copy);

/* nullspace.c: the vectors of a space, which may be NULL, for the duration of one call. `vectors`
 * are wrapped arrays of `basis`. */
typedef struct ovkpetsc_vectors {
  bool constant;
  PetscInt count;
  const Vec *basis;
  const double **arrays;
  ovk_vec **vectors;
} ovkpetsc_vectors;
PetscErrorCode ovkpetsc_vectors_get(KSP ksp, MatNullSpace space, ovkpetsc_vectors *V);
PetscErrorCode ovkpetsc_vectors_restore(ovkpetsc_vectors *V);

/* nullspace.c: puts the null spaces of A and of its transpose into `opts`, likewise. */
typedef struct ovkpetsc_nullspace {
  ovkpetsc_vectors right, left;
} ovkpetsc_nullspace;
PetscErrorCode ovkpetsc_nullspace_get(KSP ksp, Mat A, ovkpetsc_nullspace *N, ovk_solver_opts *opts);
PetscErrorCode ovkpetsc_nullspace_restore(ovkpetsc_nullspace *N);

/* nullspace.c: whether these options have a null space. Not collective. */
bool ovkpetsc_nullspace_is_given(const ovk_solver_opts *opts);

/* problem.c: makes the PC accept PCSetCoordinates(), for a preconditioner of ovkrylov. */
PetscErrorCode ovkpetsc_problem_accept_coordinates(PC pc);

/* problem.c: the ids of the near-null space of P and of the coordinates of the PC. Not collective.
 */
PetscErrorCode ovkpetsc_problem_ids(PC pc, Mat P, ovkpetsc_made_for *made_for);

/* problem.c: sets the block size and the near-null space of P and the coordinates of the PC in
 * `copy`, which has the rows of P. */
PetscErrorCode ovkpetsc_problem_describe(KSP ksp, Mat P, ovk_mat *copy);

#endif
