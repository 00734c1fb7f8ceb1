/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of a plug-in: type, values, default, and summary, as text and as JSON. */
#include "list_options.h"
#include "cli/wrap.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { VALUES = 160, INDENT = 2 };

bool list_option_is_shown(const ovk_option *option)
{
  static const char tests[] = "fault";
  return strncmp(option->name, tests, sizeof tests - 1) != 0;
}

static bool is_number(const ovk_option *option)
{
  return option->type == OVK_OPTION_INTEGER || option->type == OVK_OPTION_REAL;
}

/* text <- the default; "" if the plug-in chooses. */
static void write_default(const ovk_option *o, char text[VALUES])
{
  const bool in_bounds = o->default_value >= o->least && o->default_value <= o->most;
  *text = '\0';
  if (is_number(o) && in_bounds) snprintf(text, VALUES, "%.15g", o->default_value);
  if (o->type == OVK_OPTION_WORD && o->default_value >= 0) {
    snprintf(text, VALUES, "%s", o->words[(int)o->default_value]);
  }
  if (o->type == OVK_OPTION_TEXT && o->default_text) snprintf(text, VALUES, "%s", o->default_text);
}

static void write_bounds(const ovk_option *o, const char *kind, char text[VALUES])
{
  if (o->type == OVK_OPTION_INTEGER && o->most >= INT_MAX) {
    snprintf(text, VALUES, "%s, at least %.15g", kind, o->least);
  } else {
    snprintf(text, VALUES, "%s, %.15g to %.15g", kind, o->least, o->most);
  }
}

/* text <- the values that the option allows. */
static void write_values(const ovk_option *o, char text[VALUES])
{
  switch (o->type) {
  case OVK_OPTION_FLAG:
    snprintf(text, VALUES, "flag");
    break;
  case OVK_OPTION_INTEGER:
    write_bounds(o, "integer", text);
    break;
  case OVK_OPTION_REAL:
    write_bounds(o, "number", text);
    break;
  case OVK_OPTION_TEXT:
    snprintf(text, VALUES, "%s", o->form);
    break;
  case OVK_OPTION_WORD:
    *text = '\0';
    for (int k = 0; o->words[k]; k++) {
      const size_t used = strlen(text);
      snprintf(text + used, VALUES - used, "%s%s", k ? "|" : "", o->words[k]);
    }
  }
}

void list_options_print(const ovk_option *options)
{
  int longest = 0;
  for (const ovk_option *o = options; o && o->name; o++) {
    const int length = (int)strlen(o->name);
    if (list_option_is_shown(o) && length > longest) longest = length;
  }
  const int left = INDENT + longest + 2;
  for (const ovk_option *o = options; o && o->name; o++) {
    char values[VALUES], preset[VALUES], line[3 * VALUES];
    if (!list_option_is_shown(o)) continue;
    write_values(o, values);
    write_default(o, preset);
    snprintf(line, sizeof line, "%s (%s%s%s)", o->summary, values, *preset ? "; default " : "",
             preset);
    printf("%*s%-*s", INDENT, "", left - INDENT, o->name);
    wrap_print(stdout, line, left, left);
  }
}

void list_options_write(json *out, const ovk_option *options)
{
  json_open(out, "options", '[');
  for (const ovk_option *o = options; o && o->name; o++) {
    char text[VALUES];
    if (!list_option_is_shown(o)) continue;
    json_open(out, NULL, '{');
    json_text(out, "name", o->name);
    write_values(o, text);
    json_text(out, "values", text);
    write_default(o, text);
    json_text(out, "default", text);
    json_text(out, "summary", o->summary);
    json_close(out, '}');
  }
  json_close(out, ']');
}
