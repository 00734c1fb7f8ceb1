/* SPDX-License-Identifier: BSD-2-Clause */
/* Reading well-formed files, of any form and for any boundaries of the ranks' shares. */
#include "mm_support.h"
#include "support/problem.h"

#include <locale.h>

#define COORDINATE "%%MatrixMarket matrix coordinate "
#define ARRAY "%%MatrixMarket matrix array "

TEST(coordinates_may_come_in_any_order_and_repeat)
{
  const double A[] = {1, 0, 0, /**/ 0, 0, -7.5, /**/ 4, 0, 3};
  assert_reads_as(COORDINATE "real general\n3 3 5\n3 3 1\n2 3 -7.5\n3 1 4\n1 1 1\n3 3 2\n", 3, A);
}

TEST(free_format_is_read)
{
  const double A[] = {1, 0, /**/ 2.5, 0};
  assert_reads_as("%%matrixmarket  MATRIX\tCoordinate    Double GENERAL \n\n% comment\n"
                  "   % another\n%\n  2\t2    2  \n\n1 1 1.0\n% in between\n \t\n 2   1 25e-1\n\n%",
                  2, A);
}

TEST(crlf_line_ends_are_read)
{
  const double A[] = {1, 0, /**/ 2.5, 0};
  assert_reads_as(COORDINATE "real general\r\n\r\n% comment\r\n2 2 2\r\n1 1 1\r\n\r\n2 1 2.5\r\n",
                  2, A);
}

TEST(the_last_line_needs_no_newline)
{
  const double A[] = {0, 3, /**/ 0, 12};
  assert_reads_as(COORDINATE "real general\n2 2 2\n1 2 3\n2 2 12", 2, A);
}

TEST(integers_and_patterns_are_read)
{
  const double integers[] = {0, -3, /**/ 4, 0};
  assert_reads_as(COORDINATE "integer general\n2 2 2\n1 2 -3\n2 1 +4\n", 2, integers);
  const double pattern[] = {0, 1, /**/ 1, 1};
  assert_reads_as(COORDINATE "pattern general\n2 2 3\n1 2\n2 1\n2 2\n", 2, pattern);
  const double large[] = {0x1p53, -0x1p53 - 2, /**/ 0x1p62, 0}; /* all of them doubles */
  assert_reads_as(COORDINATE "integer general\n2 2 3\n1 1 9007199254740992\n1 2 -9007199254740994\n"
                             "2 1 4611686018427387904\n",
                  2, large);
  const double symmetric[] = {1, 1, /**/ 1, 0};
  assert_reads_as(COORDINATE "pattern symmetric\n2 2 2\n1 1\n2 1\n", 2, symmetric);
}

TEST(symmetric_coordinates_are_mirrored)
{
  const double symmetric[] = {1, 4, 5, /**/ 4, 0, 0, /**/ 5, 0, 2};
  assert_reads_as(COORDINATE "real symmetric\n3 3 4\n1 1 1\n2 1 4\n3 1 5\n3 3 2\n", 3, symmetric);
  const double corners[] = {0, 7, /**/ 7, 0}; /* one entry is enough for two rows */
  assert_reads_as(COORDINATE "real symmetric\n2 2 1\n2 1 7\n", 2, corners);
  const double skew[] = {0, -4, 0, /**/ 4, 0, -6, /**/ 0, 6, 0};
  assert_reads_as(COORDINATE "real skew-symmetric\n3 3 3\n2 1 4\n3 2 6\n2 2 0\n", 3, skew);
}

TEST(arrays_are_stored_by_columns)
{
  const double general[] = {1, 0, 7, /**/ 2, 5, 8, /**/ 3, 0, 9};
  assert_reads_as(ARRAY "real general\n3 3\n1\n2\n3\n0\n5\n0\n7\n8\n9\n", 3, general);
  const double symmetric[] = {1, 2, 3, /**/ 2, 4, 5, /**/ 3, 5, 6};
  assert_reads_as(ARRAY "integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n", 3, symmetric);
  const double skew[] = {0, -1, -2, -3, /**/ 1, 0, -4, -5, /**/ 2, 4, 0, -6, /**/ 3, 5, 6, 0};
  assert_reads_as(ARRAY "real skew-symmetric\n4 4\n1\n2\n3\n4\n5\n6\n", 4, skew);
}

