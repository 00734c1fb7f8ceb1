/* SPDX-License-Identifier: BSD-2-Clause */
/* Writes JSON: nested objects and arrays, one entry per line. */
#include "json.h"

#include <inttypes.h>
#include <math.h>

/* The length in bytes of the UTF-8 character at s, or 0 if it is invalid. */
static int utf8_bytes(const unsigned char *s)
{
  if (s[0] < 0x80) return 1;
  if (s[0] < 0xc2 || s[0] > 0xf4) return 0;
  const int n = s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
  for (int k = 1; k < n; k++) {
    if ((s[k] & 0xc0) != 0x80) return 0;
  }
  const bool too_long = (s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xf0 && s[1] < 0x90);
  const bool no_character = (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf4 && s[1] > 0x8f);
  return too_long || no_character ? 0 : n;
}

/* A file name can hold any byte: invalid UTF-8 becomes the replacement character. */
static void write_text(FILE *file, const char *text)
{
  fputc('"', file);
  for (const unsigned char *s = (const unsigned char *)text; *s;) {
    const int n = utf8_bytes(s);
    if (n == 0) {
      fputs("\\ufffd", file);
    } else if (*s == '"' || *s == '\\') {
      fprintf(file, "\\%c", *s);
    } else if (*s < 0x20) {
      fprintf(file, "\\u%04x", *s);
    } else {
      fwrite(s, 1, (size_t)n, file);
    }
    s += n ? n : 1;
  }
  fputc('"', file);
}

static void new_line(json *out)
{
  fprintf(out->file, "\n%*s", 2 * out->depth, "");
}

static void begin_entry(json *out, const char *key)
{
  if (out->filled) fputc(',', out->file);
  if (out->depth > 0) new_line(out);
  out->filled = true;
  if (!key) return;
  write_text(out->file, key);
  fputs(": ", out->file);
}

void json_open(json *out, const char *key, char bracket)
{
  begin_entry(out, key);
  fputc(bracket, out->file);
  out->depth++;
  out->filled = false;
}

void json_close(json *out, char bracket)
{
  out->depth--;
  if (out->filled) new_line(out);
  fputc(bracket, out->file);
  out->filled = true;
  if (out->depth == 0) fputc('\n', out->file);
}

void json_text(json *out, const char *key, const char *text)
{
  begin_entry(out, key);
  write_text(out->file, text);
}

void json_int(json *out, const char *key, int64_t value)
{
  begin_entry(out, key);
  fprintf(out->file, "%" PRId64, value);
}

void json_real(json *out, const char *key, double value)
{
  begin_entry(out, key);
  if (isfinite(value)) {
    fprintf(out->file, "%.17g", value);
  } else {
    fputs("null", out->file);
  }
}

void json_bool(json *out, const char *key, bool value)
{
  begin_entry(out, key);
  fputs(value ? "true" : "false", out->file);
}
