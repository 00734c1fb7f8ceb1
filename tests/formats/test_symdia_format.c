/* SPDX-License-Identifier: BSD-2-Clause */
/* The format "symdia" and the check for symmetry: the refused blocks with their messages, and that
 * half of the entries suffices. */
#include "format_blocks.h"
#include "matrix/formats/sym/symmetry.h"
#include "matrix/formats/symdia/symdia_mult.h"
#include "support/problem.h"

enum { HEIGHT = OVK__SYMDIA_CHUNK_HEIGHT };

static const ovk__format *symdia(void)
{
  return format_named("symdia");
}

/* Which of the pairs (low, low + offset), (low + offset, low) are there. */
typedef bool (*filter)(ovk_lidx low, ovk_lidx offset);

static bool all(ovk_lidx low, ovk_lidx offset)
{
  return true;
}

static bool some(ovk_lidx low, ovk_lidx offset)
{
  return random_number(2, (uint64_t)(low * 131 + offset)) < 0.8;
}

static void add(ovk__csr *A, ovk_lidx i, ovk_lidx j)
{
  const ovk_lidx low = i < j ? i : j, high = i < j ? j : i;
  int64_t *n = &A->ptr[i + 1];
  A->col[*n] = j;
  A->val[(*n)++] = random_number(1, (uint64_t)low * 1000003 + (uint64_t)high) - 0.5;
}

/* A symmetric matrix with these diagonals, increasing from 0 or more. */
static ovk__csr make_block(ovk_lidx rows, const ovk_lidx *offset, int noffsets, filter has)
{
  ovk__csr A;
  assert_ok(ovk__csr_alloc(test_ctx(), rows, 2 * (int64_t)rows * noffsets, &A));
  for (ovk_lidx i = 0; i < rows; i++) {
    A.ptr[i + 1] = A.ptr[i];
    for (int k = noffsets - 1; k >= 0; k--) {
      const ovk_lidx j = i - offset[k];
      if (j >= 0 && j < i && has(j, offset[k])) add(&A, i, j);
    }
    for (int k = 0; k < noffsets; k++) {
      if (offset[k] < rows - i && has(i, offset[k])) add(&A, i, i + offset[k]);
    }
  }
  return A;
}

/* 0 4 .   the matrix of the tests of symmetry, with (0,0) stored as zero
 * 4 5 6
 * . 6 .                                                                    */
static ovk__csr three_rows(void)
{
  static const int64_t ptr[] = {0, 2, 5, 6};
  static const ovk_lidx col[] = {0, 1, 0, 1, 2, 1};
  static const double val[] = {0, 4, 4, 5, 6, 6};
  ovk__csr A;
  assert_ok(ovk__csr_alloc(test_ctx(), 3, 6, &A));
  memcpy(A.ptr, ptr, sizeof ptr);
  memcpy(A.col, col, sizeof col);
  memcpy(A.val, val, sizeof val);
  return A;
}

static void assert_odd(ovk__csr *A, ovk_lidx row, ovk_lidx col)
{
  char entry[64];
  snprintf(entry, sizeof entry, "entry (%d,%d)", row, col);
  if (row < 0) {
    assert_ok(ovk__symmetry_require(test_ctx(), A, true));
  } else {
    assert_error(ovk__symmetry_require(test_ctx(), A, true), OVK_ERR_UNSUPPORTED, entry);
  }
  ovk__csr_free(A);
}

TEST(symmetric_blocks_have_no_odd_entry)
{
  ovk__csr A = three_rows(), none = {0};
  assert_odd(&A, -1, -1);
  assert_odd(&none, -1, -1);
  A = make_block(90, (const ovk_lidx[]){0, 1, 2, 30, 89}, 5, some);
  assert_odd(&A, -1, -1);
}

/* Those three rows without entry number k, which is in row i. */
static ovk__csr three_rows_without(ovk_lidx i, int k)
{
  ovk__csr A = three_rows();
  memmove(A.col + k, A.col + k + 1, (size_t)(5 - k) * sizeof *A.col);
  memmove(A.val + k, A.val + k + 1, (size_t)(5 - k) * sizeof *A.val);
  for (; i < 3; i++) A.ptr[i + 1]--;
  return A;
}

TEST(the_first_odd_entry_is_found)
{
  ovk__csr A = three_rows();
  A.val[2] = nextafter(4, 5);
  assert_odd(&A, 1, 0);
  A = three_rows_without(0, 1);
  assert_odd(&A, 1, 0);
  A = three_rows_without(1, 2);
  assert_odd(&A, 0, 1);
  A = three_rows_without(1, 4);
  assert_odd(&A, 2, 1);
  A = three_rows_without(2, 5);
  assert_odd(&A, 1, 2);
  A = three_rows(); /* (0,1), (0,2) and (2,0) */
  A.col[0] = 1;
  A.col[1] = 2;
  A.ptr[2] = 2;
  A.ptr[3] = 3;
  assert_odd(&A, 0, 1);
}

TEST(symmetry_is_one_of_bits)
{
  ovk__csr A = three_rows();
  A.val[1] = 0.0;
  A.val[2] = -0.0;
  assert_odd(&A, 1, 0);
  A = three_rows();
  A.val[1] = A.val[2] = NAN;
  assert_odd(&A, -1, -1);
}

