/* SPDX-License-Identifier: BSD-2-Clause */
/* The command line, parsed and checked by the table of options of a command. */
#include "cli/args.h"
#include "tool.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static char last_message[512];

const char *args_message(void)
{
  return last_message;
}

/* Keeps a message in the context, or for args_message(). */
static OVK_PRINTF(3, 4) ovk_err args_fail(ovk_ctx *ctx, ovk_err code, const char *format, ...)
{
  va_list values;
  va_start(values, format);
  vsnprintf(last_message, sizeof last_message, format, values);
  va_end(values);
  return ovk_ctx_fail(ctx, code, "%s", last_message);
}

ovk_err args_unknown(ovk_ctx *ctx, const char *what, const char *word, const char *const *names,
                     int n)
{
  const char *meant = ovk_closest(word, names, n);
  if (meant) {
    return args_fail(ctx, OVK_ERR_UNKNOWN, "unknown %s '%s', did you mean '%s'?", what, word,
                     meant);
  }
  char list[512] = "";
  for (int k = 0; k < n; k++) {
    const size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "", names[k]);
  }
  return args_fail(ctx, OVK_ERR_UNKNOWN, "unknown %s '%s'; there are: %s", what, word, list);
}

static ovk_err unknown_option(ovk_ctx *ctx, const option *options, const char *word)
{
  const char *names[ARGS_MAX_OPTIONS];
  int n = 0;
  for (; options[n].name; n++) names[n] = options[n].name;
  return args_unknown(ctx, "option", word, names, n);
}

/* Checks that the values of the option follow: `left` words remain, at `values`. */
static ovk_err check_count(ovk_ctx *ctx, const option *o, int left, char **values)
{
  int n = 0;
  while (n < o->nvalues && n < left && strncmp(values[n], "--", 2) != 0) n++;
  if (n == o->nvalues) return OVK_OK;
  return args_fail(ctx, OVK_ERR_ARG, "%s needs %d value%s (%s), %d given", o->name, o->nvalues,
                   o->nvalues > 1 ? "s" : "", o->values, n);
}

ovk_err args_number(ovk_ctx *ctx, const char *name, const char *word, int least, int most,
                    int *value)
{
  char *end;
  errno = 0;
  const long number = strtol(word, &end, 10);
  if (isspace((unsigned char)*word) || end == word || *end || errno || number < least ||
      number > most) {
    return args_fail(ctx, OVK_ERR_ARG, "%s is '%s', but must be a whole number from %d to %d", name,
                     word, least, most);
  }
  *value = (int)number;
  return OVK_OK;
}

static ovk_err check_real(ovk_ctx *ctx, const option *o, const char *word)
{
  char *end, range[OPTION_RANGE_SIZE];
  errno = 0;
  const double number = strtod(word, &end);
  if (!isspace((unsigned char)*word) && end != word && !*end && !errno && isfinite(number) &&
      number >= o->least && number <= o->most) {
    return OVK_OK;
  }
  option_write_range(o, range);
  return args_fail(ctx, OVK_ERR_ARG, "%s is '%s', but must be a finite %s", o->name, word, range);
}

static int index_of(const option *o, const char *word)
{
  int k = 0;
  while (o->words[k] && strcmp(o->words[k], word) != 0) k++;
  return o->words[k] ? k : -1;
}

static ovk_err check_word(ovk_ctx *ctx, const option *o, const char *word)
{
  char range[OPTION_RANGE_SIZE];
  int n = 0;
  if (index_of(o, word) >= 0) return OVK_OK;
  while (o->words[n]) n++;
  const char *meant = ovk_closest(word, o->words, n);
  option_write_range(o, range);
  return args_fail(ctx, OVK_ERR_UNKNOWN, "%s is '%s', but must be %s%s%s%s", o->name, word, range,
                   meant ? "; did you mean '" : "", meant ? meant : "", meant ? "'?" : "");
}

/* The number of words before the integers of an option. */
static int words_before(const option *o)
{
  return o->type == OPTION_IS_INTEGER && o->words ? 1 : 0;
}

