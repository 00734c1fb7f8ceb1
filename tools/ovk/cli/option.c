/* SPDX-License-Identifier: BSD-2-Clause */
/* The description of an option in words. */
#include "cli/option.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static void write_bounds(const option *o, char text[OPTION_RANGE_SIZE])
{
  const bool real = o->type == OPTION_IS_REAL;
  const char *kind = real ? "number" : o->type == OPTION_IS_LIST ? "integers" : "integer";
  if (o->most < (real ? HUGE_VAL : INT_MAX)) {
    snprintf(text, OPTION_RANGE_SIZE, "%s, %.10g to %.10g", kind, o->least, o->most);
  } else {
    snprintf(text, OPTION_RANGE_SIZE, "%s, at least %.10g", kind, o->least);
  }
}

static void write_words(const option *o, char text[OPTION_RANGE_SIZE])
{
  for (int k = 0; o->words[k]; k++) {
    const size_t used = strlen(text);
    const char *before = k == 0 ? "" : o->words[k + 1] ? ", " : " or ";
    snprintf(text + used, OPTION_RANGE_SIZE - used, "%s%s", before, o->words[k]);
  }
}

void option_write_range(const option *o, char text[OPTION_RANGE_SIZE])
{
  *text = '\0';
  switch (o->type) {
  case OPTION_IS_FLAG:
  case OPTION_IS_TEXT:
    break;
  case OPTION_IS_WORD:
    write_words(o, text);
    break;
  case OPTION_IS_INTEGER:
    if (o->words) {
      write_words(o, text);
      break;
    }
    /* fall through */
  case OPTION_IS_REAL:
  case OPTION_IS_LIST:
    write_bounds(o, text);
    break;
  }
}

void option_describe(const option *o, char text[OPTION_TEXT_SIZE])
{
  char range[OPTION_RANGE_SIZE];
  option_write_range(o, range);
  const char *preset = o->preset ? o->preset : "";
  const bool both = *range && *preset, any = *range || *preset;
  snprintf(text, OPTION_TEXT_SIZE, "%s%s%s%s%s%s%s", o->help, any ? " (" : "", range,
           both ? "; " : "", *preset ? "default " : "", preset, any ? ")" : "");
}
