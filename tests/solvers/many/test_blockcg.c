/* SPDX-License-Identifier: BSD-2-Clause */
/* Block conjugate gradients: columns share their directions, and still each ends with its own
 * reason, residual and message. */
#include "columns.h"

/* Solves for C, and checks the ends. */
static void check_solve(columns *C, ovk_precond *M, const ovk_solver_opts *opts)
{
  scoped_columns start = new_columns(C->A, C->columns);
  solve_columns_once(C, M, opts);
  check_no_slower_solves(C, &start, M, opts);
}

static void check_random(ovk_mat *A, ovk_precond *M, const ovk_solver_opts *opts, int n)
{
  scoped_columns C = new_columns(A, n);
  check_solve(&C, M, opts);
}

TEST(columns_together_need_fewer_iterations)
{
  const int size[3] = {10, 10, 10}, grid[3] = {1, 1, test_size};
  scoped_mat *A = NULL;
  assert_ok(ovk_gallery_laplace27(test_ctx(), size, grid, "csr", &A));
  scoped_precond *M = new_precond(A, "jacobi");
  ovk_solver_opts opts = with_method("cg");
  scoped_columns alone = new_columns(A, 8), together = new_columns(A, 8);
  solve_columns_once(&alone, M, &opts);
  opts.method = "blockcg";
  check_solve(&together, M, &opts);
  for (int c = 0; c < 8; c++) {
    assert_true(together.results[c].iterations <= 0.85 * alone.results[c].iterations);
    assert_int_equal(together.results[c].restarts, 0);
    assert_int_equal(together.results[c].reductions_per_iteration, 2);
  }
}

TEST(any_number_of_columns_converges)
{
  scoped_mat *A = new_laplace27(5, 4, 3);
  scoped_precond *M = new_precond(A, "jacobi");
  const ovk_solver_opts opts = with_method("blockcg");
  for (int n = 1; n <= MOST_COLUMNS; n++) check_random(A, M, &opts, n);
}

TEST(columns_converge_in_every_norm)
{
  static const char *const preconds[] = {"none", "jacobi", "ic", "amg"};
  scoped_mat *A = new_laplace27(4, 4, 3);
  ovk_solver_opts opts = with_method("blockcg");
  for (int k = 0; k < 12; k++) {
    scoped_precond *M = new_precond(A, preconds[k / 3]);
    opts.norm = (ovk_norm)(k % 3);
    check_random(A, M, &opts, 4);
  }
}

/* 8 columns in different lengths; 3 are independent. */
TEST(columns_that_depend_on_others_converge_with_them)
{
  scoped_mat *A = new_laplace27(5, 4, 3);
  scoped_precond *M = new_precond(A, "ic");
  const ovk_solver_opts opts = with_method("blockcg");
  scoped_columns C = new_columns(A, 8);
  for (int c = 3; c < 8; c++) {
    for (ovk_lidx i = 0; i < (ovk_lidx)C.rows; i++) {
      *entry_of(&C, C.b, c, i) = pow(10, 3 * c) * (*entry_of(&C, C.b, c % 3, i) -
                                                   (c - 3) * *entry_of(&C, C.b, (c + 1) % 3, i));
    }
  }
  check_solve(&C, M, &opts);
  for (int c = 0; c < 8; c++) assert_int_equal(C.results[c].restarts, 0);
}

/* Neighbors that differ by 1e-10 of their length. */
TEST(columns_that_are_nearly_equal_converge)
{
  scoped_mat *A = new_laplace27(5, 4, 3);
  const ovk_solver_opts opts = with_method("blockcg");
  scoped_columns C = new_columns(A, 6);
  for (int c = 1; c < 6; c++) {
    for (ovk_lidx i = 0; i < (ovk_lidx)C.rows; i++) {
      double *b = entry_of(&C, C.b, c, i);
      *b = *entry_of(&C, C.b, 0, i) + 1e-10 * *b;
    }
  }
  check_solve(&C, NULL, &opts);
}

/* The space is exhausted. */
TEST(columns_of_few_eigenvectors_converge)
{
  enum { EACH = 7, N = 8 };
  scoped_mat *A = new_tridiagonal(EACH, 2.5);
  const ovk_solver_opts opts = with_method("blockcg");
  scoped_columns C = new_columns(A, N);
  set_few_eigenvectors(&C);
  scoped_columns start = new_columns(A, N);
  solve_columns_once(&C, NULL, &opts);
  check_no_slower_solves(&C, &start, NULL, &opts);
}

