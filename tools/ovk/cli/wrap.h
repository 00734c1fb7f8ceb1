/* SPDX-License-Identifier: BSD-2-Clause */
/* Text in lines of at most 100 letters. */
#ifndef OVK_TOOL_WRAP_H
#define OVK_TOOL_WRAP_H

#include <stdio.h>

/* Writes words. The first starts in the column `at`, each further line in `left`. */
void wrap_print(FILE *file, const char *text, int at, int left);

#endif