TEST(zeros_of_an_array_are_not_stored)
{
  static const char text[] = ARRAY "real general\n2 2\n1\n0\n0.0\n3\n";
  const char *path = scratch_file(text, strlen(text));
  scoped_mat *A = new_mat_of_file(path, NULL);
  assert_int_equal(ovk_mat_nnz(A), 2);
  remove_scratch(path);
}

TEST(matrices_without_entries_are_read)
{
  const double A[1] = {0};
  assert_reads_as(COORDINATE "real general\n0 0 0\n", 0, A);
  assert_reads_as(ARRAY "real general\n0 0\n", 0, A);
  assert_reads_as(ARRAY "real skew-symmetric\n1 1\n", 1, A);
}

/* Comments of growing length move the lines over the ends of the shares. */
TEST(shares_may_be_cut_anywhere)
{
  const double coordinates[] = {1.5, 0, -2, /**/ 0, 33, 0, /**/ 100, 0, 4e3};
  const double array[] = {1, 4, 70, /**/ 2, 55, 8, /**/ 3, 6, 9};
  static const char dots[] = "................................................";
  for (int n = 0; n < 40; n += 3) {
    char text[300];
    snprintf(text, sizeof text, "%s\n3 3 5\n1 1 1.5\n%%%.*s\n1 3 -2\n\n2 2 33\n3 1 100\n3 3 4e3%s",
             COORDINATE "real general", n, dots, n % 2 ? "\n" : "");
    assert_reads_as(text, 3, coordinates);
    snprintf(text, sizeof text, "%s\n3 3\n1\n2\n3\n%%%.*s\n4\n55\n6\n70\n8\n9%s",
             ARRAY "real general", n, dots, n % 2 ? "" : "\r\n");
    assert_reads_as(text, 3, array);
  }
}

TEST(nan_and_infinity_are_values)
{
  static const char text[] = COORDINATE "real general\n2 2 2\n1 1 nan\n2 2 -inf\n";
  const char *path = scratch_file(text, strlen(text));
  scoped_mat *A = new_mat_of_file(path, NULL);
  scoped_array double *values = dense_of(A);
  assert_true(isnan(values[0]) && values[3] == -INFINITY);
  remove_scratch(path);
}

TEST(the_locale_does_not_matter)
{
  if (!use_comma_locale()) skip();
  const double A[] = {1.5};
  assert_true(strtod("1,5", NULL) == 1.5);
  assert_reads_as(COORDINATE "real general\n1 1 1\n1 1 1.5\n", 1, A);
  assert_true(strtod("1,5", NULL) == 1.5); /* and is as before */
  setlocale(LC_NUMERIC, "C");
}

TEST(the_format_can_be_chosen)
{
  static const char text[] = COORDINATE "real general\n2 2 2\n1 1 1\n2 2 1\n";
  const char *path = scratch_file(text, strlen(text));
  ovk_mat *A = new_mat_of_file(path, "csr");
  assert_string_equal(ovk_mat_format(A), "csr");
  ovk_mat_destroy(&A);
  assert_error(ovk_mat_read_mm(test_ctx(), path, "cst", &A), OVK_ERR_UNKNOWN, "csr");
  assert_null(A);
  remove_scratch(path);
}

TEST(reading_is_timed)
{
  static const char text[] = COORDINATE "real general\n2 2 2\n1 1 1\n2 2 1\n";
  const char *path = scratch_file(text, strlen(text));
  const double before = ovk_log_seconds(test_ctx(), OVK_EVENT_READ);
  scoped_mat *A = new_mat_of_file(path, NULL);
  assert_true(ovk_log_seconds(test_ctx(), OVK_EVENT_READ) > before);
  remove_scratch(path);
}

static void assert_vector(const char *text, int n, const double *expected)
{
  const char *path = scratch_file(text, strlen(text));
  scoped_vec *v = even_vec(test_ctx(), n);
  assert_ok(ovk_vec_fill(v, 99));
  assert_ok(ovk_vec_read_mm(v, path));
  scoped_array double *found = array_of(v);
  for (int i = 0; i < n; i++) assert_true(found[i] == expected[i]);
  remove_scratch(path);
}

