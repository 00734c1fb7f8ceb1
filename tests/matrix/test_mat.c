/* SPDX-License-Identifier: BSD-2-Clause */
/* Matrices: assembly from any rank in any order, the product against a dense one, misuse. */
#include "support/problem.h"

enum { N = 23 };

/* Entry (i,j) of a sparse test matrix: about a third of the places, an empty row 5, a dense row 7.
 */
static double entry(int i, int j)
{
  const uint64_t place = (uint64_t)(i * N + j);
  if (i == 5) return 0;
  if (i != 7 && random_number(1, place) > 0.33) return 0;
  return random_number(2, place) - 0.5;
}

/* Local sizes that are uneven and have empty ranks, the last one included where there are several.
 */
static ovk_lidx uneven_share(void)
{
  if (test_size == 1) return N;
  const int holders = test_size / 2; /* odd ranks have no rows; of two ranks, rank 0 has all */
  const int holder = test_rank / 2;
  if (test_rank % 2 || holder >= holders) return 0;
  return even_share(N, holder, holders);
}

/* y = A x for x(j) = random_number(3, j) - 0.5, against the dense product. */
static void check_product(const ovk_mat *A)
{
  scoped_vec *x = new_vec(A), *y = new_vec(A);
  fill_random(x, 3);
  assert_ok(ovk_mat_mult(A, x, y));
  for (ovk_lidx i = 0; i < ovk_vec_local_size(y); i++) {
    double sum = 0;
    for (int j = 0; j < N; j++) {
      sum += entry((int)ovk_vec_first(y) + i, j) * (random_number(3, (uint64_t)j) - 0.5);
    }
    assert_close(ovk_vec_array(y)[i], sum, 1e-14);
  }
}

static int64_t count_entries(void)
{
  int64_t nnz = 0;
  for (int k = 0; k < N * N; k++) nnz += entry(k / N, k % N) != 0;
  return nnz;
}

TEST(entries_from_any_rank_in_any_order_give_the_same_matrix)
{
  for (int uneven = 0; uneven < 2; uneven++) {
    const ovk_lidx nlocal = uneven ? uneven_share() : even_share(N, test_rank, test_size);
    scoped_mat *A = new_mat(nlocal);
    /* entry k is added by rank k % size, backwards, as two halves */
    for (int half = 0; half < 2; half++) {
      for (int k = N * N - 1; k >= 0; k--) {
        const double value = entry(k / N, k % N);
        if (value == 0 || k % test_size != test_rank) continue;
        assert_ok(ovk_mat_add(A, k / N, k % N, value / 2));
      }
    }
    assert_string_equal(ovk_mat_format(A), "");
    assert_ok(ovk_mat_assemble(A));
    assert_int_equal(ovk_mat_size(A), N);
    assert_int_equal(ovk_mat_local_size(A), nlocal);
    assert_int_equal(ovk_mat_nnz(A), count_entries());
    assert_true(ovk_mat_bytes(A) > 0);
    assert_string_not_equal(ovk_mat_format(A), "");
    assert_string_not_equal(ovk_mat_format(A), "auto");
    check_product(A);
  }
}

TEST(blocks_give_the_same_matrix_as_single_entries)
{
  enum { SIDE = 4 };
  scoped_mat *A = new_mat(uneven_share());
  int blocks = 0;
  for (int i = 0; i < N; i += SIDE) {
    for (int j = 0; j < N; j += SIDE) {
      if (blocks++ % test_size != test_rank) continue;
      ovk_gidx rows[SIDE], cols[SIDE];
      double values[SIDE * SIDE];
      const int nrows = N - i < SIDE ? N - i : SIDE, ncols = N - j < SIDE ? N - j : SIDE;
      for (int k = 0; k < nrows; k++) rows[k] = i + nrows - 1 - k; /* backwards */
      for (int k = 0; k < ncols; k++) cols[k] = j + k;
      for (int k = 0; k < nrows * ncols; k++) {
        values[k] = entry((int)rows[k / ncols], (int)cols[k % ncols]) / 2;
      }
      for (int half = 0; half < 2; half++) {
        assert_ok(ovk_mat_add_block(A, nrows, rows, ncols, cols, values));
      }
    }
  }
  assert_ok(ovk_mat_add_block(A, 0, NULL, 3, NULL, NULL));
  assert_ok(ovk_mat_add_block(A, 3, NULL, 0, NULL, NULL));
  assert_ok(ovk_mat_assemble(A));
  check_product(A);
}

