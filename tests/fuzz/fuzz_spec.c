/* SPDX-License-Identifier: BSD-2-Clause */
/* Specs: the parser accepts exactly the grammar of spec.h, queries of a parsed spec agree with its
 * text, and the registry accepts only its own names and keys. */
#include "core/registry.h"
#include "support/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_KEYS = 32, MOST_COMPONENTS = 8 };

static bool in_name(char c)
{
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
         c == '_';
}

static size_t name_length(const char *at)
{
  size_t n = 0;
  while (in_name(at[n])) n++;
  return n;
}

/* The keys of one component. */
typedef struct keys {
  int n;
  const char *at[MOST_KEYS];
  size_t length[MOST_KEYS];
} keys;

static bool add_key(keys *k, const char *at, size_t length)
{
  for (int i = 0; i < k->n; i++) {
    if (k->length[i] == length && memcmp(k->at[i], at, length) == 0) return false;
  }
  if (k->n == MOST_KEYS || length == 0) return false;
  k->at[k->n] = at;
  k->length[k->n++] = length;
  return true;
}

/* Reads one item by the grammar; *at is advanced past it. */
static bool match_item(const char **at, keys *k)
{
  const size_t key = name_length(*at);
  if (!add_key(k, *at, key)) return false;
  *at += key;
  if (**at != '=') return true;
  const size_t value = strcspn(++*at, ",|");
  *at += value;
  return value > 0;
}

/* Reads one component by the grammar; *at is advanced past it. */
static bool match_component(const char **at)
{
  const size_t name = name_length(*at);
  keys k = {0};
  *at += name;
  if (name == 0) return false;
  if (**at != ':') return true;
  do {
    ++*at;
    if (!match_item(at, &k)) return false;
  } while (**at == ',');
  return true;
}

static bool matches_grammar(const char *text)
{
  for (int components = 1; components <= MOST_COMPONENTS; components++, text++) {
    if (!match_component(&text)) return false;
    if (*text != '|') return *text == '\0';
  }
  return false;
}

/* A whole number, saturated. */
static bool is_whole(const char *text, double *value)
{
  const bool minus = *text == '-';
  text += minus || *text == '+';
  if (!*text) return false;
  for (*value = 0; *text; text++) {
    if (*text < '0' || *text > '9') return false;
    *value = 10 * *value + (*text - '0');
  }
  if (minus) *value = -*value;
  return true;
}

static void check_numbers(const ovk_spec *spec, const char *key)
{
  enum { LEAST = -7, MOST = 1 << 20 };
  ovk_ctx *ctx = fuzz_ctx();
  const char *text = ovk_spec_string(spec, key, NULL);
  long whole = 77;
  double real = 77, expected = 5;
  FUZZ_CHECK(ovk_spec_has(spec, key) == (text != NULL), "key %s", key);
  const ovk_option wholes[] = {OVK_INTEGER(key, LEAST, MOST, 5, ""), OVK_OPTIONS_END};
  const ovk_option reals[] = {OVK_REAL(key, -1e300, 1e9, 5, ""), OVK_OPTIONS_END};
  ovk_err err = ovk_spec_int(ctx, spec, wholes, key, &whole);
  const bool is_int = !text || (is_whole(text, &expected) && expected >= LEAST && expected <= MOST);
  FUZZ_CHECK((err == OVK_OK) == is_int, "%s=%s", key, text ? text : "");
  FUZZ_CHECK(whole == (is_int ? (long)expected : 5), "%s=%s gives %ld", key, text ? text : "",
             whole);
  if (err) fuzz_refused(err);
  err = ovk_spec_double(ctx, spec, reals, key, &real);
  FUZZ_CHECK(real >= -1e300 && real <= 1e9, "%s=%s gives %g", key, text ? text : "", real);
  FUZZ_CHECK(!is_int || (err == OVK_OK && real == expected), "%s=%s gives %g", key,
             text ? text : "", real);
  if (err) fuzz_refused(err);
}

/* The components are the text, split at bars. */
static void check_components(const ovk_spec *spec, const char *text)
{
  static const ovk_option known[] = {OVK_FLAG("k", ""), OVK_FLAG("alg", ""),
                                     OVK_TEXT("omega", "NUMBER", NULL, ""), OVK_OPTIONS_END};
  for (; spec; spec = ovk_spec_inner(spec)) {
    const size_t name = name_length(text), component = strcspn(text, "|");
    FUZZ_CHECK(strcmp(ovk_spec_text(spec), text) == 0, "component %s", text);
    FUZZ_CHECK(strlen(ovk_spec_name(spec)) == name && memcmp(ovk_spec_name(spec), text, name) == 0,
               "name of %s", text);
    for (const ovk_option *key = known; key->name; key++) check_numbers(spec, key->name);
    const ovk_err err = ovk_spec_check_keys(fuzz_ctx(), spec, known);
    if (err) fuzz_refused(err);
    FUZZ_CHECK((text[component] == '|') == (ovk_spec_inner(spec) != NULL), "inner of %s", text);
    text += component + 1;
  }
}

/* Two plug-ins, one of them a decorator. */
static const ovk_option plain_keys[] = {OVK_FLAG("k", ""), OVK_FLAG("alg", ""), OVK_OPTIONS_END};
static const ovk_choice choices[] = {{.name = "plain", .summary = "", .keys = plain_keys},
                                     {.name = "around", .summary = "", .decorates = true}};

static ovk_choice choice_of(const void *ops)
{
  return *(const ovk_choice *)ops;
}

static void check_registry(const char *text)
{
  static const void *const builtins[] = {&choices[0], &choices[1]};
  static const ovk__kind kind = {
      .name = "gadget", .builtins = builtins, .nbuiltins = 2, .choice = choice_of};
  SCOPED(ovk_spec_destroy) ovk_spec *spec = NULL;
  const void *ops = NULL;
  const ovk_err err = ovk__registry_parse(fuzz_ctx(), &kind, text, &spec, &ops, NULL);
  if (err) {
    fuzz_refused(err);
    FUZZ_CHECK(!spec, "a spec after a failure");
    return;
  }
  FUZZ_CHECK(ops == builtins[strcmp(ovk_spec_name(spec), "plain") != 0], "plug-in of %s", text);
  for (const ovk_spec *component = spec; component; component = ovk_spec_inner(component)) {
    const bool around = strcmp(ovk_spec_name(component), "around") == 0;
    FUZZ_CHECK(around == (ovk_spec_inner(component) != NULL), "what %s decorates", text);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  scoped_array char *text = fuzz_text(&(fuzz_bytes){data, data + size});
  ovk_spec *spec = NULL;
  const ovk_err err = ovk_spec_parse(fuzz_ctx(), text, &spec);
  FUZZ_CHECK((err == OVK_OK) == matches_grammar(text), "'%s'", text);
  FUZZ_CHECK((err == OVK_OK) == (spec != NULL), "'%s'", text);
  if (err) {
    fuzz_refused(err);
  } else {
    check_components(spec, text);
  }
  ovk_spec_destroy(&spec);
  check_registry(text);
  return 0;
}