TEST(trouble_of_a_column_does_not_reach_the_others)
{
  enum { N = 9 };
  scoped_mat *A = new_negative_row();
  const ovk_solver_opts opts = with_method("blockcg");
  scoped_columns C = new_columns(A, N);
  set_trouble(&C);
  scoped_columns start = new_columns(A, N);
  solve_columns_once(&C, NULL, &opts);
  check_single_solves(&C, &start, NULL, &opts, 1e-5);
  assert_int_equal(C.results[1].reason, OVK_REASON_NAN);
  assert_int_equal(C.results[2].reason, OVK_REASON_CONVERGED_ZERO_RHS);
  assert_int_equal(C.results[4].reason, OVK_REASON_BREAKDOWN_INDEFINITE_A);
  for (int c = 5; c < N; c++) assert_int_equal(C.results[c].reason, OVK_REASON_CONVERGED_RTOL);
}

/* z <- r, with a NaN in number `nan` of the columns from the fourth application on. */
typedef struct poisoned {
  int applications, nan;
} poisoned;

static ovk_err poison(void *state, const double *r, double *z, ovk_poll poll)
{
  memcpy(z, r, 60 * sizeof *z);
  return OVK_OK;
}

static ovk_err poison_many(void *state, int width, const double *r, double *z, ovk_poll poll)
{
  poisoned *P = state;
  memcpy(z, r, 60 * (size_t)width * sizeof *z);
  if (++P->applications == 4) z[P->nan] = NAN;
  return OVK_OK;
}

TEST(columns_continue_by_themselves_after_a_nan_in_the_block)
{
  poisoned P = {0, 2};
  const ovk_precond_ops ops = {
      .size = sizeof ops, .name = "poison", .apply = poison, .apply_many = poison_many};
  scoped_mat *A = new_laplace27(5, 4, 3);
  scoped_precond *M = NULL;
  const ovk_solver_opts opts = with_method("blockcg");
  assert_ok(ovk_precond_create_from_ops(A, &ops, &P, &M));
  scoped_columns C = new_columns(A, 5);
  scoped_solver *solver = new_solver(A, M, &opts);
  P.applications = 0;
  solve_columns(&C, solver);
  for (int c = 0; c < 5; c++) {
    assert_int_equal(C.results[c].reason, OVK_REASON_CONVERGED_RTOL);
    assert_int_equal(C.results[c].restarts, 1);
    assert_true(C.results[c].true_relative_residual <= 1.01e-8);
  }
}

TEST(maxit_ends_all_columns)
{
  scoped_mat *A = new_laplace27(5, 4, 3);
  ovk_solver_opts opts = with_method("blockcg");
  opts.maxit = 3;
  check_random(A, NULL, &opts, 3);
}

TEST(ranks_without_rows_have_a_part_in_blocks)
{
  enum { N = 24 };
  scoped_array double *dense = random_spd(N, 30, 4);
  scoped_mat *A = distribute(test_ctx(), dense, N, is_last() ? N : 0);
  scoped_precond *M = new_precond(A, "jacobi");
  const ovk_solver_opts opts = with_method("blockcg");
  for (int n = 2; n <= 8; n *= 2) check_random(A, M, &opts, n);
}

TEST(ill_conditioned_systems_converge)
{
  enum { N = 60 };
  scoped_array double *dense = random_spd(N, 1e7, 4);
  scoped_mat *A = distribute(test_ctx(), dense, N, even_share(N, test_rank, test_size));
  const ovk_solver_opts opts = with_method("blockcg");
  scoped_columns C = new_columns(A, 4);
  solve_columns_once(&C, NULL, &opts);
  for (int c = 0; c < 4; c++) {
    assert_int_equal(C.results[c].reason, OVK_REASON_CONVERGED_RTOL);
    assert_true(C.results[c].true_relative_residual <= 1.01e-8);
  }
}

TEST(exact_sums_give_blocks_the_same_bits_over_every_backend)
{
  check_exact_sums(with_method("blockcg"));
}