/* Checks value number v. */
static ovk_err check_value(ovk_ctx *ctx, const option *o, int v, const char *word)
{
  int number;
  if (v < words_before(o)) return check_word(ctx, o, word);
  switch (o->type) {
  case OPTION_IS_INTEGER:
    return args_number(ctx, o->name, word, (int)o->least, (int)o->most, &number);
  case OPTION_IS_REAL:
    return check_real(ctx, o, word);
  case OPTION_IS_WORD:
    return check_word(ctx, o, word);
  case OPTION_IS_FLAG:
  case OPTION_IS_TEXT:
  case OPTION_IS_LIST:
    break;
  }
  return OVK_OK;
}

/* Takes the option at argv[*at] and advances *at past its values; "--name=value" has one. */
static ovk_err parse_option(ovk_ctx *ctx, int argc, char **argv, int *at, args *out)
{
  char name[64], *equals = strchr(argv[*at], '=');
  const int length = equals ? (int)(equals - argv[*at]) : (int)strlen(argv[*at]);
  snprintf(name, sizeof name, "%.*s", length, argv[*at]);
  int k = 0;
  while (out->options[k].name && strcmp(out->options[k].name, name) != 0) k++;
  const option *o = &out->options[k];
  if (!o->name) return unknown_option(ctx, out->options, name);
  if (out->values[k]) return args_fail(ctx, OVK_ERR_ARG, "%s is given twice", name);
  ++*at;
  if (!equals) {
    TRY(check_count(ctx, o, argc - *at, argv + *at));
    out->values[k] = argv + *at;
    *at += o->nvalues;
  } else if (o->nvalues == 1) {
    out->joined[k] = equals + 1;
    out->values[k] = &out->joined[k];
  } else {
    return args_fail(ctx, OVK_ERR_ARG, "%s takes %s: no '='", name,
                     o->nvalues ? o->values : "no value");
  }
  for (int v = 0; v < o->nvalues; v++) TRY(check_value(ctx, o, v, out->values[k][v]));
  return OVK_OK;
}

bool args_ask_for_help(const char *word)
{
  return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

ovk_err args_parse(ovk_ctx *ctx, const option *options, int words, int argc, char **argv, args *out)
{
  int n = 0;
  *out = (args){.options = options};
  while (options[n].name) n++;
  if (n > ARGS_MAX_OPTIONS) {
    return args_fail(ctx, OVK_ERR_INTERNAL, "a table of %d options, but %d are the most", n,
                     ARGS_MAX_OPTIONS);
  }
  for (int at = 0; at < argc;) {
    const char *word = argv[at];
    if (args_ask_for_help(word)) {
      out->help = true;
      return OVK_OK;
    }
    const bool dashes = strcmp(word, "--") == 0;
    if (words == ARGS_PROGRAM && (word[0] != '-' || dashes)) {
      out->program = argv + at + dashes;
      out->program_words = argc - at - dashes;
      return OVK_OK;
    }
    if (word[0] == '-') {
      TRY(parse_option(ctx, argc, argv, &at, out));
    } else if (words-- > 0) {
      *(out->word ? &out->detail : &out->word) = argv[at++];
    } else {
      return args_fail(ctx, OVK_ERR_ARG, "unexpected '%s'", word);
    }
  }
  return OVK_OK;
}

bool args_has(const args *given, int which)
{
  return given->values[which] != NULL;
}

const char *args_text(const args *given, int which)
{
  return args_has(given, which) ? given->values[which][0] : given->options[which].preset;
}

int args_word(const args *given, int which)
{
  const char *word = args_text(given, which);
  return word ? index_of(&given->options[which], word) : -1;
}

void args_int(const args *given, int which, int *values)
{
  const option *o = &given->options[which];
  const char *preset = o->preset;
  const int before = words_before(o);
  for (int k = 0; k < o->nvalues - before; k++) {
    char *end = NULL;
    if (args_has(given, which)) {
      values[k] = (int)strtol(given->values[which][before + k], NULL, 10);
    } else if (preset) {
      values[k] = (int)strtol(preset, &end, 10);
      preset = end;
    }
  }
}

int args_integer(const args *given, int which)
{
  int value = 0;
  args_int(given, which, &value);
  return value;
}

void args_real(const args *given, int which, double *value)
{
  const char *word = args_text(given, which);
  if (word) *value = strtod(word, NULL);
}
