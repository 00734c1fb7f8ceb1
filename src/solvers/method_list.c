/* SPDX-License-Identifier: BSD-2-Clause */
/* The methods by name. */
#include "solvers/method_list.h"
#include "core/registry.h"
#include "solvers/state/state.h"

#define OVK_DECLARE_METHOD(table) extern const ovk__method table;
OVK_METHOD_LIST(OVK_DECLARE_METHOD)
#undef OVK_DECLARE_METHOD

static const void *const methods[] = {
#define OVK_METHOD_ENTRY(table) &table,
    OVK_METHOD_LIST(OVK_METHOD_ENTRY)
#undef OVK_METHOD_ENTRY
};

static ovk_choice method_choice(const void *table)
{
  const ovk__method *m = table;
  return (ovk_choice){.name = m->name,
                      .summary = m->summary,
                      .keys = m->keys,
                      .aliases = m->aliases,
                      .columns = m->many != NULL};
}

static const ovk__kind kind = {.name = "method",
                               .builtins = methods,
                               .nbuiltins = sizeof methods / sizeof *methods,
                               .choice = method_choice};

bool ovk_list_methods(const ovk_ctx *ctx, int index, ovk_choice *out)
{
  return ovk__registry_at(ctx, &kind, index, out);
}

const ovk__method *const *ovk__methods(int *n)
{
  *n = kind.nbuiltins;
  return (const ovk__method *const *)methods;
}

ovk_err ovk__method_read(ovk_ctx *ctx, const char *text, const ovk__method **method,
                         ovk__settings *settings)
{
  *settings = (ovk__settings){0};
  ovk_spec *spec;
  const void *table;
  OVK_TRY(ovk__registry_parse(ctx, &kind, text, &spec, &table, NULL));
  *method = table;
  const ovk_err err = ovk__settings_read(ctx, spec, *method, settings);
  ovk_spec_destroy(&spec);
  return err;
}
