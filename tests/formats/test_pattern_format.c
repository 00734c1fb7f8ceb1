/* SPDX-License-Identifier: BSD-2-Clause */
/* The format "pattern": the rows that are stored once, the refused blocks, and when it is worth it.
 */
#include "format_blocks.h"
#include "matrix/formats/format.h"
#include "matrix/formats/pattern/pattern_groups.h"
#include "matrix/formats/pattern/pattern_many.h"
#include "matrix/formats/pattern/pattern_product.h"
#include "support/problem.h"

static const ovk__format *pattern(void)
{
  return format_named("pattern");
}

/* A band of `rows` rows: value(i, offset) at offsets -below to above. */
typedef double (*values)(ovk_lidx i, ovk_lidx offset);

static ovk__csr band(ovk_lidx rows, ovk_lidx below, ovk_lidx above, values value)
{
  ovk__csr A = {0};
  assert_ok(ovk__csr_alloc(test_ctx(), rows, (int64_t)rows * (below + above + 1), &A));
  int64_t k = 0;
  for (ovk_lidx i = 0; i < rows; i++) {
    for (ovk_lidx j = i - below; j <= i + above; j++) {
      if (j < 0 || j >= rows) continue;
      A.col[k] = j;
      A.val[k++] = value(i, j - i);
    }
    A.ptr[i + 1] = k;
  }
  return A;
}

static double constant(ovk_lidx i, ovk_lidx offset)
{
  return offset ? -1 : 2;
}

static double by_parity(ovk_lidx i, ovk_lidx offset)
{
  return i % 2 ? 1 + offset : 5;
}

/* Row 40 alone has 2 + 2^-51 on the diagonal. */
static double last_bit(ovk_lidx i, ovk_lidx offset)
{
  return i == 40 && offset == 0 ? 2 + 0x1p-51 : constant(i, offset);
}

static double sign_of_zero(ovk_lidx i, ovk_lidx offset)
{
  return offset ? 1 : i < 50 ? 0.0 : -0.0;
}

static double hashed(ovk_lidx i, ovk_lidx offset)
{
  return random_number(3, (uint64_t)i * 16 + (uint64_t)offset);
}

static ovk__pattern_block *build(ovk__csr A)
{
  void *block = NULL;
  assert_ok(pattern()->build(test_ctx(), &A, true, &block));
  assert_null(A.ptr);
  assert_null(A.val);
  return block;
}

TEST(a_constant_band_is_a_pattern_for_the_inside_and_one_for_each_end)
{
  ovk__pattern_block *b = build(band(100, 1, 1, constant));
  assert_int_equal(b->npatterns, 3);
  assert_int_equal(b->nruns, 3);
  const ovk_lidx ends[] = {1, 99, 100}, offsets[] = {0, 1, -1, 0, 1, -1, 0};
  for (int r = 0; r < 3; r++) {
    assert_int_equal(b->runs[r].end, ends[r]);
    assert_int_equal(b->runs[r].pattern, r);
  }
  for (int k = 0; k < 7; k++) assert_int_equal(b->offset[k], offsets[k]);
  const int64_t groups = 4 * 4 + 2 * 4 + 24 + 32; /* two of four share three entries */
  assert_int_equal(pattern()->bytes(b), 3 * 8 + 4 * 4 + 7 * 12 + groups);
  pattern()->destroy(b);
}

TEST(alternating_rows_are_two_patterns)
{
  ovk__pattern_block *b = build(band(1000, 0, 0, by_parity));
  assert_int_equal(b->npatterns, 2);
  assert_int_equal(b->nruns, 1000);
  for (ovk_lidx i = 0; i < 1000; i++) assert_int_equal(b->runs[i].pattern, i % 2);
  pattern()->destroy(b);
}

TEST(rows_that_differ_in_one_bit_are_not_the_same)
{
  ovk__pattern_block *b = build(band(100, 1, 1, last_bit));
  assert_int_equal(b->npatterns, 4);
  assert_int_equal(b->nruns, 5);
  pattern()->destroy(b);
  b = build(band(100, 0, 0, sign_of_zero));
  assert_int_equal(b->npatterns, 2);
  assert_int_equal(b->nruns, 2);
  pattern()->destroy(b);
}

TEST(rows_that_do_not_repeat_are_refused_and_left_alone)
{
  scoped_csr A = band(1000, 0, 2, hashed);
  format_assert_refused(pattern(), &A, "too rarely the same");
}

/* The points of a box. Each has its neighbors, at distance 1 in each direction. */
typedef struct box {
  ovk_lidx nx, ny, nz;
} box;

static bool is_in(ovk_lidx i, ovk_lidx n)
{
  return i >= 0 && i < n;
}

/* The value of entry d of 27; the middle one is number 13. */
typedef double (*stencil)(int d);

static double all_differ(int d)
{
  return d == 13 ? 1 : -0x1p-6 - 0x1p-10 * d;
}

