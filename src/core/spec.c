/* SPDX-License-Identifier: BSD-2-Clause */
/* Parser of specs, the strings "name:key=value,flag|inner" that choose plug-ins. */
#include "core/base/did_you_mean.h"
#include "core/context/check.h"
#include "core/context/mem.h"
#include "core/registry.h"

#include <ovkrylov/plugin/spec.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ITEMS = 32, MAX_COMPONENTS = 8 };

struct ovk_spec {
  const char *kind; /* the kind of plug-in, for messages */
  char *whole;      /* the whole spec as given */
  const char *text; /* the whole spec from this component on */
  char *words;      /* a copy of text, split into strings that name, keys and values point to */
  const char *name;
  int nitems;
  const char *keys[MAX_ITEMS];
  const char *values[MAX_ITEMS]; /* "" for a flag */
  ovk_spec *inner;
};

/* Parses `whole` from offset `from` on. */
static ovk_err spec_parse(ovk_ctx *ctx, const char *kind, const char *whole, size_t from,
                          ovk_spec **out);

/* Splits off the word at *at, moves *at past the character that ended it, and returns that
 * character. */
static char cut_word(char **at, const char **word)
{
  *word = *at;
  *at += ovk__name_length(*at);
  const char end = **at;
  if (end) *(*at)++ = '\0';
  return end;
}

/* The offset in the whole text of a position in `words`. */
static size_t spec_offset(const ovk_spec *spec, const char *at)
{
  return (size_t)(spec->text - spec->whole) + (size_t)(at - spec->words);
}

static ovk_err spec_fault(ovk_ctx *ctx, const ovk_spec *spec, const char *at, const char *what)
{
  return OVK_FAIL(ctx, OVK_ERR_ARG, "%s '%s', column %zu: %s", spec->kind, spec->whole,
                  spec_offset(spec, at) + 1, what);
}

/* Parses one item; *end <- the next character: ',', '|' or 0. */
static ovk_err parse_item(ovk_ctx *ctx, ovk_spec *spec, char **at, char *end)
{
  if (spec->nitems == MAX_ITEMS) return spec_fault(ctx, spec, *at, "too many keys");
  const char *start = *at, *key;
  *end = cut_word(at, &key);
  if (!*key) return spec_fault(ctx, spec, start, "a key is missing");
  for (int i = 0; i < spec->nitems; i++) {
    if (strcmp(spec->keys[i], key) == 0)
      return spec_fault(ctx, spec, start, "this key is given twice");
  }
  const char *value = "";
  if (*end == '=') {
    value = *at;
    *at += strcspn(*at, ",|");
    if (*at == value) return spec_fault(ctx, spec, value, "a value is missing");
    *end = **at;
    if (*end) *(*at)++ = '\0';
  } else if (*end && *end != ',' && *end != '|') {
    return spec_fault(ctx, spec, *at - 1, "expected '=', ',', '|' or the end");
  }
  spec->keys[spec->nitems] = key;
  spec->values[spec->nitems++] = value;
  return OVK_OK;
}

static ovk_err parse_component(ovk_ctx *ctx, ovk_spec *spec)
{
  char *at = spec->words;
  char end = cut_word(&at, &spec->name);
  if (!*spec->name) return spec_fault(ctx, spec, spec->words, "a name is missing");
  if (end && end != ':' && end != '|') {
    return spec_fault(ctx, spec, at - 1, "expected ':', '|' or the end");
  }
  if (end == ':') {
    do {
      OVK_TRY(parse_item(ctx, spec, &at, &end));
    } while (end == ',');
  }
  if (end != '|') return OVK_OK;
  return spec_parse(ctx, spec->kind, spec->whole, spec_offset(spec, at), &spec->inner);
}

static ovk_err spec_parse(ovk_ctx *ctx, const char *kind, const char *whole, size_t from,
                          ovk_spec **out)
{
  ovk_spec *spec = calloc(1, sizeof *spec);
  ovk_err err = OVK_OK;
  if (spec) {
    spec->kind = kind;
    spec->whole = ovk__copy_text(whole);
    spec->words = ovk__copy_text(whole + from);
  }
  if (!spec || !spec->whole || !spec->words) {
    err = OVK_FAIL(ctx, OVK_ERR_MEMORY, "no memory for spec '%s'", whole);
  } else {
    spec->text = spec->whole + from;
    err = parse_component(ctx, spec);
  }
  if (err) {
    ovk_spec_destroy(&spec);
  } else {
    *out = spec;
  }
  return err;
}

