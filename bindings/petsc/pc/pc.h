/* SPDX-License-Identifier: BSD-2-Clause */
/* The PC of a KSP as a preconditioner of ovkrylov. */
#ifndef OVKPETSC_PC_H
#define OVKPETSC_PC_H

#include "state/ksp_ovk.h"

/* precond.c: registers "petsc", the PC of the KSP, in a context. */
ovk_err ovkpetsc_precond_register(ovkpetsc_context *context);

/* precond.c: a number that changes when the PC is set up again. Not collective. */
PetscErrorCode ovkpetsc_precond_state(PC pc, PetscObjectState *out);

/* pc_class.c: *all <- the properties of a PC that is set up. VARIES: it contains Krylov methods.
 * ONE_SIDED: restricted Schwarz methods, sweeps in one direction, multiplicative types. STRONG:
 * multigrid and factorizations that are not parts of it. UNKNOWN: it may not be linear. COLUMNS:
 * ovkpetsc_columns_pay() is true, also for a block. Ranks may see different parts of it. Collective
 * over the PC. */
PetscErrorCode ovkpetsc_pc_class(PC pc, int *all);

/* inner_ksp.c: whether a KSP inside of a PC depends on the vector that it is applied to. Not
 * collective. */
PetscErrorCode ovkpetsc_ksp_varies(KSP ksp, bool *varies);

/* schur.c: whether a fieldsplit PC with a Schur complement, which is set up, is symmetric positive
 * definite, as far as three applications show. Collective over the PC. */
PetscErrorCode ovkpetsc_schur_is_definite(PC pc, bool *definite);

/* precond.c: whether the data of this PC is read when the preconditioner is set up. Not collective.
 */
PetscErrorCode ovkpetsc_precond_is_read(PC pc, PetscBool *is);

/* halves.c: whether a PC that is set up, or each block of a bjacobi on this rank, has factors. It
 * applies them. Collective over the PC. */
PetscErrorCode ovkpetsc_pc_has_halves(PC pc, bool *has);

/* mat_apply.c: whether PCMatApply() of a PC takes less time than PCApply() for each column: if it
 * is a function of the program, or if another package than PETSc has the factors. Not collective.
 */
PetscErrorCode ovkpetsc_columns_pay(PC pc, bool *pay);

/* mat_apply.c: matrices for PCMatApply() on blocks of `width` columns. Creates those that C has not
 * yet. */
typedef struct ovkpetsc_columns {
  Mat R, Z;
  PetscInt rows;
  int width;
} ovkpetsc_columns;
PetscErrorCode ovkpetsc_columns_create(KSP ksp, PetscInt rows, int width, ovkpetsc_columns *C);
void ovkpetsc_columns_destroy(ovkpetsc_columns *C);

/* mat_apply.c: Z <- C^-1 R for blocks, which have the values of a row side by side. */
PetscErrorCode ovkpetsc_columns_apply(PC pc, const ovkpetsc_columns *C, const double *r, double *z);

#endif
