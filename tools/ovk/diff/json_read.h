/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads JSON without a copy: a value is the place of its first letter in the text. */
#ifndef OVK_TOOL_JSON_READ_H
#define OVK_TOOL_JSON_READ_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the text is one JSON value. *at <- the place of the first fault. The other functions
 * take values of a text that has been checked, or NULL, in which they find nothing. */
bool json_check(const char *text, const char **at);

/* The value of the first such key of an object, which is compared as it is written; NULL if
 * there is none. */
const char *json_member(const char *object, const char *key);

/* The first entry of an array, and the one after an entry or NULL; NULL if there is none. */
const char *json_first(const char *array);
const char *json_next(const char *entry);

/* The letters of a value. */
size_t json_length(const char *value);

/* Whether two values are written alike; also if there is none of both. */
bool json_same(const char *a, const char *b);

#endif
