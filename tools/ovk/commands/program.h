/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the commands that run a program of the user under mpiexec. */
#ifndef OVK_TOOL_PROGRAM_H
#define OVK_TOOL_PROGRAM_H

#include "cli/args.h"

/* The number of ranks of the program. */
#define PROGRAM_RANKS_OPTION OPTION_INTEGER("-n", "N", 1, 1 << 16, "2", "number of ranks")

/* Reads the command line of a command that starts a program. False if the command must run with the
 * MPI, which then reports the reason: this process is a rank, or the words are wrong or ask for
 * help. */
bool program_parse(const option *options, int argc, char **argv, args *given);

/* The error of a command that runs as a rank. */
ovk_err program_refuse_rank(ovk_ctx *ctx, const char *name);

/* Prints that the command `name` cannot do this with `file`. Returns status. */
int program_fault(const char *name, int status, const char *action, const char *file,
                  const char *why);

/* Runs mpiexec -n RANKS env SETTINGS... PROGRAM..., the settings as "NAME=VALUE", NULL-terminated:
 * env sets them for the ranks alone. Returns false, after a message, if it cannot be started.
 * *status <- the exit status. */
bool program_run(const char *name, int ranks, char *const *settings, const args *given,
                 int *status);

#endif
