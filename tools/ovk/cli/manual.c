/* SPDX-License-Identifier: BSD-2-Clause */
/* Manual pages, in the format of man(7). */
#include "cli/help.h"

#include <ctype.h>

/* Text in which no letter has a meaning for man(7). */
static void print_text(FILE *file, const char *text)
{
  if (*text == '.' || *text == '\'') fputs("\\&", file);
  for (; *text; text++) {
    if (*text == '-' || *text == '\\') fputc('\\', file);
    fputc(*text == '\\' ? 'e' : *text, file);
    if (*text == '\n' && (text[1] == '.' || text[1] == '\'')) fputs("\\&", file);
  }
}

static void print_line(FILE *file, const char *before, const char *text)
{
  fputs(before, file);
  print_text(file, text);
  fputc('\n', file);
}

static void print_head(FILE *file, const char *name, const char *summary)
{
  fputs(".TH OVK", file);
  if (*name) fputs("\\-", file);
  for (const char *at = name; *at; at++) fputc(toupper((unsigned char)*at), file);
  fprintf(file, " 1 " OVK_DATE " \"ovkrylov %s\"\n.SH NAME\novk%s%s \\- ", ovk_version(),
          *name ? "\\-" : "", name);
  print_line(file, "", summary);
}

static void print_synopsis(FILE *file, const command *group, const command *c)
{
  fprintf(file, ".B ovk %s%s%s\n", group ? group->name : "", group ? " " : "", c->name);
  print_text(file, c->usage);
  fputc('\n', file);
}

static void print_options(FILE *file, const option *options)
{
  for (const option *o = options; o && o->name; o++) {
    char text[OPTION_TEXT_SIZE];
    fputs(".TP\n\\fB", file);
    print_text(file, o->name);
    fputs("\\fR \\fI", file);
    print_text(file, o->values);
    fputs("\\fR\n", file);
    option_describe(o, text);
    print_line(file, "", text);
  }
}

/* As it is, without filling lines. */
static void print_notes(FILE *file, const char *notes)
{
  if (!notes) return;
  fputs(".nf\n", file);
  print_text(file, notes);
  fputs(".fi\n", file);
}

static void print_end(FILE *file, const char *status, const char *others)
{
  fputs(".SH EXIT STATUS\n", file);
  print_line(file, "", status ? status : help_exit_status);
  fprintf(file, ".SH SEE ALSO\n%s\n", others);
}

void manual_print_overview(FILE *file, const command *const *list)
{
  print_head(file, "", "Krylov solvers for large sparse linear systems on many processes");
  fputs(".SH SYNOPSIS\n.B mpiexec\n\\-n RANKS\n.B ovk\nCOMMAND ...\n.SH COMMANDS\n", file);
  for (int k = 0; list[k]; k++) {
    print_line(file, ".TP\n.B ", list[k]->name);
    print_line(file, "", list[k]->summary);
  }
  fputs(".TP\n.B help\nprint the options of a command\n"
        ".TP\n.B man\nprint the manual page of a command\n"
        ".TP\n.B completion\nprint a script by which bash completes command lines\n"
        ".TP\n.B \\-\\-version\nprint the version\n",
        file);
  print_end(file, NULL, "ovk\\-solve(1), ovk\\-bench(1), ovk\\-list(1), mpiexec(1)");
}

static void print_subcommand(FILE *file, const command *group, const command *c)
{
  print_line(file, ".SS ", c->name);
  print_line(file, "", c->summary);
  fputs(".PP\n", file);
  print_synopsis(file, group, c);
  print_options(file, c->options);
  if (c->notes) fputs(".PP\n", file);
  print_notes(file, c->notes);
}

void manual_print(FILE *file, const command *c)
{
  print_head(file, c->name, c->summary);
  fputs(".SH SYNOPSIS\n", file);
  print_synopsis(file, NULL, c);
  if (c->options) fputs(".SH OPTIONS\n", file);
  print_options(file, c->options);
  if (c->notes) fputs(".SH NOTES\n", file);
  print_notes(file, c->notes);
  if (c->subcommands) fputs(".SH SUBCOMMANDS\n", file);
  for (int k = 0; c->subcommands && c->subcommands[k]; k++)
    print_subcommand(file, c, c->subcommands[k]);
  print_end(file, c->exit_status, "ovk(1)");
}
