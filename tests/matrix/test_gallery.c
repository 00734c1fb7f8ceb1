/* SPDX-License-Identifier: BSD-2-Clause */
/* The gallery against the definition: every entry of the product, on every way to cut the box. */
#include "support/problem.h"

/* Global row number of the point at (x, y, z) in the numbering of hypre. */
static ovk_gidx number(const int n[3], const int grid[3], const int at[3])
{
  ovk_gidx block = 0, inside = 0;
  for (int d = 2; d >= 0; d--) {
    block = block * grid[d] + at[d] / n[d];
    inside = inside * n[d] + at[d] % n[d];
  }
  return block * n[0] * n[1] * n[2] + inside;
}

/* (A x)(at) from the definition, for x(row) = random_number(4, row). */
static double expected(const int n[3], const int grid[3], const int at[3], int most_steps,
                       double diagonal)
{
  double sum = 0;
  for (int k = 0; k < 27; k++) {
    const int step[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
    int to[3];
    bool inside = abs(step[0]) + abs(step[1]) + abs(step[2]) <= most_steps;
    for (int d = 0; d < 3; d++) {
      to[d] = at[d] + step[d];
      inside = inside && to[d] >= 0 && to[d] < n[d] * grid[d];
    }
    if (!inside) continue;
    const double x = random_number(4, (uint64_t)number(n, grid, to));
    sum += k == 13 ? diagonal * x : -x;
  }
  return sum;
}

static void check_operator(const ovk_mat *A, const int n[3], const int grid[3], int most_steps,
                           double diagonal)
{
  scoped_vec *x = new_vec(A), *y = new_vec(A);
  const ovk_gidx first = ovk_vec_first(x);
  for (ovk_lidx i = 0; i < ovk_vec_local_size(x); i++) {
    ovk_vec_array(x)[i] = random_number(4, (uint64_t)(first + i));
  }
  assert_ok(ovk_mat_mult(A, x, y));
  int seen = 0;
  for (int k = 0; k < n[0] * grid[0] * n[1] * grid[1] * n[2] * grid[2]; k++) {
    const int nx = n[0] * grid[0], ny = n[1] * grid[1];
    const int at[3] = {k % nx, k / nx % ny, k / nx / ny};
    const ovk_gidx row = number(n, grid, at) - first;
    if (row < 0 || row >= ovk_vec_local_size(y)) continue;
    assert_close(ovk_vec_array(y)[row], expected(n, grid, at, most_steps, diagonal), 1e-13);
    seen++;
  }
  assert_int_equal(seen, ovk_vec_local_size(y));
}

TEST(both_operators_match_their_definition_on_every_grid)
{
  const int sizes[][3] = {{3, 4, 2}, {1, 1, 1}, {1, 3, 5}, {2, 1, 1}};
  for (int px = 1; px <= test_size; px++) {
    for (int py = 1; py <= test_size / px; py++) {
      if (test_size % (px * py)) continue;
      const int grid[3] = {px, py, test_size / px / py};
      for (int k = 0; k < 4; k++) {
        scoped_mat *A = NULL;
        int directions = 0; /* of more than one point */
        for (int d = 0; d < 3; d++) directions += sizes[k][d] * grid[d] > 1;
        assert_ok(ovk_gallery_laplace27(test_ctx(), sizes[k], grid, NULL, &A));
        check_operator(A, sizes[k], grid, 3, (const double[]){2, 2, 8, 26}[directions]);
        ovk_mat_destroy(&A);
        assert_ok(ovk_gallery_laplace7(test_ctx(), sizes[k], grid, "csr", &A));
        check_operator(A, sizes[k], grid, 1, (const double[]){2, 2, 4, 6}[directions]);
      }
    }
  }
}

TEST(the_number_of_entries_is_that_of_the_stencil)
{
  scoped_mat *A = NULL;
  const int n[3] = {4, 5, 6}, grid[3] = {test_size, 1, 1};
  assert_ok(ovk_gallery_laplace27(test_ctx(), n, grid, NULL, &A));
  assert_int_equal(ovk_mat_nnz(A), (3 * 4 * test_size - 2) * (3 * 5 - 2) * (3 * 6 - 2));
}

/* Along x, then all three directions: the entries of the row of an inner point, in the order of
 * columns. */
static ovk_err check_row(void *arg, ovk_gidx i, ovk_lidx n, const ovk_gidx *col, const double *val)
{
  const double *expected = arg; /* diagonal, lower, upper */
  int lower = 0, upper = 0;
  for (ovk_lidx k = 0; k < n; k++) {
    assert_true(val[k] == expected[col[k] < i ? 1 : col[k] > i ? 2 : 0]);
    lower += col[k] < i;
    upper += col[k] > i;
  }
  assert_true(lower <= 3 && upper <= 3 && n == 1 + lower + upper);
  return OVK_OK;
}

TEST(convection_and_shift_change_the_stencil)
{
  ovk_mat *A = NULL;
  double asymmetry;
  const int n[3] = {4, 3, 3}, grid[3] = {1, 1, test_size}; /* rows increase with x, y and z */
  double upwind[3] = {7.5, -1.5, -1}, central[3] = {6, -2.5, 0.5}, shifted[3] = {5.25, -1, -1};
  assert_ok(ovk_gallery_convdiff7(test_ctx(), n, grid, 0.5, false, "csr", &A));
  assert_ok(ovk_mat_for_each_row(A, check_row, upwind));
  ovk_mat_destroy(&A);
  assert_ok(ovk_gallery_convdiff7(test_ctx(), n, grid, 3, true, NULL, &A));
  assert_ok(ovk_mat_for_each_row(A, check_row, central));
  ovk_mat_destroy(&A);
  assert_ok(ovk_gallery_helmholtz7(test_ctx(), n, grid, 0.75, NULL, &A));
  assert_ok(ovk_mat_for_each_row(A, check_row, shifted));
  assert_ok(ovk_mat_asymmetry(A, &asymmetry));
  assert_true(asymmetry < 1e-14);
  ovk_mat_destroy(&A);
  const double bad = test_rank == test_size - 1 ? NAN : 1;
  assert_error(ovk_gallery_convdiff7(test_ctx(), n, grid, bad, false, NULL, &A), OVK_ERR_ARG,
               "the Peclet number is nan");
  assert_error(ovk_gallery_convdiff7(test_ctx(), n, grid, -1, false, NULL, &A), OVK_ERR_ARG,
               "the Peclet number is -1");
  assert_error(ovk_gallery_helmholtz7(test_ctx(), n, grid, INFINITY, NULL, &A), OVK_ERR_ARG,
               "the shift is inf");
  if (test_size > 1) {
    assert_error(ovk_gallery_helmholtz7(test_ctx(), n, grid, test_rank, NULL, &A), OVK_ERR_ARG,
                 "different stencils");
  }
  assert_null(A);
}

TEST(convection_and_shift_count_no_direction_of_one_point)
{
  scoped_mat *A = NULL;
  const int n[3] = {1, 5, 3}, grid[3] = {1, 1, test_size};
  double upwind[3] = {5, -1.5, -1}, shifted[3] = {3.25, -1, -1};
  assert_ok(ovk_gallery_convdiff7(test_ctx(), n, grid, 0.5, false, "csr", &A));
  assert_ok(ovk_mat_for_each_row(A, check_row, upwind));
  ovk_mat_destroy(&A);
  assert_ok(ovk_gallery_helmholtz7(test_ctx(), n, grid, 0.75, NULL, &A));
  assert_ok(ovk_mat_for_each_row(A, check_row, shifted));
}

TEST(sizes_and_grids_that_do_not_fit_are_refused)
{
  ovk_ctx *ctx = test_ctx();
  scoped_mat *A = NULL;
  const int n[3] = {2, 2, 2}, grid[3] = {test_size, 1, 1}, wrong[3] = {test_size, 2, 1};
  const int zero[3] = {2, 0, 2}, huge[3] = {2000, 2000, 2000};
  const int *bad_on_last = test_rank == test_size - 1 ? zero : n;
  assert_error(ovk_gallery_laplace27(ctx, n, wrong, NULL, &A), OVK_ERR_ARG, "ranks");
  assert_error(ovk_gallery_laplace27(ctx, bad_on_last, grid, NULL, &A), OVK_ERR_ARG,
               "2 x 0 x 2 points");
  assert_error(ovk_gallery_laplace7(ctx, huge, grid, NULL, &A), OVK_ERR_RANGE,
               "2000 x 2000 x 2000");
  assert_error(ovk_gallery_laplace27(ctx, n, NULL, NULL, &A), OVK_ERR_ARG, "grid is NULL");
  assert_error(ovk_gallery_laplace27(ctx, n, grid, NULL, NULL), OVK_ERR_ARG, "out is NULL");
  assert_error(ovk_gallery_laplace27(ctx, n, grid, "ccsr", &A), OVK_ERR_UNKNOWN, "'csr'");
  if (test_size == 2) { /* each would fit by itself */
    const int along_x[3] = {2, 1, 1}, along_y[3] = {1, 2, 1};
    const int *differing = test_rank ? along_x : along_y;
    assert_error(ovk_gallery_laplace7(ctx, n, differing, NULL, &A), OVK_ERR_ARG, "different boxes");
  }
  assert_null(A);
  assert_ok(ovk_gallery_laplace7(ctx, n, grid, test_rank ? NULL : "csr", &A));
}
