/* SPDX-License-Identifier: BSD-2-Clause */
/* Solves with several right-hand sides: each column ends as its single solve, by every method, with
 * every preconditioner, norm, backend and halo, for any number of columns. */
#include "columns.h"
#include "support/methods.h"

TEST(any_number_of_columns_ends_as_single_solves)
{
  scoped_mat *A = new_laplace27(5, 4, 3);
  scoped_precond *M = new_precond(A, "jacobi");
  const ovk_solver_opts opts = with_method("cg");
  for (int n = 1; n <= MOST_COLUMNS; n++) check_columns(A, M, &opts, n);
}

TEST(columns_of_every_method_end_as_single_solves)
{
  scoped_mat *A = new_tridiagonal(12, 2.5);
  scoped_precond *M = new_precond(A, "ic");
  FOR_EACH_METHOD(opts) check_columns(A, M, &opts, 3);
}

TEST(columns_with_every_preconditioner_and_norm_end_as_single_solves)
{
  static const char *const specs[] = {"none",      "jacobi",  "ssor", "ic",
                                      "chebyshev", "bjacobi", "amg"};
  scoped_mat *A = new_laplace27(4, 4, 3);
  for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
    scoped_precond *M = new_precond(A, specs[k]);
    ovk_solver_opts opts = with_method("two-reductions");
    opts.rtol = 1e-10;
    for (int norm = OVK_NORM_UNPRECONDITIONED; norm <= OVK_NORM_NATURAL; norm++) {
      opts.norm = (ovk_norm)norm;
      scoped_columns C = new_columns(A, 5);
      solve_columns_once(&C, M, &opts);
      for (int c = 0; c < C.columns; c++) assert_true(C.results[c].true_relative_residual < 1e-8);
    }
  }
}

/* b is a sum of c + 1 eigenvectors, so that column c takes c + 1 iterations. */
TEST(columns_that_end_one_after_the_other_end_as_single_solves)
{
  enum { EACH = 7, N = 8 };
  scoped_mat *A = new_tridiagonal(EACH, 2);
  const double pi = acos(-1), n = (double)ovk_mat_size(A);
  const ovk_solver_opts opts = with_method("cg");
  scoped_columns C = new_columns(A, N), start = new_columns(A, N);
  for (int c = 0; c < N; c++) {
    for (ovk_lidx i = 0; i < EACH; i++) {
      const double row = (double)(ovk_mat_row_begin(A) + i + 1);
      double b = 0;
      for (int k = 1; k <= (3 * c) % N + 1; k++) b += sin(k * pi * row / (n + 1));
      *entry_of(&C, C.b, c, i) = b;
    }
  }
  solve_columns_once(&C, NULL, &opts);
  check_single_solves(&C, &start, NULL, &opts, 1e-6);
}

TEST(columns_start_from_their_initial_guesses)
{
  scoped_mat *A = new_laplace7(4, 3, 5);
  scoped_precond *M = new_precond(A, "jacobi");
  const ovk_solver_opts opts = with_method("cg");
  scoped_columns C = new_columns(A, 6), start = new_columns(A, 6);
  solve_columns_once(&C, M, &opts);
  const size_t rows = (size_t)ovk_mat_local_size(A);
  if (rows) memcpy(entry_of(&start, start.x, 2, 0), entry_of(&C, C.x, 2, 0), rows * sizeof(double));
  for (size_t i = 0; i < rows; i++) start.x[i] = 0.5 * C.x[i];
  memcpy(C.x, start.x, 6 * rows * sizeof(double));
  solve_columns_once(&C, M, &opts);
  assert_int_equal(C.results[2].iterations, 0);
  check_single_solves(&C, &start, M, &opts, 1e-5);
}

/* 11 columns are stored as 8, 2 and 1, with padding after the 14 numbers of the two. */
TEST(a_guess_at_the_end_of_the_last_column_is_found)
{
  enum { EACH = 7, N = 11 };
  scoped_mat *A = new_tridiagonal(EACH, 2.5);
  scoped_precond *M = new_precond(A, "jacobi");
  const ovk_solver_opts opts = with_method("cg");
  scoped_columns C = new_columns(A, N), start = new_columns(A, N);
  *entry_of(&C, C.x, N - 1, EACH - 1) = 100;
  *entry_of(&start, start.x, N - 1, EACH - 1) = 100;
  solve_columns_once(&C, M, &opts);
  assert_int_equal(C.results[N - 1].restarts, 0);
  check_single_solves(&C, &start, M, &opts, 1e-6);
}

