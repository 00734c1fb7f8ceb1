/* SPDX-License-Identifier: BSD-2-Clause */
/* The sparse all-to-all and the sorting of rows that assembly is made of. */
#include "matrix/assembly/rows.h"
#include "matrix/layout/exchange.h"
#include "support/problem.h"

/* Rank r sends r + 1 numbers 100 r + k to each rank whose distance upwards is 1 or 2. */
TEST(messages_arrive_in_the_order_of_ranks)
{
  for (int round = 0; round < 3; round++) { /* one after the other, without a barrier */
    ovk__neighbor_message list[2];
    int64_t items[64];
    ovk__neighbor_messages out = {list, 0, items, 0}, in;
    const int reach = test_size < 3 ? test_size - 1 : 2;
    for (int d = 1; d <= reach; d++) {
      list[out.n++] = (ovk__neighbor_message){(test_rank + d) % test_size, test_rank + 1};
      for (int k = 0; k <= test_rank; k++) items[out.total++] = 100 * test_rank + k;
    }
    assert_ok(ovk__exchange(test_ctx(), sizeof *items, &out, &in));
    assert_int_equal(in.n, reach);
    const int64_t *got = in.items;
    for (int p = 0; p < in.n; p++) {
      const int from = in.list[p].rank, distance = (test_rank - from + test_size) % test_size;
      assert_in_range(distance, 1, reach);
      if (p) assert_true(in.list[p - 1].rank < from);
      assert_int_equal(in.list[p].count, from + 1);
      for (int k = 0; k <= from; k++) assert_int_equal(*got++, 100 * from + k);
    }
    assert_int_equal(in.total, got - (int64_t *)in.items);
    ovk__neighbor_messages_free(&in);
  }
}

TEST(random_entries_are_sorted_and_duplicates_summed_stably)
{
  enum { ROWS = 90, COLUMNS = 90, ENTRIES = 9000 };
  ovk__rows rows = {.n = ROWS};
  double expected[ROWS][COLUMNS] = {{0}};
  bool stored[ROWS][COLUMNS] = {{false}};
  for (uint64_t k = 0; k < ENTRIES; k++) {
    const int i = (int)(random_number(7, k) * random_number(8, k) * ROWS);
    const int j = (int)(random_number(9, k) * COLUMNS);
    const double value = (random_number(10, k) - 0.5) * (k % 5 ? 1 : 1e17);
    expected[i][j] += value; /* in the order of adding: bit for bit */
    stored[i][j] = true;
    assert_ok(ovk__rows_add(test_ctx(), &rows, i, j, value));
  }
  SCOPED(ovk__csr_free) ovk__csr A;
  assert_ok(ovk__rows_finish(test_ctx(), &rows, &A));
  assert_int_equal(rows.count, 0);
  int64_t at = 0;
  for (int i = 0; i < ROWS; i++) {
    assert_int_equal(at, A.ptr[i]);
    for (int j = 0; j < COLUMNS; j++) {
      if (!stored[i][j]) continue;
      assert_int_equal(A.col[at], j);
      assert_true(A.val[at++] == expected[i][j]);
    }
  }
  assert_int_equal(at, A.ptr[ROWS]);
  ovk__rows_clear(&rows);
}
