/* SPDX-License-Identifier: BSD-2-Clause */
/* Completion of command lines in bash. */
#ifndef OVK_TOOL_COMPLETION_H
#define OVK_TOOL_COMPLETION_H

#include "tool.h"

/* Prints the script for the commands of a list, NULL-terminated. */
void completion_print(FILE *file, const command *const *list);

#endif
