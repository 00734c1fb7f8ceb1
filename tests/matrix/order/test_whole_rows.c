/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows in the order of keys: each is the sum of two chains of additions, whether it is
 * multiplied alone or together with the rows after it. */
#include "matrix/order/whole_rows.h"
#include "support/random.h"
#include "support/test_main.h"

/* Columns from LOCAL on are ghosts; row i has the columns i + offset. */
enum { LOCAL = 24, GHOSTS = 16, ROWS = 13, WIDTH = 6, MOST_STRIDE = 2 };
static const int offsets[WIDTH] = {-7, -1, 0, 1, 6, 15};

typedef struct system_of_rows {
  double x[LOCAL], ghosts[MOST_STRIDE * GHOSTS], val[ROWS][WIDTH];
} system_of_rows;

/* The local row of a row number. With gaps no four rows follow each other. */
static ovk_lidx row_at(bool gaps, ovk_lidx k)
{
  return gaps ? 7 + k + k / 3 : 8 + k;
}

static void fill_rows(system_of_rows *s)
{
  dice d = {5, 0};
  for (int j = 0; j < LOCAL; j++) s->x[j] = dice_unit(&d) - 0.5;
  for (int j = 0; j < MOST_STRIDE * GHOSTS; j++) s->ghosts[j] = dice_unit(&d) - 0.5;
  for (int k = 0; k < ROWS; k++) {
    for (int l = 0; l < WIDTH; l++) s->val[k][l] = dice_unit(&d) - 0.5;
  }
}

static void make_rows(const system_of_rows *s, bool gaps, ovk__whole_rows *out)
{
  ovk__keyed_entry entries[WIDTH];
  assert_ok(ovk__whole_rows_make(test_ctx(), ROWS, (int64_t)ROWS * WIDTH, out));
  for (ovk_lidx k = 0; k < ROWS; k++) {
    const ovk_lidx i = row_at(gaps, k);
    for (int l = 0; l < WIDTH; l++) {
      const ovk_lidx j = i + offsets[l];
      entries[WIDTH - 1 - l] = (ovk__keyed_entry){.key = j, .col = j, .val = s->val[k][l]};
    }
    assert_ok(ovk__whole_rows_set(test_ctx(), out, k, i, i, WIDTH, entries));
  }
}

static double expected(const system_of_rows *s, ovk_lidx i, const double *val, int stride)
{
  double product[WIDTH], below = 0, above = 0;
  int l = 0;
  for (int k = 0; k < WIDTH; k++) {
    const ovk_lidx j = i + offsets[k];
    product[k] = val[k] * (j < LOCAL ? s->x[j] : s->ghosts[(ptrdiff_t)(j - LOCAL) * stride]);
  }
  for (; offsets[l] < 0; l++) below += product[l];
  for (int k = WIDTH - 1; k >= l; k--) above += product[k];
  return below + above;
}

static void check_rows(bool gaps, int stride)
{
  system_of_rows s;
  ovk__whole_rows w;
  double y[LOCAL];
  fill_rows(&s);
  make_rows(&s, gaps, &w);
  for (int i = 0; i < LOCAL; i++) y[i] = -1;
  ovk__whole_rows_mult(&w, LOCAL, s.x, s.ghosts, stride, y);
  ovk_lidx k = 0;
  for (ovk_lidx i = 0; i < LOCAL; i++) {
    const bool there = k < ROWS && i == row_at(gaps, k);
    assert_true(y[i] == (there ? expected(&s, i, s.val[k], stride) : -1));
    k += there;
  }
  assert_int_equal(k, ROWS);
  ovk__whole_rows_free(&w);
}

TEST(consecutive_rows_have_the_sums_of_single_ones)
{
  for (int stride = 1; stride <= MOST_STRIDE; stride++) check_rows(false, stride);
}

TEST(rows_with_gaps_between_them_are_multiplied_alone)
{
  for (int stride = 1; stride <= MOST_STRIDE; stride++) check_rows(true, stride);
}
