/* SPDX-License-Identifier: BSD-2-Clause */
/* Row layouts: which rank holds which rows, and comparing layouts without messages. */
#include "matrix/layout/layout.h"
#include "support/test_main.h"

/* Some distributions of rows, with and without empty ranks. */
enum { WAYS = 6 };

static ovk_lidx rows_of(int way, int rank)
{
  switch (way) {
  case 0:
    return 0;
  case 1:
    return 5;
  case 2:
    return 3 * rank; /* the first rank is empty */
  case 3:
    return rank % 2 ? 4 : 0; /* every other rank is empty, the first and perhaps the last one too */
  case 4:
    return rank == test_size - 1 ? 9 : 0;
  default:
    return rank == 0 ? INT32_MAX : 1; /* more rows than an int can count */
  }
}

static ovk__layout make_layout(ovk_lidx nlocal)
{
  ovk__layout layout;
  assert_ok(ovk__layout_create(test_ctx(), nlocal, &layout));
  return layout;
}

TEST(a_layout_adds_up_the_rows_of_the_ranks_before)
{
  for (int way = 0; way < WAYS; way++) {
    ovk_gidx first = 0, global = 0;
    for (int rank = 0; rank < test_size; rank++) {
      if (rank == test_rank) first = global;
      global += rows_of(way, rank);
    }
    const ovk__layout layout = make_layout(rows_of(way, test_rank));
    assert_int_equal(layout.first, first);
    assert_int_equal(layout.global, global);
    assert_int_equal(layout.local, rows_of(way, test_rank));
  }
}

TEST(layouts_with_equal_rows_are_the_same)
{
  for (int way = 0; way < WAYS; way++) {
    const ovk__layout a = make_layout(rows_of(way, test_rank)),
                      b = make_layout(rows_of(way, test_rank));
    assert_true(ovk__layout_same(&a, &b));
  }
}

TEST(different_ways_to_deal_out_rows_are_different_layouts)
{
  for (int way = 0; way < WAYS; way++) {
    for (int other = 0; other < WAYS; other++) {
      bool same = true;
      for (int rank = 0; rank < test_size; rank++)
        same = same && rows_of(way, rank) == rows_of(other, rank);
      const ovk__layout a = make_layout(rows_of(way, test_rank)),
                        b = make_layout(rows_of(other, test_rank));
      assert_int_equal(ovk__layout_same(&a, &b), same);
    }
  }
}

TEST(ranks_that_swap_their_sizes_make_another_layout)
{
  if (test_size == 1) return;
  for (int from = 0; from < test_size; from++) {
    for (int to = 0; to < from; to++) {
      const int swapped = test_rank == from ? to : test_rank == to ? from : test_rank;
      const ovk__layout a = make_layout(10 + test_rank), b = make_layout(10 + swapped);
      assert_int_equal(a.global, b.global);
      assert_false(ovk__layout_same(&a, &b)); /* also on ranks whose own rows are the same */
    }
  }
}

TEST(every_row_has_the_owner_that_holds_it)
{
  for (int way = 0; way < WAYS; way++) {
    scoped_array ovk_gidx *first = NULL;
    const ovk__layout layout = make_layout(rows_of(way, test_rank));
    assert_ok(ovk__layout_gather(test_ctx(), &layout, &first));
    assert_int_equal(first[test_size], layout.global);
    for (int rank = 0; rank < test_size; rank++) {
      const ovk_lidx n = rows_of(way, rank);
      assert_int_equal(first[rank + 1] - first[rank], n);
      const ovk_gidx step = n > 100 ? n - 1 : 1; /* of many, the first and the last one */
      for (ovk_gidx k = 0; k < n; k += step)
        assert_int_equal(ovk__layout_owner(first, test_size, first[rank] + k), rank);
    }
  }
}

TEST(even_shares_differ_by_one_row_at_most)
{
  for (ovk_gidx n = 0; n < 40; n++) {
    ovk_lidx nlocal = -1;
    assert_ok(ovk__layout_even(test_ctx(), n, &nlocal));
    assert_int_equal(nlocal, n / test_size + (test_rank < n % test_size));
    assert_int_equal(make_layout(nlocal).global, n);
  }
}

TEST(more_rows_than_a_rank_can_count_are_an_error)
{
  ovk_lidx nlocal = -1;
  const ovk_gidx most = (ovk_gidx)INT32_MAX * test_size;
  assert_ok(ovk__layout_even(test_ctx(), most - 1, &nlocal));
  assert_error(ovk__layout_even(test_ctx(), most + test_size, &nlocal), OVK_ERR_RANGE, "rows on");
}
