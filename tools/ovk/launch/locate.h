/* SPDX-License-Identifier: BSD-2-Clause */
/* Files next to this program, installed or in the build folder. */
#ifndef OVK_TOOL_LOCATE_H
#define OVK_TOOL_LOCATE_H

#include <stdbool.h>

enum { PATH_SIZE = 4096 };

/* path <- the file of this program; false: the system does not provide it. */
bool find_program(char path[PATH_SIZE]);

/* path <- the first of these places that can be read; they are relative to the folder of this
 * program, NULL-terminated. */
bool find_beside(const char *const *places, char path[PATH_SIZE]);

/* Looks for a program as execvp() does, in PATH. Returns 0, or an error number: why it cannot be
 * started. */
int locate_command(const char *name);

#endif
