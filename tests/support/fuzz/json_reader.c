/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads JSON character by character. */
#include "support/fuzz/json_reader.h"
#include "support/fuzz/fuzz.h"

#include <string.h>

enum { REPLACEMENT = 0xfffd, NO_CHARACTER = -1 };

char json_peek(json_reader *r)
{
  while (r->at < r->end && strchr(" \n\r\t", *r->at) && *r->at) r->at++;
  return r->at < r->end ? *r->at : '\0';
}

/* The next byte, which must be there. */
static char next(json_reader *r)
{
  FUZZ_CHECK(r->at < r->end, "JSON ends too early");
  return *r->at++;
}

void json_take(json_reader *r, char expected)
{
  const char c = json_peek(r);
  FUZZ_CHECK(c == expected, "'%c' instead of '%c'", c, expected);
  r->at++;
}

void json_take_word(json_reader *r, const char *word)
{
  json_take(r, *word);
  while (*++word) FUZZ_CHECK(next(r) == *word, "no %s", word);
}

static bool is_digit(char c)
{
  return c >= '0' && c <= '9';
}

/* Digits, at least one. */
static const char *skip_digits(const char *at)
{
  FUZZ_CHECK(is_digit(*at), "a digit is missing at '%s'", at);
  while (is_digit(*at)) at++;
  return at;
}

void json_take_number(json_reader *r, char *text, size_t room)
{
  json_peek(r);
  size_t n = 0;
  while (r->at < r->end && *r->at && strchr("+-.0123456789eE", *r->at) && n + 1 < room)
    text[n++] = *r->at++;
  text[n] = '\0';
  const char *at = text + (*text == '-');
  at = *at == '0' ? at + 1 : skip_digits(at);
  if (*at == '.') at = skip_digits(at + 1);
  if (*at == 'e' || *at == 'E') {
    at++;
    at = skip_digits(at + (*at == '+' || *at == '-'));
  }
  FUZZ_CHECK(*at == '\0', "number '%s'", text);
}

/* The character that starts at *at, which is advanced past it; or NO_CHARACTER, and *at is
 * unchanged. */
static long decode(const char **at)
{
  static const struct {
    unsigned char mask, lead;
    long least; /* a smaller one has a shorter encoding */
  } forms[] = {{0x80, 0, 0}, {0xe0, 0xc0, 0x80}, {0xf0, 0xe0, 0x800}, {0xf8, 0xf0, 0x10000}};
  const unsigned char *s = (const unsigned char *)*at;
  for (int more = 0; more < 4; more++) {
    if ((s[0] & forms[more].mask) != forms[more].lead) continue;
    long c = s[0] & ~forms[more].mask;
    for (int k = 1; k <= more; k++) {
      if (s[k] >> 6 != 2) return NO_CHARACTER; /* also rejects the 0 at the end */
      c = c << 6 | (s[k] & 63);
    }
    if (c < forms[more].least || c > 0x10ffff || (c >= 0xd800 && c < 0xe000)) return NO_CHARACTER;
    *at += more + 1;
    return c;
  }
  return NO_CHARACTER;
}

static long read_hex(json_reader *r)
{
  long c = 0;
  for (int k = 0; k < 4; k++) {
    const char digit = next(r);
    const char *place = digit ? strchr("0123456789abcdef0123456789ABCDEF", digit) : NULL;
    FUZZ_CHECK(place, "no digit: '%c'", digit);
    c = 16 * c + (place - "0123456789abcdef0123456789ABCDEF") % 16;
  }
  FUZZ_CHECK(c < 0xd800 || c >= 0xe000, "half a character: %lx", c);
  return c;
}

/* The next character of a string. */
static long read_character(json_reader *r)
{
  static const char escapes[] = "\"\\/bfnrt", stands_for[] = "\"\\/\b\f\n\r\t";
  if (*r->at != '\\') {
    const long c = decode(&r->at);
    FUZZ_CHECK(c >= ' ', "no character of a string: %ld", c);
    return c;
  }
  r->at++;
  const char escape = next(r);
  if (escape == 'u') return read_hex(r);
  const char *which = escape ? strchr(escapes, escape) : NULL;
  FUZZ_CHECK(which, "no escape: '\\%c'", escape);
  return stands_for[which - escapes];
}

void json_take_text(json_reader *r, const char *text)
{
  json_take(r, '"');
  while (*text) {
    long expected = decode(&text);
    if (expected == NO_CHARACTER) {
      expected = REPLACEMENT;
      text++;
    }
    const long c = read_character(r);
    FUZZ_CHECK(c == expected, "character %lx, not %lx", c, expected);
  }
  FUZZ_CHECK(next(r) == '"', "the string does not end");
}