ovk_err ovk__spec_parse(ovk_ctx *ctx, const char *kind, const char *text, ovk_spec **out)
{
  if (out) *out = NULL;
  OVK_CHECK(text && out, ctx, OVK_ERR_ARG, "%s is NULL", text ? "out" : "text");
  int components = 1;
  for (const char *bar = text; (bar = strchr(bar, '|')) != NULL; bar++) components++;
  OVK_CHECK(components <= MAX_COMPONENTS, ctx, OVK_ERR_ARG,
            "a spec of %d components between '|', %d are the most: '%.60s...'", components,
            MAX_COMPONENTS, text);
  return spec_parse(ctx, kind, text, 0, out);
}

ovk_err ovk_spec_parse(ovk_ctx *ctx, const char *text, ovk_spec **out)
{
  return ovk__spec_parse(ctx, "spec", text, out);
}

void ovk_spec_destroy(ovk_spec **spec)
{
  if (!spec || !*spec) return;
  ovk_spec_destroy(&(*spec)->inner);
  free((*spec)->whole);
  free((*spec)->words);
  free(*spec);
  *spec = NULL;
}

const char *ovk_spec_name(const ovk_spec *spec)
{
  return spec ? spec->name : "";
}

const char *ovk_spec_text(const ovk_spec *spec)
{
  return spec ? spec->text : "";
}

void ovk__spec_set_name(ovk_spec *spec, const char *name)
{
  spec->name = name;
}

ovk_spec *ovk__spec_inner(ovk_spec *spec)
{
  return spec->inner;
}

const ovk_spec *ovk_spec_inner(const ovk_spec *spec)
{
  return spec ? spec->inner : NULL;
}

const ovk_option *ovk__spec_option(const ovk_option *options, const char *key)
{
  for (; options && options->name; options++) {
    if (strcmp(options->name, key) == 0) return options;
  }
  return NULL;
}

/* The option that has this alias, or NULL. */
static const ovk_option *find_alias(const ovk_option *options, const char *key)
{
  for (; options && options->name; options++) {
    if (options->alias && strcmp(options->alias, key) == 0) return options;
  }
  return NULL;
}

ovk_err ovk__spec_name_keys(ovk_ctx *ctx, ovk_spec *spec, const ovk_option *options)
{
  for (int i = 0; i < spec->nitems; i++) {
    const ovk_option *option = find_alias(options, spec->keys[i]);
    if (!option) continue;
    OVK_CHECK(!ovk_spec_has(spec, option->name), ctx, OVK_ERR_ARG,
              "'%s': the key %s is given twice: %s is another name of it", spec->name, option->name,
              option->alias);
    spec->keys[i] = option->name;
  }
  return OVK_OK;
}

static ovk_err unknown_key(ovk_ctx *ctx, const ovk_spec *spec, const char *key,
                           const ovk_option *options)
{
  enum { MAX_OPTIONS = 64 }; /* that the message lists */
  const char *names[MAX_OPTIONS];
  char hint[OVK__HINT_SIZE];
  int n = 0;
  OVK_CHECK(options && options->name, ctx, OVK_ERR_UNKNOWN, "'%s' takes no keys, not '%s'",
            spec->name, key);
  for (; n < MAX_OPTIONS && options[n].name; n++) names[n] = options[n].name;
  ovk__hint(hint, key, names, n, "it takes");
  return OVK_FAIL(ctx, OVK_ERR_UNKNOWN, "'%s' has no key '%s'%s", spec->name, key, hint);
}

ovk_err ovk_spec_check_keys(ovk_ctx *ctx, const ovk_spec *spec, const ovk_option *options)
{
  for (int i = 0; i < spec->nitems; i++) {
    const ovk_option *option = ovk__spec_option(options, spec->keys[i]);
    if (!option) return unknown_key(ctx, spec, spec->keys[i], options);
    OVK_CHECK(option->type != OVK_OPTION_FLAG || !*spec->values[i], ctx, OVK_ERR_ARG,
              "'%s': %s is '%s', but takes no value", spec->name, option->name, spec->values[i]);
  }
  return OVK_OK;
}

const char *ovk_spec_string(const ovk_spec *spec, const char *key, const char *default_value)
{
  for (int i = 0; spec && i < spec->nitems; i++) {
    if (strcmp(spec->keys[i], key) == 0) return spec->values[i];
  }
  return default_value;
}

bool ovk_spec_has(const ovk_spec *spec, const char *key)
{
  return ovk_spec_string(spec, key, NULL) != NULL;
}
