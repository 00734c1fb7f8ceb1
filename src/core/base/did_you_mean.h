/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of plug-ins and keys: their syntax, and suggestions for mistyped ones. */
#ifndef OVK_CORE_BASE_DID_YOU_MEAN_H
#define OVK_CORE_BASE_DID_YOU_MEAN_H

#include <stdbool.h>
#include <stddef.h>

enum { OVK__NAME_MAX = 63 }; /* characters of the longest name */

enum { OVK__HINT_SIZE = 640 };

/* The end of an error message about an unknown name: ", did you mean 'x'? there are: x, y", with
 * `intro` for "there are". */
void ovk__hint(char hint[OVK__HINT_SIZE], const char *name, const char *const *names, int n,
               const char *intro);

/* The same with a suggestion that the caller has chosen, NULL for none. */
void ovk__hint_of(char hint[OVK__HINT_SIZE], const char *closest, const char *const *names, int n,
                  const char *intro);

/* The number of letters, digits, '-' and '_' at the start of text: the characters of a name. */
size_t ovk__name_length(const char *text);

/* Whether `name` is one of the names in `list`, which blanks separate. The case of letters does not
 * matter. */
bool ovk__is_named(const char *name, const char *list);

#endif
