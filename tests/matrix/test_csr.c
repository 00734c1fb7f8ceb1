/* SPDX-License-Identifier: BSD-2-Clause */
/* Matrices from CSR arrays: the same bits as from single entries, new values, errors on all ranks.
 */
#include "support/problem.h"

enum { ROWS = 900, MOST = 7 * ROWS, LEAD = 3 }; /* the arrays begin with entries that are no rows */

/* How the entries of rows are arranged. */
typedef enum arrangement { SORTED, BACKWARDS, DOUBLED, OWN_ONLY, ARRANGEMENTS } arrangement;

typedef struct arrays {
  ovk_lidx rows;
  int64_t ptr[ROWS + 1];
  int32_t ptr32[ROWS + 1];
  ovk_gidx col[MOST];
  int32_t col32[MOST];
  double val[MOST];
} arrays;

static void append(arrays *a, ovk_gidx j, double value)
{
  const int64_t at = a->ptr[a->rows]++;
  a->col[at] = j;
  a->col32[at] = (int32_t)j;
  a->val[at] = value;
}

/* Rows of this rank with up to three columns, an empty one now and then. */
static void fill_arrays(arrays *a, arrangement how, double factor)
{
  const ovk_lidx n = even_share(ROWS, test_rank, test_size);
  ovk_gidx first = 0;
  for (int r = 0; r < test_rank; r++) first += even_share(ROWS, r, test_size);
  memset(a, 0, sizeof *a);
  a->ptr[0] = LEAD;
  for (a->rows = 0; a->rows < n;) {
    const ovk_gidx i = first + a->rows++;
    a->ptr[a->rows] = a->ptr[a->rows - 1];
    const ovk_gidx step = how == BACKWARDS ? -40 : 40;
    for (int k = -1; k <= 1 && i % 11 != 4; k++) {
      const ovk_gidx j = i + k * step;
      const bool there = how == OWN_ONLY ? j >= first && j < first + n : j >= 0 && j < ROWS;
      const double value = factor * (random_number(1, (uint64_t)(i + j)) + (k == 0 ? 4 : -2));
      if (there) append(a, j, value);
      if (there && how == DOUBLED) append(a, j, 0.25 * value);
    }
  }
  for (ovk_lidx i = 0; i <= n; i++) a->ptr32[i] = (int32_t)a->ptr[i];
}

/* The matrix of the arrays from single entries. */
static ovk_mat *new_by_entries(const arrays *a, const char *format)
{
  ovk_mat *A = new_mat(a->rows);
  assert_ok(ovk_mat_set_format(A, format));
  for (ovk_lidx i = 0; i < a->rows; i++) {
    for (int64_t k = a->ptr[i]; k < a->ptr[i + 1]; k++) {
      assert_ok(ovk_mat_add(A, ovk_mat_row_begin(A) + i, a->col[k], a->val[k]));
    }
  }
  return assembled(A);
}

static void assert_same(const ovk_mat *A, const ovk_mat *B)
{
  assert_int_equal(ovk_mat_nnz(A), ovk_mat_nnz(B));
  assert_string_equal(ovk_mat_format(A), ovk_mat_format(B));
  assert_same_product(A, B);
}

TEST(arrays_and_single_entries_give_the_same_bits)
{
  static arrays a;
  static const char *const formats[] = {"csr", "sell", "dia", "auto"};
  for (arrangement how = 0; how < ARRANGEMENTS; how++) {
    fill_arrays(&a, how, 1);
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
      scoped_mat *A = new_by_entries(&a, formats[f]), *B = NULL, *C = NULL;
      const char *format = strcmp(formats[f], "auto") == 0 ? NULL : formats[f];
      assert_ok(ovk_mat_create_csr(test_ctx(), a.rows, a.ptr, a.col, a.val, format, &B));
      assert_ok(ovk_mat_create_csr32(test_ctx(), a.rows, a.ptr32, a.col32, a.val, format, &C));
      assert_same(A, B);
      assert_same(A, C);
    }
  }
}

