/* SPDX-License-Identifier: BSD-2-Clause */
/* Matrices in the reverse Cuthill-McKee order: entries, vectors, descriptions, new values. */
#include "support/problem.h"

enum { N = 8, LARGE = 140 }; /* points in each direction */

/* Rank 1 has no rows, where there is another. */
static ovk_lidx share(int points)
{
  const int n = points * points;
  if (test_size == 1) return n;
  return test_rank == 1 ? 0 : even_share(n, test_rank > 1 ? test_rank - 1 : 0, test_size - 1);
}

static double weight(ovk_gidx p, ovk_gidx q, double scale)
{
  return -scale / (double)(1 + (p + q) % 7);
}

/* Exchanges each row of a rank with a random one of those before it. */
static void shuffle_rows(ovk_gidx *row, ovk_lidx n)
{
  dice d = {.seed = 1};
  for (ovk_lidx i = 1; i < n; i++) {
    const ovk_lidx j = dice_below(&d, i + 1);
    const ovk_gidx kept = row[i];
    row[i] = row[j];
    row[j] = kept;
  }
}

/* The row of each of n points; those of a rank are shuffled. */
static ovk_gidx *rows_of_points(ovk_lidx own, ovk_gidx n, bool shuffle)
{
  ovk_gidx *row = calloc((size_t)n, sizeof *row), at = 0;
  assert_non_null(row);
  for (ovk_gidx p = 0; p < n; p++) row[p] = p;
  for (int rank = 0; rank < test_size && shuffle; rank++) {
    ovk_lidx count = own;
    MPI_Bcast(&count, 1, MPI_INT32_T, rank, MPI_COMM_WORLD);
    shuffle_rows(row + at, count);
    at += count;
  }
  return row;
}

/* Adds the entries of points x points points, each coupled with its four neighbors. */
static void add_points(ovk_mat *A, int points, bool shuffle, double scale)
{
  static const int step[4][2] = {{0, -1}, {-1, 0}, {1, 0}, {0, 1}};
  const ovk_gidx first = ovk_mat_row_begin(A), end = ovk_mat_row_end(A);
  ovk_gidx *row = rows_of_points(ovk_mat_local_size(A), ovk_mat_size(A), shuffle);
  for (ovk_gidx p = first; p < end; p++) {
    const int x = (int)(p % points), y = (int)(p / points);
    assert_ok(ovk_mat_add(A, row[p], row[p], 5 * scale));
    for (int k = 0; k < 4; k++) {
      const int u = x + step[k][0], v = y + step[k][1];
      if (u < 0 || v < 0 || u >= points || v >= points) continue;
      const ovk_gidx q = u + (ovk_gidx)v * points;
      assert_ok(ovk_mat_add(A, row[p], row[q], weight(p, q, scale)));
    }
  }
  free(row);
}

static ovk_mat *new_grid(int points, bool shuffle, const char *format)
{
  ovk_mat *A = new_mat(share(points));
  assert_ok(ovk_mat_set_format(A, format));
  add_points(A, points, shuffle, 1);
  return assembled(A);
}

static ovk_mat *reordered(const ovk_mat *A)
{
  ovk_mat *B = NULL;
  assert_ok(ovk_mat_reorder(A, &B));
  return B;
}

/* Asserts that B is A in another order: P A x = B P x. */
static void assert_reordered_product(const ovk_mat *A, const ovk_mat *B)
{
  scoped_vec *x = new_vec(A), *y = new_vec(A), *Px = new_vec(B), *Py = new_vec(B);
  scoped_vec *wanted = new_vec(B);
  fill_random(x, 3);
  assert_ok(ovk_mat_to_order(B, x, Px));
  assert_ok(ovk_mat_mult(A, x, y));
  assert_ok(ovk_mat_mult(B, Px, Py));
  assert_ok(ovk_mat_to_order(B, y, wanted));
  for (ovk_lidx i = 0; i < ovk_vec_local_size(y); i++) {
    assert_true(fabs(ovk_vec_array(Py)[i] - ovk_vec_array(wanted)[i]) < 1e-13);
  }
}

