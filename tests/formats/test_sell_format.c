/* SPDX-License-Identifier: BSD-2-Clause */
/* The format "sell": how rows are sorted, how columns are stored, and its products. */
#include "format_blocks.h"
#include "matrix/formats/sell/sell_block.h"
#include "matrix/formats/sell/sell_rectangle.h"
#include "support/problem.h"

extern const ovk__format ovk__format_sell;

/* A block whose row i has length[i] random entries, the columns i, i + 1, ... modulo `rows`, in
 * increasing order. */
static ovk__csr make_rows(ovk_lidx rows, const ovk_lidx *length)
{
  int64_t nnz = 0;
  for (ovk_lidx i = 0; i < rows; i++) nnz += length[i];
  ovk__csr A;
  assert_ok(ovk__csr_alloc(test_ctx(), rows, nnz, &A));
  int64_t k = 0;
  for (ovk_lidx i = 0; i < rows; i++) {
    const ovk_lidx wrapped = i + length[i] > rows ? i + length[i] - rows : 0;
    for (ovk_lidx j = 0; j < wrapped; j++) A.col[k++] = j;
    for (ovk_lidx j = i; j < i + length[i] - wrapped; j++) A.col[k++] = j;
    A.ptr[i + 1] = k;
  }
  for (k = 0; k < nnz; k++) A.val[k] = random_number(1, (uint64_t)k) - 0.5;
  return A;
}

TEST(rows_are_sorted_by_length_within_a_window)
{
  const ovk_lidx length[6] = {3, 0, 300, 3, 70000, 2};
  const uint8_t expected[6] = {1, 5, 0, 3, 2, 4};
  const ovk__sell_run runs[5] = {{1, 0}, {1, 2}, {2, 3}, {1, 300}, {1, 70000}};
  SCOPED(ovk__windows_free) ovk__windows w;
  assert_ok(ovk__windows_make(test_ctx(), 6, length, 1, &w));
  assert_int_equal(w.n, 1);
  assert_memory_equal(w.row, expected, sizeof expected);
  assert_int_equal(w.run[1], 5);
  for (int k = 0; k < 5; k++) {
    assert_int_equal(w.runs[k].rows, runs[k].rows);
    assert_int_equal(w.runs[k].length, runs[k].length);
  }
  assert_int_equal(w.entry[1], 70308);
}

/* Each entry of a window has a different row. The entries of a row are one or the rows of a chunk
 * apart. */
static void check_places(ovk_lidx chunk)
{
  enum { ROWS = 2 * OVK__SORT_WINDOW + 1 };
  ovk_lidx length[ROWS], in_chunks = 0;
  for (ovk_lidx i = 0; i < ROWS; i++) length[i] = (ovk_lidx)(5 * random_number(3, (uint64_t)i));
  SCOPED(ovk__windows_free) ovk__windows w;
  assert_ok(ovk__windows_make(test_ctx(), ROWS, length, chunk, &w));
  assert_int_equal(w.n, 3);
  assert_int_equal(w.row[ROWS - 1], 0);
  scoped_array bool *taken = new_zeros((size_t)w.entry[3], sizeof *taken);
  for (ovk_lidx i = 0; i < ROWS; i++) {
    const ovk__sell_row row = ovk__windows_find(&w, i);
    assert_int_equal(row.n, length[i]);
    assert_true(row.step == 1 || row.step == chunk);
    in_chunks += row.step > 1;
    for (ovk_lidx l = 0; l < row.n; l++) {
      const int64_t k = row.first + (int64_t)l * row.step;
      assert_in_range(k, w.entry[i / OVK__SORT_WINDOW], w.entry[i / OVK__SORT_WINDOW + 1] - 1);
      assert_false(taken[k]);
      taken[k] = true;
    }
  }
  assert_int_equal(in_chunks % chunk, 0);
  assert_true(chunk == 1 || in_chunks > ROWS / 2);
}

TEST(rows_stay_in_their_window_and_are_found_there)
{
  check_places(1);
  check_places(OVK__SELL_CHUNK_HEIGHT);
}

TEST(columns_take_16_bits_where_a_windows_lie_close_together)
{
  const ovk_lidx n = 70000;
  for (ovk_lidx far = UINT16_MAX; far <= UINT16_MAX + 1; far++) {
    ovk__csr A;
    assert_ok(ovk__csr_alloc(test_ctx(), n, 2, &A));
    memset(A.ptr, 0, ((size_t)n + 1) * sizeof *A.ptr);
    for (ovk_lidx i = 300; i < n; i++) A.ptr[i + 1] = 2; /* row 300: columns 7 and 7 + far */
    A.col[0] = 7;
    A.col[1] = 7 + far;
    A.val[0] = 2;
    A.val[1] = 3;
    void *block;
    assert_ok(ovk__format_sell.build(test_ctx(), &A, true, &block));
    const ovk__sell *b = block;
    assert_int_equal(b->origin[1], 7);
    assert_int_equal(b->entries.near != NULL, far == UINT16_MAX);
    assert_int_equal(b->entries.far != NULL, far > UINT16_MAX);
    scoped_array double *x = random_vector(n, 4), *y = random_vector(n, 5);
    ovk__format_sell.products->dot(block, x, y, ovk_poll_none(), NULL);
    for (ovk_lidx i = 0; i < n; i++)
      assert_true(y[i] == (i == 300 ? 2 * x[7] + 3 * x[7 + far] : 0));
    ovk__format_sell.destroy(block);
  }
}

