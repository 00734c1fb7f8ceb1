/* SPDX-License-Identifier: BSD-2-Clause */
/* The command line: one table of options serves parsing, help and "did you mean". */
#include "args.h"
#include "tool.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

ovk_err args_unknown(ovk_ctx *ctx, const char *what, const char *word, const char *const *names,
                     int n)
{
  const char *meant = ovk_closest(word, names, n);
  if (meant) {
    return ovk_ctx_fail(ctx, OVK_ERR_UNKNOWN, "unknown %s '%s', did you mean '%s'?", what, word,
                        meant);
  }
  char list[512] = "";
  for (int k = 0; k < n; k++) {
    const size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "", names[k]);
  }
  return ovk_ctx_fail(ctx, OVK_ERR_UNKNOWN, "unknown %s '%s'; there are: %s", what, word, list);
}

static ovk_err unknown_option(ovk_ctx *ctx, const option *options, const char *word)
{
  const char *names[ARGS_MAX_OPTIONS];
  int n = 0;
  for (; options[n].name; n++) names[n] = options[n].name;
  return args_unknown(ctx, "option", word, names, n);
}

/* Checks that the option's values are there: `left` words remain, at `values`. */
static ovk_err check_values(ovk_ctx *ctx, const option *o, int left, char **values)
{
  int n = 0;
  while (n < o->nvalues && n < left && strncmp(values[n], "--", 2) != 0) n++;
  if (n == o->nvalues) return OVK_OK;
  return ovk_ctx_fail(ctx, OVK_ERR_ARG, "%s needs %d value%s (%s), %d given", o->name, o->nvalues,
                      o->nvalues > 1 ? "s" : "", o->values, n);
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
  if (out->values[k]) return ovk_ctx_fail(ctx, OVK_ERR_ARG, "%s is given twice", name);
  ++*at;
  if (!equals) {
    TRY(check_values(ctx, o, argc - *at, argv + *at));
    out->values[k] = argv + *at;
    *at += o->nvalues;
  } else if (o->nvalues == 1) {
    out->joined[k] = equals + 1;
    out->values[k] = &out->joined[k];
  } else {
    return ovk_ctx_fail(ctx, OVK_ERR_ARG, "%s takes %s: no '='", name,
                        o->nvalues ? o->values : "no value");
  }
  return OVK_OK;
}

ovk_err args_parse(ovk_ctx *ctx, const option *options, int words, int argc, char **argv, args *out)
{
  *out = (args){.options = options};
  for (int at = 0; at < argc;) {
    const char *word = argv[at];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
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
      return ovk_ctx_fail(ctx, OVK_ERR_ARG, "unexpected '%s'", word);
    }
  }
  return OVK_OK;
}

bool args_has(const args *given, int which)
{
  return given->values[which] != NULL;
}

const char *args_text(const args *given, int which, const char *otherwise)
{
  return args_has(given, which) ? given->values[which][0] : otherwise;
}

ovk_err args_number(ovk_ctx *ctx, const char *name, const char *word, int least, int most,
                    int *value)
{
  char *end;
  errno = 0;
  const long number = strtol(word, &end, 10);
  if (isspace((unsigned char)*word) || end == word || *end || errno || number < least ||
      number > most) {
    return ovk_ctx_fail(ctx, OVK_ERR_ARG, "%s: '%s' is no whole number from %d to %d", name, word,
                        least, most);
  }
  *value = (int)number;
  return OVK_OK;
}

ovk_err args_int(ovk_ctx *ctx, const args *given, int which, int least, int most, int *values)
{
  const option *o = &given->options[which];
  for (int k = 0; args_has(given, which) && k < o->nvalues; k++)
    TRY(args_number(ctx, o->name, given->values[which][k], least, most, &values[k]));
  return OVK_OK;
}

ovk_err args_real(ovk_ctx *ctx, const args *given, int which, double *value)
{
  const char *word = args_text(given, which, NULL);
  if (!word) return OVK_OK;
  char *end;
  errno = 0;
  const double number = strtod(word, &end);
  if (isspace((unsigned char)*word) || end == word || *end || errno || !isfinite(number) ||
      number < 0) {
    return ovk_ctx_fail(ctx, OVK_ERR_ARG, "%s: '%s' is no finite number >= 0",
                        given->options[which].name, word);
  }
  *value = number;
  return OVK_OK;
}

void args_help(FILE *file, const option *options)
{
  for (const option *o = options; o->name; o++) {
    char left[64];
    snprintf(left, sizeof left, "%s %s", o->name, o->values);
    fprintf(file, "  %-23s %s\n", left, o->help);
  }
}