TEST(the_arrays_may_change_after_the_call)
{
  static arrays a;
  fill_arrays(&a, SORTED, 1);
  scoped_mat *A = new_by_entries(&a, "auto"), *B = NULL;
  assert_ok(ovk_mat_create_csr(test_ctx(), a.rows, a.ptr, a.col, a.val, NULL, &B));
  memset(&a, 0, sizeof a);
  assert_same(A, B);
}

TEST(new_values_give_the_bits_of_a_new_matrix)
{
  static arrays a;
  for (arrangement how = 0; how < ARRANGEMENTS; how++) {
    fill_arrays(&a, how, 1);
    scoped_mat *A = new_by_entries(&a, "auto");
    fill_arrays(&a, how, 3);
    scoped_mat *B = new_by_entries(&a, "auto");
    assert_ok(ovk_mat_update_csr(A, a.ptr, a.col, a.val));
    assert_same(A, B);
    assert_ok(ovk_mat_update_csr32(A, a.ptr32, a.col32, a.val));
    assert_same(A, B);
  }
}

TEST(an_error_of_one_rank_is_returned_on_all)
{
  static const ovk_gidx bad[] = {ROWS, -1, INT64_MIN, INT64_MAX};
  static arrays a;
  const bool last = test_rank == test_size - 1;
  ovk_ctx *ctx = test_ctx();
  ovk_mat *A = NULL;
  fill_arrays(&a, SORTED, 1);
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    const int64_t at = k % 2 ? LEAD : a.ptr[a.rows] - 1;
    const ovk_gidx kept = a.col[at];
    if (last) a.col[at] = bad[k];
    assert_error(ovk_mat_create_csr(ctx, a.rows, a.ptr, a.col, a.val, NULL, &A), OVK_ERR_RANGE,
                 "is outside of a matrix with 900 rows");
    assert_null(A);
    a.col[at] = kept;
  }
  assert_error(ovk_mat_create_csr(ctx, a.rows, last ? NULL : a.ptr, a.col, a.val, NULL, &A),
               OVK_ERR_ARG, "ptr is NULL");
  assert_error(ovk_mat_create_csr32(ctx, a.rows, a.ptr32, last ? NULL : a.col32, a.val, NULL, &A),
               OVK_ERR_ARG, "col is NULL");
  assert_error(ovk_mat_create_csr(ctx, last ? -1 : a.rows, a.ptr, a.col, a.val, NULL, &A),
               OVK_ERR_ARG, "-1");
  assert_error(ovk_mat_create_csr(ctx, a.rows, a.ptr, a.col, a.val, last ? "scr" : NULL, &A),
               OVK_ERR_UNKNOWN, "did you mean");
  assert_error(ovk_mat_create_csr(ctx, a.rows, a.ptr, a.col, a.val, NULL, last ? NULL : &A),
               OVK_ERR_ARG, "out is NULL");
  assert_null(A);
}

TEST(new_values_outside_the_pattern_are_refused_and_later_ones_are_not)
{
  static arrays a;
  scoped_mat *A = NULL;
  fill_arrays(&a, SORTED, 1);
  assert_ok(ovk_mat_create_csr(test_ctx(), a.rows, a.ptr, a.col, a.val, NULL, &A));
  scoped_mat *B = new_by_entries(&a, "auto");
  if (test_rank == 0) a.col[LEAD]++;
  assert_error(ovk_mat_update_csr(A, a.ptr, a.col, a.val), OVK_ERR_RANGE, "not in the pattern");
  if (test_rank == 0) a.col[LEAD]--;
  assert_error(ovk_mat_update_csr(A, test_rank ? a.ptr : NULL, a.col, a.val), OVK_ERR_ARG,
               "ptr is NULL");
  assert_ok(ovk_mat_update_csr(A, a.ptr, a.col, a.val));
  assert_same(A, B);
}

TEST(ranks_without_rows_take_part)
{
  const int64_t ptr[] = {0, 1};
  const ovk_gidx col[] = {0};
  const double val[] = {2};
  scoped_mat *A = NULL;
  assert_ok(ovk_mat_create_csr(test_ctx(), is_last(), ptr, is_last() ? col : NULL,
                               is_last() ? val : NULL, "csr", &A));
  assert_int_equal(ovk_mat_size(A), 1);
  assert_int_equal(ovk_mat_nnz(A), 1);
}
