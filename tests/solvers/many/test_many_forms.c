/* SPDX-License-Identifier: BSD-2-Clause */
/* The methods that iterate several columns together: each column ends as its single solve, with any
 * number of columns, norm and backend, and whatever happens in the others. */
#include "columns.h"

/* M^-1 r = r / 2, and the calls for one vector and for several. */
typedef struct calls {
  int single, several;
} calls;

static ovk_err halve(void *state, const double *r, double *z, ovk_poll poll)
{
  ((calls *)state)->single++;
  for (int i = 0; i < 9; i++) z[i] = 0.5 * r[i];
  return OVK_OK;
}

static ovk_err halve_many(void *state, int width, const double *r, double *z, ovk_poll poll)
{
  ((calls *)state)->several++;
  for (int i = 0; i < 9 * width; i++) z[i] = 0.5 * r[i];
  return OVK_OK;
}

TEST(every_form_iterates_its_columns_together)
{
  const ovk_precond_ops ops = {
      .size = sizeof ops, .name = "halve", .apply = halve, .apply_many = halve_many};
  scoped_mat *A = new_tridiagonal(9, 2.5);
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  FOR_EACH_FORM(opts) {
    calls count = {0, 0};
    scoped_precond *M = NULL;
    assert_ok(ovk_precond_create_from_ops(A, &ops, &count, &M));
    scoped_solver *solver = new_solver(A, M, &opts);
    scoped_columns C = new_columns(A, 2);
    memcpy(entry_of(&C, C.b, 1, 0), C.b, 9 * sizeof(double));
    count.single = 0;
    solve_columns(&C, solver);
    for (int c = 0; c < 2; c++) assert_int_equal(C.results[c].reason, OVK_REASON_CONVERGED_RTOL);
    assert_true(count.several >= C.results[0].iterations);
    assert_int_equal(count.single, 0);
  }
}

TEST(any_number_of_columns_ends_as_single_solves)
{
  scoped_mat *A = new_laplace27(5, 4, 3);
  scoped_precond *M = new_precond(A, "jacobi");
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  FOR_EACH_FORM(opts) {
    for (int n = 1; n <= MOST_COLUMNS; n++) check_columns(A, M, &opts, n);
  }
}

/* b is a sum of (3 c) mod 8 + 1 eigenvectors, so that columns take as many iterations. */
TEST(columns_that_end_one_after_the_other_end_as_single_solves)
{
  enum { EACH = 7, N = 8 };
  scoped_mat *A = new_tridiagonal(EACH, 2.5);
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  FOR_EACH_FORM(opts) {
    scoped_columns C = new_columns(A, N), start = new_columns(A, N);
    set_few_eigenvectors(&C);
    memcpy(start.b, C.b, N * EACH * sizeof(double));
    solve_columns_once(&C, NULL, &opts);
    check_single_solves(&C, &start, NULL, &opts, 1e-5);
  }
}

TEST(trouble_of_a_column_stays_there)
{
  enum { N = 9 };
  scoped_mat *A = new_negative_row();
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  FOR_EACH_FORM(opts) {
    scoped_columns C = new_columns(A, N), start = new_columns(A, N);
    set_trouble(&C);
    solve_columns_once(&C, NULL, &opts);
    check_single_solves(&C, &start, NULL, &opts, 1e-5);
    assert_int_equal(C.results[1].reason, OVK_REASON_NAN);
    assert_int_equal(C.results[2].reason, OVK_REASON_CONVERGED_ZERO_RHS);
    assert_memory_equal(entry_of(&C, C.x, 6, 0), entry_of(&C, C.x, 5, 0), 5 * sizeof(double));
    for (int c = 5; c < N; c++) assert_int_equal(C.results[c].reason, OVK_REASON_CONVERGED_RTOL);
  }
}

TEST(maxit_ends_columns_as_single_solves)
{
  scoped_mat *A = new_tridiagonal(20, 2);
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  opts.maxit = 6;
  FOR_EACH_FORM(opts) {
    scoped_columns C = new_columns(A, 3), start = new_columns(A, 3);
    solve_columns_once(&C, NULL, &opts);
    check_single_solves(&C, &start, NULL, &opts, 0);
    for (int c = 0; c < 3; c++) assert_int_equal(C.results[c].reason, OVK_REASON_MAXIT);
  }
}

TEST(ranks_without_rows_take_part)
{
  enum { N = 24 };
  scoped_array double *dense = random_spd(N, 30, 4);
  scoped_mat *A = distribute(test_ctx(), dense, N, is_last() ? N : 0);
  scoped_precond *M = new_precond(A, "jacobi");
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  FOR_EACH_FORM(opts) check_columns(A, M, &opts, 7);
}

/* A norm that a method lacks is an error when its solver is made. */
TEST(columns_end_as_single_solves_in_every_norm)
{
  static const char *const preconds[] = {"none", "jacobi", "ic"};
  scoped_mat *A = new_laplace27(4, 3, 3);
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  for (int k = 0; k < 9; k++) {
    scoped_precond *M = new_precond(A, preconds[k / 3]);
    opts.norm = (ovk_norm)(k % 3);
    FOR_EACH_FORM(opts) {
      ovk_solver *solver = NULL;
      if (ovk_solver_create(A, M, &opts, &solver)) continue;
      ovk_solver_destroy(&solver);
      check_columns(A, M, &opts, 5);
    }
  }
}

TEST(exact_sums_give_the_same_bits_over_every_backend)
{
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  FOR_EACH_FORM(opts) check_exact_sums(opts);
}
