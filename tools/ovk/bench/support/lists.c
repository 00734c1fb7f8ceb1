/* SPDX-License-Identifier: BSD-2-Clause */
/* Lists in options: methods, backends, numbers. */
#include "bench/support/lists.h"
#include "tool.h"

#include <ovkrylov/comm/reduction.h>
#include <string.h>

static ovk_err add(ovk_ctx *ctx, const char *name, const char *word, words *out)
{
  if (out->n == LIST_MAX) {
    return ovk_ctx_fail(ctx, OVK_ERR_ARG, "%s: the list has more than %d entries", name, LIST_MAX);
  }
  out->at[out->n++] = word;
  return OVK_OK;
}

/* A separator ends a spec unless "key=value" follows, which belongs to the spec:
 * nbc:alg=kary,k=4,shm. */
static char *end_of_spec(char *spec, char separator)
{
  for (char *at = strchr(spec, separator); at; at = strchr(at + 1, separator)) {
    const size_t word = strcspn(at + 1, ",;:=");
    if (at[1 + word] != '=') return at;
  }
  return NULL;
}

static const char *text_of(const args *given, int which, const char *preset)
{
  return preset && !args_has(given, which) ? preset : args_text(given, which);
}

static ovk_err split(ovk_ctx *ctx, const char *name, const char *text, words *out)
{
  const size_t size = strlen(text) + 1;
  out->n = 0;
  if (size > sizeof out->text)
    return ovk_ctx_fail(ctx, OVK_ERR_ARG,
                        "%s: the list has %zu characters, but at most %zu are allowed", name,
                        size - 1, sizeof out->text - 1);
  memcpy(out->text, text, size);
  const char separator = end_of_spec(out->text, ';') ? ';' : ',';
  for (char *word = out->text, *end; word; word = end ? end + 1 : NULL) {
    end = end_of_spec(word, separator);
    if (end) *end = '\0';
    TRY(add(ctx, name, word, out));
  }
  return OVK_OK;
}

ovk_err list_words(ovk_ctx *ctx, const args *given, int which, const char *preset, words *out)
{
  return split(ctx, given->options[which].name, text_of(given, which, preset), out);
}

ovk_err list_methods(ovk_ctx *ctx, const args *given, int which, const char *preset, words *out)
{
  const char *name = given->options[which].name, *text = text_of(given, which, preset);
  if (text) return split(ctx, name, text, out);
  out->n = 0;
  ovk_choice choice = OVK_CHOICE;
  for (int k = 0; ovk_list_methods(ctx, k, &choice); k++) {
    if (strcmp(choice.name, "auto") == 0 || strcmp(choice.name, "chebyshev") == 0) continue;
    TRY(add(ctx, name, choice.name, out));
  }
  return OVK_OK;
}

ovk_err list_backends(ovk_ctx *ctx, const args *given, int which, words *out)
{
  const char *name = given->options[which].name, *text = args_text(given, which);
  if (text) return split(ctx, name, text, out);
  out->n = 0;
  ovk_choice choice = OVK_CHOICE;
  for (int k = 0; ovk_list_backends(ctx, k, &choice); k++) {
    if (choice.decorates) continue;
    ovk_reduction *trial = NULL;
    const ovk_err err = ovk_reduction_create(ctx, choice.name, 1, &trial);
    ovk_reduction_destroy(&trial);
    if (err == OVK_ERR_UNSUPPORTED) continue;
    TRY(err);
    TRY(add(ctx, name, choice.name, out));
  }
  return OVK_OK;
}

ovk_err list_numbers(ovk_ctx *ctx, const args *given, int which, const char *preset, numbers *out)
{
  const option *o = &given->options[which];
  words each;
  TRY(split(ctx, o->name, text_of(given, which, preset), &each));
  for (out->n = 0; out->n < each.n; out->n++) {
    TRY(args_number(ctx, o->name, each.at[out->n], (int)o->least, (int)o->most, &out->at[out->n]));
  }
  return OVK_OK;
}
