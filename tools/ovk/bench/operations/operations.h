/* SPDX-License-Identifier: BSD-2-Clause */
/* The operations that a benchmark compares: two of the MPI, then those of a list of specs. */
#ifndef OVK_TOOL_OPERATIONS_H
#define OVK_TOOL_OPERATIONS_H

#include "bench/operations/operation.h"
#include "bench/support/lists.h"
#include "bench/support/table.h"

typedef struct operations {
  int n;
  operation at[2 + LIST_MAX];
} operations;

/* Collective. Free them with operations_destroy(), also after a failure. */
ovk_err operations_create(ovk_ctx *ctx, operation_kind kind, const words *specs, int count,
                          operations *out);
void operations_destroy(operations *o);

/* Names a row after the operation, with a prefix, and labels it "operation", "spec", "backend" and
 * "count". */
void operations_name_row(const operation *op, const char *prefix, row *out);

#endif
