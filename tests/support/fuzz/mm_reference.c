/* SPDX-License-Identifier: BSD-2-Clause */
/* Reads line by line, without checks for errors. */
#include "support/fuzz/mm_reference.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The contents of the banner. */
typedef struct banner {
  bool array, pattern, integer;
  char symmetry; /* 'g', or 's', or 'k' for skew */
} banner;

static banner read_banner(const char *line)
{
  char format[32] = "", field[32] = "", symmetry[32] = "";
  sscanf(line, "%*s %*s %31s %31s %31s", format, field, symmetry);
  return (banner){.array = strcasecmp(format, "array") == 0,
                  .pattern = strcasecmp(field, "pattern") == 0,
                  .integer = strcasecmp(field, "integer") == 0,
                  .symmetry = strcasecmp(symmetry, "general") == 0     ? 'g'
                              : strcasecmp(symmetry, "symmetric") == 0 ? 's'
                                                                       : 'k'};
}

static void add(entries *list, const banner *b, long long i, long long j, double value)
{
  list->at[list->count++] = (entry){(ovk_lidx)i, (ovk_lidx)j, value};
  if (i == j || b->symmetry == 'g') return;
  list->at[list->count++] = (entry){(ovk_lidx)j, (ovk_lidx)i, b->symmetry == 'k' ? -value : value};
}

static double value_of(const banner *b, const char *word)
{
  return b->pattern ? 1 : b->integer ? (double)strtoll(word, NULL, 10) : strtod(word, NULL);
}

/* A line of the body; *i and *j: the next position in an array, column by column. */
static void read_entry(entries *list, const banner *b, const char *line, long long *i, long long *j)
{
  char *at;
  if (!b->array) {
    *i = strtoll(line, &at, 10) - 1;
    *j = strtoll(at, &at, 10) - 1;
    add(list, b, *i, *j, value_of(b, at));
    return;
  }
  const double value = value_of(b, line), nothing = 0;
  if (memcmp(&value, &nothing, sizeof value) != 0) add(list, b, *i, *j, value);
  if (++*i < list->n) return;
  ++*j;
  *i = b->symmetry == 'g' ? 0 : b->symmetry == 's' ? *j : *j + 1;
}

entries mm_reference_read(const uint8_t *data, size_t size)
{
  fuzz_bytes in = {data, data + size};
  char *text = fuzz_text(&in), *rest = text;
  entries list = {.at = malloc((size + 2) * sizeof *list.at)}; /* at least two bytes per line */
  FUZZ_CHECK(list.at, "no memory");
  banner b = {0};
  long long i = 0, j = 0;
  for (int n = 0; rest < text + size; rest++) {
    char *line = rest, *newline = memchr(rest, '\n', (size_t)(text + size - rest));
    rest = newline ? newline : text + size;
    *rest = '\0';
    const char *first = line + strspn(line, " \t\v\f\r");
    if (n > 0 && (*first == '\0' || *first == '%')) continue;
    if (n == 0) {
      b = read_banner(line);
    } else if (n == 1) {
      list.n = (ovk_lidx)strtoll(line, NULL, 10);
      i = b.array && b.symmetry == 'k';
    } else {
      read_entry(&list, &b, line, &i, &j);
    }
    n++;
  }
  free(text);
  return list;
}
