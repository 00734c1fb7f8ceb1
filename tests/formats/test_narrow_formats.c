/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks with values in float: the same bits as with values in double if values are floats, half
 * the bytes, errors for values beyond float. */
#include "format_blocks.h"
#include "support/problem.h"

/* A symmetric band: offsets 0, 1, 2, 7 and 30 and their negatives. */
typedef struct band {
  ovk_lidx rows;
  double missing;  /* the part of the entries that is omitted */
  bool diagonal;   /* whether there are diagonal entries */
  ovk_lidx values; /* how many values there are; 0: all differ */
} band;

static const ovk_lidx OFFSETS[] = {-30, -7, -2, -1, 0, 1, 2, 7, 30};
enum { NOFFSETS = sizeof OFFSETS / sizeof *OFFSETS };

/* A number in [0,1) for the pair of rows. */
static double pair_number(uint64_t seed, ovk_lidx i, ovk_lidx j)
{
  const ovk_lidx low = i < j ? i : j, high = i < j ? j : i;
  return random_number(seed, (uint64_t)low * 100000 + (uint64_t)high);
}

static bool has_entry(const band *b, ovk_lidx i, ovk_lidx j)
{
  if (j < 0 || j >= b->rows) return false;
  if (i == j && !b->diagonal) return false;
  return pair_number(1, i, j) >= b->missing;
}

static double value_of(const band *b, ovk_lidx i, ovk_lidx j)
{
  const double number = pair_number(2, i, j);
  if (b->values) return floor(number * b->values) / 3;
  return number - 0.5;
}

/* The band, with its values rounded to float if `rounded`. */
static ovk__csr make_band(const band *b, bool rounded)
{
  ovk__csr A;
  int64_t n = 0;
  assert_ok(ovk__csr_alloc(test_ctx(), b->rows, (int64_t)b->rows * NOFFSETS, &A));
  for (ovk_lidx i = 0; i < b->rows; i++) {
    for (int k = 0; k < NOFFSETS; k++) {
      const ovk_lidx j = i + OFFSETS[k];
      if (!has_entry(b, i, j)) continue;
      const double value = value_of(b, i, j);
      A.col[n] = j;
      A.val[n++] = rounded ? (double)(float)value : value;
    }
    A.ptr[i + 1] = n;
  }
  return A;
}

static void *narrow_copy(const ovk__format *format, const void *block)
{
  void *narrow = NULL;
  assert_ok(ovk__format_copy_narrow(test_ctx(), format, block, &narrow));
  assert_non_null(narrow);
  return narrow;
}

static void assert_same_products(const ovk__format *format, const void *block, const void *narrow,
                                 const ovk__csr *A)
{
  const size_t size = ((size_t)A->rows + 1) * sizeof(double);
  scoped_array double *y = malloc(size), *found = malloc(size);
  const double dot = format_product(format, block, A, ovk_poll_none(), y);
  const double found_dot = format_product(format->narrow, narrow, A, ovk_poll_none(), found);
  assert_memory_equal(&found_dot, &dot, sizeof dot);
  assert_memory_equal(found, y, size);
  format->diagonal(block, y);
  format->narrow->diagonal(narrow, found);
  assert_memory_equal(found, y, size - sizeof *y);
}

/* Values that are floats. */
static void check_exact(const char *name, const band *b)
{
  char expected[32];
  const ovk__format *format = format_named(name);
  scoped_csr A = make_band(b, true);
  void *block = format_build(format, &A), *narrow = narrow_copy(format, block);
  snprintf(expected, sizeof expected, "%s:float", name);
  assert_string_equal(format->narrow->name, expected);
  assert_int_equal(format->narrow->symmetric, format->symmetric);
  assert_same_products(format, block, narrow, &A);
  format_assert_polls(format->narrow, narrow, &A, 2);
  format->destroy(block);
  format->narrow->destroy(narrow);
}

static const char *const NAMES[] = {"dia", "symdia", "sell", "sym"};
enum { NNAMES = sizeof NAMES / sizeof *NAMES };

TEST(floats_give_the_bits_of_doubles_for_any_number_of_rows)
{
  static const ovk_lidx rows[] = {1, 2, 7, 8, 9, 23, 24, 25, 31, 48, 61, 100, 257, 300};
  for (int f = 0; f < NNAMES; f++) {
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
      check_exact(NAMES[f], &(band){.rows = rows[k], .diagonal = true});
    }
  }
}

TEST(rows_may_be_empty_and_of_any_length)
{
  for (int f = 2; f < NNAMES; f++) {
    check_exact(NAMES[f], &(band){.rows = 300, .missing = 0.6, .diagonal = true});
    check_exact(NAMES[f], &(band){.rows = 300, .missing = 0.6, .diagonal = false});
  }
}

TEST(few_values_stay_few)
{
  const ovk__format *format = format_named("dia:few");
  const band b = {.rows = 2000, .diagonal = true, .values = 1};
  scoped_csr A = make_band(&b, true);
  void *block = format_build(format, &A), *narrow = narrow_copy(format, block);
  assert_same_products(format, block, narrow, &A);
  assert_true(format->narrow->bytes(narrow) < format->bytes(block));
  format->destroy(block);
  format->narrow->destroy(narrow);
}

