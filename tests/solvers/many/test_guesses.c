/* SPDX-License-Identifier: BSD-2-Clause */
/* Initial guesses from the last solutions: right-hand sides in their span, and near it, take few
 * iterations. */
#include "columns.h"

static ovk_solver_opts with_guesses(const char *method, int guesses)
{
  return solver_opts(.method = method, .guesses = guesses);
}

/* b <- the sum of c_k times random vectors */
static void combine(ovk_vec *b, int n, const double *c)
{
  scoped_vec *v = NULL;
  assert_ok(ovk_vec_duplicate(b, &v));
  assert_ok(ovk_vec_fill(b, 0));
  for (int k = 0; k < n; k++) {
    fill_random(v, (uint64_t)(k + 1));
    assert_ok(ovk_vec_axpy(c[k], v, b));
  }
}

/* The iterations of a solve for that b from x = 0, which converges. */
static int iterations_for(ovk_solver *solver, ovk_mat *A, int n, const double *c)
{
  scoped_vec *b = new_vec(A), *x = new_vec(A);
  combine(b, n, c);
  const ovk_result res = solve_from(solver, b, x);
  assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
  assert_true(res.true_relative_residual <= 1.01e-8);
  return res.iterations;
}

static const double first[3] = {1, 0, 0}, second[3] = {0, 1, 0}, third[3] = {0, 0, 1};

TEST(a_slowly_changing_right_hand_side_takes_fewer_iterations)
{
  enum { STEPS = 10 };
  scoped_mat *A = new_laplace7(6, 5, 7);
  scoped_precond *M = new_precond(A, "jacobi");
  const ovk_solver_opts off = with_method("cg"), on = with_guesses("cg", 4);
  scoped_solver *without = new_solver(A, M, &off), *with = new_solver(A, M, &on);
  int all[2] = {0, 0};
  for (int t = 0; t < STEPS; t++) {
    const double c[3] = {1, sin(0.02 * t), 1 / (1 + 0.01 * t)};
    const int longest = iterations_for(without, A, 3, c), n = iterations_for(with, A, 3, c);
    assert_true(n <= longest + (t > 0));
    all[0] += longest;
    all[1] += n;
  }
  assert_true(2 * all[1] < all[0]);
}

TEST(the_first_solve_has_the_bits_of_one_without_guesses)
{
  scoped_mat *A = new_laplace7(4, 3, 5);
  scoped_vec *b = new_vec(A), *x = new_vec(A), *plain = new_vec(A);
  fill_random(b, 1);
  for (int k = 0; k < 2; k++) {
    const ovk_solver_opts opts = with_guesses("cg", 3 * k);
    scoped_solver *solver = new_solver(A, NULL, &opts);
    assert_ok(ovk_solver_solve(solver, b, k ? x : plain, NULL));
  }
  assert_same_vec(x, plain);
}

TEST(the_last_solutions_span_the_guesses_and_the_oldest_leaves)
{
  const double last[3] = {0, 0.5, -2};
  scoped_mat *A = new_laplace7(4, 3, 5);
  const ovk_solver_opts opts = with_guesses("cg", 2);
  scoped_solver *solver = new_solver(A, NULL, &opts);
  const int alone = iterations_for(solver, A, 3, first);
  for (int round = 0; round < 3; round++) {
    assert_true(iterations_for(solver, A, 3, second) > alone / 2);
    assert_true(iterations_for(solver, A, 3, third) > alone / 2);
    assert_in_range(iterations_for(solver, A, 3, last), 0, 1);
    assert_true(iterations_for(solver, A, 3, first) > alone / 2);
  }
}

TEST(solutions_stay_of_use_for_new_values)
{
  enum { N = 20 };
  const double shift[2] = {2.5, 3.5};
  scoped_mat *A = new_tridiagonal(N, shift[0]);
  const ovk_solver_opts opts = with_guesses("cg", 3);
  scoped_solver *solver = new_solver(A, NULL, &opts);
  scoped_vec *b = new_vec(A), *x = new_vec(A), *sum = new_vec(A);
  for (int k = 0; k < 2; k++) {
    fill_random(b, (uint64_t)(k + 1));
    (void)solve_from_zero(solver, b, x);
    assert_ok(ovk_vec_axpy(k + 1, x, sum));
  }
  assert_ok(ovk_mat_reset_values(A));
  for (ovk_gidx i = ovk_mat_row_begin(A), end = i + N; i < end; i++) {
    add_tridiagonal_row(A, i, -1, shift[1] + 0.25 * (double)(i % 3), -1);
  }
  assert_ok(ovk_mat_assemble(A));
  assert_ok(ovk_solver_update(solver));
  assert_ok(ovk_mat_mult(A, sum, b));
  assert_in_range(solve_from_zero(solver, b, x).iterations, 0, 1);
}