TEST(a_reordered_matrix_has_the_same_entries)
{
  static const char *const formats[] = {"auto", "csr", "sell", "sym"};
  for (int k = 0; k < 4; k++) {
    scoped_mat *A = new_grid(N, true, formats[k]), *B = reordered(A);
    assert_true(ovk_mat_nnz(B) == ovk_mat_nnz(A));
    if (k > 0) assert_string_equal(ovk_mat_format(B), ovk_mat_format(A));
    assert_reordered_product(A, B);
  }
}

TEST(an_order_has_each_row_once)
{
  scoped_mat *A = new_grid(N, true, "auto"), *B = reordered(A);
  const ovk_lidx *order = ovk_mat_order(B), n = ovk_mat_local_size(B);
  scoped_vec *v = new_vec(A), *w = new_vec(A), *back = new_filled(A, -1);
  assert_null(ovk_mat_order(A));
  for (ovk_lidx i = 0; i < n; i++) ovk_vec_array(v)[i] = i;
  assert_ok(ovk_mat_to_order(B, v, w));
  for (ovk_lidx i = 0; i < n; i++) assert_true(ovk_vec_array(w)[i] == order[i]);
  assert_ok(ovk_mat_from_order(B, w, back));
  assert_same_vec(v, back);
}

TEST(coupled_rows_get_near_numbers)
{
  bool scattered = false;
  scoped_mat *A = new_grid(LARGE, true, "sell"), *natural = new_grid(LARGE, false, "sell");
  const bool large = test_size < 3; /* others have too few rows a rank */
  assert_ok(ovk_mat_is_scattered(natural, &scattered));
  assert_false(scattered);
  assert_ok(ovk_mat_is_scattered(A, &scattered));
  assert_int_equal(scattered, large);
  scoped_mat *B = reordered(A);
  assert_ok(ovk_mat_is_scattered(B, &scattered));
  assert_false(scattered);
}

TEST(a_solve_in_the_other_order_has_the_same_solution)
{
  scoped_mat *A = new_grid(N, true, "auto"), *B = reordered(A);
  scoped_precond *M = new_precond(A, "jacobi"), *N_ = new_precond(B, "jacobi");
  scoped_vec *b = new_vec(A), *x = new_vec(A), *Pb = new_vec(B), *Px = new_vec(B),
             *back = new_vec(A);
  fill_random(b, 5);
  const ovk_solver_opts opts = solver_opts(.method = "cg", .rtol = 1e-12);
  const ovk_result natural = solve_alike(A, M, b, x, &opts);
  assert_ok(ovk_mat_to_order(B, b, Pb));
  const ovk_result other = solve_alike(B, N_, Pb, Px, &opts);
  assert_int_equal(natural.reason, other.reason);
  assert_in_range(other.iterations, natural.iterations - 1, natural.iterations + 1);
  assert_ok(ovk_mat_from_order(B, Px, back));
  for (ovk_lidx i = 0; i < ovk_vec_local_size(x); i++) {
    assert_true(fabs(ovk_vec_array(back)[i] - ovk_vec_array(x)[i]) < 1e-10);
  }
}

TEST(new_values_follow)
{
  scoped_mat *A = new_grid(N, true, "auto"), *B = reordered(A);
  assert_ok(ovk_mat_reset_values(A));
  add_points(A, N, true, 3);
  assert_ok(ovk_mat_assemble(A));
  assert_ok(ovk_mat_reorder_values(A, B));
  assert_reordered_product(A, B);
  scoped_mat *other = new_grid(N, false, "auto"); /* with another pattern */
  if (test_size == 1) {
    assert_error(ovk_mat_reorder_values(other, B), OVK_ERR_RANGE, "not in the pattern");
  }
}

