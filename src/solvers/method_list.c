/* SPDX-License-Identifier: BSD-2-Clause */
/* The methods by name, and the specs that name them. */
#include "solvers/method_list.h"
#include "core/registry.h"
#include "solvers/kernels/lanczos.h"
#include "solvers/state/state.h"

#include <stdio.h>
#include <string.h>

static const char *const norms[] = {[OVK_NORM_UNPRECONDITIONED] = "unpreconditioned",
                                    [OVK_NORM_PRECONDITIONED] = "preconditioned",
                                    [OVK_NORM_NATURAL] = "natural"};

/* Default depth of a pipeline. */
enum { DEPTH = 2 };

#define OVK_DECLARE_METHOD(table) extern const ovk__method table;
OVK_METHOD_LIST(OVK_DECLARE_METHOD)
#undef OVK_DECLARE_METHOD

static const void *const methods[] = {
#define OVK_METHOD_ENTRY(table) &table,
    OVK_METHOD_LIST(OVK_METHOD_ENTRY)
#undef OVK_METHOD_ENTRY
};

static ovk_choice choice(const void *table)
{
  const ovk__method *m = table;
  return (ovk_choice){m->name, m->summary, m->keys, false};
}

static const ovk__kind kind = {"method", methods, sizeof methods / sizeof *methods, choice, 0};

bool ovk_list_methods(const ovk_ctx *ctx, int index, ovk_choice *out)
{
  return ovk__registry_at(ctx, &kind, index, out);
}

const ovk__method *const *ovk__methods(int *n)
{
  *n = kind.nbuiltins;
  return (const ovk__method *const *)methods;
}

void ovk__method_spec(const ovk__method *method, const ovk__settings *settings,
                      char spec[OVK__METHOD_SPEC])
{
  if (method->write) {
    method->write(settings, spec);
  } else {
    snprintf(spec, OVK__METHOD_SPEC, settings->depth ? "%s:l=%d" : "%s", method->name,
             settings->depth);
  }
}

ovk_err ovk__side_read(ovk_ctx *ctx, const ovk_spec *spec, ovk__settings *out)
{
  static const char *const sides[] = {"right", "left", NULL};
  int side;
  OVK_TRY(ovk_spec_word(ctx, spec, "side", sides, -1, &side));
  out->left = side == 1;
  out->sided = side >= 0;
  return OVK_OK;
}

static bool has_norm(const ovk__method *method, bool left, ovk_norm norm)
{
  return !(method->refused_norms[left] & (1u << norm));
}

static const char *const sides_of[] = {" with side=right", " with side=left"};

/* The norms that the method has, on each side if it has sides. */
static void list_norms(const ovk__method *method, char *text, size_t room)
{
  const int sides = method->refused_norms[1] ? 2 : 1;
  size_t end = 0;
  for (int k = 0; k < 3 * sides; k++) {
    if (!has_norm(method, k / 3, (ovk_norm)(k % 3))) continue;
    snprintf(text + end, room - end, "%s%s%s", end ? ", " : "", norms[k % 3],
             sides == 2 ? sides_of[k / 3] : "");
    end = strlen(text);
  }
}

ovk_err ovk__side_choose(ovk_ctx *ctx, const ovk__method *method, ovk_norm norm,
                         ovk__settings *settings)
{
  if (!settings->sided && method->refused_norms[1]) {
    settings->left = !has_norm(method, false, norm) && has_norm(method, true, norm);
  }
  if (has_norm(method, settings->left, norm)) return OVK_OK;
  char has[128] = "";
  list_norms(method, has, sizeof has);
  return OVK_FAIL(ctx, OVK_ERR_UNSUPPORTED,
                  "the method '%s'%s has no %s norm of the residual; it has: %s", method->name,
                  settings->sided ? sides_of[settings->left] : "", norms[norm], has);
}

ovk_err ovk__method_read(ovk_ctx *ctx, const char *text, const ovk__method **method,
                         ovk__settings *settings)
{
  *settings = (ovk__settings){0};
  ovk_spec *spec;
  const void *table;
  long l = 0;
  OVK_TRY(ovk__registry_parse(ctx, &kind, text, &spec, &table, NULL));
  *method = table;
  ovk_err err = OVK_OK;
  if ((*method)->vectors_per_depth) {
    err = ovk_spec_int(ctx, spec, "l", 1, OVK__MAX_DEPTH, DEPTH, &l);
  }
  settings->depth = (int)l;
  if (!err && (*method)->read) err = (*method)->read(ctx, spec, settings);
  ovk_spec_destroy(&spec);
  return err;
}
