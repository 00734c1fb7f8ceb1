/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads JSON without a copy: a value is the place of its first letter in the text. */
#include "diff/json_read.h"

#include <string.h>

/* Objects within objects that are followed. */
enum { MOST_DEPTH = 64 };

static const char *skip_blanks(const char *at)
{
  return at + strspn(at, " \t\r\n");
}

/* Each json_skip function returns the end of the text that begins at `at`, or NULL with *fault set.
 */
static const char *json_fail(const char *at, const char **fault)
{
  *fault = at;
  return NULL;
}

static const char *json_skip_string(const char *at, const char **fault)
{
  for (at++; *at != '"'; at++) {
    if ((unsigned char)*at < ' ') return json_fail(at, fault);
    if (*at == '\\' && !*++at) return json_fail(at, fault);
  }
  return at + 1;
}

/* A number, or one of the three words. */
static const char *json_skip_plain(const char *at, const char **fault)
{
  static const char *const words[] = {"true", "false", "null"};
  for (int k = 0; k < 3; k++) {
    const size_t n = strlen(words[k]);
    if (strncmp(at, words[k], n) == 0) return at + n;
  }
  const char *digits = at + (*at == '-');
  const size_t whole = strspn(digits, "0123456789");
  return whole > 0 ? digits + whole + strspn(digits + whole, "0123456789.eE+-")
                   : json_fail(at, fault);
}

static const char *json_skip(const char *at, int depth, const char **fault);

/* One entry of an object, with its key, or of an array. */
static const char *json_skip_entry(const char *at, bool keyed, int depth, const char **fault)
{
  if (!keyed) return json_skip(at, depth, fault);
  if (*at != '"') return json_fail(at, fault);
  at = json_skip_string(at, fault);
  if (!at) return NULL;
  at = skip_blanks(at);
  return *at == ':' ? json_skip(skip_blanks(at + 1), depth, fault) : json_fail(at, fault);
}

static const char *json_skip_entries(const char *at, char end, int depth, const char **fault)
{
  at = skip_blanks(at + 1);
  if (*at == end) return at + 1;
  for (;;) {
    at = json_skip_entry(at, end == '}', depth, fault);
    if (!at) return NULL;
    at = skip_blanks(at);
    if (*at == end) return at + 1;
    if (*at != ',') return json_fail(at, fault);
    at = skip_blanks(at + 1);
  }
}

static const char *json_skip(const char *at, int depth, const char **fault)
{
  if (depth == MOST_DEPTH) return json_fail(at, fault);
  switch (*at) {
  case '{':
    return json_skip_entries(at, '}', depth + 1, fault);
  case '[':
    return json_skip_entries(at, ']', depth + 1, fault);
  case '"':
    return json_skip_string(at, fault);
  default:
    return json_skip_plain(at, fault);
  }
}

bool json_check(const char *text, const char **at)
{
  const char *end = json_skip(skip_blanks(text), 0, at);
  if (!end) return false;
  *at = skip_blanks(end);
  return **at == '\0';
}

/* The end of a value of a text that has been checked. */
static const char *json_end(const char *value)
{
  const char *fault;
  return json_skip(value, 0, &fault);
}

const char *json_next(const char *entry)
{
  if (!entry) return NULL;
  const char *at = skip_blanks(json_end(entry));
  return *at == ',' ? skip_blanks(at + 1) : NULL;
}

/* The first entry between brackets, or NULL. */
static const char *json_enter(const char *value, char bracket)
{
  if (!value) return NULL;
  value = skip_blanks(value);
  if (*value != bracket) return NULL;
  value = skip_blanks(value + 1);
  return *value == '}' || *value == ']' ? NULL : value;
}

const char *json_first(const char *array)
{
  return json_enter(array, '[');
}

const char *json_member(const char *object, const char *key)
{
  const size_t length = strlen(key);
  for (const char *at = json_enter(object, '{'); at; at = json_next(at)) {
    const bool found = json_length(at) == length + 2 && strncmp(at + 1, key, length) == 0;
    at = skip_blanks(skip_blanks(json_end(at)) + 1); /* after the colon */
    if (found) return at;
  }
  return NULL;
}

size_t json_length(const char *value)
{
  return (size_t)(json_end(value) - value);
}

bool json_same(const char *a, const char *b)
{
  if (!a || !b) return a == b;
  const size_t n = json_length(a);
  return json_length(b) == n && memcmp(a, b, n) == 0;
}
