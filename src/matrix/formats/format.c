/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds a storage format by its spec, chooses one, and ends the building of blocks. */
#include "matrix/formats/format.h"
#include "core/registry.h"
#include "matrix/formats/format_list.h"
#include "matrix/formats/trial.h"

#include <stdlib.h>

#define OVK_DECLARE_FORMAT(ops) extern const ovk__format ops;
OVK_FORMAT_LIST(OVK_DECLARE_FORMAT)
OVK_FORMAT_VARIANTS(OVK_DECLARE_FORMAT)
#undef OVK_DECLARE_FORMAT

/* "auto" is listed as a format without functions, so that it can be named, listed and suggested. */
static const ovk_option automatic_options[] = {
    OVK_FLAG("trial", "choose by timing SpMVs instead of a model of their costs"),
    OVK__EXACT_OPTION, OVK_OPTIONS_END};
static const ovk__format fastest = {.name = "auto"};
static const ovk__format automatic = {
    .name = "auto",
    .summary = "the format that a model of the SpMV predicts to be fastest for the matrix",
    .keys = automatic_options,
    .variant = &fastest,
};

static const void *const formats[] = {&automatic,
#define OVK_FORMAT_ENTRY(ops) &ops,
                                      OVK_FORMAT_LIST(OVK_FORMAT_ENTRY)
                                          OVK_FORMAT_VARIANTS(OVK_FORMAT_ENTRY)
#undef OVK_FORMAT_ENTRY
};

static ovk_choice format_choice(const void *ops)
{
  const ovk__format *f = ops;
  return (ovk_choice){.name = f->name,
                      .summary = f->summary,
                      .keys = f->keys,
                      .columns = f->products && f->products->many};
}

#define OVK_COUNT_FORMAT(ops) +1
enum {
  REFERENCE = 1,
  VARIANTS = OVK_FORMAT_VARIANTS(OVK_COUNT_FORMAT),
  FORMATS = sizeof formats / sizeof *formats
};
#undef OVK_COUNT_FORMAT

static const ovk__kind kind = {.name = "format",
                               .builtins = formats,
                               .nbuiltins = FORMATS - VARIANTS,
                               .choice = format_choice};

bool ovk_list_formats(const ovk_ctx *ctx, int index, ovk_choice *out)
{
  return ovk__registry_at(ctx, &kind, index, out);
}

ovk_err ovk__format_find(ovk_ctx *ctx, const char *spec, ovk__wanted *out)
{
  ovk_spec *parsed = NULL;
  const void *ops = NULL;
  OVK_TRY(ovk__registry_parse(ctx, &kind, spec, &parsed, &ops, NULL));
  const ovk__format *format = ops;
  if (format->variant && ovk_spec_has(parsed, format->keys[0].name)) format = format->variant;
  *out = (ovk__wanted){.format = format, .exact = ovk_spec_has(parsed, OVK__FORMAT_EXACT)};
  ovk_spec_destroy(&parsed);
  return OVK_OK;
}

static void format_drop(int k, void **block)
{
  const ovk__format *f = formats[k];
  if (*block) f->destroy(*block);
  *block = NULL;
}

/* The cheapest format for A, except those that have refused it, and the plan of its estimate. Costs
 * are modeled, not measured, so that a matrix always gets the same format and products are bitwise
 * reproducible. */
static ovk_err format_choose(ovk_ctx *ctx, const ovk__csr *A, const bool refused[FORMATS],
                             int *best, void **block)
{
  int64_t least = INT64_MAX;
  *best = REFERENCE;
  for (int k = 0; k < FORMATS; k++) {
    const ovk__format *f = formats[k];
    int64_t cost = -1;
    void *left = NULL;
    const ovk_err err =
        f->estimate && !refused[k] ? f->estimate(ctx, A, least, &cost, &left) : OVK_OK;
    if (err || cost < 0 || cost >= least) {
      format_drop(k, &left);
      OVK_TRY(err);
      continue;
    }
    format_drop(*best, block);
    least = cost;
    *best = k;
    *block = left;
  }
  return OVK_OK;
}

static ovk_err format_build_cheapest(ovk_ctx *ctx, ovk__wanted wanted, ovk__csr *A,
                                     const ovk__format **format, void **block)
{
  bool refused[FORMATS] = {false};
  for (int k = 0; wanted.ordered && k < FORMATS; k++) {
    refused[k] = ((const ovk__format *)formats[k])->slow_in_order;
  }
  for (;;) {
    int best;
    ovk_err err = format_choose(ctx, A, refused, &best, block);
    if (err) format_drop(best, block);
    OVK_TRY(err);
    *format = formats[best];
    err = (*format)->build(ctx, A, wanted.exact, block);
    if (err != OVK_ERR_UNSUPPORTED) return err;
    ovk__clear_message(ctx);
    refused[best] = true;
  }
}

static ovk_err format_build_fastest(ovk_ctx *ctx, bool exact, ovk__csr *A,
                                    const ovk__format **format, void **block)
{
  int best;
  OVK_TRY(ovk__format_trial(ctx, formats, FORMATS, exact, A, &best, block));
  *format = formats[best];
  return OVK_OK;
}

ovk_err ovk__format_build(ovk_ctx *ctx, ovk__wanted wanted, ovk__csr *A, const ovk__format **format,
                          void **block)
{
  *block = NULL;
  *format = wanted.format;
  wanted.exact |= wanted.ordered; /* which entries of a pair are rounded depends on the partition */
  const bool times = *format == &fastest && !wanted.ordered; /* times differ from run to run */
  if (times) return format_build_fastest(ctx, wanted.exact, A, format, block);
  if (!(*format)->build) return format_build_cheapest(ctx, wanted, A, format, block);
  return (*format)->build(ctx, A, wanted.exact, block);
}

void ovk__format_count(const ovk__format *format, const void *block, ovk_lidx first, ovk_lidx rows,
                       int64_t *ptr)
{
  int64_t *length = ptr + 1;
  if (format->lengths) {
    format->lengths(block, first, rows, length);
  } else {
    for (ovk_lidx k = 0; k < rows; k++) length[k] = format->row(block, first + k, NULL, NULL);
  }
  ptr[0] = 0;
  for (ovk_lidx k = 0; k < rows; k++) ptr[k + 1] += ptr[k];
}

ovk_err ovk__format_unfold(ovk_ctx *ctx, const ovk__format *format, const void *block,
                           ovk_lidx first, ovk__csr *out)
{
  if (format->unfold) return format->unfold(ctx, block, first, out);
  for (ovk_lidx k = 0; k < out->rows; k++) {
    const int64_t at = out->ptr[k];
    format->row(block, first + k, out->col + at, out->val ? out->val + at : NULL);
  }
  return OVK_OK;
}

ovk_err ovk__format_finish(ovk_err err, ovk__csr *A, void (*destroy)(void *block), void **block)
{
  if (err) {
    destroy(*block);
    *block = NULL;
    return err;
  }
  const bool rounded = A->rounded;
  ovk__csr_free(A);
  A->rounded = rounded;
  return OVK_OK;
}

ovk_err ovk__format_copy_narrow(ovk_ctx *ctx, const ovk__format *format, const void *block,
                                void **out)
{
  *out = calloc(1, format->narrow->size);
  OVK_CHECK(*out, ctx, OVK_ERR_MEMORY, "no memory for a matrix block");
  const ovk_err err = format->copy_narrow(ctx, block, *out);
  if (!err) return OVK_OK;
  format->narrow->destroy(*out);
  *out = NULL;
  return err;
}
