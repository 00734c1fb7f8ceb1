/* SPDX-License-Identifier: BSD-2-Clause */
/* Blocks in "sell" that are not square: products with them and with their transposes. */
#include "matrix/formats/sell/sell_rectangle.h"
#include "support/problem.h"

enum { ROWS = 2 * OVK__SORT_WINDOW + 37, COLUMNS = 700, WIDEST = 8 };

/* Rows of 0 to 11 entries, whose columns are `step` apart; values are floats. */
static ovk__csr make_rows(ovk_lidx step)
{
  ovk__csr A;
  int64_t k = 0;
  assert_ok(ovk__csr_alloc(test_ctx(), ROWS, 11 * ROWS, &A));
  for (ovk_lidx i = 0; i < ROWS; i++) {
    const ovk_lidx n = (ovk_lidx)(12 * random_number(1, (uint64_t)i));
    ovk_lidx col = (ovk_lidx)(20 * random_number(2, (uint64_t)i));
    for (ovk_lidx l = 0; l < n; l++, col += 1 + i % 60) {
      A.col[k] = col * step;
      A.val[k] = (float)random_number(3, (uint64_t)k) - 0.5F;
      k++;
    }
    A.ptr[i + 1] = k;
  }
  return A;
}

static void fill_vector(double *x, ovk_lidx n, int width, uint64_t seed)
{
  for (ovk_lidx i = 0; i < n; i++) {
    for (int c = 0; c < width; c++) x[i * width + c] = random_number(seed, (uint64_t)i);
  }
}

/* Each column of y is that of one vector, bit for bit. */
static void check_columns(const double *y, const double *one, ovk_lidx n, int width)
{
  for (ovk_lidx i = 0; i < n * width; i++) assert_memory_equal(&y[i], &one[i / width], sizeof *y);
}

static void check_products(ovk_lidx step, bool near)
{
  static double x[COLUMNS * 130], u[ROWS * WIDEST], y[ROWS * WIDEST], z[COLUMNS * 130 * WIDEST];
  static double wide[COLUMNS * 130 * WIDEST], Ax[ROWS], Atu[COLUMNS * 130];
  const ovk_lidx columns = COLUMNS * step;
  SCOPED(ovk__csr_free) ovk__csr A = make_rows(step);
  ovk__csr copy = make_rows(step);
  ovk__sell *b;
  fill_vector(x, columns, 1, 4);
  fill_vector(u, ROWS, 1, 5);
  for (ovk_lidx i = 0; i < ROWS; i++) Ax[i] = 1;
  for (ovk_lidx j = 0; j < columns; j++) Atu[j] = 1;
  for (ovk_lidx i = 0; i < ROWS; i++) {
    for (int64_t k = A.ptr[i]; k < A.ptr[i + 1]; k++) {
      Ax[i] += A.val[k] * x[A.col[k]];
      Atu[A.col[k]] += A.val[k] * u[i];
    }
  }
  assert_ok(ovk__sell_rectangle_create(test_ctx(), &copy, &b));
  assert_true((b->entries.near != NULL) == near);
  assert_true(ovk__sell_rectangle_bytes(b) >= A.ptr[ROWS] * (near ? 6 : 8));
  for (int width = 1; width <= WIDEST; width *= 2) {
    fill_vector(wide, columns, width, 4);
    for (ovk_lidx i = 0; i < ROWS * width; i++) y[i] = 1;
    ovk__sell_rectangle_add(b, width, wide, y, ovk_poll_none());
    for (ovk_lidx i = 0; width == 1 && i < ROWS; i++) assert_true(fabs(y[i] - Ax[i]) < 1e-14);
    if (width == 1) memcpy(Ax, y, sizeof Ax);
    check_columns(y, Ax, ROWS, width);
    fill_vector(u, ROWS, width, 5);
    for (ovk_lidx j = 0; j < columns * width; j++) z[j] = 1;
    ovk__sell_rectangle_add_transpose(b, width, u, z, ovk_poll_none());
    for (ovk_lidx j = 0; width == 1 && j < columns; j++) assert_true(fabs(z[j] - Atu[j]) < 1e-13);
    if (width == 1) memcpy(Atu, z, (size_t)columns * sizeof *Atu);
    check_columns(z, Atu, columns, width);
  }
  ovk__sell_rectangle_destroy(&b);
  ovk__csr_free(&copy);
  assert_null(b);
}

TEST(products_and_transposes_are_right_and_the_same_for_any_number_of_columns)
{
  check_products(1, true);
  check_products(130, false);
}

/* Counts calls. */
static void count_poll(void *arg)
{
  ++*(int *)arg;
}

TEST(both_products_poll)
{
  ovk__csr A = make_rows(1);
  static double x[COLUMNS], y[ROWS];
  ovk__sell *b;
  int calls = 0;
  const ovk_poll poll = {count_poll, &calls, 100};
  assert_ok(ovk__sell_rectangle_create(test_ctx(), &A, &b));
  ovk__sell_rectangle_add(b, 1, x, y, poll);
  assert_true(calls >= ROWS / 100 - 1);
  calls = 0;
  ovk__sell_rectangle_add_transpose(b, 1, y, x, poll);
  assert_true(calls >= ROWS / 100 - 1);
  ovk__sell_rectangle_destroy(&b);
  ovk__csr_free(&A);
}

TEST(a_value_beyond_the_range_of_float_is_an_error)
{
  ovk__csr A = make_rows(1);
  ovk__sell *b;
  A.val[3] = 1e60;
  assert_int_equal(ovk__sell_rectangle_create(test_ctx(), &A, &b), OVK_ERR_RANGE);
  ovk__sell_rectangle_destroy(&b);
  ovk__csr_free(&A);
}
