/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of a 27-point matrix with variable, symmetric coefficients, as arrays. */
#ifndef OVK_TOOL_ASSEMBLY_ROWS_H
#define OVK_TOOL_ASSEMBLY_ROWS_H

#include <ovkrylov/ovkrylov.h>

/* The rows of a rank in CSR with global columns, increasing in each row. */
typedef struct rows {
  ovk_lidx n;
  ovk_gidx first;
  int64_t *ptr;
  ovk_gidx *col;
  double *val;
} rows;

/* Boxes of n[0] x n[1] x n[2] points, one for each rank, on top of each other. Collective. Free it
 * with rows_destroy(), also after a failure. */
ovk_err rows_create(ovk_ctx *ctx, const int n[3], rows *out);
void rows_destroy(rows *r);

#endif
