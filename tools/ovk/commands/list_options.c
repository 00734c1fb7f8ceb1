/* SPDX-License-Identifier: BSD-2-Clause */
/* The options of a plug-in: type, values, default, and summary, as text and as JSON. */
#include "list_options.h"
#include "cli/wrap.h"

#include <stdio.h>
#include <string.h>

enum { VALUES = 160, INDENT = 2 };

void list_options_print(const ovk_option *options)
{
  int longest = 0;
  for (const ovk_option *o = options; o && o->name; o++) {
    const int length = (int)strlen(o->name);
    if (!ovk_option_is_for_tests(o) && length > longest) longest = length;
  }
  const int left = INDENT + longest + 2;
  for (const ovk_option *o = options; o && o->name; o++) {
    char values[VALUES], preset[VALUES], line[3 * VALUES];
    if (ovk_option_is_for_tests(o)) continue;
    ovk_option_values(o, values, sizeof values);
    ovk_option_default(o, preset, sizeof preset);
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
    if (ovk_option_is_for_tests(o)) continue;
    json_open(out, NULL, '{');
    json_text(out, "name", o->name);
    ovk_option_values(o, text, sizeof text);
    json_text(out, "values", text);
    ovk_option_default(o, text, sizeof text);
    json_text(out, "default", text);
    json_text(out, "summary", o->summary);
    json_close(out, '}');
  }
  json_close(out, ']');
}
