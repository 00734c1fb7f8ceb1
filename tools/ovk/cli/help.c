/* SPDX-License-Identifier: BSD-2-Clause */
/* The text of `ovk help` and --help. */
#include "cli/help.h"
#include "cli/wrap.h"

const char help_exit_status[] = "0 converged, 1 ran but did not converge, 2 bad usage or input, "
                                "3 internal or network failure";

void help_print_overview(FILE *file, const command *const *list)
{
  fputs("ovk solves large sparse linear systems with Krylov methods on many processes.\n\n"
        "usage: mpiexec -n RANKS ovk COMMAND ...\n\n",
        file);
  for (int k = 0; list[k]; k++) fprintf(file, "  ovk %-12s %s\n", list[k]->name, list[k]->summary);
  fprintf(file,
          "  ovk help COMMAND  the options of a command\n"
          "  ovk man [...]     the manual page of a command, for man -l\n"
          "  ovk completion    a script for bash: source <(ovk completion)\n"
          "  ovk --version     the version\n\n"
          "exit status: %s\n",
          help_exit_status);
}

void help_print_options(FILE *file, const option *options)
{
  enum { LEFT = 26, NAME = 64 };
  for (const option *o = options; o->name; o++) {
    char name[NAME], text[OPTION_TEXT_SIZE];
    snprintf(name, sizeof name, "%s %s", o->name, o->values);
    option_describe(o, text);
    const int used = fprintf(file, "  %-*s ", LEFT - 3, name);
    if (used > LEFT) fprintf(file, "\n%*s", LEFT, "");
    wrap_print(file, text, LEFT, LEFT);
  }
}

void help_print(FILE *file, const command *group, const command *c)
{
  fprintf(file, "%s\n\nusage: ovk %s%s%s %s\n\n", c->summary, group ? group->name : "",
          group ? " " : "", c->name, c->usage);
  for (int k = 0; c->subcommands && c->subcommands[k]; k++)
    fprintf(file, "  %-14s %s\n", c->subcommands[k]->name, c->subcommands[k]->summary);
  if (c->options) help_print_options(file, c->options);
  if (c->notes) fprintf(file, "\n%s", c->notes);
  if (c->exit_status) fprintf(file, "\nexit status: %s\n", c->exit_status);
}