static double differ_by_line(int d)
{
  return d == 13 ? 1 : -0.1 - 0x1p-10 * (d / 3) - (d % 3 == 1 ? 0.01 : 0);
}

static double middle_differs(int d)
{
  return d == 13 ? 2.6 : -0.1;
}

static double last_neighbor_differs(int d)
{
  return d == 26 ? -0.2 : middle_differs(d);
}

static void add_point(box n, stencil value, ovk_lidx i, ovk__csr *A)
{
  const ovk_lidx x = i % n.nx, y = i / n.nx % n.ny, z = i / n.nx / n.ny;
  int64_t k = A->ptr[i];
  for (int d = 0; d < 27; d++) {
    const ovk_lidx dx = d % 3 - 1, dy = d / 3 % 3 - 1, dz = d / 9 - 1;
    if (!is_in(x + dx, n.nx) || !is_in(y + dy, n.ny) || !is_in(z + dz, n.nz)) continue;
    A->col[k] = i + dx + n.nx * (dy + n.ny * dz);
    A->val[k++] = value(d);
  }
  A->ptr[i + 1] = k;
}

static ovk__csr points_of(box n, stencil value)
{
  ovk__csr A = {0};
  const ovk_lidx rows = n.nx * n.ny * n.nz;
  assert_ok(ovk__csr_alloc(test_ctx(), rows, 27 * (int64_t)rows, &A));
  for (ovk_lidx i = 0; i < rows; i++) add_point(n, value, i, &A);
  return A;
}

static ovk__csr points(box n)
{
  return points_of(n, all_differ);
}

static ovk_lidx count_sharing(const ovk__pattern_block *b)
{
  ovk_lidx n = 0;
  for (ovk_lidx g = 0; g < b->groups.count; g++) n += b->groups.kind[g] >= 0;
  return n;
}

TEST(rows_of_short_lines_share_entries)
{
  static const box boxes[] = {{10, 9, 8}, {3, 20, 20}, {33, 5, 4}, {1, 30, 30}, {100, 4, 3}};
  static const ovk_lidx least[] = {13, 30, 13, 20, 30};
  for (int k = 0; k < 5; k++) {
    scoped_csr A = points(boxes[k]);
    ovk__pattern_block *b = format_build(pattern(), &A);
    assert_in_range(count_sharing(b), least[k], b->groups.count);
    scoped_array double *y = random_vector(A.rows, 1);
    (void)format_product(pattern(), b, &A, ovk_poll_none(), y);
    format_assert_rows(pattern(), b, &A);
    if (k == 0) format_assert_polls(pattern(), b, &A, 1);
    pattern()->destroy(b);
  }
}

TEST(short_and_long_vectors_give_the_same_bits)
{
  scoped_csr A = points((box){11, 9, 8});
  ovk__pattern_block *b = format_build(pattern(), &A);
  scoped_array double *x = random_vector(A.rows, 1), *y = random_vector(A.rows, 2),
                      *z = random_vector(A.rows, 2);
  for (ovk_lidx g = 0; g < b->groups.count; g++) {
    const ovk_lidx end = ovk__pattern_groups_mult(&b->groups, g, g + 1, x, y);
    assert_int_equal(ovk__pattern_groups_mult_narrow(&b->groups, g, g + 1, x, z), end);
    assert_int_equal(end, g + (b->groups.kind[g] >= 0));
  }
  assert_memory_equal(y, z, (size_t)A.rows * sizeof *y);
  pattern()->destroy(b);
}

static void assert_short_and_long_agree(stencil value)
{
  enum { WIDEST = 8, GROUP = OVK__GROUP };
  scoped_csr A = points_of((box){11, 9, 8}, value);
  ovk__pattern_block *b = format_build(pattern(), &A);
  const ovk_lidx n = A.rows * WIDEST;
  scoped_array double *x = random_vector(n, 1), *y = random_vector(n, 2), *z = random_vector(n, 3);
  for (int width = 2; width <= WIDEST; width *= 2) {
    double dots[WIDEST], sum[GROUP * WIDEST] = {0};
    ovk__pattern_mult_many(b, width, x, y, ovk_poll_none(), NULL, dots);
    for (ovk_lidx g = 0; g < b->groups.count; g++) {
      const ovk_lidx end = ovk__pattern_groups_many_narrow(width, &b->groups, g, g + 1, x, z, sum);
      const ptrdiff_t first = (ptrdiff_t)g * GROUP * width;
      assert_int_equal(end, g + (b->groups.kind[g] >= 0));
      if (end > g) assert_memory_equal(y + first, z + first, GROUP * (size_t)width * sizeof *y);
    }
  }
  pattern()->destroy(b);
}

TEST(short_and_long_vectors_give_the_same_bits_with_several_columns)
{
  assert_short_and_long_agree(all_differ);
  assert_short_and_long_agree(middle_differs);
}