/* Column c of b <- the sum of columns c and c + 1 of those before. */
static void add_neighbors(columns *C)
{
  const size_t n = (size_t)ovk_mat_local_size(C->A);
  for (int c = 0; c < C->columns - 1; c++) {
    for (size_t i = 0; i < n; i++) C->b[(size_t)c * n + i] += C->b[((size_t)c + 1) * n + i];
  }
  memset(C->x, 0, (size_t)C->columns * n * sizeof *C->x);
}

/* With a monitor columns are solved for one by one. */
TEST(columns_make_guesses_for_columns)
{
  ovk_progress entry;
  for (int watched = 0; watched < 2; watched++) {
    ovk_history history = {.entries = &entry, .capacity = 1};
    scoped_mat *A = new_laplace7(4, 3, 5);
    ovk_solver_opts opts = with_guesses("cg", 5);
    if (watched) opts.monitor = ovk_monitor_record;
    opts.monitor_arg = &history;
    scoped_solver *solver = new_solver(A, NULL, &opts);
    scoped_columns C = new_columns(A, 5);
    solve_columns(&C, solver);
    for (int c = 0; c < 5; c++) assert_true(C.results[c].iterations > 3);
    for (int again = 0; again < 2; again++) {
      add_neighbors(&C);
      solve_columns(&C, solver);
      for (int c = 0; c < 5; c++) {
        assert_true(C.results[c].reason > 0);
        assert_in_range(C.results[c].iterations, 0, 2);
      }
    }
  }
}

TEST(an_initial_guess_is_improved_and_a_nan_is_not_kept)
{
  scoped_mat *A = new_laplace7(4, 3, 5);
  const ovk_solver_opts opts = with_guesses("cg", 4);
  scoped_solver *solver = new_solver(A, NULL, &opts);
  scoped_vec *b = new_vec(A), *x = new_vec(A), *bad = new_vec(A);
  fill_random(b, 1);
  ovk_result res = solve_from(solver, b, x);
  assert_ok(ovk_vec_fill(bad, is_last() ? NAN : 1));
  res = solve_from(solver, bad, x);
  assert_int_equal(res.reason, OVK_REASON_NAN);
  fill_random(b, 2);
  res = solve_from_zero(solver, b, x);
  combine(b, 2, (const double[]){1, 1});
  res = solve_from(solver, b, x);
  assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
  assert_in_range(res.iterations, 0, 1);
}

TEST(exact_sums_have_guesses_too)
{
  static const char *const exact[] = {"sums", "all"};
  scoped_mat *A = new_tridiagonal(9, 2.5);
  scoped_precond *M = new_precond(A, "jacobi");
  for (int k = 0; k < 2; k++) {
    ovk_solver_opts opts = with_guesses("cg", 2);
    opts.exact = exact[k];
    scoped_solver *solver = new_solver(A, M, &opts);
    (void)iterations_for(solver, A, 3, first);
    (void)iterations_for(solver, A, 3, second);
    assert_in_range(iterations_for(solver, A, 2, (const double[]){2, -1}), 0, 1);
  }
}

TEST(guesses_that_are_no_number_or_need_a_definite_matrix_are_refused)
{
  scoped_mat *A = new_tridiagonal(6, 2.5);
  ovk_solver_opts opts = with_guesses("cg", -1);
  assert_no_solver(A, NULL, &opts, OVK_ERR_ARG, "guesses = -1");
  opts = with_guesses("minres", 2);
  assert_no_solver(A, NULL, &opts, OVK_ERR_UNSUPPORTED, "minres");
  opts = with_guesses("cg", is_last() ? 2 : 3);
  if (test_size > 1) assert_no_solver(A, NULL, &opts, OVK_ERR_ARG, "guesses");
}
