/* SPDX-License-Identifier: BSD-2-Clause */
/* One line of a Matrix Market file: words are separated by white space, and a number is accepted
 * only if it takes up the whole word. */
#include "matrix/io/mm_words.h"
#include "support/fuzz/fuzz.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static bool is_space(char c)
{
  return c != '\0' && strchr(" \t\n\v\f\r", c);
}

/* Optional sign and digits; *fits: within 64 bits, where *value gets it. */
static bool is_whole(const char *word, bool *fits, int64_t *value)
{
  const bool minus = *word == '-';
  word += minus || *word == '+';
  *fits = true;
  *value = 0;
  if (!*word) return false;
  for (; *word; word++) {
    if (*word < '0' || *word > '9') return false;
    const int digit = *word - '0';
    *fits = *fits && !__builtin_mul_overflow(*value, 10, value) &&
            !__builtin_sub_overflow(*value, digit, value); /* downwards: -2^63 has no positive */
  }
  if (!minus && *fits) *fits = !__builtin_sub_overflow((int64_t)0, *value, value);
  return true;
}

static void check_fault(const ovk__mm_line *line, ovk_err err)
{
  FUZZ_CHECK(line->fault == err && *line->why && strlen(line->why) < sizeof line->why,
             "no message");
  fuzz_refused(ovk__mm_line_raise(fuzz_ctx(), "file", 3, line));
}

static void check_int(ovk__mm_line line, const char *word)
{
  bool fits;
  int64_t expected, value = 7;
  const bool whole = is_whole(word, &fits, &expected);
  const ovk_err err = ovk__mm_line_int(&line, "number", &value);
  FUZZ_CHECK(err == (!whole ? OVK_ERR_FORMAT : !fits ? OVK_ERR_RANGE : OVK_OK), "'%s'", word);
  FUZZ_CHECK(err || value == expected, "'%s' gives %lld", word, (long long)value);
  if (err) check_fault(&line, err);
}

/* With an e where Fortran has a D: the first in a word that strtod() does not accept. */
static void check_double(ovk__mm_line line, const char *word)
{
  char *end;
  double value = 7;
  scoped_array char *plain = strdup(word);
  FUZZ_CHECK(plain, "no memory");
  (void)strtod(plain, &end);
  if (*end == 'd' || *end == 'D') *end = 'e';
  errno = 0;
  const double expected = strtod(plain, &end);
  const bool all = *plain && !*end, too_large = errno == ERANGE && isinf(expected);
  const ovk_err err = ovk__mm_line_double(&line, "number", &value);
  FUZZ_CHECK(err == (!all ? OVK_ERR_FORMAT : too_large ? OVK_ERR_RANGE : OVK_OK), "'%s'", word);
  FUZZ_CHECK(err || memcmp(&value, &expected, sizeof value) == 0, "'%s' gives %g", word, value);
  if (err) check_fault(&line, err);
}

/* The next word of the line, compared with the text, whose pointer is advanced. */
static bool check_word(ovk__mm_line *line, const char **text, const char *end)
{
  while (*text < end && is_space(**text)) ++*text;
  const char *start = *text;
  while (*text < end && !is_space(**text)) ++*text;
  const size_t n = (size_t)(*text - start);
  scoped_array char *word = malloc(n + 1);
  FUZZ_CHECK(word, "no memory");
  memcpy(word, start, n);
  word[n] = '\0';
  if (strlen(word) == n) { /* not one with a 0 in it */
    check_int(*line, word);
    check_double(*line, word);
  }
  const ovk__mm_word found = ovk__mm_line_word(line);
  FUZZ_CHECK(found.text == start && (size_t)found.length == n, "word '%s'", word);
  FUZZ_CHECK(ovk__mm_word_is(found, "real") == (strcasecmp(word, "real") == 0 && n == 4), "'%s'",
             word);
  if (n) check_fault(line, ovk__mm_line_fault_word(line, OVK_ERR_FORMAT, "it", found, "is wrong"));
  return n > 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  scoped_array char *text = fuzz_text(&(fuzz_bytes){data, data + size});
  ovk__mm_line line = {.at = text, .end = text + size, .number = 1};
  const char *at = text;
  const bool has_data = ovk__mm_line_has_data(&line);
  FUZZ_CHECK(line.at == line.end || !is_space(*line.at), "starts with white space");
  FUZZ_CHECK(has_data == (line.at < line.end && *line.at != '%'), "has data: %d", has_data);
  while (check_word(&line, &at, text + size)) continue;
  FUZZ_CHECK(ovk__mm_line_end(&line) == OVK_OK, "one word more");
  return 0;
}
