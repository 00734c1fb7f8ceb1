/* SPDX-License-Identifier: BSD-2-Clause */
/* The operations that a benchmark compares. */
#include "bench/operations/operations.h"
#include "tool.h"

#include <stdio.h>
#include <string.h>

ovk_err operations_create(ovk_ctx *ctx, operation_kind kind, const words *specs, int count,
                          operations *out)
{
  for (out->n = 0; out->n < 2 + specs->n; out->n++) {
    const char *spec = out->n < 2 ? operation_own[kind][out->n] : specs->at[out->n - 2];
    TRY(operation_create(ctx, kind, spec, count, &out->at[out->n]));
  }
  return OVK_OK;
}

void operations_destroy(operations *o)
{
  for (int k = 0; k < o->n; k++) operation_destroy(&o->at[k]);
  o->n = 0;
}

void operations_name_row(const operation *op, const char *prefix, row *out)
{
  const bool other = strcmp(op->spec, op->backend) != 0;
  snprintf(out->name, sizeof out->name, "%s%s%s%s", prefix, op->spec, other ? ": " : "",
           other ? op->backend : "");
  row_add_text(out, "operation", operation_names[op->kind]);
  row_add_text(out, "spec", op->spec);
  row_add_text(out, "backend", op->backend);
  row_add_number(out, "count", op->count);
}
