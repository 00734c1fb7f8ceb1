/* SPDX-License-Identifier: BSD-2-Clause */
/* The format "dia:few": which values are stored as slices, that products have the bits of "dia",
 * and new values, few or not. */
#include "format_blocks.h"
#include "matrix/formats/dia/diagonals.h"
#include "matrix/mat_impl.h"
#include "support/problem.h"

enum { NEAR = 3, FAR = 40 };

/* The value at (i, i + offset). */
typedef double value_fn(ovk_lidx i, ovk_lidx offset);

/* In long runs, as in a body of few materials. */
static double few(ovk_lidx i, ovk_lidx offset)
{
  return (1 + i / 100 % 3) * 0.1 + offset;
}

static double other_few(ovk_lidx i, ovk_lidx offset)
{
  return i % 4 == 1 ? -0.0 : 1.0 / (5 + offset * offset);
}

static double many(ovk_lidx i, ovk_lidx offset)
{
  return random_number(1, (uint64_t)i * 100 + (uint64_t)(offset + FAR)) - 0.5;
}

static double many_at_the_end(ovk_lidx i, ovk_lidx offset)
{
  return i < 1000 ? few(i, offset) : many(i, offset);
}

static double odd_bits(ovk_lidx i, ovk_lidx offset)
{
  static const uint64_t bits[] = {
      0, 0x8000000000000000, 1, 0x7ff8000000000123, 0x7ff8000000000124, 0xfff0000000000000};
  double value;
  memcpy(&value, &bits[(i % 8 + offset + FAR) % 6], sizeof value);
  return value;
}

static bool has(ovk_lidx rows, ovk_lidx i, ovk_lidx j)
{
  const ovk_lidx d = j - i;
  return j >= 0 && j < rows && ((d >= -NEAR && d <= NEAR && i % 50 != 7) || d == FAR);
}

static ovk__csr make_block(ovk_lidx rows, value_fn *value)
{
  ovk__csr A;
  int64_t n = 0;
  assert_ok(ovk__csr_alloc(test_ctx(), rows, (int64_t)rows * (2 * NEAR + 2), &A));
  for (ovk_lidx i = 0; i < rows; i++) {
    for (ovk_lidx d = -NEAR; d <= FAR; d++) {
      if (!has(rows, i, i + d)) continue;
      A.col[n] = i + d;
      A.val[n++] = value(i, d);
    }
    A.ptr[i + 1] = n;
  }
  return A;
}

static const ovk__format *dia_few(void)
{
  return format_named("dia:few");
}

/* The product has the bits of that with all values. */
static void assert_product(const void *block, const ovk__csr *A)
{
  const ovk__format *dia = format_named("dia");
  void *all = format_build(dia, A);
  scoped_array double *y = random_vector(A->rows, 1), *z = random_vector(A->rows, 2);
  const double dot = format_product(dia_few(), block, A, ovk_poll_none(), y);
  const double expected = format_product(dia, all, A, ovk_poll_none(), z);
  assert_memory_equal(&dot, &expected, sizeof dot);
  assert_memory_equal(y, z, ((size_t)A->rows + 1) * sizeof *y);
  dia->destroy(all);
}

TEST(equal_slices_are_stored_once)
{
  for (ovk_lidx rows = 1000; rows < 1000 + 8; rows++) {
    scoped_csr A = make_block(rows, few);
    void *block = format_build(dia_few(), &A);
    const ovk__diagonals *d = block;
    assert_non_null(d->slice);
    assert_null(d->val);
    assert_in_range(d->slices.n, 1, 200);
    assert_true(16 * dia_few()->bytes(block) < 3 * ovk__csr_bytes(&A));
    format_assert_rows(dia_few(), block, &A);
    assert_product(block, &A);
    dia_few()->destroy(block);
  }
}

TEST(values_that_are_not_few_are_stored_all)
{
  scoped_csr A = make_block(1003, many);
  void *block = format_build(dia_few(), &A);
  assert_null(((const ovk__diagonals *)block)->slice);
  assert_int_equal(dia_few()->bytes(block), ovk__diagonals_bytes(block));
  format_assert_rows(dia_few(), block, &A);
  assert_product(block, &A);
  dia_few()->destroy(block);
}

TEST(values_that_differ_in_a_bit_are_different)
{
  scoped_csr A = make_block(1003, odd_bits);
  void *block = format_build(dia_few(), &A);
  assert_non_null(((const ovk__diagonals *)block)->slice);
  format_assert_rows(dia_few(), block, &A);
  dia_few()->destroy(block);
}

TEST(auto_takes_slices_where_values_are_few)
{
  scoped_csr A = make_block(1003, few), B = make_block(1003, many);
  const int64_t cost = format_estimate(dia_few(), &A, INT64_MAX);
  assert_in_range(cost, 1, format_estimate(&ovk__format_csr, &A, INT64_MAX) / 2);
  assert_int_equal(format_estimate(dia_few(), &A, cost / 4), -1);
  assert_int_equal(format_estimate(dia_few(), &B, INT64_MAX), -1);
}

/* Rows first to end - 1, forwards or backwards. */
static void add(ovk_mat *A, const ovk__csr *rows, bool back)
{
  for (ovk_lidx k = 0; k < rows->rows; k++) {
    const ovk_lidx i = back ? rows->rows - 1 - k : k;
    for (int64_t l = rows->ptr[i]; l < rows->ptr[i + 1]; l++) {
      assert_ok(ovk_mat_add(A, i, rows->col[l], rows->val[l]));
    }
  }
  assert_ok(ovk_mat_assemble(A));
}

/* Few values, other values, values that many rows of a later piece have, few again. */
TEST(new_values_may_be_few_or_not)
{
  enum { ROWS = 2 * OVK__ROW_BLOCK + 13 };
  value_fn *const values[] = {few, other_few, few, many_at_the_end, few};
  for (int back = 0; back < 2; back++) {
    scoped_mat *A = new_mat(ROWS);
    assert_ok(ovk_mat_set_format(A, "dia:few"));
    for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
      scoped_csr rows = make_block(ROWS, values[k]);
      if (k > 0) assert_ok(ovk_mat_reset_values(A));
      add(A, &rows, back);
      assert_string_equal(ovk_mat_format(A), "dia:few");
      const ovk__diagonals *d = A->local;
      assert_true((d->slice != NULL) == (k < 3)); /* spread values stay so */
      format_assert_rows(A->format, A->local, &rows);
      assert_product(A->local, &rows);
    }
  }
}
