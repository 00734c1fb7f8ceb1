/* SPDX-License-Identifier: BSD-2-Clause */
/* A strict reader of JSON (RFC 8259) that shares no code with the writer. Invalid JSON is a
 * finding. */
#ifndef OVK_TEST_FUZZ_JSON_READER_H
#define OVK_TEST_FUZZ_JSON_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct json_reader {
  const char *at, *end;
} json_reader;

/* Skips white space and returns the next character; 0 at the end. */
char json_peek(json_reader *r);

/* Expects this character after white space. */
void json_take(json_reader *r, char expected);

/* Expects a word: true, false or null. */
void json_take_word(json_reader *r, const char *word);

/* Reads a number into a buffer, as a string. */
void json_take_number(json_reader *r, char *text, size_t room);

/* Expects a string with the characters of `text`, in which each invalid byte of UTF-8 is replaced
 * by U+FFFD. */
void json_take_text(json_reader *r, const char *text);

#endif