TEST(patterns_are_rounded_and_stay_in_double)
{
  static const char *const names[] = {"pattern", "pattern:runs"};
  const band b = {.rows = 2000, .diagonal = true};
  for (int f = 0; f < 2; f++) {
    const ovk__format *format = format_named(names[f]);
    assert_ptr_equal(format->narrow, format);
    for (int rounded = 0; rounded < 2; rounded++) {
      scoped_csr A = make_band(&b, true), as_float = make_band(&b, true);
      for (int64_t k = 0; k < ovk__csr_nnz(&A); k++) {
        as_float.val[k] = (double)0.1f;
        A.val[k] = rounded ? as_float.val[k] : 0.1;
      }
      void *block = format_build(format, &A), *narrow = narrow_copy(format, block);
      format_assert_rows(format, narrow, &as_float);
      if (rounded) assert_same_products(format, block, narrow, &A);
      assert_int_equal(format->bytes(narrow), format->bytes(block));
      format->destroy(block);
      format->destroy(narrow);
    }
  }
}

TEST(values_take_half_the_bytes)
{
  const band b = {.rows = 5000, .diagonal = true};
  for (int f = 0; f < NNAMES; f++) {
    const ovk__format *format = format_named(NAMES[f]);
    scoped_csr A = make_band(&b, true);
    void *block = format_build(format, &A), *narrow = narrow_copy(format, block);
    const int64_t entries = ovk__csr_nnz(&A);
    const int64_t values = format->symmetric ? (entries + b.rows) / 2 : entries;
    const int64_t saved = format->bytes(block) - format->narrow->bytes(narrow);
    assert_in_range(saved, values * 4, values * 4 + values / 10);
    format->destroy(block);
    format->narrow->destroy(narrow);
  }
}

/* The sum of |a x| in row i, for x of format_product(). */
static double size_of_sum(const ovk__csr *A, ovk_lidx i)
{
  double sum = 0;
  for (int64_t k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
    sum += fabs(A->val[k] * (random_number(3, (uint64_t)A->col[k]) - 0.5));
  }
  return sum;
}

TEST(other_values_are_rounded)
{
  const band b = {.rows = 300, .diagonal = true};
  for (int f = 0; f < NNAMES; f++) {
    const ovk__format *format = format_named(NAMES[f]);
    scoped_csr A = make_band(&b, false), rounded = make_band(&b, true);
    void *block = format_build(format, &A), *narrow = narrow_copy(format, block);
    double y[301], exact[301];
    (void)format_product(format, block, &A, ovk_poll_none(), exact);
    (void)format_product(format->narrow, narrow, &rounded, ovk_poll_none(), y);
    bool differs = false;
    for (ovk_lidx i = 0; i < b.rows; i++) {
      differs = differs || y[i] != exact[i];
      assert_true(fabs(y[i] - exact[i]) <= FLT_EPSILON * size_of_sum(&A, i));
    }
    assert_true(differs);
    format->destroy(block);
    format->narrow->destroy(narrow);
  }
}

TEST(values_beyond_float_are_errors)
{
  const band b = {.rows = 100, .diagonal = true};
  for (int f = 0; f < NNAMES; f++) {
    const ovk__format *format = format_named(NAMES[f]);
    scoped_csr A = make_band(&b, true);
    const int64_t last = ovk__csr_nnz(&A) - 1; /* a diagonal entry */
    A.val[last] = -1e39;
    int dummy;
    void *block = format_build(format, &A), *narrow = &dummy;
    assert_local_error(ovk__format_copy_narrow(test_ctx(), format, block, &narrow), OVK_ERR_RANGE,
                       "the value -1e+39 of a matrix is beyond the range of float");
    assert_null(narrow);
    format->destroy(block);
  }
}

TEST(nan_and_inf_stay)
{
  const double odd[] = {NAN, INFINITY};
  const band b = {.rows = 40, .diagonal = true};
  for (int k = 0; k < 2; k++) {
    for (int f = 0; f < NNAMES; f++) {
      const ovk__format *format = format_named(NAMES[f]);
      double diagonal[40];
      scoped_csr A = make_band(&b, true);
      A.val[ovk__csr_nnz(&A) - 1] = odd[k];
      void *block = format_build(format, &A), *narrow = narrow_copy(format, block);
      format->narrow->diagonal(narrow, diagonal);
      assert_true(!isfinite(diagonal[39]));
      format->destroy(block);
      format->narrow->destroy(narrow);
    }
  }
}

TEST(a_block_without_rows_has_a_copy)
{
  double none = 1;
  for (int f = 0; f < NNAMES; f++) {
    const ovk__format *format = format_named(NAMES[f]);
    scoped_csr A;
    assert_ok(ovk__csr_alloc(test_ctx(), 0, 0, &A));
    void *block = format_build(format, &A), *narrow = narrow_copy(format, block);
    assert_true(format->narrow->products->dot(narrow, &none, &none, ovk_poll_none(), NULL) == 0);
    assert_true(none == 1);
    format->destroy(block);
    format->narrow->destroy(narrow);
  }
}
