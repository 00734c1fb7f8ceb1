/* SPDX-License-Identifier: BSD-2-Clause */
/* Files that belong beside this program, installed or in the build folder. */
#ifndef OVK_TOOL_BESIDE_H
#define OVK_TOOL_BESIDE_H

#include <stdbool.h>

enum { PATH_SIZE = 4096 };

/* path <- this program's own file; false: the system does not provide it. */
bool find_program(char path[PATH_SIZE]);

/* path <- the first of these places that can be read; they are relative to this program's folder,
 * NULL-terminated. */
bool find_beside(const char *const *places, char path[PATH_SIZE]);

#endif
