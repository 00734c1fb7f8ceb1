/* SPDX-License-Identifier: BSD-2-Clause */
/* KSPs of types that a program names in its code. */
#ifndef OVK_TEST_NAMED_H
#define OVK_TEST_NAMED_H

#include "support/petsc/petsc_problem.h"

/* Loads libovkpetsc.so with -ovk_take LIST. */
PetscErrorCode load(const char *list);

/* Set-up of a group: takes all types. */
int open_library(void **state);

/* A KSP whose type is named in code, after the options were read. */
KSP make_named(Mat A, const char *type, const char *options);

/* Asserts that a KSP, which still has the name of its type, is of ovkrylov. */
void assert_taken(KSP ksp);

/* The iterations of a solve, whose error must be small. */
PetscInt solved_in(KSP ksp, Mat A);

#endif
