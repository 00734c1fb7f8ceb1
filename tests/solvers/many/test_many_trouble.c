/* SPDX-License-Identifier: BSD-2-Clause */
/* Columns that fail, and solves whose columns are solved one after the other. A column never
 * changes another, and its reason and message are those of its single solve. */
#include "columns.h"

/* n columns. Number `odd` of them has this value in one row. */
static columns solve_with_odd_entry(ovk_mat *A, ovk_precond *M, int n, int odd, double value)
{
  const ovk_solver_opts opts = with_method("cg");
  columns C = new_columns(A, n), start = new_columns(A, n);
  if (is_last()) *entry_of(&C, C.b, odd, 1) = value;
  solve_columns_once(&C, M, &opts);
  check_single_solves(&C, &start, M, &opts, 1e-5);
  clear_columns(&start);
  return C;
}

TEST(a_nan_stays_in_its_column)
{
  scoped_mat *A = new_laplace27(4, 3, 3);
  scoped_precond *M = new_precond(A, "ic");
  for (int odd = 0; odd < 9; odd += 4) {
    scoped_columns C = solve_with_odd_entry(A, M, 9, odd, NAN);
    assert_int_equal(C.results[odd].reason, OVK_REASON_NAN);
    assert_non_null(strstr(C.messages[odd], "entries of b"));
    assert_non_null(strstr(C.summary, "1 of 9 columns"));
  }
}

TEST(columns_out_of_the_range_of_squares_end_as_single_solves)
{
  scoped_mat *A = new_laplace27(4, 3, 3);
  scoped_precond *M = new_precond(A, "jacobi");
  scoped_columns C = solve_with_odd_entry(A, M, 3, 1, 1e200);
  assert_int_equal(C.results[1].reason, OVK_REASON_CONVERGED_RTOL);
}

TEST(a_column_of_zeros_converges_at_once)
{
  scoped_mat *A = new_tridiagonal(9, 2.5);
  const ovk_solver_opts opts = with_method("cg");
  scoped_columns C = new_columns(A, 4);
  memset(entry_of(&C, C.b, 1, 0), 0, 9 * sizeof(double));
  *entry_of(&C, C.x, 1, 3) = 7;
  solve_columns_once(&C, NULL, &opts);
  assert_int_equal(C.results[1].reason, OVK_REASON_CONVERGED_ZERO_RHS);
  for (ovk_lidx i = 0; i < 9; i++) assert_true(*entry_of(&C, C.x, 1, i) == 0);
  for (int c = 0; c < 4; c++) assert_true(C.results[c].reason > 0);
}

/* b of the columns that `sees` names has the direction of the negative eigenvalue. */
static columns solve_negative_row(ovk_mat *A, const ovk_solver_opts *opts, int n, unsigned sees)
{
  columns C = new_columns(A, n);
  for (int c = 0; c < n && is_last(); c++) *entry_of(&C, C.b, c, 4) = sees >> c & 1 ? 10 : 0;
  solve_columns_once(&C, NULL, opts);
  return C;
}

TEST(an_indefinite_direction_ends_its_columns_only)
{
  scoped_mat *A = new_negative_row();
  const ovk_solver_opts opts = with_method("cg");
  scoped_columns C = solve_negative_row(A, &opts, 6, 1u << 2 | 1u << 5);
  for (int c = 0; c < 6; c++) {
    const bool sees = c == 2 || c == 5;
    assert_int_equal(C.results[c].reason,
                     sees ? OVK_REASON_BREAKDOWN_INDEFINITE_A : OVK_REASON_CONVERGED_RTOL);
    if (sees) assert_non_null(strstr(C.messages[c], "(p, A p) = -"));
  }
  assert_non_null(strstr(C.summary, "2 of 6 columns have not converged; column 2"));
}

TEST(auto_continues_with_another_method_for_an_indefinite_matrix)
{
  scoped_mat *A = new_tridiagonal(8, 0.5);
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  opts.backend = "blocking";
  scoped_columns C = new_columns(A, 5);
  solve_columns_once(&C, NULL, &opts);
  for (int c = 0; c < 5; c++) assert_int_equal(C.results[c].reason, OVK_REASON_CONVERGED_RTOL);
}

