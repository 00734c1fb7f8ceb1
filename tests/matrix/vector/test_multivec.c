/* SPDX-License-Identifier: BSD-2-Clause */
/* Several vectors at once: their columns, and the blocks inside. */
#include "matrix/vector/multivec_impl.h"
#include "support/problem.h"

enum { ROWS = 150, MOST = 17, LD = ROWS + 3 };

/* Ranks have different numbers of rows; the first has none, if there are several. */
static ovk_lidx rows_here(void)
{
  return test_size == 1 ? ROWS : test_rank * ROWS / (test_size - 1);
}

static double number_at(int column, ovk_lidx i)
{
  return 1000.0 * (test_rank + 1) * (column + 1) + i;
}

static ovk_multivec *new_multivec(ovk_lidx rows, int columns)
{
  ovk_multivec *X = NULL;
  assert_ok(ovk_multivec_create(test_ctx(), rows, columns, &X));
  return X;
}

TEST(eleven_columns_are_blocks_of_eight_two_and_one)
{
  static const int first[] = {0, 8, 10}, width[] = {8, 2, 1};
  scoped_multivec *X = new_multivec(7, 11);
  assert_int_equal(ovk__multivec_panels(11), 3);
  for (int b = 0; b < 3; b++) {
    const ovk__panel block = ovk__multivec_panel(X, b);
    assert_int_equal(block.first, first[b]);
    assert_int_equal(block.width, width[b]);
  }
}

TEST(blocks_hold_all_columns_apart_and_begin_on_cache_lines)
{
  for (int columns = 1; columns <= 2 * MOST; columns++) {
    scoped_multivec *X = new_multivec(7, columns);
    const double *end = X->array;
    int count = 0;
    for (int b = 0; b < ovk__multivec_panels(columns); b++) {
      const ovk__panel block = ovk__multivec_panel(X, b);
      assert_int_equal(block.first, count);
      assert_true(block.rows >= end && (uintptr_t)block.rows % 64 == 0);
      for (int k = 0; k < 7 * block.width; k++) assert_true(block.rows[k] == 0);
      end = block.rows + (ptrdiff_t)7 * block.width;
      count += block.width;
    }
    assert_int_equal(count, columns);
  }
}

/* All columns, then a few of them at each place, come back; the ends of arrays are kept. */
static void check_columns(int columns)
{
  static double in[MOST * LD], out[MOST * LD];
  const ovk_lidx n = rows_here();
  scoped_multivec *X = new_multivec(n, columns);
  for (int c = 0; c < columns; c++) {
    for (ovk_lidx i = 0; i < LD; i++) in[c * LD + i] = i < n ? number_at(c, i) : 1;
  }
  assert_ok(ovk_multivec_set(X, 0, columns, in, LD));
  for (int first = 0; first < columns; first++) {
    for (int count = 0; first + count <= columns; count += 3) {
      for (int k = 0; k < MOST * LD; k++) out[k] = -1;
      assert_ok(ovk_multivec_get(X, first, count, out, LD));
      for (int k = 0; k < MOST * LD; k++) {
        const bool row = k < count * LD && k % LD < n;
        assert_true(out[k] == (row ? number_at(first + k / LD, k % LD) : -1));
      }
    }
  }
}

TEST(columns_come_back)
{
  for (int columns = 1; columns <= MOST; columns++) check_columns(columns);
}

TEST(a_row_has_its_columns_side_by_side)
{
  double column[3] = {1, 2, 3};
  scoped_multivec *X = new_multivec(3, 4);
  assert_ok(ovk_multivec_set(X, 2, 1, column, 3));
  const ovk__panel block = ovk__multivec_panel(X, 0);
  for (int i = 0; i < 3; i++) assert_true(block.rows[4 * i + 2] == i + 1);
}

TEST(sizes_are_those_given)
{
  const ovk_lidx n = rows_here();
  scoped_multivec *X = new_multivec(n, 5);
  ovk_vec *v = NULL;
  assert_ok(ovk_vec_create(test_ctx(), n, &v));
  assert_int_equal(ovk_multivec_columns(X), 5);
  assert_int_equal(ovk_multivec_local_size(X), n);
  assert_int_equal(ovk_multivec_size(X), ovk_vec_size(v));
  assert_ptr_equal(ovk_multivec_ctx(X), test_ctx());
  ovk_vec_destroy(&v);
  ovk_multivec_destroy(&X);
  assert_null(X);
  ovk_multivec_destroy(NULL);
}

TEST(wrong_arguments_are_refused)
{
  scoped_multivec *X = NULL;
  double a[8] = {0};
  assert_error(ovk_multivec_create(test_ctx(), is_last() ? -1 : 1, 2, &X), OVK_ERR_ARG, "-1");
  assert_null(X);
  assert_error(ovk_multivec_create(test_ctx(), 2, 0, &X), OVK_ERR_ARG, "columns is 0");
  assert_error(ovk_multivec_create(test_ctx(), 2, 2, is_last() ? NULL : &X), OVK_ERR_ARG, "NULL");
  if (test_size > 1) {
    assert_error(ovk_multivec_create(test_ctx(), 2, 2 + test_rank, &X), OVK_ERR_ARG,
                 "numbers of columns");
  }
  assert_error(ovk_multivec_create(test_ctx(), INT_MAX, INT_MAX, &X), OVK_ERR_MEMORY, "");
  X = new_multivec(2, 3);
  assert_error(ovk_multivec_set(X, 1, 3, a, 2), OVK_ERR_ARG, "not among 3");
  assert_error(ovk_multivec_set(X, -1, 1, a, 2), OVK_ERR_ARG, "not among 3");
  assert_error(ovk_multivec_get(X, INT_MAX, 1, a, 2), OVK_ERR_ARG, "not among 3");
  assert_error(ovk_multivec_get(X, 0, 1, a, 1), OVK_ERR_ARG, "ld is 1");
  assert_error(ovk_multivec_set(X, 0, 1, NULL, 2), OVK_ERR_ARG, "NULL");
  assert_ok(ovk_multivec_set(X, 3, 0, NULL, 2));
}
