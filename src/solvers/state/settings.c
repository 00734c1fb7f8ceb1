/* SPDX-License-Identifier: BSD-2-Clause */
/* What the spec of a method says beside its name. */
#include "core/registry.h"
#include "solvers/kernels/lanczos.h"
#include "solvers/state/state.h"

#include <stdio.h>
#include <string.h>

static const char *const norms[] = {[OVK_NORM_UNPRECONDITIONED] = "unpreconditioned",
                                    [OVK_NORM_PRECONDITIONED] = "preconditioned",
                                    [OVK_NORM_NATURAL] = "natural"};

/* Defaults of l= and restart=, and the greatest values of restart= and m=. */
enum { DEPTH = 2, RESTART = 30, MOST_RESTART = 1000, MOST_KEPT = 100 };

enum { VALUE = 16 }; /* characters of a key's value */

/* The words of keys. */
static const char *const sides[] = {"right", "left", NULL};
static const char *const orthos[] = {"dcgs2", "cgs2", "mgs", NULL};
static const char *const bases[] = {"double", "float", NULL};

static bool has_key(const ovk__method *method, const char *key)
{
  for (int k = 0; method->keys && method->keys[k]; k++) {
    if (strcmp(method->keys[k], key) == 0) return true;
  }
  return false;
}

/* The value of a key; "" if it goes without saying. A pipeline that can only be 1 deep has the
 * depth 0. */
static void write_value(const ovk__settings *s, const char *key, char value[VALUE])
{
  const char *word = "";
  if (strcmp(key, "ortho") == 0) word = orthos[s->ortho];
  if (strcmp(key, "side") == 0 && s->left) word = sides[1];
  if (strcmp(key, "basis") == 0 && s->basis_float) word = bases[1];
  snprintf(value, VALUE, "%s", word);
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
  for (int k = 0; method->keys && method->keys[k]; k++) {
    write_value(settings, method->keys[k], value);
    if (!*value) continue;
    used += snprintf(spec + used, (size_t)(OVK__METHOD_SPEC - used), "%c%s=%s", before,
                     method->keys[k], value);
    before = ',';
  }
}

/* Keys that the method has not got are not in the spec. */
ovk_err ovk__settings_read(ovk_ctx *ctx, const ovk_spec *spec, const ovk__method *method,
                           ovk__settings *out)
{
  const bool deep = method->vectors_per_depth > 0;
  long l = 0, restart = 0;
  int side, basis;
  OVK_TRY(ovk_spec_int(ctx, spec, "l", 1, deep ? OVK__MAX_DEPTH : 1, DEPTH, &l));
  if (has_key(method, "m")) OVK_TRY(ovk_spec_int(ctx, spec, "m", 1, MOST_KEPT, 1, &restart));
  if (has_key(method, "restart")) {
    OVK_TRY(ovk_spec_int(ctx, spec, "restart", 1, MOST_RESTART, RESTART, &restart));
  }
  OVK_TRY(ovk_spec_word(ctx, spec, "side", sides, -1, &side));
  OVK_TRY(ovk_spec_word(ctx, spec, "ortho", orthos, OVK__DCGS2, &out->ortho));
  OVK_TRY(ovk_spec_word(ctx, spec, "basis", bases, 0, &basis));
  OVK_CHECK(basis == 0 || out->ortho == OVK__DCGS2, ctx, OVK_ERR_ARG,
            "basis=%s is for ortho=dcgs2, not ortho=%s", bases[basis], orthos[out->ortho]);
  out->depth = deep ? (int)l : 0;
  out->restart = (int)restart;
  out->left = side == 1;
  out->side_given = side >= 0;
  out->basis_float = basis == 1;
  return OVK_OK;
}

static bool has_norm(const ovk__method *method, bool left, ovk_norm norm)
{
  return !(method->refused_norms[left] & (1u << norm));
}

/* The norms that the method has, on each side if it has sides. */
static void list_norms(const ovk__method *method, char *text, size_t room)
{
  const bool sided = method->refused_norms[1] != 0;
  size_t end = 0;
  for (int k = 0; k < (sided ? 6 : 3); k++) {
    if (!has_norm(method, k / 3, (ovk_norm)(k % 3))) continue;
    snprintf(text + end, room - end, "%s%s%s%s", end ? ", " : "", norms[k % 3],
             sided ? " with side=" : "", sided ? sides[k / 3] : "");
    end = strlen(text);
  }
}

ovk_err ovk__side_choose(ovk_ctx *ctx, const ovk__method *method, ovk_norm norm,
                         ovk__settings *settings)
{
  if (!settings->side_given && method->refused_norms[1]) {
    settings->left = !has_norm(method, false, norm) && has_norm(method, true, norm);
  }
  if (has_norm(method, settings->left, norm)) return OVK_OK;
  char has[128] = "";
  list_norms(method, has, sizeof has);
  return OVK_FAIL(ctx, OVK_ERR_UNSUPPORTED,
                  "the method '%s'%s%s has no %s norm of the residual; it has: %s", method->name,
                  settings->side_given ? " with side=" : "",
                  settings->side_given ? sides[settings->left] : "", norms[norm], has);
}