TEST(equal_columns_have_equal_bits)
{
  scoped_mat *A = new_laplace27(4, 3, 3);
  scoped_precond *M = new_precond(A, "ic");
  const ovk_solver_opts opts = with_method("cg");
  scoped_columns C = new_columns(A, 8);
  const size_t bytes = (size_t)ovk_mat_local_size(A) * sizeof(double);
  for (int c = 1; c < 8; c++) memcpy(entry_of(&C, C.b, c, 0), C.b, bytes);
  solve_columns_once(&C, M, &opts);
  for (int c = 1; c < 8; c++) {
    assert_memory_equal(entry_of(&C, C.x, c, 0), C.x, bytes);
    assert_int_equal(C.results[c].iterations, C.results[0].iterations);
  }
}

TEST(ranks_without_rows_take_part)
{
  enum { N = 24 };
  scoped_array double *dense = random_spd(N, 1e3, 4);
  scoped_mat *A = distribute(test_ctx(), dense, N, is_last() ? N : 0);
  scoped_precond *M = new_precond(A, "jacobi");
  const ovk_solver_opts opts = with_method("cg");
  check_columns(A, M, &opts, 7);
}

/* The columns of a system as new_laplace27() makes it, in a context with this halo exchange. */
static columns solve_by_halo(const char *halo, const ovk_solver_opts *opts)
{
  const int n[3] = {4, 3, 3}, grid[3] = {1, 1, test_size};
  scoped_mat *A = NULL;
  if (halo) setenv("OVK_HALO", halo, 1);
  scoped_ctx *ctx = new_ctx();
  unsetenv("OVK_HALO");
  assert_ok(ovk_gallery_laplace27(ctx, n, grid, NULL, &A));
  columns C = new_columns(A, 5);
  solve_columns_once(&C, NULL, opts);
  return C;
}

TEST(exact_sums_give_the_same_bits_over_every_backend_and_halo)
{
  static const char *const backends[] = {"blocking", "iallreduce", "nbc:alg=ring", "shm",
                                         "emulate-latency:us=20|nbc:alg=tree"};
  static const char *const halos[] = {NULL, "p2p", "nbc"};
  ovk_solver_opts opts = with_method("cg");
  scoped_columns should;
  opts.exact = "sums";
  for (int k = 0; k < 7; k++) {
    opts.backend = backends[k < 5 ? k : 0];
    columns C = solve_by_halo(halos[k < 5 ? 0 : k - 4], &opts);
    if (k > 0) {
      check_same_columns(&C, &should);
      clear_columns(&C);
    } else {
      should = C;
    }
  }
}

/* Column c is the single solve for its b, bit for bit. */
static void check_bits_of_column(const columns *C, int c, ovk_solver *solver)
{
  scoped_vec *b = new_vec(C->A), *x = new_vec(C->A);
  ovk_result single = OVK_RESULT;
  const size_t bytes = (size_t)ovk_mat_local_size(C->A) * sizeof(double);
  if (bytes) memcpy(ovk_vec_array(b), entry_of(C, C->b, c, 0), bytes);
  assert_ok(ovk_solver_solve(solver, b, x, &single));
  if (bytes) assert_memory_equal(entry_of(C, C->x, c, 0), ovk_vec_array(x), bytes);
  assert_int_equal(C->results[c].iterations, single.iterations);
  assert_true(single.fingerprint != 0 && C->results[c].fingerprint == single.fingerprint);
}

TEST(with_exact_all_each_column_has_the_bits_of_its_single_solve)
{
  static const char *const methods[] = {"cg", "two-reductions", "pipecg", "minres", "gmres"};
  scoped_mat *A = new_tridiagonal(11, 2.5);
  scoped_precond *M = new_precond(A, "jacobi");
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
    ovk_solver_opts opts = with_method(methods[k]);
    opts.exact = "all";
    scoped_solver *solver = new_solver(A, M, &opts);
    scoped_columns C = new_columns(A, 5);
    solve_columns(&C, solver);
    for (int c = 0; c < 5; c++) check_bits_of_column(&C, c, solver);
  }
}

TEST(a_solver_solves_for_more_and_for_fewer_columns_in_turn)
{
  static const int n[] = {2, 8, 1, 3, 11};
  scoped_mat *A = new_laplace27(3, 4, 3);
  const ovk_solver_opts opts = with_method("two-reductions");
  scoped_solver *solver = new_solver(A, NULL, &opts);
  for (int k = 0; k < 5; k++) {
    scoped_columns C = new_columns(A, n[k]), start = new_columns(A, n[k]);
    solve_columns(&C, solver);
    check_single_solves(&C, &start, NULL, &opts, 1e-5);
  }
}