/* Where the third of neighboring entries is the first, its sums are those of rows before. */
TEST(each_column_has_the_bits_of_a_single_product)
{
  enum { WIDEST = 8 };
  static const stencil stencils[] = {all_differ, differ_by_line, middle_differs,
                                     last_neighbor_differs};
  static const int32_t mirrored[] = {0, 1, 1, 0};
  for (int k = 0; k < 8; k++) {
    scoped_csr A = points_of(k < 4 ? (box){40, 9, 8} : (box){11, 9, 8}, stencils[k % 4]);
    ovk__pattern_block *b = format_build(pattern(), &A);
    const ovk_lidx n = A.rows;
    scoped_array double *x = random_vector(n * WIDEST, 1), *y = random_vector(n * WIDEST, 2),
                        *own = random_vector(n, 3), *product = random_vector(n, 4);
    int32_t found = 0;
    for (int32_t p = 0; p < b->groups.nparts; p++) found |= b->groups.parts[p].equal >= 0;
    if (mirrored[k % 4]) assert_true(found);
    for (int width = 2; width <= WIDEST; width *= 2) {
      double dots[WIDEST];
      ovk__pattern_mult_many(b, width, x, y, ovk_poll_none(), NULL, dots);
      for (int c = 0; c < width; c++) {
        for (ovk_lidx i = 0; i < n; i++) own[i] = x[i * width + c];
        const double dot = ovk__pattern_mult_dot(b, own, product, ovk_poll_none(), NULL);
        assert_memory_equal(&dots[c], &dot, sizeof dot);
        for (ovk_lidx i = 0; i < n; i++) {
          assert_memory_equal(&y[i * width + c], &product[i], sizeof *y);
        }
      }
    }
    pattern()->destroy(b);
  }
}

TEST(groups_that_share_no_entries_are_multiplied_by_runs)
{
  scoped_csr A = points((box){10, 9, 8});
  const ovk__format *runs = format_named("pattern:runs");
  ovk__pattern_block *b = format_build(runs, &A);
  assert_int_equal(count_sharing(b), 0);
  scoped_array double *y = random_vector(A.rows, 1);
  (void)format_product(runs, b, &A, ovk_poll_none(), y);
  format_assert_polls(runs, b, &A, 1);
  runs->destroy(b);
}

static int64_t cost(ovk__csr A, int64_t limit)
{
  const int64_t result = format_estimate(pattern(), &A, limit);
  ovk__csr_free(&A);
  return result;
}

TEST(its_cost_is_a_small_part_of_csr_where_rows_repeat_and_none_elsewhere)
{
  ovk__csr A = band(10000, 3, 3, constant);
  const int64_t csr = format_estimate(&ovk__format_csr, &A, INT64_MAX);
  ovk__csr_free(&A);
  assert_in_range(cost(band(10000, 3, 3, constant), csr), 1, csr / 5);
  assert_int_equal(cost(band(10000, 3, 3, constant), csr / 100), -1);
  assert_int_equal(cost(band(10000, 3, 3, hashed), csr), -1);
}

static void nothing(void *arg)
{
}

/* Rows are computed ahead and some twice: none is missing. */
TEST(runs_of_any_length_multiply_in_pieces_of_any_length)
{
  enum { MOST = 80 };
  double x[MOST + 2], y[MOST + 4];
  for (ovk_lidx i = 0; i < MOST + 2; i++) x[i] = (double)(i * i);
  for (ovk_lidx rows = 2; rows <= MOST + 2; rows++) { /* a run of rows - 2 between two rows */
    ovk__pattern_block *b = build(band(rows, 1, 1, constant));
    for (ovk_lidx every = 1; every <= rows; every++) {
      for (ovk_lidx i = 0; i < MOST + 4; i++) y[i] = 77;
      const ovk_poll poll = {nothing, NULL, every};
      double dot = 0;
      const double result = pattern()->products->dot(b, x, y + 1, poll, NULL);
      for (ovk_lidx i = 0; i < rows; i++) {
        const double left = i > 0 ? x[i - 1] : 0, right = i < rows - 1 ? x[i + 1] : 0;
        assert_true(y[1 + i] == 2 * x[i] - left - right);
        dot += x[i] * y[1 + i];
      }
      assert_true(result == dot); /* all are whole numbers */
      assert_true(y[0] == 77 && y[rows + 1] == 77);
    }
    pattern()->destroy(b);
  }
}

TEST(other_rows_may_have_infinite_x)
{
  ovk__pattern_block *b = build(band(100, 1, 1, constant));
  double x[100], y[100];
  for (int i = 0; i < 100; i++) x[i] = i == 50 ? INFINITY : 1;
  pattern()->products->dot(b, x, y, ovk_poll_none(), NULL);
  for (int i = 0; i < 100; i++) assert_int_equal(isfinite(y[i]), i < 49 || i > 51);
  pattern()->destroy(b);
}
