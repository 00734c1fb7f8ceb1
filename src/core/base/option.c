/* SPDX-License-Identifier: BSD-2-Clause */
/* The values and the default of an option in words. */
#include <limits.h>
#include <ovkrylov/plugin/spec.h>
#include <stdio.h>
#include <string.h>

bool ovk_option_is_for_tests(const ovk_option *option)
{
  static const char prefix[] = "fault";
  return strncmp(option->name, prefix, sizeof prefix - 1) == 0;
}

static void write_bounds(const ovk_option *o, const char *kind, char *text, size_t size)
{
  if (o->type == OVK_OPTION_INTEGER && o->most >= INT_MAX) {
    snprintf(text, size, "%s, at least %.15g", kind, o->least);
  } else {
    snprintf(text, size, "%s, %.15g to %.15g", kind, o->least, o->most);
  }
}

static void write_words(const char *const *words, char *text, size_t size)
{
  size_t used = 0;
  *text = '\0';
  for (int k = 0; words[k] && used < size; k++) {
    used += (size_t)snprintf(text + used, size - used, "%s%s", k ? "|" : "", words[k]);
  }
}

void ovk_option_values(const ovk_option *option, char *text, size_t size)
{
  if (size == 0) return;
  switch (option->type) {
  case OVK_OPTION_FLAG:
    snprintf(text, size, "flag");
    break;
  case OVK_OPTION_INTEGER:
    write_bounds(option, "integer", text, size);
    break;
  case OVK_OPTION_REAL:
    write_bounds(option, "number", text, size);
    break;
  case OVK_OPTION_TEXT:
    snprintf(text, size, "%s", option->form);
    break;
  case OVK_OPTION_WORD:
    write_words(option->words, text, size);
    break;
  }
}

void ovk_option_default(const ovk_option *option, char *text, size_t size)
{
  const ovk_option *o = option;
  const bool is_number = o->type == OVK_OPTION_INTEGER || o->type == OVK_OPTION_REAL;
  const bool in_bounds = o->default_value >= o->least && o->default_value <= o->most;
  if (size == 0) return;
  *text = '\0';
  if (is_number && in_bounds) snprintf(text, size, "%.15g", o->default_value);
  if (o->type == OVK_OPTION_WORD && o->default_value >= 0) {
    snprintf(text, size, "%s", o->words[(int)o->default_value]);
  }
  if (o->type == OVK_OPTION_TEXT && o->default_text) snprintf(text, size, "%s", o->default_text);
}
