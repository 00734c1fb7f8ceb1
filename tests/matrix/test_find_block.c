/* SPDX-License-Identifier: BSD-2-Clause */
/* The search for points of several unknowns, in rows that are chosen. */
#include "matrix/near_nullspace/find_block.h"
#include "support/problem.h"

/* The rows q, q + 1 and q + 3 of four, of two points. Those of the first and of the last one
 * cancel, the third one couples with nothing. */
static void add_incomplete_points(ovk_mat *A, int n, int q)
{
  const struct {
    int row, col;
    double value;
  } entries[] = {{0, 0, 8}, {1, 1, 8},    {2, 2, 8},    {3, 3, 8}, {0, -4, -1},   {0, -3, -0.5},
                 {0, 1, 1}, {0, 4, -1},   {0, 5, -0.5}, {1, 0, 1}, {3, -4, -0.5}, {3, -3, -1},
                 {3, 0, 1}, {3, 1, -0.1}, {3, 4, -0.5}, {3, 5, -1}};
  for (size_t k = 0; k < sizeof entries / sizeof *entries; k++) {
    const int j = q + entries[k].col;
    if (j >= 0 && j < n) assert_ok(ovk_mat_add(A, q + entries[k].row, j, entries[k].value));
  }
}

TEST(rows_of_two_points_are_none_if_a_row_is_uncoupled)
{
  enum { N = 1200 };
  int block;
  scoped_mat *A = new_mat(is_last() ? N : 0);
  for (int q = 0; q < N && is_last(); q += 4) add_incomplete_points(A, N, q);
  assert_ok(ovk_mat_assemble(A));
  assert_ok(ovk__mat_find_block(A, &block));
  assert_int_equal(block, 1);
}
