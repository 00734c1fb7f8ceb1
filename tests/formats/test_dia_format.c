/* SPDX-License-Identifier: BSD-2-Clause */
/* The format "dia": the storage of blocks in chunks, the refused blocks, the memory that products
 * read. */
#include "format_blocks.h"
#include "matrix/formats/dia/diagonals.h"
#include "support/problem.h"

static const ovk__format *dia(void)
{
  return format_named("dia");
}

/* Rows with the entries (i, i + offset) within the matrix, for the offsets that `has` accepts. */
typedef bool (*filter)(ovk_lidx i, ovk_lidx offset);

static bool all(ovk_lidx i, ovk_lidx offset)
{
  return true;
}

static ovk__csr make_block(ovk_lidx rows, const ovk_lidx *offset, int noffsets, filter has)
{
  ovk__csr A;
  assert_ok(ovk__csr_alloc(test_ctx(), rows, (int64_t)rows * noffsets, &A));
  int64_t n = 0;
  for (ovk_lidx i = 0; i < rows; i++) {
    for (int k = 0; k < noffsets; k++) {
      if (i + offset[k] < 0 || offset[k] >= rows - i || !has(i, offset[k])) continue;
      A.col[n] = i + offset[k];
      A.val[n] = random_number(1, (uint64_t)n) - 0.5;
      n++;
    }
    A.ptr[i + 1] = n;
  }
  return A;
}

static ovk__diagonals plan(const ovk__csr *A, bool upper, ovk_lidx height)
{
  ovk__diagonals d;
  int64_t bytes;
  assert_ok(ovk__diagonals_plan(test_ctx(), A, upper, height, INT64_MAX, &d, &bytes));
  assert_true(bytes > 0);
  return d;
}

TEST(chunks_with_the_same_offsets_share_a_list)
{
  scoped_csr A = make_block(24, (const ovk_lidx[]){-1, 0, 1}, 3, all);
  SCOPED(ovk__diagonals_free) ovk__diagonals d = plan(&A, false, 8);
  assert_ok(ovk__diagonals_fill(test_ctx(), &A, &d));
  assert_int_equal(d.nchunks, 3);
  assert_int_equal(d.lists.n, 1);
  for (int c = 0; c < 3; c++) {
    assert_int_equal(d.list[c], 0);
    assert_int_equal(d.first[c], c * 24);
  }
  for (int k = 0; k < 3; k++) assert_int_equal(d.lists.offset[k], k - 1);
  assert_false(ovk__diagonals_holds(&d, 0)); /* (0,-1) */
  assert_true(ovk__diagonals_holds(&d, 8));
  assert_true(d.val[8] == A.val[0] && d.val[16] == A.val[1] && d.val[1] == A.val[2]);
  assert_false(ovk__diagonals_holds(&d, 71)); /* (23,24) */
  assert_true(d.val[71] == 0);
  assert_int_equal(ovk__diagonals_bytes(&d), 72 * 8 + 3 * 12 + 3 * 4 + 2 * 8);
}

static bool below_in_first_chunk(ovk_lidx i, ovk_lidx offset)
{
  return i < 8 ? offset <= 0 : offset == 0 || offset == 3;
}

TEST(a_chunk_has_the_offsets_of_its_rows_only)
{
  scoped_csr A = make_block(19, (const ovk_lidx[]){-2, 0, 3}, 3, below_in_first_chunk);
  SCOPED(ovk__diagonals_free) ovk__diagonals d = plan(&A, false, 8);
  assert_int_equal(d.lists.n, 3);
  assert_int_equal(d.lists.begin[3], 2 + 2 + 1); /* the last three rows have (i,i) only */
  assert_int_equal(ovk__offset_list_find(&d.lists, d.list[0], -2), 0);
  assert_int_equal(ovk__offset_list_find(&d.lists, d.list[0], 3), -1);
  assert_int_equal(ovk__offset_list_find(&d.lists, d.list[1], 3), 1);
  assert_int_equal(d.first[3], 16 + 16 + 3);
}

TEST(the_last_chunk_has_the_rest_of_the_rows)
{
  scoped_csr A = make_block(64 + 11, (const ovk_lidx[]){-1, 0, 2}, 3, all);
  SCOPED(ovk__diagonals_free) ovk__diagonals d = plan(&A, true, 64);
  assert_int_equal(ovk__diagonals_stride(&d, 0), 64);
  assert_int_equal(ovk__diagonals_stride(&d, 1), 11);
  assert_int_equal(d.first[1], 2 * 64);
  assert_int_equal(d.first[2], 2 * 64 + 2 * 11);
}

static bool scattered(ovk_lidx i, ovk_lidx offset)
{
  return random_number(4, (uint64_t)(i * 4096 + offset + 2048)) < 0.05;
}

/* Whether a sample of A says that a plan would not fit, and whether it does not. */
static void check_hopeless(filter has, bool hopeless, bool refused)
{
  enum { ROWS = 1 << 13, OFFSETS = 61 };
  ovk_lidx offset[OFFSETS];
  SCOPED(ovk__diagonals_free) ovk__diagonals d;
  int64_t bytes;
  for (int k = 0; k < OFFSETS; k++) offset[k] = 5 * (k - OFFSETS / 2);
  scoped_csr A = make_block(ROWS, offset, OFFSETS, has);
  assert_int_equal(ovk__diagonals_are_hopeless(&A, false, 8, INT64_MAX), hopeless);
  assert_ok(ovk__diagonals_plan(test_ctx(), &A, false, 8, INT64_MAX, &d, &bytes));
  assert_int_equal(bytes < 0, refused);
}

/* 1 of 16 chunks. */
static bool scattered_in_places(ovk_lidx i, ovk_lidx offset)
{
  return i / 8 % 16 == 5 ? scattered(i, offset) : -15 <= offset && offset <= 15;
}

/* Chunks with twice as many offsets as entries a row. */
static bool every_second(ovk_lidx i, ovk_lidx offset)
{
  return (i + offset / 5) % 2 == 0;
}

TEST(a_sample_shows_what_no_plan_can_hold)
{
  check_hopeless(all, false, false);
  check_hopeless(every_second, true, true);
  check_hopeless(scattered_in_places, false, false);
  check_hopeless(scattered, true, true);
}

TEST(blocks_that_would_be_padding_are_refused_and_stay)
{
  ovk_lidx offset[401];
  for (int k = 0; k < 401; k++) offset[k] = 5 * (k - 200);
  scoped_csr A = make_block(1000, offset, 401, scattered);
  format_assert_refused(dia(), &A, "more room by diagonals");
  assert_int_equal(format_estimate(dia(), &A, INT64_MAX), -1);
}
