/* SPDX-License-Identifier: BSD-2-Clause */
/* KSPs of PETSc's types that are ovkrylov's: what take.c, taken.c and setters.c give each other. */
#ifndef OVKPETSC_TAKE_H
#define OVKPETSC_TAKE_H

#include "ksp_ovk.h"

/* The name of PETSc's own "cg" is "petsc-cg". */
#define OVKPETSC_ORIGINAL "petsc-"
enum { OVKPETSC_TYPE_SIZE = 64, OVKPETSC_RESTART = 30 /* of all types that restart */ };

/* Which norms, sides, setters and options a type has. */
typedef enum ovkpetsc_family {
  OVKPETSC_CG,
  OVKPETSC_PIPELCG, /* tests the natural norm */
  OVKPETSC_MINRES,
  OVKPETSC_GMRES,
  OVKPETSC_FGMRES,
  OVKPETSC_GCR,
  OVKPETSC_BCGS,
  OVKPETSC_RIGHT /* preconditions from the right only */
} ovkpetsc_family;

/* A type of PETSc's, and what stands in for it. */
struct ovkpetsc_taken {
  const char *name;
  const char *method; /* NULL: auto */
  ovkpetsc_family family;
  bool definite; /* A and the PC are said to be */
};

/* take.c: whether -ovk_take knows this type. */
bool ovkpetsc_can_take(const char *name);

/* taken.c: the constructor of a KSP of such a type. */
PetscErrorCode ovkpetsc_taken_create(KSP ksp, const ovkpetsc_taken *taken);

/* setters.c: the functions of PETSc that programs call for a KSP of this type. */
PetscErrorCode ovkpetsc_setters_compose(KSP ksp);
PetscErrorCode ovkpetsc_setters_remove(KSP ksp);

/* setters.c: options of PETSc's own types that set the same. */
PetscErrorCode ovkpetsc_setters_from_options(KSP ksp, ovkpetsc_options PetscOptionsObject);

/* setters.c: gives what was set to PETSc's own type, which the KSP has got back. */
PetscErrorCode ovkpetsc_setters_hand_on(KSP ksp, const ovkpetsc_settings *settings);

/* Whether who named the type says that A is definite. */
static inline bool ovkpetsc_taken_definite(const ksp_ovk *K)
{
  return K->taken && K->taken->definite;
}

#endif
