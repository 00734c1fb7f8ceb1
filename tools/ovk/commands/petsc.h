/* SPDX-License-Identifier: BSD-2-Clause */
/* `ovk petsc`, as far as it works without the MPI. */
#ifndef OVK_TOOL_PETSC_H
#define OVK_TOOL_PETSC_H

#include <stdbool.h>

/* Runs the program that argc words, without "petsc", ask for; false as with run_program(). */
bool petsc_program(int argc, char **argv, int *status);

#endif
