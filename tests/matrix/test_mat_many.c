/* SPDX-License-Identifier: BSD-2-Clause */
/* Products with several columns: in every storage format, by every halo exchange, each column has
 * the bits of a single product, and nothing passes from one column to another. */
#include "halo_cases.h"
#include "matrix/many.h"

enum { MOST = 11 };

/* Columns of random numbers, one after the other; to be freed. */
static double *random_columns(ovk_lidx n, int columns)
{
  double *x = new_memory(((size_t)n * (size_t)columns + 1) * sizeof *x);
  for (int k = 0; k < n * columns; k++) {
    x[k] = random_number((uint64_t)test_rank, (uint64_t)k) - 0.5;
  }
  return x;
}

/* Y <- A X by ovk_mat_mult_many() */
static void multiply_columns(const ovk_mat *A, int columns, const double *x, double *y)
{
  const ovk_lidx n = ovk_mat_local_size(A);
  scoped_multivec *X = NULL, *Y = NULL;
  assert_int_equal(ovk_mat_create_multivec(A, columns, &X), OVK_OK);
  assert_int_equal(ovk_mat_create_multivec(A, columns, &Y), OVK_OK);
  assert_int_equal(ovk_multivec_set(X, 0, columns, x, n), OVK_OK);
  assert_int_equal(ovk_mat_mult_many(A, X, Y), OVK_OK);
  assert_int_equal(ovk_multivec_get(Y, 0, columns, y, n), OVK_OK);
}

/* Each column of y is A times that of x, bit for bit. */
static void check_bits(const ovk_mat *A, int columns, const double *x, const double *y)
{
  const size_t n = (size_t)ovk_mat_local_size(A);
  scoped_vec *from = new_vec(A), *to = new_vec(A);
  for (int c = 0; c < columns; c++) {
    if (n) memcpy(ovk_vec_array(from), x + n * (size_t)c, n * sizeof *x);
    assert_int_equal(ovk_mat_mult(A, from, to), OVK_OK);
    if (n) assert_memory_equal(y + n * (size_t)c, ovk_vec_array(to), n * sizeof *y);
  }
}

static void check_products(const ovk_mat *A)
{
  static const int columns[] = {1, 2, 4, 8, MOST};
  const ovk_lidx n = ovk_mat_local_size(A);
  scoped_array double *x = random_columns(n, MOST), *y = random_columns(n, MOST);
  for (int k = 0; k < 5; k++) {
    multiply_columns(A, columns[k], x, y);
    check_bits(A, columns[k], x, y);
  }
}

/* The inner products of x and A x, a block of this width. */
static void check_dots(const ovk_mat *A, int width)
{
  const ovk_lidx n = ovk_mat_local_size(A);
  scoped_multivec *X = NULL, *Y = NULL;
  double *x = random_columns(n, width), dots[OVK__WIDEST];
  assert_int_equal(ovk_mat_create_multivec(A, width, &X), OVK_OK);
  assert_int_equal(ovk_mat_create_multivec(A, width, &Y), OVK_OK);
  assert_int_equal(ovk_multivec_set(X, 0, width, x, n), OVK_OK);
  const double *from = ovk__multivec_panel(X, 0).rows;
  double *to = ovk__multivec_panel(Y, 0).rows;
  int calls = 0;
  assert_int_equal(ovk__mat_prepare_many(A, width), OVK_OK);
  assert_int_equal(ovk__mat_mult_many(A, width, from, to, (ovk_poll){count_call, &calls, 4}, dots),
                   OVK_OK);
  assert_true(calls > 0 || n < 8);
  for (int c = 0; c < width; c++) {
    double expected = 0;
    for (ovk_lidx i = 0; i < n; i++) expected += from[i * width + c] * to[i * width + c];
    assert_close(dots[c], expected, 1e-12);
  }
  free(x);
}

static void check_all(const ovk_mat *A)
{
  check_products(A);
  for (int width = 1; width <= OVK__WIDEST; width *= 2) check_dots(A, width);
}

TEST(columns_have_the_bits_of_single_products_by_each_halo)
{
  for_each_halo(check_all);
}

/* Boxes of 27-point stencils, long enough for all chunks of rows. For "sym3" a point has three
 * rows. */
