/* SPDX-License-Identifier: BSD-2-Clause */
/* The text of `ovk help` and --help. */
#ifndef OVK_TOOL_HELP_H
#define OVK_TOOL_HELP_H

#include "tool.h"

/* The exit status in words, for help and manual pages. */
extern const char help_exit_status[];

/* Prints the commands of a list, NULL-terminated. */
void help_print_overview(FILE *file, const command *const *list);

/* Prints the options of a table. */
void help_print_options(FILE *file, const option *options);

/* Prints the usage and the options of a command; `group`: the command that it belongs to, or NULL.
 */
void help_print(FILE *file, const command *group, const command *c);

#endif
