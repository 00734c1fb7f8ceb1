/* SPDX-License-Identifier: BSD-2-Clause */
/* Products whose rows are passed on as they are completed: the same bits in every format, each row
 * once, those that wait for other ranks too. */
#include "matrix/many.h"
#include "support/problem.h"

/* The values that were passed on for each row; y itself is overwritten. */
typedef struct passed {
  ovk_lidx n;
  int *times;
  double *y;
} passed;

static void take_rows(void *arg, ovk_lidx first, ovk_lidx rows, double *y)
{
  passed *p = arg;
  assert_true(first >= 0 && rows > 0 && first + rows <= p->n);
  for (ovk_lidx i = 0; i < rows; i++) {
    p->times[first + i]++;
    p->y[first + i] = y[i];
    y[i] = NAN;
  }
}

static passed new_passed(ovk_lidx n)
{
  passed p = {n, calloc((size_t)n + 1, sizeof *p.times), malloc(((size_t)n + 1) * sizeof *p.y)};
  assert_non_null(p.times);
  assert_non_null(p.y);
  return p;
}

/* A x with rows that are passed on, against the plain product. */
static void check(const ovk_mat *A, ovk_lidx every)
{
  scoped_vec *x = new_vec(A), *y = new_vec(A), *expected = new_vec(A);
  passed p = new_passed(ovk_mat_local_size(A));
  int calls = 0;
  fill_random(x, 1);
  assert_ok(ovk_mat_mult(A, x, expected));
  assert_ok(ovk__mat_mult_finish(A, 1, ovk_vec_array(x), ovk_vec_array(y),
                                 (ovk_poll){count_call, &calls, every},
                                 &(ovk__finish){take_rows, &p}));
  for (ovk_lidx i = 0; i < p.n; i++) assert_int_equal(p.times[i], 1);
  assert_memory_equal(p.y, ovk_vec_array(expected), (size_t)p.n * sizeof *p.y);
  assert_true(calls >= p.n / every);
  free(p.times);
  free(p.y);
}

TEST(every_format_passes_each_row_once_when_it_is_complete)
{
  const int n[3] = {13, 11, 9}, grid[3] = {1, 1, test_size};
  ovk_choice format = OVK_CHOICE;
  for (int f = 0; ovk_list_formats(NULL, f, &format); f++) {
    scoped_mat *A = NULL;
    if (strcmp(format.name, "sym3") == 0) {
      A = new_threes(429, format.name);
    } else {
      assert_ok(ovk_gallery_laplace7(test_ctx(), n, grid, format.name, &A));
    }
    check(A, 100);
    check(A, 1);
    check(A, 5000);
  }
}

TEST(boundary_rows_may_be_anywhere)
{
  const int n[3] = {7, 5, 6}, grid[3] = {test_size, 1, 1}; /* the first and last of each line */
  scoped_mat *A = NULL;
  assert_ok(ovk_gallery_laplace27(test_ctx(), n, grid, NULL, &A));
  check(A, 10);
}

TEST(ranks_may_have_no_rows)
{
  scoped_mat *A = new_tridiagonal(is_last() ? 9 : 0, 4);
  check(A, 1);
}

static ovk_err double_it(void *user, const double *x, double *y, ovk_poll poll)
{
  for (int i = 0; i < 5; i++) y[i] = 2 * x[i];
  ovk_poll_call(poll);
  return OVK_OK;
}

TEST(a_shell_passes_all_rows_at_the_end)
{
  scoped_mat *A = new_shell(5, NULL, .mult = double_it);
  check(A, 5);
}
