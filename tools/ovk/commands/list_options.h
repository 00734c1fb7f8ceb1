/* SPDX-License-Identifier: BSD-2-Clause */
/* Prints and writes the table of options of a plug-in. */
#ifndef OVK_TOOL_LIST_OPTIONS_H
#define OVK_TOOL_LIST_OPTIONS_H

#include "json.h"

#include <ovkrylov/list.h>

/* Prints a line for each option: name, summary, values, default. */
void list_options_print(const ovk_option *options);

/* Writes the array "options" with an object for each option. */
void list_options_write(json *out, const ovk_option *options);

#endif
