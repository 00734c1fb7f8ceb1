/* SPDX-License-Identifier: BSD-2-Clause */
/* `ovk run`, as far as it works without the MPI. */
#ifndef OVK_TOOL_RUN_H
#define OVK_TOOL_RUN_H

#include <stdbool.h>

/* Runs the program that argc words, without "run", ask for, unless MPI_Init() has been called:
 * launchers refuse to be started by a process that is itself a rank. False: they ask for help, are
 * wrong, or this process is a rank; the command then says so. */
bool run_program(int argc, char **argv, int *status);

#endif
