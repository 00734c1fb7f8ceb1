/* SPDX-License-Identifier: BSD-2-Clause */
/* Files with several columns. */
#include "matrix/mat_impl.h"
#include "mm_support.h"
#include "support/problem.h"

enum { ROWS = 7 };

/* A diagonal matrix, whose last rank has no rows if there are several. */
static ovk_mat *rows_of_all_but_one(void)
{
  ovk_mat *A;
  const int busy = test_size > 1 ? test_size - 1 : 1;
  const int extra = test_rank < ROWS % busy, mine = test_rank < busy ? ROWS / busy + extra : 0;
  assert_ok(ovk_mat_create(test_ctx(), mine, &A));
  for (ovk_gidx i = ovk_mat_row_begin(A); i < ovk_mat_row_end(A); i++) {
    assert_ok(ovk_mat_add(A, i, i, 1));
  }
  return assembled(A);
}

static double entry_of(ovk_gidx row, int column)
{
  return row == 0 && column == 1 ? -0.0 : ldexp(1.0 / 3 + (double)row, 100 * (column - 4));
}

TEST(columns_come_back_bit_for_bit)
{
  static const int widths[] = {1, 3, 11};
  scoped_mat *A = rows_of_all_but_one();
  const ovk_lidx n = ovk_mat_local_size(A);
  for (size_t k = 0; k < sizeof widths / sizeof *widths; k++) {
    const int columns = widths[k];
    scoped_array double *values = calloc((size_t)(n * columns) + 1, sizeof *values);
    scoped_array double *read = calloc((size_t)(n * columns) + 1, sizeof *read);
    scoped_multivec *X = NULL, *Y = NULL;
    const char *path = scratch_path();
    for (int c = 0; c < columns; c++) {
      for (ovk_lidx i = 0; i < n; i++) values[c * n + i] = entry_of(ovk_mat_row_begin(A) + i, c);
    }
    assert_ok(ovk_mat_create_multivec(A, columns, &X));
    assert_ok(ovk_multivec_set(X, 0, columns, values, n));
    assert_ok(ovk_multivec_write_mm(X, path));
    assert_ok(ovk_multivec_read_mm(A, path, &Y));
    assert_int_equal(ovk_multivec_columns(Y), columns);
    assert_ok(ovk_multivec_get(Y, 0, columns, read, n));
    assert_memory_equal(read, values, (size_t)(n * columns) * sizeof *values);
    remove_scratch(path);
  }
}

TEST(coordinates_are_summed_and_the_others_are_zero)
{
  static const char text[] = "%%MatrixMarket matrix coordinate real general\n7 2 3\n"
                             "7 2 1.5\n1 1 -2\n7 2 0.25\n";
  scoped_mat *A = rows_of_all_but_one();
  const ovk_lidx n = ovk_mat_local_size(A);
  double values[2 * ROWS + 1];
  scoped_multivec *X = NULL;
  const char *path = scratch_file(text, strlen(text));
  assert_ok(ovk_multivec_read_mm(A, path, &X));
  assert_int_equal(ovk_multivec_columns(X), 2);
  assert_ok(ovk_multivec_get(X, 0, 2, values, n));
  for (ovk_lidx i = 0; i < n; i++) {
    const ovk_gidx row = ovk_mat_row_begin(A) + i;
    assert_true(values[i] == (row == 0 ? -2 : 0));
    assert_true(values[n + i] == (row == ROWS - 1 ? 1.75 : 0));
  }
  remove_scratch(path);
}

TEST(files_that_do_not_fit_are_refused_on_all_ranks)
{
  static const struct {
    const char *text, *said;
    ovk_err err;
  } cases[] = {
      {"%%MatrixMarket matrix array real general\n2 1\n1\n2\n", "has 2 rows, the matrix 7",
       OVK_ERR_ARG},
      {"%%MatrixMarket matrix coordinate real general\n7 4000000000 0\n", "4000000000 columns",
       OVK_ERR_ARG},
      {"%%MatrixMarket matrix array real general\n7 2\n1\n2\n", "", OVK_ERR_FORMAT},
      {"%%MatrixMarket matrix array complex general\n7 1\n", "complex", OVK_ERR_UNSUPPORTED},
  };
  scoped_mat *A = rows_of_all_but_one();
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    ovk_multivec *X;
    const char *path = scratch_file(cases[k].text, strlen(cases[k].text));
    assert_int_equal(ovk_multivec_read_mm(A, path, &X), cases[k].err);
    assert_non_null(strstr(ovk_ctx_error(test_ctx()), cases[k].said));
    assert_null(X);
    remove_scratch(path);
  }
}
