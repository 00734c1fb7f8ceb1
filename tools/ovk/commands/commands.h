/* SPDX-License-Identifier: BSD-2-Clause */
/* The commands of the program. */
#ifndef OVK_TOOL_COMMANDS_H
#define OVK_TOOL_COMMANDS_H

#include "tool.h"

extern const command solve_command, bench_command, list_command, report_command, run_command,
    petsc_command, diff_command, tune_command;

/* All of them, NULL-terminated. */
extern const command *const commands[];

/* Finds the command that argv starts with, and the group that contains it, or NULL. It takes *used
 * words. */
ovk_err command_find(ovk_ctx *ctx, int argc, char **argv, const command **group,
                     const command **out, int *used);

#endif
