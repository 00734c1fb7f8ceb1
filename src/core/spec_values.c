/* SPDX-License-Identifier: BSD-2-Clause */
/* The values of keys in specs: numbers and words, by the rows of an option table. */
#include "core/base/did_you_mean.h"
#include "core/context/check.h"
#include "core/context/locale.h"
#include "core/registry.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* strtol and strtod skip white space; specs have none. */
static bool starts_number(const char *text)
{
  return *text && !isspace((unsigned char)*text);
}

/* long has 2^63 - 1, which is no double. */
static long to_long(double bound)
{
  return bound >= 0x1p63 ? LONG_MAX : bound < -0x1p63 ? LONG_MIN : (long)bound;
}

ovk_err ovk_spec_int(ovk_ctx *ctx, const ovk_spec *spec, const ovk_option *options, const char *key,
                     long *value)
{
  const ovk_option *option = ovk__spec_option(options, key);
  if (!option) return OVK_OK;
  *value = to_long(option->default_value);
  const char *text = ovk_spec_string(spec, key, NULL);
  if (!text) return OVK_OK;
  const long least = to_long(option->least), most = to_long(option->most);
  char *end;
  errno = 0;
  const long number = strtol(text, &end, 10);
  OVK_CHECK(starts_number(text) && !*end && !errno && number >= least && number <= most, ctx,
            OVK_ERR_ARG, "'%s': %s is '%s', but must be a whole number from %ld to %ld",
            ovk_spec_name(spec), key, text, least, most);
  *value = number;
  return OVK_OK;
}

ovk_err ovk_spec_double(ovk_ctx *ctx, const ovk_spec *spec, const ovk_option *options,
                        const char *key, double *value)
{
  const ovk_option *option = ovk__spec_option(options, key);
  if (!option) return OVK_OK;
  *value = option->default_value;
  const char *text = ovk_spec_string(spec, key, NULL);
  if (!text) return OVK_OK;
  char *end;
  ovk__locale locale;
  OVK_TRY(ovk__locale_begin(ctx, &locale));
  const double number = strtod(text, &end);
  ovk__locale_end(&locale);
  OVK_CHECK(starts_number(text) && !*end && isfinite(number) && number >= option->least &&
                number <= option->most,
            ctx, OVK_ERR_ARG, "'%s': %s is '%s', but must be a number from %g to %g",
            ovk_spec_name(spec), key, text, option->least, option->most);
  *value = number;
  return OVK_OK;
}

ovk_err ovk_spec_word(ovk_ctx *ctx, const ovk_spec *spec, const ovk_option *options,
                      const char *key, int *value)
{
  const ovk_option *option = ovk__spec_option(options, key);
  if (!option) return OVK_OK;
  *value = (int)option->default_value;
  const char *text = ovk_spec_string(spec, key, NULL);
  if (!text) return OVK_OK;
  int n = 0;
  for (; option->words[n]; n++) {
    if (strcmp(text, option->words[n]) != 0) continue;
    *value = n;
    return OVK_OK;
  }
  char hint[OVK__HINT_SIZE];
  ovk__hint(hint, text, option->words, n, "it takes");
  return OVK_FAIL(ctx, OVK_ERR_UNKNOWN, "'%s': %s cannot be '%s'%s", ovk_spec_name(spec), key, text,
                  hint);
}
