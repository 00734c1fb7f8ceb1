/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the commands that run a program of the user under mpiexec. */
#ifndef OVK_TOOL_PROGRAM_H
#define OVK_TOOL_PROGRAM_H

#include "tool.h"

/* The number of ranks of the program, the first option. */
enum { PROGRAM_RANKS };
#define PROGRAM_RANKS_OPTION                                                                       \
  [PROGRAM_RANKS] = OPTION_INTEGER("-n", "N", 1, 1 << 16, "2", "number of ranks")
int program_ranks(const args *given);

/* Starts the program that argc words, without the name of the command, ask for, before MPI_Init():
 * launchers cannot be started by a rank. False: this process is a rank, or the words are wrong or
 * ask for help; program_refuse() or help reports that once MPI is initialized. */
bool program_start(const command *c, int argc, char **argv, int *status);

/* The error of words that name no program, or of a command that runs as a rank. */
ovk_err program_refuse(ovk_ctx *ctx, const command *c, const args *given);

/* Prints that the command `name` cannot do this with `file`. Returns status. */
int program_fault(const char *name, int status, const char *action, const char *file,
                  const char *why);

/* Whether a setting of the ranks can name this library: these separators end names in the setting.
 * False, after a message: *status <- the exit status. */
bool program_can_load(const char *name, const char *library, const char *separators, int *status);

/* Runs mpiexec -n RANKS env SETTINGS... PROGRAM..., the settings as "NAME=VALUE", NULL-terminated:
 * env sets them for the ranks alone. Returns false, after a message, if it cannot be started.
 * *status <- the exit status. */
bool program_run(const char *name, char *const *settings, const args *given, int *status);

#endif
