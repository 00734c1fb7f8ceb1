/* SPDX-License-Identifier: BSD-2-Clause */
/* The format "csr": compressed sparse rows as assembly leaves them. The reference for all other
 * formats. */
#include "matrix/formats/cost.h"
#include "matrix/formats/format.h"

#include <stdlib.h>
#include <string.h>

/* A row ends with a branch that is mispredicted now and then. */
static ovk_err csr_estimate(ovk_ctx *ctx, const ovk__csr *A, int64_t limit, int64_t *cost,
                            void **block)
{
  enum { ENTRY = 19, ROW = 56 };
  (void)ctx;
  (void)limit;
  (void)block;
  *cost = ovk__cost(A, ovk__csr_bytes(A), ovk__csr_nnz(A) * ENTRY + A->rows * (int64_t)ROW);
  return OVK_OK;
}

static ovk_err csr_build(ovk_ctx *ctx, ovk__csr *A, bool exact, void **block)
{
  (void)exact;
  ovk__csr *copy = malloc(sizeof *copy);
  OVK_CHECK(copy, ctx, OVK_ERR_MEMORY, "no memory for a matrix block");
  *copy = *A;
  *A = (ovk__csr){0};
  *block = copy;
  return OVK_OK;
}

static void csr_destroy(void *block)
{
  ovk__csr_free(block);
  free(block);
}

static ovk_lidx csr_row(const void *block, ovk_lidx i, ovk_lidx *col, double *val)
{
  const ovk__csr *A = block;
  const ovk_lidx n = (ovk_lidx)(A->ptr[i + 1] - A->ptr[i]);
  if (col && n) memcpy(col, A->col + A->ptr[i], (size_t)n * sizeof *col);
  if (val && n) memcpy(val, A->val + A->ptr[i], (size_t)n * sizeof *val);
  return n;
}

static const ovk__products csr_products = {
    .dot = ovk__csr_mult_dot,
    .ordered = ovk__csr_mult_ordered,
    .pair = ovk__csr_mult_pair,
    .many = ovk__csr_mult_many,
};

const ovk__format ovk__format_csr = {
    .name = "csr",
    .summary = "compressed sparse rows; 12 bytes an entry, 8 bytes a row",
    .estimate = csr_estimate,
    .build = csr_build,
    .is_csr = true,
    .destroy = csr_destroy,
    .products = &csr_products,
    .diagonal = ovk__csr_diagonal,
    .row = csr_row,
    .bytes = ovk__csr_bytes,
};