TEST(the_worst_result_has_not_converged_or_has_most_iterations)
{
  ovk_result results[3] = {OVK_RESULT, OVK_RESULT, OVK_RESULT};
  for (int c = 0; c < 3; c++) {
    results[c].reason = OVK_REASON_CONVERGED_RTOL;
    results[c].iterations = c == 1 ? 9 : 7;
  }
  assert_int_equal(ovk_results_worst(results, 3), 1);
  results[2].reason = OVK_REASON_MAXIT;
  assert_int_equal(ovk_results_worst(results, 3), 2);
  assert_int_equal(ovk_results_worst(NULL, 3), 0);
}

TEST(maxit_ends_each_column_with_its_message)
{
  scoped_mat *A = new_tridiagonal(20, 2);
  ovk_solver_opts opts = with_method("cg");
  opts.maxit = 4;
  scoped_columns C = new_columns(A, 3), start = new_columns(A, 3);
  solve_columns_once(&C, NULL, &opts);
  check_single_solves(&C, &start, NULL, &opts, 0);
  for (int c = 0; c < 3; c++) {
    assert_int_equal(C.results[c].reason, OVK_REASON_MAXIT);
    assert_true(C.results[c].true_relative_residual > 1e-8);
    assert_non_null(strstr(C.messages[c], "not converged after 4 iterations"));
  }
}

/* The recurrence of a tolerance below the rounding errors is not confirmed. */
TEST(a_column_that_is_not_confirmed_goes_on_by_itself)
{
  enum { N = 30 };
  scoped_array double *dense = random_spd(N, 1e9, 4);
  scoped_mat *A = distribute(test_ctx(), dense, N, even_share(N, test_rank, test_size));
  ovk_solver_opts opts = with_method("cg");
  opts.rtol = 1e-15;
  scoped_columns C = new_columns(A, 4);
  solve_columns_once(&C, NULL, &opts);
  for (int c = 0; c < 4; c++) {
    const ovk_result *res = &C.results[c];
    assert_true(res->restarts > 0);
    assert_true(res->reason < 0 || res->true_relative_residual <= 1.01e-15);
  }
}

static void check_monitored(const ovk_monitor_fn monitor)
{
  ovk_progress entries[100];
  ovk_history history = {.entries = entries, .capacity = 100};
  scoped_mat *A = new_tridiagonal(6, 2.5);
  ovk_solver_opts opts = with_method("cg");
  opts.monitor = monitor;
  opts.monitor_arg = &history;
  scoped_columns C = new_columns(A, 3);
  solve_columns_once(&C, NULL, &opts);
  int seen = 0;
  for (int c = 0; c < 3 && monitor; c++)
    for (int i = 0; i <= C.results[c].iterations; i++) assert_int_equal(entries[seen++].column, c);
  assert_int_equal(history.count, seen);
}

TEST(a_monitor_sees_all_columns)
{
  check_monitored(ovk_monitor_record);
}

TEST(a_monitor_of_one_rank_sees_all_columns)
{
  check_monitored(is_last() ? ovk_monitor_record : NULL);
}

/* The Laplacian of a path of so many points a rank: singular. */
static ovk_mat *new_path(ovk_lidx points)
{
  ovk_mat *A = new_mat(points);
  for (ovk_gidx i = ovk_mat_row_begin(A), end = i + points, n = ovk_mat_size(A); i < end; i++) {
    add_tridiagonal_row(A, i, -1, (i > 0) + (i < n - 1), -1);
  }
  return assembled(A);
}

TEST(columns_of_a_singular_system_are_those_of_least_norm)
{
  scoped_mat *A = new_path(4);
  const ovk_solver_opts opts = solver_opts(.method = "cg", .null_constant = true);
  check_columns(A, NULL, &opts, 3);
}

