/* SPDX-License-Identifier: BSD-2-Clause */
/* Words and numbers of one line. */
#include "matrix/io/mm_words.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static bool is_space(char c)
{
  return c == ' ' || (c >= '\t' && c <= '\r');
}

bool ovk__mm_line_has_data(ovk__mm_line *line)
{
  while (line->at < line->end && is_space(*line->at)) line->at++;
  return line->at < line->end && *line->at != '%';
}

ovk__mm_word ovk__mm_line_word(ovk__mm_line *line)
{
  char *at = line->at;
  const char *end = line->end;
  while (at < end && is_space(*at)) at++;
  char *start = at;
  while (at < end && !is_space(*at)) at++;
  line->at = at;
  return (ovk__mm_word){start, (int)(at - start)};
}

bool ovk__mm_word_is(ovk__mm_word word, const char *text)
{
  for (int i = 0; i < word.length; i++) {
    const char c = word.text[i];
    /* tolower depends on the locale */
    if (text[i] == '\0' || (c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c) != text[i]) return false;
  }
  return text[word.length] == '\0';
}

ovk_err ovk__mm_line_int(ovk__mm_line *line, const char *what, int64_t *value)
{
  const ovk__mm_word word = ovk__mm_line_word(line);
  if (!word.length) return ovk__mm_line_fault(line, OVK_ERR_FORMAT, "the %s is missing", what);
  char *end;
  errno = 0;
  *value = strtoll(word.text, &end, 10);
  if (end != word.text + word.length)
    return ovk__mm_line_fault_word(line, OVK_ERR_FORMAT, what, word, "is not a whole number");
  if (errno == ERANGE)
    return ovk__mm_line_fault_word(line, OVK_ERR_RANGE, what, word, "does not fit 64 bits");
  return OVK_OK;
}

/* As strtod(), but the exponent may also follow a D, as Fortran writes it. */
static double parse_double(char *text, char **end)
{
  const double value = strtod(text, end);
  char *letter = *end;
  const char d = *letter;
  if (d != 'D' && d != 'd') return value;
  *letter = 'e';
  const double whole = strtod(text, end);
  *letter = d;
  return whole;
}

ovk_err ovk__mm_line_double(ovk__mm_line *line, const char *what, double *value)
{
  const ovk__mm_word word = ovk__mm_line_word(line);
  if (!word.length) return ovk__mm_line_fault(line, OVK_ERR_FORMAT, "the %s is missing", what);
  char *end;
  errno = 0;
  *value = parse_double(word.text, &end);
  if (end != word.text + word.length)
    return ovk__mm_line_fault_word(line, OVK_ERR_FORMAT, what, word, "is not a number");
  if (errno == ERANGE && isinf(*value)) /* a denormal number is ERANGE too, but valid */
    return ovk__mm_line_fault_word(line, OVK_ERR_RANGE, what, word, "does not fit a double");
  return OVK_OK;
}

ovk_err ovk__mm_line_end(ovk__mm_line *line)
{
  const ovk__mm_word word = ovk__mm_line_word(line);
  if (!word.length) return OVK_OK;
  return ovk__mm_line_fault_word(line, OVK_ERR_FORMAT, "the word", word, "is one too many");
}

ovk_err ovk__mm_line_fault(ovk__mm_line *line, ovk_err code, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  vsnprintf(line->why, sizeof line->why, format, args);
  va_end(args);
  return line->fault = code;
}

ovk_err ovk__mm_line_fault_word(ovk__mm_line *line, ovk_err code, const char *what,
                                ovk__mm_word word, const char *complaint)
{
  enum { SHOWN = 40 };
  char shown[SHOWN + 1];
  int n = 0;
  for (; n < word.length && n < SHOWN; n++) { /* the file may be binary */
    const char c = word.text[n];
    shown[n] = c >= ' ' && c <= '~' ? c : '?';
  }
  shown[n] = '\0';
  return ovk__mm_line_fault(line, code, "%s '%s%s' %s", what, shown, n < word.length ? "..." : "",
                            complaint);
}

ovk_err ovk__mm_line_raise(ovk_ctx *ctx, const char *path, int64_t before, const ovk__mm_line *line)
{
  return OVK_FAIL(ctx, line->fault, "%s:%lld: %s", path, (long long)(before + line->number),
                  line->why);
}
