/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes JSON: nested objects and arrays, one entry per line. */
#ifndef OVK_TOOL_JSON_H
#define OVK_TOOL_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Initialize with {file}. */
typedef struct json {
  FILE *file;
  int depth;   /* number of open objects and arrays */
  bool filled; /* the innermost one has an entry */
} json;

/* Every entry has a key in an object, and NULL in an array and at the top. */
void json_open(json *out, const char *key, char bracket); /* '{' or '[' */
void json_close(json *out, char bracket);                 /* '}' or ']' */
void json_text(json *out, const char *key, const char *text);
void json_int(json *out, const char *key, int64_t value);
void json_real(json *out, const char *key, double value); /* NaN and infinity: null */
void json_bool(json *out, const char *key, bool value);

#endif