static ovk_mat *new_box(const char *format)
{
  enum { X = 13, Y = 7, Z = 11 };
  const int unknowns = strncmp(format, "sym3", 4) == 0 ? 3 : 1;
  ovk_mat *A = new_mat(X * Y * Z * unknowns);
  const ovk_gidx begin = ovk_mat_row_begin(A), all = ovk_mat_size(A);
  assert_ok(ovk_mat_set_format(A, format));
  for (ovk_gidx i = begin; i < begin + ovk_mat_local_size(A); i++) {
    for (int near = 0; near < 27; near++) {
      const int x = near % 3 - 1, y = near / 3 % 3 - 1, z = near / 9 - 1;
      const ovk_gidx point = i / unknowns, j = unknowns * (point + x + X * (y + Y * z));
      const bool wraps = point % X + x < 0 || point % X + x >= X;
      for (ovk_gidx k = j; k < j + unknowns && j >= 0 && j < all && !wraps; k++) {
        assert_ok(ovk_mat_add(A, i, k, i == k ? 27.5 : -1));
      }
    }
  }
  return assembled(A);
}

TEST(columns_have_the_bits_of_single_products_in_every_format)
{
  FOR_EACH_CHOICE(ovk_list_formats, format) {
    scoped_mat *A = new_box(format.name);
    check_all(A);
  }
}

TEST(a_nan_stays_in_its_column_in_every_format)
{
  enum { COLUMNS = 8, BAD = 3 };
  FOR_EACH_CHOICE(ovk_list_formats, format) {
    scoped_mat *A = new_box(format.name);
    const ovk_lidx n = ovk_mat_local_size(A);
    scoped_array double *x = random_columns(n, COLUMNS), *y = random_columns(n, COLUMNS);
    for (ovk_lidx i = 0; i < n; i += 5) x[n * BAD + i] = i % 2 ? NAN : INFINITY;
    multiply_columns(A, COLUMNS, x, y);
    check_bits(A, BAD, x, y);
    check_bits(A, COLUMNS - BAD - 1, x + (ptrdiff_t)n * (BAD + 1), y + (ptrdiff_t)n * (BAD + 1));
    assert_true(isnan(y[n * BAD]) || isinf(y[n * BAD]));
  }
}

TEST(new_values_are_used)
{
  scoped_mat *A = new_tridiagonal(20, 2.5);
  check_products(A);
  assert_ok(ovk_mat_reset_values(A));
  for (ovk_gidx i = ovk_mat_row_begin(A); i < ovk_mat_row_end(A); i++) {
    assert_ok(ovk_mat_add(A, i, i, 0.1 * (double)i));
  }
  assert_ok(ovk_mat_assemble(A));
  check_products(A);
}

TEST(matrices_in_order_keep_their_order)
{
  scoped_mat *A = new_box("csr");
  check_products(A);
  assert_ok(ovk__mat_put_in_order(A));
  check_all(A);
}

/* y <- 3 x; the second call fails on the last rank, with this rank's number of calls as `user`. */
static ovk_err triple(void *user, const double *x, double *y, ovk_poll poll)
{
  int *calls = user;
  for (int i = 0; i < 4; i++) y[i] = 3 * x[i];
  return ++*calls == 2 && is_last() ? OVK_ERR_USER : OVK_OK;
}

TEST(a_shell_multiplies_column_by_column_also_after_a_failure)
{
  int calls = 0;
  double x[3 * 4], y[3 * 4];
  for (int k = 0; k < 12; k++) x[k] = k;
  scoped_mat *A = new_shell(4, &calls, .mult = triple);
  scoped_multivec *X = new_multivec_of(A, 3), *Y = new_multivec_of(A, 3);
  assert_ok(ovk_multivec_set(X, 0, 3, x, 4));
  assert_error(ovk_mat_mult_many(A, X, Y), OVK_ERR_USER, "mult");
  assert_int_equal(calls, 3);
  assert_ok(ovk_mat_mult_many(A, X, Y));
  assert_ok(ovk_multivec_get(Y, 0, 3, y, 4));
  for (int k = 0; k < 12; k++) assert_true(y[k] == 3 * x[k]);
}

TEST(wrong_arguments_are_refused_on_all_ranks)
{
  scoped_mat *A = new_tridiagonal(3, 2.5), *open = new_mat(3);
  scoped_multivec *X = NULL, *Y = NULL, *wide = NULL, *other = NULL;
  assert_ok(ovk_mat_create_multivec(A, 2, &X));
  assert_ok(ovk_mat_create_multivec(A, 2, &Y));
  assert_ok(ovk_mat_create_multivec(A, 3, &wide));
  assert_ok(ovk_multivec_create(test_ctx(), 4, 2, &other));
  assert_error(ovk_mat_mult_many(A, X, is_last() ? NULL : Y), OVK_ERR_ARG, "Y is NULL");
  assert_error(ovk_mat_mult_many(A, X, wide), OVK_ERR_ARG, "X has 2 columns, Y has 3");
  assert_error(ovk_mat_mult_many(A, other, Y), OVK_ERR_ARG, "X");
  assert_error(ovk_mat_mult_many(A, X, X), OVK_ERR_ARG, "the same");
  assert_error(ovk_mat_mult_many(open, X, Y), OVK_ERR_STATE, "not assembled");
}
