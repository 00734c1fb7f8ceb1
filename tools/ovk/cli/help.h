/* SPDX-License-Identifier: BSD-2-Clause */
/* The texts of the program about its commands: `ovk help` and --help, manual pages in the format of
 * man(7), completion of command lines in bash. Lists of commands are NULL-terminated. */
#ifndef OVK_TOOL_HELP_H
#define OVK_TOOL_HELP_H

#include "tool.h"

/* The exit status in words, for help and manual pages. */
extern const char help_exit_status[];

/* Prints the commands of a list. */
void help_print_overview(FILE *file, const command *const *list);

/* Prints the options of a table. */
void help_print_options(FILE *file, const option *options);

/* Prints the usage and the options of a command; `group`: the command that it belongs to, or NULL.
 */
void help_print(FILE *file, const command *group, const command *c);

/* Prints ovk(1), with the commands of a list. */
void manual_print_overview(FILE *file, const command *const *list);

/* Prints the page of a command, with a section for each of its subcommands. */
void manual_print(FILE *file, const command *c);

/* Prints the script for bash for the commands of a list. */
void completion_print(FILE *file, const command *const *list);

#endif