/* Fails on the last rank in its fifth application. */
static ovk_err fail_at_fifth(void *calls, const double *r, double *z, ovk_poll poll)
{
  if (++*(int *)calls == 5 && is_last()) return OVK_ERR_NETWORK;
  for (int i = 0; i < 6; i++) z[i] = r[i] / (1 + i);
  return OVK_OK;
}

TEST(a_preconditioner_that_fails_on_one_rank_ends_the_solve_on_all)
{
  int calls = 0;
  const ovk_precond_ops ops = {.size = sizeof ops, .name = "fails", .apply = fail_at_fifth};
  scoped_mat *A = new_tridiagonal(6, 2.5);
  scoped_precond *M = NULL;
  scoped_multivec *B = NULL, *X = NULL;
  ovk_result results[3] = {OVK_RESULT, OVK_RESULT, OVK_RESULT};
  const ovk_solver_opts opts = with_method("cg");
  assert_ok(ovk_precond_create_from_ops(A, &ops, &calls, &M));
  scoped_solver *solver = new_solver(A, M, &opts);
  assert_ok(ovk_mat_create_multivec(A, 3, &B));
  assert_ok(ovk_mat_create_multivec(A, 3, &X));
  const double one[6] = {1, 1, 1, 1, 1, 1};
  for (int c = 0; c < 3; c++) assert_ok(ovk_multivec_set(B, c, 1, one, 6));
  calls = 0;
  assert_int_equal(ovk_solver_solve_many(solver, B, X, results), OVK_ERR_NETWORK);
  for (int c = 0; c < 3; c++) {
    assert_int_equal(results[c].reason, OVK_REASON_NOT_RUN);
    assert_true(isnan(results[c].true_relative_residual));
  }
  assert_ok(ovk_solver_solve_many(solver, B, X, results));
  assert_true(results[2].reason > 0);
}

TEST(bad_arguments_are_errors_on_all_ranks)
{
  scoped_mat *A = new_tridiagonal(6, 2.5);
  scoped_solver *solver = new_solver(A, NULL, NULL);
  scoped_multivec *B = NULL, *X = NULL, *other = NULL;
  assert_ok(ovk_mat_create_multivec(A, 3, &B));
  assert_ok(ovk_mat_create_multivec(A, 2, &X));
  assert_ok(ovk_multivec_create(test_ctx(), 5, 3, &other));
  assert_int_equal(ovk_solver_solve_many(solver, B, X, NULL), OVK_ERR_ARG);
  assert_int_equal(ovk_solver_solve_many(solver, B, B, NULL), OVK_ERR_ARG);
  assert_int_equal(ovk_solver_solve_many(solver, B, other, NULL), OVK_ERR_ARG);
  assert_int_equal(ovk_solver_solve_many(solver, is_last() ? NULL : B, X, NULL), OVK_ERR_ARG);
  assert_int_equal(ovk_solver_solve_many(NULL, NULL, NULL, NULL), OVK_ERR_ARG);
  assert_string_equal(ovk_solver_column_message(NULL, 0), "");
  assert_string_equal(ovk_solver_column_message(solver, 5), "");
}

/* The residual has its least value after at most as many iterations as rows, then x grows along the
 * null space. */
TEST(a_column_of_minres_that_has_used_its_iterations_has_the_x_of_least_residual)
{
  scoped_mat *A = new_path(9);
  ovk_solver_opts opts = with_method("minres");
  opts.maxit = 15 * test_size;
  scoped_columns C = new_columns(A, 3);
  solve_columns_once(&C, NULL, &opts);
  for (int c = 0; c < 3; c++) {
    scoped_columns one = new_columns(A, 1);
    for (ovk_lidx i = 0; i < 9; i++) *entry_of(&one, one.b, 0, i) = *entry_of(&C, C.b, c, i);
    solve_columns_once(&one, NULL, &opts);
    assert_int_equal(one.results[0].reason, OVK_REASON_MAXIT);
    assert_int_equal(C.results[c].reason, OVK_REASON_MAXIT);
    assert_close(C.results[c].true_relative_residual, one.results[0].true_relative_residual, 1e-9);
  }
}
