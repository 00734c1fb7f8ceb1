/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks in a storage format, made from compressed rows that the test keeps. */
#include "format_blocks.h"
#include "support/problem.h"

const ovk__format *format_named(const char *name)
{
  ovk__wanted wanted = {0};
  assert_ok(ovk__format_find(test_ctx(), name, &wanted));
  return wanted.format;
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
  assert_ok(format->build(test_ctx(), &B, true, &block));
  assert_null(B.ptr);
  return block;
}

int64_t format_estimate(const ovk__format *format, const ovk__csr *A, int64_t limit)
{
  int64_t cost = -2;
  void *block = NULL;
  assert_ok(format->estimate(test_ctx(), A, limit, &cost, &block));
  if (block) format->destroy(block);
  return cost;
}

static void assert_diagonal(const ovk__format *format, const void *block, const ovk__csr *A)
{
  const size_t n = (size_t)A->rows;
  scoped_array double *expected = malloc((n + 1) * sizeof *expected),
                      *found = malloc((n + 1) * sizeof *found);
  ovk__csr_diagonal(A, expected);
  format->diagonal(block, found);
  assert_memory_equal(found, expected, n * sizeof *found);
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
  assert_diagonal(format, block, A);
}

void format_assert_unfolds(const ovk__format *format, const void *block, const ovk__csr *A)
{
  scoped_csr B;
  const size_t nnz = (size_t)ovk__csr_nnz(A);
  assert_ok(ovk__csr_alloc(test_ctx(), A->rows, (int64_t)nnz, &B));
  ovk__format_count(format, block, 0, B.rows, B.ptr);
  assert_memory_equal(B.ptr, A->ptr, ((size_t)B.rows + 1) * sizeof *B.ptr);
  assert_ok(ovk__format_unfold(test_ctx(), format, block, 0, &B));
  assert_memory_equal(B.col, A->col, nnz * sizeof *B.col);
  assert_memory_equal(B.val, A->val, nnz * sizeof *B.val);
}

/* Rows as they are passed on; those of the product are overwritten. */
typedef struct passing {
  double *y;
  ovk_lidx next; /* the row that is due */
} passing;

static void take_rows(void *arg, ovk_lidx first, ovk_lidx rows, double *y)
{
  passing *p = arg;
  assert_int_equal(first, p->next);
  assert_true(rows > 0);
  p->next += rows;
  memcpy(p->y + first, y, (size_t)rows * sizeof *y);
  for (ovk_lidx i = 0; i < rows; i++) y[i] = NAN;
}

/* Rows that are passed on while they are multiplied are complete, and each is passed once. */
static void assert_passed(const ovk__format *format, const void *block, ovk_lidx rows,
                          const double *x, const double *y, double dot)
{
  const size_t size = ((size_t)rows + 1) * sizeof *y;
  passing p = {malloc(size), 0};
  scoped_array double *overwritten = malloc(size);
  for (ovk_lidx i = 0; i < rows; i++) overwritten[i] = NAN;
  const double again =
      format->products->dot(block, x, overwritten, ovk_poll_none(), &(ovk__finish){take_rows, &p});
  assert_memory_equal(&again, &dot, sizeof dot);
  assert_int_equal(p.next, rows);
  assert_memory_equal(p.y, y, (size_t)rows * sizeof *y);
  free(p.y);
}

double format_product(const ovk__format *format, const void *block, const ovk__csr *A,
                      ovk_poll poll, double *y)
{
  enum { MARGIN = 300 };
  const size_t n = (size_t)A->rows;
  double *around = malloc((n + 2 * MARGIN) * sizeof *around), *x = around + MARGIN;
  scoped_array double *expected = malloc((n + 1) * sizeof *expected);
  for (size_t i = 0; i < n + 2 * MARGIN; i++) around[i] = NAN;
  for (size_t i = 0; i < n; i++) x[i] = random_number(3, i) - 0.5;
  for (size_t i = 0; i < n; i++) y[i] = NAN;
  y[n] = 7;
  const double reference = ovk__csr_mult_dot(A, x, expected, ovk_poll_none(), NULL);
  const double dot = format->products->dot(block, x, y, poll, NULL);
  for (size_t i = 0; i < n; i++) assert_close(y[i], expected[i], 1e-15);
  assert_true(y[n] == 7);
  assert_close(dot, reference, fmax(1e-14, 1e-18 * (double)n));
  assert_passed(format, block, A->rows, x, y, dot);
  free(around);
  return dot;
}

void format_assert_polls(const ovk__format *format, const void *block, const ovk__csr *A,
                         int passes)
{
  const size_t size = ((size_t)A->rows + 1) * sizeof(double);
  scoped_array double *y = malloc(size), *polled = malloc(size);
  const double dot = format_product(format, block, A, ovk_poll_none(), y);
  for (ovk_lidx every = 1; every <= A->rows + 1; every++) {
    int calls = 0;
    const ovk_poll poll = {count_call, &calls, every};
    const double again = format_product(format, block, A, poll, polled);
    assert_memory_equal(&again, &dot, sizeof dot);
    assert_memory_equal(polled, y, size);
    assert_in_range(calls, A->rows / every, passes * A->rows / every + 1);
  }
}

void format_assert_columns(const ovk__format *format, const void *block, ovk_lidx rows)
{
  enum { MOST = 8 };
  double dots[MOST], *x = random_vector(MOST * rows, 7), *y = random_vector(MOST * rows, 8);
  scoped_array double *in = random_vector(rows, 9), *out = random_vector(rows, 10);
  for (int w = 2; w <= MOST; w *= 2) {
    for (ovk_lidx k = 0; k < MOST * rows; k++) y[k] = NAN;
    format->products->many(block, w, x, y, ovk_poll_none(), NULL, dots);
    for (int c = 0; c < w; c++) {
      for (ovk_lidx i = 0; i < rows; i++) in[i] = x[i * w + c];
      const double dot = format->products->dot(block, in, out, ovk_poll_none(), NULL);
      assert_close(dots[c], dot, 1e-11);
      for (ovk_lidx i = 0; i < rows; i++) in[i] = y[i * w + c];
      assert_memory_equal(in, out, (size_t)rows * sizeof *in);
    }
  }
  free(x);
  free(y);
}

void format_assert_refused(const ovk__format *format, const ovk__csr *A, const char *message)
{
  scoped_csr B = csr_copy(A);
  void *block = NULL;
  assert_error(format->build(test_ctx(), &B, true, &block), OVK_ERR_UNSUPPORTED, message);
  assert_null(block);
  assert_int_equal(B.rows, A->rows);
  assert_memory_equal(B.ptr, A->ptr, ((size_t)A->rows + 1) * sizeof *A->ptr);
  assert_memory_equal(B.col, A->col, (size_t)ovk__csr_nnz(A) * sizeof *A->col);
  assert_memory_equal(B.val, A->val, (size_t)ovk__csr_nnz(A) * sizeof *A->val);
}

void format_assert_empty(const ovk__format *format)
{
  scoped_csr A;
  double none = 1;
  assert_ok(ovk__csr_alloc(test_ctx(), 0, 0, &A));
  void *block = format_build(format, &A);
  assert_true(format->products->dot(block, &none, &none, ovk_poll_none(), NULL) == 0);
  assert_true(none == 1);
  format->destroy(block);
}

double *random_vector(ovk_lidx n, uint64_t seed)
{
  double *x = new_memory(((size_t)n + 1) * sizeof *x);
  for (ovk_lidx i = 0; i < n; i++) x[i] = random_number(seed, (uint64_t)i) - 0.5;
  return x;
}
