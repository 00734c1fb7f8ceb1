/* SPDX-License-Identifier: BSD-2-Clause */
/* The table of commands. */
#include "commands/commands.h"

#include <string.h>

const command *const commands[] = {&solve_command,  &bench_command, &list_command,
                                   &report_command, &run_command,   &petsc_command,
                                   &diff_command,   &tune_command,  NULL};

static ovk_err find_among(ovk_ctx *ctx, const command *const *list, const char *what,
                          const char *name, const command **out)
{
  enum { MAX_COMMANDS = 16 };
  const char *names[MAX_COMMANDS];
  int n = 0;
  for (; list[n]; n++) {
    names[n] = list[n]->name;
    *out = list[n];
    if (strcmp(name, names[n]) == 0) return OVK_OK;
  }
  return args_unknown(ctx, what, name, names, n);
}

ovk_err command_find(ovk_ctx *ctx, int argc, char **argv, const command **group,
                     const command **out, int *used)
{
  *group = NULL;
  *used = 1;
  TRY(find_among(ctx, commands, "command", argv[0], out));
  if (!(*out)->subcommands || argc < 2 || args_ask_for_help(argv[1])) return OVK_OK;
  *group = *out;
  *used = 2;
  return find_among(ctx, (*group)->subcommands, "benchmark", argv[1], out);
}
