/* SPDX-License-Identifier: BSD-2-Clause */
/* The changes between two solves of a KSP. */
#ifndef OVKPETSC_CHANGES_H
#define OVKPETSC_CHANGES_H

#include "ksp/ksp.h"
#include "system/system.h"

/* The changes since the last solve, and facts about this one. KEEP: the preconditioner must not be
 * set up again. NEEDS_ROWS: the options have a format, a preconditioner of ovkrylov, or exact sums.
 * MONITORED: there are monitors, or a test of the program, which may fail. */
enum {
  OVKPETSC_MADE_FOR = 1,
  OVKPETSC_A_VALUES = 2,
  OVKPETSC_P_VALUES = 4,
  OVKPETSC_KEEP = 8,
  OVKPETSC_NEW_TOLERANCES = 16,
  OVKPETSC_ARRAY_B = 32,
  OVKPETSC_ARRAY_X = 64,
  OVKPETSC_NEEDS_ROWS = 128,
  OVKPETSC_MONITORED = 256,
  OVKPETSC_FACTS = 512, /* times the bits of quick.c, of operator.c, and of the PC */
  OVKPETSC_OPERATOR = OVKPETSC_FACTS * (OVKPETSC_ALL_FACTS + 1),
  OVKPETSC_PC_CLASS = OVKPETSC_OPERATOR * (OVKPETSC_ALL_OF_OPERATOR + 1)
};

/* The tolerances of the KSP. A negative one is never met, like 0, and a negative number of
 * iterations is none. If PETSc or the program tests for convergence, the tolerances of ovkrylov are
 * 0. */
void ovkpetsc_take_tolerances(KSP ksp, ovk_solver_opts *opts);

/* *made_for, *values <- the system of this solve; *changed <- the changes on any rank.
 * Collective. */
PetscErrorCode ovkpetsc_changes_find(KSP ksp, Mat A, Mat P, const double *b, const double *x,
                                     ovkpetsc_made_for *made_for, ovkpetsc_values *values,
                                     int *changed);

#endif