/* A matrix of 3 rows a point, with a block size, coordinates and a vector near its null space. */
TEST(points_stay_together_and_keep_their_description)
{
  enum { POINTS = 9 };
  scoped_mat *A = new_threes(POINTS, "sym3");
  const ovk_lidx n = 3 * POINTS;
  scoped_vec *near = new_vec(A);
  double xyz[3 * POINTS];
  int dim;
  for (int k = 0; k < n; k++) xyz[k] = test_rank + 1.0 / (k + 1);
  fill_random(near, 2);
  assert_ok(ovk_mat_set_block_size(A, 3));
  assert_ok(ovk_mat_set_coordinates(A, 3, xyz));
  assert_ok(ovk_mat_set_near_nullspace(A, 1, &near));
  scoped_mat *B = reordered(A);
  scoped_vec *wanted = new_vec(B);
  const ovk_lidx *order = ovk_mat_order(B);
  assert_string_equal(ovk_mat_format(B), "sym3");
  assert_int_equal(ovk_mat_block_size(B), 3);
  for (ovk_lidx i = 0; i < n; i++) assert_int_equal(order[i], order[i - i % 3] + i % 3);
  const double *moved = ovk_mat_coordinates(B, &dim);
  assert_int_equal(dim, 3);
  for (ovk_lidx i = 0; i < n; i++) assert_true(moved[i] == xyz[order[i]]);
  assert_int_equal(ovk_mat_near_nullspace_size(B), 1);
  assert_ok(ovk_mat_to_order(B, near, wanted));
  assert_same_vec(ovk_mat_near_nullspace_vec(B, 0), wanted);
  assert_reordered_product(A, B);
}

TEST(what_has_no_entries_is_refused)
{
  bool scattered = true;
  scoped_mat *open = new_mat(4), *shell = new_shell(4, NULL, .mult = no_product);
  assert_no_object(ovk_mat, ovk_mat_reorder(open, &none_), OVK_ERR_STATE, "not assembled");
  assert_no_object(ovk_mat, ovk_mat_reorder(shell, &none_), OVK_ERR_UNSUPPORTED, "matrix-free");
  assert_error(ovk_mat_is_scattered(open, &scattered), OVK_ERR_STATE, "not assembled");
  assert_ok(ovk_mat_is_scattered(shell, &scattered));
  assert_false(scattered);
}

TEST(a_null_of_one_rank_is_an_error_of_all)
{
  bool scattered;
  ovk_mat *B = NULL;
  scoped_mat *A = new_grid(N, true, "auto");
  const bool last = test_rank == test_size - 1;
  assert_error(ovk_mat_reorder(A, last ? NULL : &B), OVK_ERR_ARG, "out is NULL");
  assert_null(B);
  assert_error(ovk_mat_is_scattered(A, last ? NULL : &scattered), OVK_ERR_ARG, "scattered is NULL");
}

TEST(vectors_and_matrices_are_checked)
{
  scoped_mat *A = new_grid(N, true, "auto"), *B = reordered(A), *other = new_tridiagonal(3, 4);
  scoped_vec *v = new_vec(A), *w = new_vec(A), *short_ = new_vec(other);
  assert_error(ovk_mat_reorder_values(A, A), OVK_ERR_ARG, "not from ovk_mat_reorder()");
  assert_error(ovk_mat_reorder_values(other, B), OVK_ERR_ARG, "rows");
  assert_local_error(ovk_mat_to_order(A, v, w), OVK_ERR_ARG, "not from ovk_mat_reorder()");
  assert_local_error(ovk_mat_to_order(B, NULL, w), OVK_ERR_ARG, "v is NULL");
  assert_local_error(ovk_mat_from_order(B, w, NULL), OVK_ERR_ARG, "v is NULL");
  assert_local_error(ovk_mat_to_order(B, short_, short_), OVK_ERR_ARG, "");
  if (ovk_mat_local_size(A) > 0) {
    assert_local_error(ovk_mat_to_order(B, v, v), OVK_ERR_ARG, "share memory");
  }
}

TEST(exact_solves_refuse_the_order_of_a_partition)
{
  scoped_mat *A = new_grid(N, true, "csr"), *B = reordered(A);
  scoped_precond *M = new_precond(B, "jacobi");
  const ovk_solver_opts opts = solver_opts(.exact = "all");
  assert_no_solver(B, M, &opts, OVK_ERR_UNSUPPORTED, "ovk_mat_reorder()");
  scoped_precond *natural = new_precond(A, "jacobi");
  scoped_solver *solver = new_solver(A, natural, &opts); /* which puts A in order */
  scoped_mat *other = reordered(A);
  assert_reordered_product(A, other);
}
