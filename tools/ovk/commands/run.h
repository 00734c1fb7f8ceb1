/* SPDX-License-Identifier: BSD-2-Clause */
/* `ovk run`, as far as it works without the MPI. */
#ifndef OVK_TOOL_RUN_H
#define OVK_TOOL_RUN_H

#include <stdbool.h>

/* Runs the program of argc words, which exclude "run", before MPI_Init(): launchers cannot be
 * started by a rank. False: the words ask for help or are wrong, or this process is a rank; the
 * command then reports that. */
bool run_program(int argc, char **argv, int *status);

#endif
