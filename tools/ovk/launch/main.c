/* SPDX-License-Identifier: BSD-2-Clause */
/* The program ovk. It starts programs of users, and for all else it becomes ovk-tool: the libraries
 * of that, MPI, BLAS and others, take ten times as long to load as this program takes to start. */
#include "commands/commands.h"
#include "commands/program.h"
#include "launch/locate.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static bool program_is_started(int argc, char **argv, int *status)
{
  static const command *const starters[] = {&run_command, &petsc_command, NULL};
  for (const command *const *c = starters; *c && argc > 1; c++) {
    if (strcmp(argv[1], (*c)->name) == 0) return program_start(*c, argc - 2, argv + 2, status);
  }
  return false;
}

int main(int argc, char **argv)
{
  static const char name[] = "ovk-tool", *const places[] = {name, NULL};
  char tool[PATH_SIZE];
  int status;
  if (program_is_started(argc, argv, &status)) return status;
  execvp(find_beside(places, tool) ? tool : name, argv);
  fprintf(stderr, "ovk: cannot start %s beside it: %s\n", name, strerror(errno));
  return STATUS_FAULT;
}
