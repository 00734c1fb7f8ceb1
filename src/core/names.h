/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of plug-ins and keys: what they are made of, and what a mistyped one was meant to be. */
#ifndef OVK_CORE_NAMES_H
#define OVK_CORE_NAMES_H

#include <stddef.h>

enum { OVK__NAME_MAX = 63 }; /* letters of the longest name */

enum { OVK__HINT_SIZE = 640 };

/* What to say behind a name that is none of n: ", did you mean 'x'? there are: x, y", with `intro`
 * for "there are". */
void ovk__hint(char hint[OVK__HINT_SIZE], const char *name, const char *const *names, int n,
               const char *intro);

/* How many letters, digits, '-' and '_' stand at the start of text: what a name is made of. */
size_t ovk__name_length(const char *text);

#endif
