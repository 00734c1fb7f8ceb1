/* SPDX-License-Identifier: BSD-2-Clause */
/* The options in the spec of a method. */
#include "solvers/state/state.h"

#include <stdio.h>
#include <string.h>

static const char *const norms[] = {[OVK_NORM_UNPRECONDITIONED] = "unpreconditioned",
                                    [OVK_NORM_PRECONDITIONED] = "preconditioned",
                                    [OVK_NORM_NATURAL] = "natural"};

enum { VALUE = 16 }; /* characters of an option's value */

/* The value of an option, or "" for the default. A pipeline that can only be 1 deep has the
 * depth 0. */
static void settings_write_value(const ovk__settings *s, const ovk_option *option,
                                 char value[VALUE])
{
  const char *key = option->name;
  int word = -1;
  *value = '\0';
  if (strcmp(key, "ortho") == 0) word = s->ortho;
  if (strcmp(key, "side") == 0 && s->left) word = 1;
  if (strcmp(key, "basis") == 0 && s->basis_float) word = 1;
  if (word >= 0) snprintf(value, VALUE, "%s", option->words[word]);
  if (strcmp(key, "l") == 0) snprintf(value, VALUE, "%d", s->depth ? s->depth : 1);
  if (strcmp(key, "restart") == 0 || strcmp(key, "m") == 0) {
    snprintf(value, VALUE, "%d", s->restart);
  }
}

void ovk__method_spec(const ovk__method *method, const ovk__settings *settings,
                      char spec[OVK__METHOD_SPEC])
{
  char before = ':', value[VALUE];
  int used = snprintf(spec, OVK__METHOD_SPEC, "%s", method->name);
  for (const ovk_option *option = method->keys; option && option->name; option++) {
    settings_write_value(settings, option, value);
    if (!*value) continue;
    used += snprintf(spec + used, (size_t)(OVK__METHOD_SPEC - used), "%c%s=%s", before,
                     option->name, value);
    before = ',';
  }
}

ovk_err ovk__settings_read(ovk_ctx *ctx, const ovk_spec *spec, const ovk__method *method,
                           ovk__settings *out)
{
  const ovk_option *options = method->keys;
  long depth = 0, restart = 0;
  int side = -1, basis = 0;
  out->ortho = OVK__DCGS2;
  OVK_TRY(ovk_spec_int(ctx, spec, options, "l", &depth));
  OVK_TRY(ovk_spec_int(ctx, spec, options, "m", &restart));
  OVK_TRY(ovk_spec_int(ctx, spec, options, "restart", &restart));
  OVK_TRY(ovk_spec_word(ctx, spec, options, "side", &side));
  OVK_TRY(ovk_spec_word(ctx, spec, options, "ortho", &out->ortho));
  OVK_TRY(ovk_spec_word(ctx, spec, options, "basis", &basis));
  OVK_CHECK(basis == 0 || out->ortho == OVK__DCGS2, ctx, OVK_ERR_ARG,
            "basis=%s is for ortho=dcgs2, not ortho=%s", ovk_spec_string(spec, "basis", ""),
            ovk_spec_string(spec, "ortho", ""));
  out->depth = method->vectors_per_depth > 0 ? (int)depth : 0;
  out->restart = (int)restart;
  out->left = side == 1;
  out->side_given = side >= 0;
  out->basis_float = basis == 1;
  return OVK_OK;
}

static bool settings_has_norm(const ovk__method *method, bool left, ovk_norm norm)
{
  return !(method->refused_norms[left] & (1u << norm));
}

/* The norms that the method has, on each side if it has sides. */
static void settings_list_norms(const ovk__method *method, char *text, size_t room)
{
  const bool sided = method->refused_norms[1] != 0;
  size_t end = 0;
  for (int k = 0; k < (sided ? 6 : 3); k++) {
    if (!settings_has_norm(method, k / 3, (ovk_norm)(k % 3))) continue;
    snprintf(text + end, room - end, "%s%s%s%s", end ? ", " : "", norms[k % 3],
             sided ? " with side=" : "", sided ? k / 3 ? "left" : "right" : "");
    end = strlen(text);
  }
}

ovk_err ovk__side_choose(ovk_ctx *ctx, const ovk__method *method, ovk_norm norm,
                         ovk__settings *settings)
{
  if (!settings->side_given && method->refused_norms[1]) {
    settings->left =
        !settings_has_norm(method, false, norm) && settings_has_norm(method, true, norm);
  }
  if (settings_has_norm(method, settings->left, norm)) return OVK_OK;
  char has[128] = "";
  settings_list_norms(method, has, sizeof has);
  return OVK_FAIL(ctx, OVK_ERR_UNSUPPORTED,
                  "the method '%s'%s%s has no %s norm of the residual; it has: %s", method->name,
                  settings->side_given ? " with side=" : "",
                  settings->side_given ? settings->left ? "left" : "right" : "", norms[norm], has);
}