TEST(vectors_are_read_in_every_form)
{
  const double v[] = {1, -2.5, 0, 4};
  assert_vector("%%MatrixMarket vector array real general\n4\n1\n-2.5\n0\n4\n", 4, v);
  assert_vector("%%MatrixMarket vector coordinate real general\n4 3\n4 4\n2 -2.5\n1 1\n", 4, v);
  assert_vector(ARRAY "real general\n4 1\n1\n-2.5\n0\n4", 4, v);
  assert_vector(COORDINATE "real general\n4 1 4\n4 1 5\n2 1 -2.5\n1 1 1\n4 1 -1\n", 4, v);
  assert_vector(ARRAY "real symmetric\n1 1\n1\n", 1, v);
}

TEST(a_vector_with_rows_on_one_rank_only_is_read)
{
  static const char text[] = "%%MatrixMarket vector array real general\n3\n7\n8\n9\n";
  const char *path = scratch_file(text, strlen(text));
  scoped_vec *v = NULL;
  assert_ok(ovk_vec_create(test_ctx(), is_last() ? 3 : 0, &v));
  assert_ok(ovk_vec_read_mm(v, path));
  scoped_array double *found = array_of(v);
  for (int i = 0; i < 3; i++) assert_true(found[i] == 7 + i);
  remove_scratch(path);
}

static void assert_odd_matrix(const char *name, int n, const double *expected)
{
  scoped_mat *A = new_mat_of_file(matrix_path(name), NULL);
  assert_int_equal(ovk_mat_size(A), n);
  scoped_array double *found = dense_of(A);
  for (int k = 0; k < n * n; k++) assert_true(found[k] == expected[k]);
}

TEST(unusual_files_from_elsewhere_are_read)
{
  if (!matrix_path("odd")) skip();
  const double eye[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const double symmetric[] = {1, 22, 33, 22, 2, 44, 33, 44, 3};
  const double skew[] = {0, 0, -10, 0, 0, -20, 10, 20, 0};
  const double general[] = {0, 0, 10, 0, 0, 20, 10, 20, 30};
  assert_odd_matrix("odd/eye3.mtx", 3, eye);
  assert_odd_matrix("odd/eye3_array.mtx", 3, eye);
  assert_odd_matrix("odd/eye3_pattern.mtx", 3, eye);
  assert_odd_matrix("odd/array_symmetric.mtx", 3, symmetric);
  assert_odd_matrix("odd/coordinate_skew_symmetric_row.mtx", 3, skew);
  assert_odd_matrix("odd/coordinate_symmetric_row_general.mtx", 3, general);
  const double free_format[] = {1,      0,      0,      6,      0, /**/ 0, 10.5,   0,     0,
                                0,      /**/ 0, 0,      1.5e-2, 0, 0,      /**/ 0, 250.5, 0,
                                -2.8e2, 33.32,  /**/ 0, 0,      0, 0,      12};
  assert_odd_matrix("odd/nist_ex1_more_freeformat.mtx", 5, free_format);
  assert_odd_matrix("odd/windows_lineendings_nist_ex1_more_freeformat.mtx", 5, free_format);
  scoped_vec *v = even_vec(test_ctx(), 4);
  assert_ok(ovk_vec_read_mm(v, matrix_path("odd/vector_array.mtx")));
  scoped_array double *found = array_of(v);
  assert_true(found[0] == 101 && found[1] == 202 && found[2] == 0 && found[3] == 404);
}

/* Columns' sums: 1^T A, which is (A 1)^T for a symmetric matrix. */
TEST(a_real_matrix_has_the_entries_of_its_file)
{
  if (!matrix_path("spd")) skip();
  scoped_mat *A = new_mat_of_file(matrix_path("spd/bcsstk13.mtx"), NULL);
  assert_int_equal(ovk_mat_size(A), 2003);
  assert_int_equal(ovk_mat_nnz(A), 83883);
  ovk_mat_destroy(&A);
  assert_ok(ovk_mat_read_mm(test_ctx(), matrix_path("spd/crack_lap.mtx"), NULL, &A));
  scoped_vec *ones = new_filled(A, 1), *sums = new_vec(A);
  assert_ok(ovk_mat_mult(A, ones, sums));
  double norm;
  assert_ok(ovk_vec_norm(sums, &norm));
  assert_true(norm < 1e-10); /* a Laplacian maps constants to 0 */
}
