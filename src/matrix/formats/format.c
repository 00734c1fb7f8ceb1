/* SPDX-License-Identifier: BSD-2-Clause */
/* Finding a storage format by its spec. */
#include "matrix/formats/format.h"
#include "core/registry.h"
#include "matrix/formats/format_list.h"

#define OVK_DECLARE_FORMAT(ops) extern const ovk__format ops;
OVK_FORMAT_LIST(OVK_DECLARE_FORMAT)
#undef OVK_DECLARE_FORMAT

/* "auto" stands in the list as a format without functions, to be named, shown and suggested. */
static const ovk__format automatic = {.name = "auto", .summary = "chosen by looking at the matrix"};

static const void *const formats[] = {&automatic,
#define OVK_FORMAT_ENTRY(ops) &ops,
                                      OVK_FORMAT_LIST(OVK_FORMAT_ENTRY)
#undef OVK_FORMAT_ENTRY
};

static ovk_choice choice(const void *ops)
{
  const ovk__format *f = ops;
  return (ovk_choice){f->name, f->summary, f->keys};
}

static const ovk__kind kind = {"format", formats, sizeof formats / sizeof *formats, choice};

bool ovk_list_formats(const ovk_ctx *ctx, int index, ovk_choice *out)
{
  return ovk__registry_at(ctx, &kind, index, out);
}

ovk_err ovk__format_find(ovk_ctx *ctx, const char *spec, const ovk__format **out)
{
  ovk_spec *parsed = NULL;
  const void *ops = NULL;
  OVK_TRY(ovk__registry_parse(ctx, &kind, spec, &parsed, &ops, NULL));
  ovk_spec_destroy(&parsed);
  *out = ops == &automatic ? formats[1] : ops;
  return OVK_OK;
}
