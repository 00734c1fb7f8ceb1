/* SPDX-License-Identifier: BSD-2-Clause */
/* KSP types of PETSc that the type "ovk" replaces by the option -ovk_take. */
#ifndef OVKPETSC_TAKEN_TYPE_H
#define OVKPETSC_TAKEN_TYPE_H

#include <petscksp.h>
#include <stdbool.h>

/* Determines the norms, sides, setters and options of a type. */
typedef enum ovkpetsc_family {
  OVKPETSC_CG,
  OVKPETSC_PIPELCG, /* tests the natural norm */
  OVKPETSC_FCG,
  OVKPETSC_PIPEFCG,
  OVKPETSC_MINRES,
  OVKPETSC_GMRES,
  OVKPETSC_FGMRES,
  OVKPETSC_GCR,
  OVKPETSC_BCGS,
  OVKPETSC_RIGHT /* right preconditioning only */
} ovkpetsc_family;

/* A type of PETSc, and its replacement. */
typedef struct ovkpetsc_taken {
  const char *name;
  const char *method; /* NULL: auto */
  ovkpetsc_family family;
  bool definite; /* the type requires A and the PC to be positive definite */
} ovkpetsc_taken;

/* The restart length of all types that restart, unless it is set. */
enum { OVKPETSC_RESTART = 30 };

/* Values set by functions and options of the types of PETSc. */
typedef struct ovkpetsc_settings {
  PetscInt restart;                               /* 0: not set */
  PetscErrorCode (*orthogonalize)(KSP, PetscInt); /* NULL: not set */
  KSPGMRESCGSRefinementType refinement;
  PetscInt directions; /* of flexible CG; 0: of another method */
  KSPFCDTruncationType truncation;
  PetscInt pipeline; /* the length of that of pipelcg; 0: not set */
} ovkpetsc_settings;

#endif