/* The changed or omitted entry is found in a late row, when earlier rows have been written over. */
TEST(all_values_of_a_refused_block_come_back)
{
  enum { ROWS = 300 };
  for (int which = 0; which < 3; which++) {
    scoped_csr A = make_block(ROWS, (const ovk_lidx[]){0, 1, 2, 30, 140}, 5, which ? some : all);
    const int64_t last = ovk__csr_nnz(&A) - 1;
    int64_t odd = A.ptr[ROWS - 1]; /* left of the diagonal */
    assert_true(A.col[odd] < ROWS - 1);
    A.val[odd] = nextafter(A.val[odd], 1);
    if (which == 2) { /* an entry less, of two rows before */
      odd = A.ptr[ROWS - 3];
      memmove(A.col + odd, A.col + odd + 1, (size_t)(last - odd) * sizeof *A.col);
      memmove(A.val + odd, A.val + odd + 1, (size_t)(last - odd) * sizeof *A.val);
      for (ovk_lidx i = ROWS - 3; i < ROWS; i++) A.ptr[i + 1]--;
    }
    format_assert_refused(symdia(), &A, "not symmetric: entry (");
  }
}

static bool scattered(ovk_lidx low, ovk_lidx offset)
{
  return offset == 0 || random_number(4, (uint64_t)(low * 4096 + offset)) < 0.05;
}

TEST(blocks_that_would_be_padding_are_refused)
{
  ovk_lidx offset[200];
  for (int k = 0; k < 200; k++) offset[k] = 5 * k;
  scoped_csr A = make_block(2000, offset, 200, scattered);
  format_assert_refused(symdia(), &A, "more room by diagonals");
  assert_int_equal(format_estimate(symdia(), &A, INT64_MAX), -1);
}

/* Each chunk of rows has one diagonal next to the main one, no two the same. */
TEST(blocks_with_too_many_diagonals_are_refused)
{
  enum { CHUNKS = 4200, ROWS = HEIGHT * CHUNKS };
  scoped_csr A;
  assert_ok(ovk__csr_alloc(test_ctx(), 2 * ROWS, 2 * (int64_t)ROWS, &A));
  for (ovk_lidx i = 0; i < 2 * ROWS; i++) {
    const ovk_lidx other =
        2 * ROWS - HEIGHT - i / HEIGHT * HEIGHT + i % HEIGHT; /* of the opposite chunk */
    A.ptr[i + 1] = i + 1;
    A.col[i] = other;
    A.val[i] = 1;
  }
  format_assert_refused(symdia(), &A,
                        "has 4200 diagonals on and above the main one, more than 4096");
}

TEST(half_of_the_values_is_stored)
{
  scoped_csr A = make_block(2 * HEIGHT, (const ovk_lidx[]){0, 1, HEIGHT + 6}, 3, all);
  void *block = format_build(symdia(), &A);
  /* two chunks: the second has no entry so far from the diagonal */
  assert_int_equal(symdia()->bytes(block), (3 + 2) * HEIGHT * 8 + 2 * 12 + 5 * 4 + 3 * 8);
  format_assert_rows(symdia(), block, &A);
  symdia()->destroy(block);
}

/* The matrix with the diagonals of `offset` and one of zeros at 2, which changes no sum, but the
 * way of products. */
static ovk__csr make_with_zeros(ovk_lidx rows, const ovk_lidx offset[4], filter has)
{
  const ovk_lidx more[] = {offset[0], offset[1], 2, offset[2], offset[3]};
  ovk__csr A = make_block(rows, more, 5, has);
  for (ovk_lidx i = 0; i < rows; i++) {
    for (int64_t k = A.ptr[i]; k < A.ptr[i + 1]; k++) {
      if (A.col[k] - i == 2 || i - A.col[k] == 2) A.val[k] = 0;
    }
  }
  return A;
}

static void assert_same_products(const ovk__csr *A, const ovk__csr *B)
{
  void *a = format_build(symdia(), A), *b = format_build(symdia(), B);
  scoped_array double *y = random_vector(A->rows, 1), *z = random_vector(A->rows, 2);
  const double dot = format_product(symdia(), a, A, ovk_poll_none(), y);
  const double expected = format_product(symdia(), b, B, ovk_poll_none(), z);
  assert_memory_equal(y, z, (size_t)A->rows * sizeof *y);
  assert_memory_equal(&dot, &expected, sizeof dot);
  symdia()->destroy(a);
  symdia()->destroy(b);
}

TEST(diagonals_that_are_apart_have_the_sums_of_others)
{
  static const ovk_lidx offset[][4] = {{0, 1, HEIGHT, HEIGHT + 9},
                                       {0, 1, HEIGHT + 1, 3 * HEIGHT},
                                       {0, 1, 40, 41},
                                       {0, 1, 30, 10 * HEIGHT + 1},
                                       {0, 1, 2 * HEIGHT, 5 * HEIGHT}};
  for (size_t k = 0; k < sizeof offset / sizeof *offset; k++) {
    for (int sparse = 0; sparse < 2; sparse++) {
      const ovk_lidx rows = 11 * HEIGHT + 5;
      scoped_csr A = make_block(rows, offset[k], 4, sparse ? some : all);
      scoped_csr B = make_with_zeros(rows, offset[k], sparse ? some : all);
      assert_same_products(&A, &B);
    }
  }
}
