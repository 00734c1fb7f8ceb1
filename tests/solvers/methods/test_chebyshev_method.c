/* SPDX-License-Identifier: BSD-2-Clause */
/* The method chebyshev: its polynomials, the correction of its interval, its few sums. */
#include "solvers/methods/chebyshev/interval.h"
#include "support/problem.h"

#include <ovkrylov/plugin/backend.h>

enum { ROWS = 40 }; /* of each rank */

/* T_k(y), also for y < -1 */
static double chebyshev(int k, double y)
{
  double last = 1, now = y;
  if (k == 0) return 1;
  for (int j = 1; j < k; j++) {
    const double next = 2 * y * now - last;
    last = now;
    now = next;
  }
  return now;
}

/* (1, c; c, 1) for each two rows: the eigenvalues are 1 - c and 1 + c, which Lanczos steps find
 * exactly. */
static const double c = 0.75;

static ovk_mat *make_pairs(void)
{
  ovk_mat *A = new_mat(ROWS);
  const ovk_gidx first = ovk_mat_row_begin(A);
  for (ovk_gidx i = first; i < first + ROWS; i++) {
    assert_ok(ovk_mat_add(A, i, i, 1));
    assert_ok(ovk_mat_add(A, i, i ^ 1, c));
  }
  return assembled(A);
}

/* Solves from 0 for b = (1, 0, 1, 0, ...). */
static ovk_result solve(ovk_mat *A, const ovk_solver_opts *opts)
{
  ovk_result res = OVK_RESULT;
  scoped_precond *M = new_precond(A, "jacobi");
  scoped_vec *b = new_vec(A), *x = new_vec(A);
  for (int i = 0; i < ROWS; i += 2) ovk_vec_array(b)[i] = 1;
  assert_ok(ovk_pcg_solve(A, M, b, x, opts, &res));
  return res;
}

TEST(residuals_are_chebyshev_polynomials)
{
  const double a = 1 - c, b = 1.1 * (1 + c), center = (b + a) / 2, half = (b - a) / 2;
  scoped_mat *A = make_pairs();
  ovk_solver_opts opts = with_method("chebyshev");
  for (opts.maxit = 1; opts.maxit < 15; opts.maxit++) {
    const ovk_result res = solve(A, &opts);
    const double size = chebyshev(opts.maxit, center / half);
    const double low = chebyshev(opts.maxit, (center - (1 - c)) / half) / size;
    const double high = chebyshev(opts.maxit, (center - (1 + c)) / half) / size;
    assert_int_equal(res.reason, OVK_REASON_MAXIT);
    assert_int_equal(res.iterations, opts.maxit);
    assert_close(res.relative_residual, sqrt(0.5 * (low * low + high * high)), 1e-13);
    assert_close(res.true_relative_residual, res.relative_residual, 1e-13);
  }
}

/* The residual that one eigenvalue t leaves after k steps leads to t. */
TEST(an_eigenvalue_outside_of_the_interval_is_found)
{
  const double eigenvalues[] = {0.01, 0.09, 2.3, 3};
  for (int e = 0; e < 4; e++) {
    const double t = eigenvalues[e];
    ovk__interval I;
    ovk__interval_start(&I, 0.1, 2, 1);
    const double center = I.center, half = I.half;
    bool corrected = false;
    for (int k = 1; k < 100 && !corrected; k++) {
      const double ratio = chebyshev(k, (center - t) / half) / chebyshev(k, center / half);
      (void)ovk__interval_advance(&I);
      corrected = ovk__interval_correct(&I, ratio * ratio);
    }
    assert_true(corrected && I.steps == 0);
    assert_close(I.center - I.half, t < 1 ? t : 0.1, 1e-12);
    assert_close(I.center + I.half, t < 1 ? 2 : t, 1e-12);
  }
}

TEST(an_interval_that_holds_the_spectrum_stays)
{
  ovk__interval I;
  ovk__interval_start(&I, 0.1, 2, 1);
  const double center = I.center, half = I.half;
  for (int k = 1; k < 200; k++) {
    const double bound = 1 / chebyshev(k, center / half);
    (void)ovk__interval_advance(&I);
    assert_false(ovk__interval_correct(&I, bound * bound));
  }
  assert_int_equal(I.steps, 199);
}

/* The smallest eigenvalue is far below the estimate of 12 Lanczos steps. */
TEST(an_ill_conditioned_system_converges)
{
  scoped_mat *A = new_tridiagonal(ROWS, 2);
  ovk_solver_opts opts = with_method("chebyshev");
  const ovk_result res = solve(A, &opts);
  assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
  assert_int_equal(res.method_changes, 0);
  assert_true(res.true_relative_residual <= 1.01e-8);
  assert_int_equal(res.iterations % 10, 0);
}

static int begins;

static ovk_err backend_begin(ovk_sum *sum)
{
  begins++;
  MPI_Allreduce(MPI_IN_PLACE, sum->values, sum->count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  return OVK_OK;
}

static ovk_err backend_test(ovk_sum *sum, bool *complete)
{
  *complete = true;
  return OVK_OK;
}

static const ovk_backend_ops counting = {
    .name = "counting", .begin = backend_begin, .test = backend_test};

TEST(one_iteration_in_ten_has_a_sum)
{
  scoped_mat *A = new_tridiagonal(ROWS, 2);
  ovk_solver_opts opts = with_method("chebyshev");
  assert_ok(ovk_backend_register(test_ctx(), &counting, NULL));
  opts.backend = "counting";
  begins = 0;
  const ovk_result res = solve(A, &opts);
  assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
  assert_int_equal(res.restarts, 0);
  assert_int_equal(begins, res.iterations / 10 + 2); /* and two for b - A x */
  assert_int_equal(res.reductions_per_iteration, 0);
}

TEST(an_indefinite_operator_is_left_to_conjugate_gradients)
{
  ovk_solver_opts opts = with_method("chebyshev");
  scoped_mat *B = new_mat(ROWS);
  for (ovk_gidx i = ovk_mat_row_begin(B), end = i + ROWS; i < end; i++) {
    assert_ok(ovk_mat_add(B, i, i, 1));
    assert_ok(ovk_mat_add(B, i, i ^ 1, 2)); /* the eigenvalues are -1 and 3 */
  }
  assert_ok(ovk_mat_assemble(B));
  const ovk_result res = solve(B, &opts);
  assert_int_equal(res.reason, OVK_REASON_BREAKDOWN_INDEFINITE_A);
  assert_int_equal(res.method_changes, 1);
}
