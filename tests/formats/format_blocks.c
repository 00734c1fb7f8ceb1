/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks in a storage format, made from compressed rows that the test keeps. */
#include "format_blocks.h"
#include "support/matrices.h"
#include "support/test_main.h"

#include <stdlib.h>
#include <string.h>

const ovk__format *format_named(const char *name)
{
  const ovk__format *format = NULL;
  assert_ok(ovk__format_find(test_ctx(), name, &format));
  return format;
}

ovk__csr csr_copy(const ovk__csr *A)
{
  ovk__csr B;
  const size_t nnz = (size_t)ovk__csr_nnz(A);
  assert_ok(ovk__csr_alloc(test_ctx(), A->rows, (int64_t)nnz, &B));
  memcpy(B.ptr, A->ptr, ((size_t)A->rows + 1) * sizeof *A->ptr);
  memcpy(B.col, A->col, nnz * sizeof *A->col);
  memcpy(B.val, A->val, nnz * sizeof *A->val);
  return B;
}

void *format_build(const ovk__format *format, const ovk__csr *A)
{
  ovk__csr B = csr_copy(A);
  void *block = NULL;
  assert_ok(format->build(test_ctx(), &B, &block));
  assert_null(B.ptr);
  return block;
}

void format_assert_rows(const ovk__format *format, const void *block, const ovk__csr *A)
{
  ovk_lidx *col = malloc(((size_t)A->rows + 1) * sizeof *col);
  double *val = malloc(((size_t)A->rows + 1) * sizeof *val);
  for (ovk_lidx i = 0; i < A->rows; i++) {
    const ovk_lidx n = (ovk_lidx)(A->ptr[i + 1] - A->ptr[i]);
    assert_int_equal(format->row(block, i, NULL, NULL), n);
    assert_int_equal(format->row(block, i, col, val), n);
    assert_memory_equal(col, A->col + A->ptr[i], (size_t)n * sizeof *col);
    assert_memory_equal(val, A->val + A->ptr[i], (size_t)n * sizeof *val);
  }
  free(col);
  free(val);
}

double *random_vector(ovk_lidx n, uint64_t seed)
{
  double *x = malloc((size_t)n * sizeof *x);
  assert_non_null(x);
  for (ovk_lidx i = 0; i < n; i++) x[i] = random_number(seed, (uint64_t)i) - 0.5;
  return x;
}