TEST(a_bad_block_on_one_rank_fails_assembly_on_all)
{
  const ovk_gidx good[2] = {0, 1}, bad[2] = {0, INT64_MAX}, negative[2] = {INT64_MIN, 0};
  const double ones[4] = {1, 1, 1, 1};
  const struct {
    ovk_lidx nrows, ncols;
    const ovk_gidx *rows, *cols;
    const double *values;
    ovk_err err;
    const char *said;
  } faults[] = {
      {2, 2, bad, good, ones, OVK_ERR_RANGE, "entry (9223372036854775807,0) is outside"},
      {2, 2, good, negative, ones, OVK_ERR_RANGE, "entry (0,-9223372036854775808) is outside"},
      {-1, 2, good, good, ones, OVK_ERR_ARG, "a block of -1 rows and 2 columns"},
      {2, -7, good, good, ones, OVK_ERR_ARG, "a block of 2 rows and -7 columns"},
      {2, 2, NULL, good, ones, OVK_ERR_ARG, "rows is NULL, of a block of 2 x 2"},
      {2, 2, good, NULL, ones, OVK_ERR_ARG, "cols is NULL"},
      {2, 2, good, good, NULL, OVK_ERR_ARG, "values is NULL"},
  };
  for (size_t k = 0; k < sizeof faults / sizeof *faults; k++) {
    scoped_mat *A = new_mat(2);
    if (is_last()) {
      assert_int_equal(ovk_mat_add_block(A, faults[k].nrows, faults[k].rows, faults[k].ncols,
                                         faults[k].cols, faults[k].values),
                       faults[k].err);
    }
    assert_error(ovk_mat_assemble(A), faults[k].err, faults[k].said);
  }
}

TEST(the_diagonal_is_zero_where_nothing_is_stored)
{
  scoped_mat *A = new_mat(2);
  const ovk_gidx first = ovk_mat_row_begin(A);
  assert_ok(ovk_mat_add(A, first, first, -3));
  assert_ok(ovk_mat_add(A, first + 1, first, 8));
  assert_ok(ovk_mat_assemble(A));
  scoped_vec *d = new_vec(A);
  assert_ok(ovk_mat_diagonal(A, d));
  assert_true(ovk_vec_array(d)[0] == -3 && ovk_vec_array(d)[1] == 0);
}

TEST(a_matrix_without_rows_or_entries_works)
{
  for (ovk_lidx nlocal = 0; nlocal < 2; nlocal++) {
    scoped_mat *A = new_mat(nlocal);
    assert_ok(ovk_mat_assemble(A));
    assert_int_equal(ovk_mat_nnz(A), 0);
    scoped_vec *x = new_filled(A, 1), *y = new_filled(A, 7);
    assert_ok(ovk_mat_mult(A, x, y));
    if (nlocal) assert_true(ovk_vec_array(y)[0] == 0);
  }
}

TEST(a_bad_entry_on_one_rank_fails_assembly_on_all)
{
  const ovk_gidx bad[][2] = {{-1, 0}, {0, -1}, {2 * test_size, 0}, {0, 2 * test_size}};
  for (int k = 0; k < 4; k++) {
    scoped_mat *A = new_mat(2);
    assert_ok(ovk_mat_add(A, 0, 0, 1));
    if (is_last()) {
      assert_local_error(ovk_mat_add(A, bad[k][0], bad[k][1], 1), OVK_ERR_RANGE, "is outside of");
    }
    assert_error(ovk_mat_assemble(A), OVK_ERR_RANGE, "is outside of a matrix with");
  }
}

