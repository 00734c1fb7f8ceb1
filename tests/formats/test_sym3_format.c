/* SPDX-License-Identifier: BSD-2-Clause */
/* The format "sym3": the storage of a block, the refused blocks, and all operations against
 * compressed rows, for blocks of several windows. */
#include "format_blocks.h"
#include "matrix/formats/sym3/sym3_block.h"
#include "support/problem.h"

extern const ovk__format ovk__format_sym3;

/* Whether two points are coupled: some have no neighbor, few have many. */
static bool is_coupled(ovk_lidx p, ovk_lidx q)
{
  const ovk_lidx low = p < q ? p : q, high = p < q ? q : p;
  if (low == high) return true;
  if (low % 11 == 5 || high % 11 == 5) return false;
  return high == low + 1 || random_number(3, (uint64_t)low * 4096 + (uint64_t)high) < 0.03;
}

static double value_at(ovk_lidx i, ovk_lidx j)
{
  const uint64_t low = (uint64_t)(i < j ? i : j), high = (uint64_t)(i < j ? j : i);
  return (double)(float)(random_number(4, low * 65536 + high) - 0.5);
}

/* A symmetric block of so many points with three rows each. */
static ovk__csr block_of_threes(ovk_lidx points)
{
  ovk__csr A;
  int64_t n = 0;
  assert_ok(ovk__csr_alloc(test_ctx(), 3 * points, 9 * (int64_t)points * points, &A));
  for (ovk_lidx i = 0; i < 3 * points; i++) {
    for (ovk_lidx j = 0; j < 3 * points; j++) {
      if (!is_coupled(i / 3, j / 3)) continue;
      A.col[n] = j;
      A.val[n++] = value_at(i, j);
    }
    A.ptr[i + 1] = n;
  }
  return A;
}

static const ovk_lidx POINTS[] = {1, 2, 5, 256, 257};
enum { NPOINTS = sizeof POINTS / sizeof *POINTS };

static void check_product(const ovk__format *format, const void *block, const ovk__csr *A)
{
  scoped_array double *y = random_vector(A->rows + 1, 1);
  (void)format_product(format, block, A, ovk_poll_none(), y);
}

/* The rows are passed on, each once, and polls are as many as asked for. */
static void check_products(const ovk__format *format, const void *block, const ovk__csr *A)
{
  enum { PASSES = 4 }; /* rows are begun, then added to in threes, which are polled for as rows */
  check_product(format, block, A);
  if (A->rows < 100) format_assert_polls(format, block, A, PASSES);
  format_assert_columns(format, block, A->rows);
}

TEST(all_operations_agree_with_compressed_rows)
{
  for (int k = 0; k < NPOINTS; k++) {
    scoped_csr A = block_of_threes(POINTS[k]);
    void *block = format_build(&ovk__format_sym3, &A), *narrow = NULL;
    format_assert_rows(&ovk__format_sym3, block, &A);
    format_assert_unfolds(&ovk__format_sym3, block, &A);
    check_products(&ovk__format_sym3, block, &A);
    assert_ok(ovk__format_copy_narrow(test_ctx(), &ovk__format_sym3, block, &narrow));
    check_products(ovk__format_sym3.narrow, narrow, &A); /* the values are floats */
    const int64_t values = 9 * ((ovk__sym3 *)block)->windows.entry[((ovk__sym3 *)block)->windows.n];
    const int64_t saved = ovk__format_sym3.bytes(block) - ovk__format_sym3.narrow->bytes(narrow);
    assert_int_equal(saved, 4 * values);
    ovk__format_sym3.narrow->destroy(narrow);
    ovk__format_sym3.destroy(block);
  }
  format_assert_empty(&ovk__format_sym3);
}

TEST(small_blocks_from_the_diagonal_on_are_stored_shortest_rows_first)
{
  scoped_csr A = block_of_threes(3); /* points 0 and 1, and 1 and 2, are coupled */
  void *block = format_build(&ovk__format_sym3, &A);
  const ovk__sym3 *b = block;
  const uint8_t row[3] = {2, 0, 1};
  const uint16_t near[5] = {2, 0, 1, 1, 2};
  assert_memory_equal(b->windows.row, row, sizeof row);
  assert_memory_equal(b->blocks.near, near, sizeof near);
  assert_true(b->blocks.val[0] == value_at(6, 6) && b->blocks.val[5] == value_at(7, 8));
  assert_true(b->blocks.val[9 * 4 + 3] == value_at(4, 6));
  assert_int_equal(b->reach[0], 2);
  ovk__format_sym3.destroy(block);
}