TEST(rows_read_no_x_but_that_of_their_columns)
{
  const ovk_lidx length[5] = {0, 1, 0, 2, 1};
  ovk__csr A = make_rows(5, length); /* columns 1; 3, 4; 4 */
  void *block;
  double x[5] = {NAN, 1, INFINITY, 1, 1}, y[5];
  assert_ok(ovk__format_sell.build(test_ctx(), &A, true, &block));
  ovk__format_sell.products->dot(block, x, y, ovk_poll_none(), NULL);
  for (int i = 0; i < 5; i++) assert_true(isfinite(y[i]));
  ovk__format_sell.destroy(block);
}

/* Blocks that are not square: products with them and with their transposes. */
enum { TALL = 2 * OVK__SORT_WINDOW + 37, BROAD = 700, WIDEST = 8 };

/* Rows of 0 to 11 entries, whose columns are `step` apart; values are floats. */
static ovk__csr make_rectangle(ovk_lidx step)
{
  ovk__csr A;
  int64_t k = 0;
  assert_ok(ovk__csr_alloc(test_ctx(), TALL, 11 * TALL, &A));
  for (ovk_lidx i = 0; i < TALL; i++) {
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
  static double x[BROAD * 130], u[TALL * WIDEST], y[TALL * WIDEST], z[BROAD * 130 * WIDEST];
  static double wide[BROAD * 130 * WIDEST], Ax[TALL], Atu[BROAD * 130];
  const ovk_lidx columns = BROAD * step;
  scoped_csr A = make_rectangle(step);
  scoped_csr copy = make_rectangle(step);
  ovk__sell *b;
  fill_vector(x, columns, 1, 4);
  fill_vector(u, TALL, 1, 5);
  for (ovk_lidx i = 0; i < TALL; i++) Ax[i] = 1;
  for (ovk_lidx j = 0; j < columns; j++) Atu[j] = 1;
  for (ovk_lidx i = 0; i < TALL; i++) {
    for (int64_t k = A.ptr[i]; k < A.ptr[i + 1]; k++) {
      Ax[i] += A.val[k] * x[A.col[k]];
      Atu[A.col[k]] += A.val[k] * u[i];
    }
  }
  assert_ok(ovk__sell_rectangle_create(test_ctx(), &copy, &b));
  assert_true((b->entries.near != NULL) == near);
  assert_true(ovk__sell_rectangle_bytes(b) >= A.ptr[TALL] * (near ? 6 : 8));
  for (int width = 1; width <= WIDEST; width *= 2) {
    fill_vector(wide, columns, width, 4);
    for (ovk_lidx i = 0; i < TALL * width; i++) y[i] = 1;
    ovk__sell_rectangle_add(b, width, wide, y, ovk_poll_none());
    for (ovk_lidx i = 0; width == 1 && i < TALL; i++) assert_true(fabs(y[i] - Ax[i]) < 1e-14);
    if (width == 1) memcpy(Ax, y, sizeof Ax);
    check_columns(y, Ax, TALL, width);
    fill_vector(u, TALL, width, 5);
    for (ovk_lidx j = 0; j < columns * width; j++) z[j] = 1;
    ovk__sell_rectangle_add_transpose(b, width, u, z, ovk_poll_none());
    for (ovk_lidx j = 0; width == 1 && j < columns; j++) assert_true(fabs(z[j] - Atu[j]) < 1e-13);
    if (width == 1) memcpy(Atu, z, (size_t)columns * sizeof *Atu);
    check_columns(z, Atu, columns, width);
  }
  ovk__sell_rectangle_destroy(&b);
  assert_null(b);
}

TEST(products_and_transposes_are_right_and_the_same_for_any_number_of_columns)
{
  check_products(1, true);
  check_products(130, false);
}

TEST(both_products_poll)
{
  scoped_csr A = make_rectangle(1);
  static double x[BROAD], y[TALL];
  ovk__sell *b;
  int calls = 0;
  const ovk_poll poll = {count_call, &calls, 100};
  assert_ok(ovk__sell_rectangle_create(test_ctx(), &A, &b));
  ovk__sell_rectangle_add(b, 1, x, y, poll);
  assert_true(calls >= TALL / 100 - 1);
  calls = 0;
  ovk__sell_rectangle_add_transpose(b, 1, y, x, poll);
  assert_true(calls >= TALL / 100 - 1);
  ovk__sell_rectangle_destroy(&b);
}

TEST(a_value_beyond_the_range_of_float_is_an_error)
{
  scoped_csr A = make_rectangle(1);
  ovk__sell *b;
  A.val[3] = 1e60;
  assert_int_equal(ovk__sell_rectangle_create(test_ctx(), &A, &b), OVK_ERR_RANGE);
  ovk__sell_rectangle_destroy(&b);
}
