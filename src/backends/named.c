/* SPDX-License-Identifier: BSD-2-Clause */
/* Reduction backends by name: the built-in ones, and those of users. */
#include "backends/named.h"
#include "backends/backend_list.h"
#include "core/abi_struct.h"
#include "core/context/check.h"
#include "core/registry.h"

#define OVK_DECLARE_BACKEND(ops) extern const ovk_backend_ops ops;
OVK_BACKEND_LIST(OVK_DECLARE_BACKEND)
#undef OVK_DECLARE_BACKEND

static const void *const backends[] = {
#define OVK_BACKEND_ENTRY(ops) &ops,
    OVK_BACKEND_LIST(OVK_BACKEND_ENTRY)
#undef OVK_BACKEND_ENTRY
};

static ovk_choice backend_choice(const void *ops)
{
  const ovk_backend_ops *b = ops;
  return (ovk_choice){.name = b->name,
                      .summary = b->summary,
                      .keys = b->keys,
                      .decorates = b->decorates,
                      .aliases = b->aliases};
}

static const ovk__kind kind = {.name = "backend",
                               .builtins = backends,
                               .nbuiltins = sizeof backends / sizeof *backends,
                               .choice = backend_choice,
                               .size = sizeof(ovk_backend_ops)};

bool ovk_list_backends(const ovk_ctx *ctx, int index, ovk_choice *out)
{
  return ovk__registry_at(ctx, &kind, index, out);
}

ovk_err ovk_backend_register(ovk_ctx *ctx, const ovk_backend_ops *ops, void *user)
{
  if (!ctx) return OVK_ERR_ARG;
  ovk_backend_ops own = {0};
  if (ops) OVK_TRY(OVK_TAKE_SIZED(ctx, ovk_backend_ops, wait, ops, &own));
  OVK_CHECK(own.begin && own.test, ctx, OVK_ERR_ARG,
            "a backend needs the functions begin and test");
  return ovk__registry_add(ctx, &kind, &own, user);
}

ovk_err ovk__backend_parse(ovk_ctx *ctx, const char *text, ovk_spec **spec,
                           const ovk_backend_ops **ops, void **user)
{
  const void *found = NULL;
  const ovk_err err = ovk__registry_parse(ctx, &kind, text, spec, &found, user);
  *ops = found;
  return err;
}