/* The last point and the first one are coupled. */
static ovk__csr far_block(ovk_lidx points)
{
  ovk__csr A;
  int64_t n = 0;
  assert_ok(ovk__csr_alloc(test_ctx(), 3 * points, 9 * ((int64_t)points + 2), &A));
  for (ovk_lidx i = 0; i < 3 * points; i++) {
    const ovk_lidx p = i / 3, last = points - 1;
    for (ovk_lidx q = 0; q < points; q += q < last && p % last == 0 ? last : points) {
      const ovk_lidx at = p % last ? p : q;
      for (ovk_lidx c = 3 * at; c < 3 * at + 3; c++) {
        A.col[n] = c;
        A.val[n++] = value_at(i, c);
      }
    }
    A.ptr[i + 1] = n;
  }
  return A;
}

TEST(columns_take_16_bits_where_they_are_near)
{
  for (ovk_lidx points = UINT16_MAX + 1; points <= UINT16_MAX + 2; points++) {
    scoped_csr A = far_block(points);
    void *block = format_build(&ovk__format_sym3, &A), *narrow = NULL;
    assert_int_equal(((ovk__sym3 *)block)->blocks.near != NULL, points == UINT16_MAX + 1);
    assert_int_equal(((ovk__sym3 *)block)->blocks.far != NULL, points > UINT16_MAX + 1);
    check_product(&ovk__format_sym3, block, &A);
    assert_ok(ovk__format_copy_narrow(test_ctx(), &ovk__format_sym3, block, &narrow));
    check_product(ovk__format_sym3.narrow, narrow, &A);
    ovk__format_sym3.narrow->destroy(narrow);
    ovk__format_sym3.destroy(block);
  }
}

TEST(other_blocks_are_refused_and_left_alone)
{
  static const char threes[] = "does not consist of 3 x 3 blocks";
  ovk__csr A = block_of_threes(20);
  const int64_t last = ovk__csr_nnz(&A) - 1;
  A.val[last - 2] += 1; /* in the small block on the diagonal */
  format_assert_refused(&ovk__format_sym3, &A, "is not symmetric: entry (59,57)");
  A.val[last - 2] -= 1;
  A.val[1] += 1;
  format_assert_refused(&ovk__format_sym3, &A, "is not symmetric: entry (1,0)");
  A.val[1] -= 1;
  A.ptr[A.rows]--;
  format_assert_refused(&ovk__format_sym3, &A, threes); /* the last row lacks an entry */
  assert_int_equal(format_estimate(&ovk__format_sym3, &A, INT64_MAX), -1);
  A.ptr[A.rows]++;
  A.rows--;
  format_assert_refused(&ovk__format_sym3, &A, "rows 59, row 57");
  A.rows++;
  ovk__csr_free(&A);
  scoped_csr B;
  assert_ok(ovk__csr_alloc(test_ctx(), 3, 0, &B));
  memset(B.ptr, 0, 4 * sizeof *B.ptr);
  format_assert_refused(&ovk__format_sym3, &B, threes); /* no small block on the diagonal */
}

TEST(pairs_that_differ_by_rounding_get_their_mean)
{
  const double eps = 0x1p-52;
  ovk__csr A = block_of_threes(1);
  for (int k = 0; k < 9; k++) A.val[k] = k % 4 == 0 ? 4 : 1;
  A.val[1] = 1 + 2 * eps;
  void *block = NULL;
  assert_ok(ovk__format_sym3.build(test_ctx(), &A, false, &block));
  assert_true(A.rounded);
  double val[3];
  for (ovk_lidx i = 0; i < 2; i++) {
    assert_int_equal(ovk__format_sym3.row(block, i, (ovk_lidx[3]){0}, val), 3);
    assert_true(val[1 - i] == 1 + eps);
  }
  ovk__format_sym3.destroy(block);
}

TEST(it_costs_less_than_sym_where_it_can_hold_a_block)
{
  for (int k = 2; k < NPOINTS; k++) {
    scoped_csr A = block_of_threes(POINTS[k]);
    const int64_t sym = format_estimate(format_named("sym"), &A, INT64_MAX);
    const int64_t cost = format_estimate(&ovk__format_sym3, &A, INT64_MAX);
    assert_in_range(cost, 1, sym - 1);
    assert_int_equal(format_estimate(&ovk__format_sym3, &A, cost / 4), -1);
  }
}
