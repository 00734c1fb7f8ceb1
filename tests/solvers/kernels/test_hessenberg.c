/* SPDX-License-Identifier: BSD-2-Clause */
/* The least squares problem of GMRES, column by column, against the equations that define its
 * solution. */
#include "solvers/kernels/hessenberg.h"
#include "support/problem.h"

enum { MOST = 12, NUMBERS = 2 * MOST * (MOST + 1) + 4 * (MOST + 1) };
static const double BETA = 1.7, REGULAR = 1e-15;

static ovk__hessenberg make_hessenberg(double numbers[NUMBERS])
{
  ovk__hessenberg P;
  assert_int_equal(ovk__hessenberg_size(MOST), NUMBERS);
  ovk__hessenberg_place(&P, MOST, numbers);
  ovk__hessenberg_start(&P, BETA);
  return P;
}

static void fill_column(ovk__hessenberg *P, int j)
{
  double *h = P->H + ovk__hessenberg_at(P, 0, j);
  for (int i = 0; i <= j + 1; i++) h[i] = random_number(4, 100 * (uint64_t)j + (uint64_t)i) - 0.4;
}

/* r <- beta e_0 - H y of k columns; H^T r must vanish. */
static void check(const ovk__hessenberg *P, int k)
{
  double Hy[MOST + 1], norm = 0;
  ovk__hessenberg_multiply(P, k, P->y, Hy);
  for (int i = 0; i <= k; i++) {
    Hy[i] = (i == 0 ? BETA : 0) - Hy[i];
    norm = hypot(norm, Hy[i]);
  }
  assert_close(ovk__hessenberg_residual(P, k), norm, 1e-13);
  for (int j = 0; j < k; j++) {
    double dot = 0;
    for (int i = 0; i <= j + 1; i++) dot += P->H[ovk__hessenberg_at(P, i, j)] * Hy[i];
    assert_close(dot, 0, 1e-13);
  }
}

TEST(every_number_of_columns_has_its_least_squares_solution)
{
  double numbers[NUMBERS];
  ovk__hessenberg P = make_hessenberg(numbers);
  assert_close(ovk__hessenberg_residual(&P, 0), BETA, 0);
  for (int j = 0; j < MOST; j++) {
    fill_column(&P, j);
    assert_true(ovk__hessenberg_push(&P, j, REGULAR));
    ovk__hessenberg_solve(&P, j + 1);
    check(&P, j + 1);
  }
}

/* Column 3 is in the span of columns 0 to 2, and has 0 below it. */
TEST(a_column_that_depends_on_the_others_is_told_and_left_out)
{
  double numbers[NUMBERS];
  ovk__hessenberg P = make_hessenberg(numbers);
  for (int j = 0; j < 3; j++) {
    fill_column(&P, j);
    assert_true(ovk__hessenberg_push(&P, j, REGULAR));
  }
  const double before = ovk__hessenberg_residual(&P, 3), s[3] = {0.5, -1, 2};
  double *h = P.H + ovk__hessenberg_at(&P, 0, 3);
  ovk__hessenberg_multiply(&P, 3, s, h);
  h[4] = 0;
  assert_false(ovk__hessenberg_push(&P, 3, 1e-14));
  assert_close(ovk__hessenberg_residual(&P, 4), before, 0);
  ovk__hessenberg_solve(&P, 3);
  check(&P, 3);
}

/* The space is exhausted, and the solution exact. */
TEST(a_last_column_without_an_entry_below_leaves_no_residual)
{
  double numbers[NUMBERS];
  ovk__hessenberg P = make_hessenberg(numbers);
  for (int j = 0; j < 4; j++) {
    fill_column(&P, j);
    if (j == 3) P.H[ovk__hessenberg_at(&P, 4, 3)] = 0;
    assert_true(ovk__hessenberg_push(&P, j, REGULAR));
  }
  assert_close(ovk__hessenberg_residual(&P, 4), 0, 0);
  ovk__hessenberg_solve(&P, 4);
  check(&P, 4);
}