TEST(bad_csr_arrays_are_refused)
{
  const int64_t falling[] = {0, 2, 1}, bump[] = {0, 5, 0}, negative[] = {-1, 0, 1},
                fine[] = {0, 1, 2};
  const ovk_gidx col[] = {0, 0};
  const double val[] = {1, 1};
  const struct {
    const int64_t *ptr;
    const ovk_gidx *col;
    const double *val;
    const char *says;
  } bad[] = {{NULL, col, val, "ptr is NULL"},
             {falling, col, val, "ptr[1] = 2 and ptr[2] = 1"},
             {bump, NULL, NULL, "ptr[1] = 5 and ptr[2] = 0"},
             {negative, col, val, "ptr[0] = -1"},
             {fine, NULL, val, "col is NULL, with 2 entries"},
             {fine, col, NULL, "val is NULL, with 2 entries"}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    scoped_mat *A = new_mat(2);
    assert_local_error(ovk_mat_add_csr(A, bad[k].ptr, bad[k].col, bad[k].val), OVK_ERR_ARG,
                       bad[k].says);
    assert_error(ovk_mat_assemble(A), OVK_ERR_ARG, bad[k].says);
  }
}

TEST(calls_at_the_wrong_time_are_state_errors)
{
  scoped_vec *z = NULL;
  scoped_mat *A = new_mat(1);
  scoped_vec *x = new_vec(A), *y = new_vec(A);
  assert_ok(ovk_vec_create(test_ctx(), 2, &z));
  assert_error(ovk_mat_mult(A, x, y), OVK_ERR_STATE, "not assembled");
  assert_error(ovk_mat_diagonal(A, x), OVK_ERR_STATE, "not assembled");
  assert_error(ovk_mat_set_format(A, "crs"), OVK_ERR_UNKNOWN, "did you mean 'csr'");
  assert_ok(ovk_mat_assemble(A));
  assert_error(ovk_mat_assemble(A), OVK_ERR_STATE, "can be assembled once");
  assert_error(ovk_mat_add(A, 0, 0, 1), OVK_ERR_STATE, "before assembly");
  assert_error(ovk_mat_add_block(A, 0, NULL, 0, NULL, NULL), OVK_ERR_STATE, "before assembly");
  assert_error(ovk_mat_set_format(A, "csr"), OVK_ERR_STATE, "before assembly");
  assert_ok(ovk_mat_mult(A, x, y));
  assert_error(ovk_mat_mult(A, x, x), OVK_ERR_ARG, "same vector");
  assert_error(ovk_mat_mult(A, z, y), OVK_ERR_ARG, "layouts do not match: A has");
  assert_error(ovk_mat_mult(A, x, z), OVK_ERR_ARG, "y ");
  assert_error(ovk_mat_mult(A, NULL, y), OVK_ERR_ARG, "x is NULL");
  ovk_mat_destroy(&A);
  ovk_mat_destroy(NULL);
}

TEST(the_product_polls_every_so_many_rows)
{
  scoped_mat *A = new_laplace7(5, 5, 4);
  scoped_vec *x = new_vec(A), *y = new_vec(A);
  int calls = 0;
  assert_ok(ovk_mat_mult_polled(A, x, y, (ovk_poll){count_call, &calls, 30}));
  assert_int_equal(calls, 4); /* after rows 30, 60, 90 and 100 */
}

/* A product between two others that are in flight elsewhere must not take their messages. */
TEST(several_matrices_keep_their_halos_apart)
{
  enum { MATRICES = 5 };
  ovk_mat *A[MATRICES];
  for (int k = 0; k < MATRICES; k++) A[k] = new_laplace27(3, 3, 2);
  scoped_vec *x = new_vec(A[0]), *y = new_vec(A[0]);
  assert_ok(ovk_vec_fill(x, 1));
  for (int round = 0; round < 20; round++) {
    assert_ok(ovk_mat_mult(A[(round * 3) % MATRICES], x, y));
    ovk_vec *swap = x;
    x = y;
    y = swap;
    assert_ok(ovk_vec_fill(x, 1));
  }
  assert_ok(ovk_mat_mult(A[0], x, y));
  const int neighbors = 2 * 2 * (2 + (test_rank > 0)) - 1; /* of the block's first corner */
  assert_true(ovk_vec_array(y)[0] == 26 - neighbors);
  for (int k = 0; k < MATRICES; k++) ovk_mat_destroy(&A[k]);
}
