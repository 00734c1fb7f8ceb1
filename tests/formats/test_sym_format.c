/* SPDX-License-Identifier: BSD-2-Clause */
/* The format "sym": the storage of a block, the refused blocks, and its product. */
#include "format_blocks.h"
#include "matrix/formats/sym/sym_block.h"
#include "support/problem.h"

extern const ovk__format ovk__format_sym;

/* The entries of a row-major array that are not 0. */
static ovk__csr from_dense(ovk_lidx n, const double *dense)
{
  int64_t nnz = 0;
  for (ovk_lidx k = 0; k < n * n; k++) nnz += dense[k] != 0;
  ovk__csr A;
  assert_ok(ovk__csr_alloc(test_ctx(), n, nnz, &A));
  int64_t k = 0;
  for (ovk_lidx i = 0; i < n; i++) {
    for (ovk_lidx j = 0; j < n; j++) {
      if (dense[i * n + j] == 0) continue;
      A.col[k] = j;
      A.val[k++] = dense[i * n + j];
    }
    A.ptr[i + 1] = k;
  }
  return A;
}

TEST(the_upper_half_is_stored_shortest_rows_first)
{
  const double dense[16] = {1, 2, 3, 0, 2, 4, 0, 0, 3, 0, 5, 6, 0, 0, 6, 7};
  const uint8_t row[4] = {1, 3, 2, 0}; /* of 0, 0, 1 and 2 entries */
  const uint16_t near[3] = {3, 1, 2};
  const double val[3] = {6, 2, 3}, diagonal[4] = {1, 4, 5, 7};
  ovk__csr A = from_dense(4, dense);
  void *block;
  assert_ok(ovk__format_sym.build(test_ctx(), &A, true, &block));
  assert_null(A.ptr);
  const ovk__sym *b = block;
  assert_memory_equal(b->windows.row, row, sizeof row);
  assert_memory_equal(b->entries.near, near, sizeof near);
  assert_memory_equal(b->entries.val, val, sizeof val);
  assert_memory_equal(b->diagonal, diagonal, sizeof diagonal);
  assert_null(b->missing);
  assert_null(b->entries.far);
  assert_int_equal(b->reach[0], 3);
  ovk__format_sym.destroy(block);
}

/* Half of the least double is 0: a pair of it must stay. */
TEST(pairs_that_differ_by_rounding_get_their_mean_and_others_stay)
{
  const double least = 0x1p-1074, eps = 0x1p-52;
  const double dense[9] = {4, least, 1, least, 4, 3, 1 + 2 * eps, 3, 4};
  ovk__csr A = from_dense(3, dense);
  void *block = NULL;
  assert_ok(ovk__format_sym.build(test_ctx(), &A, false, &block));
  assert_true(A.rounded);
  double val[3];
  assert_int_equal(ovk__format_sym.row(block, 0, (ovk_lidx[3]){0}, val), 3);
  assert_true(val[1] == least && val[2] == 1 + eps);
  assert_int_equal(ovk__format_sym.row(block, 1, (ovk_lidx[3]){0}, val), 3);
  assert_true(val[2] == 3);
  ovk__format_sym.destroy(block);
}

TEST(an_unsymmetric_block_is_refused_and_left_alone)
{
  const double dense[9] = {1, 2, 0, 2, 1, 3, 0, -3, 1};
  scoped_csr A = from_dense(3, dense);
  format_assert_refused(&ovk__format_sym, &A, "the local block is not symmetric");
}

TEST(stored_zeros_are_no_missing_diagonals)
{
  const double dense[9] = {9, 1, 1, 1, 9, 0, 1, 0, 0};
  scoped_csr A = from_dense(3, dense);
  A.val[4] = -0.0; /* the diagonal of row 1; row 2 has none */
  void *block = format_build(&ovk__format_sym, &A);
  format_assert_rows(&ovk__format_sym, block, &A);
  const double x[3] = {1, 1, INFINITY};
  double y[3];
  ovk__format_sym.products->dot(block, x, y, ovk_poll_none(), NULL);
  assert_true(y[2] == 1); /* not 1 + 0 Inf */
  ovk__format_sym.destroy(block);
}

TEST(a_block_without_diagonals_stores_none)
{
  const double dense[9] = {0, 1, 0, 1, 0, 2, 0, 2, 0}, x[3] = {1, 2, 3}, expected[3] = {2, 7, 4};
  scoped_csr A = from_dense(3, dense);
  void *block = format_build(&ovk__format_sym, &A);
  double y[3];
  assert_null(((ovk__sym *)block)->diagonal);
  format_assert_rows(&ovk__format_sym, block, &A);
  assert_true(ovk__format_sym.products->dot(block, x, y, ovk_poll_none(), NULL) == 28);
  assert_memory_equal(y, expected, sizeof y);
  ovk__format_sym.destroy(block);
}

/* Row 300 and column 256 + distance have an entry in common. */
TEST(columns_take_16_bits_where_they_are_near)
{
  const ovk_lidx n = 70000, i = 300;
  for (ovk_lidx distance = UINT16_MAX; distance <= UINT16_MAX + 1; distance++) {
    const ovk_lidx j = OVK__SORT_WINDOW + distance;
    ovk__csr A;
    assert_ok(ovk__csr_alloc(test_ctx(), n, 2, &A));
    for (ovk_lidx k = 0; k < n; k++) A.ptr[k + 1] = (k >= i) + (k >= j);
    A.col[0] = j;
    A.col[1] = i;
    A.val[0] = A.val[1] = 2;
    void *block;
    assert_ok(ovk__format_sym.build(test_ctx(), &A, true, &block));
    assert_int_equal(((ovk__sym *)block)->entries.near != NULL, distance == UINT16_MAX);
    assert_int_equal(((ovk__sym *)block)->entries.far != NULL, distance > UINT16_MAX);
    scoped_array double *x = random_vector(n, 4), *y = random_vector(n, 5);
    ovk__format_sym.products->dot(block, x, y, ovk_poll_none(), NULL);
    for (ovk_lidx k = 0; k < n; k++)
      assert_true(y[k] == (k == i ? 2 * x[j] : k == j ? 2 * x[i] : 0));
    ovk__format_sym.destroy(block);
  }
}
