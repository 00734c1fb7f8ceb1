/* SPDX-License-Identifier: BSD-2-Clause */
/* Manual pages, in the format of man(7). */
#ifndef OVK_TOOL_MANUAL_H
#define OVK_TOOL_MANUAL_H

#include "tool.h"

/* Prints ovk(1), with the commands of a list, NULL-terminated. */
void manual_print_overview(FILE *file, const command *const *list);

/* Prints the page of a command, with a section for each of its subcommands. */
void manual_print(FILE *file, const command *c);

#endif
