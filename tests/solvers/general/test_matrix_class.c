/* SPDX-License-Identifier: BSD-2-Clause */
/* Methods and matrices: the choices of "auto", and the refused pairs. */
#include "spectra.h"
#include "support/methods.h"
#include "support/problem.h"

enum { N = 24 };

TEST(what_a_method_is_not_for_is_refused_by_name)
{
  scoped_dense_system S = new_dense_system(random_spd(N, 50, 5), N, 6, 1, 1);
  ovk_solver_opts opts = with_method("minres");
  assert_error(ovk_pcg_solve(S.A, S.M, S.b, S.x, &opts, NULL), OVK_ERR_ARG,
               "ovk_solve() takes the method 'minres'");
  opts.method = "bcgs";
  opts.norm = OVK_NORM_NATURAL;
  assert_error(ovk_solve(S.A, S.M, S.b, S.x, &opts, NULL), OVK_ERR_UNSUPPORTED,
               "'bcgs' has no natural norm");
  opts.method = "bcgs:side=left";
  opts.norm = OVK_NORM_UNPRECONDITIONED;
  assert_error(ovk_solve(S.A, S.M, S.b, S.x, &opts, NULL), OVK_ERR_UNSUPPORTED,
               "'bcgs' with side=left has no unpreconditioned norm");
}

/* The declared properties of A. */
typedef enum promise { NOTHING, SYMMETRIC, DEFINITE } promise;

static ovk_solver_opts with_promise(promise said)
{
  return solver_opts(.method = "auto", .backend = "emulate-latency:us=0|blocking",
                     .spd = said == DEFINITE, .symmetric = said == SYMMETRIC);
}

/* The method that "auto" selects for a matrix, in both norms, and its description of A. */
static void check_auto(double *A, bool with_M, promise said, const char *expected, const char *why)
{
  scoped_dense_system S = new_dense_system(A, N, 9, 1, 1);
  ovk_solver_opts opts = with_promise(said);
  for (int k = 0; k < 2; k++) {
    opts.norm = k ? OVK_NORM_PRECONDITIONED : OVK_NORM_UNPRECONDITIONED;
    scoped_solver *solver = new_solver(S.A, with_M ? S.M : NULL, &opts);
    const char *method = ovk_solver_method(solver);
    if (strcmp(expected, "cg") == 0) {
      assert_false(is_general_method(method));
    } else {
      assert_non_null(strstr(method, expected));
    }
    assert_non_null(strstr(ovk_solver_method_why(solver), why));
  }
}

TEST(auto_takes_conjugate_gradients_for_symmetric_matrices_only)
{
  static const double changes[] = {0, 1e-15, 1e-9};
  for (int k = 0; k < 3; k++) {
    const bool symmetric = changes[k] < 1e-14; /* one larger entry makes A not symmetric */
    double *A = random_spd(N, 50, 5), *again = random_spd(N, 50, 5);
    A[1] += changes[k];
    again[1] += changes[k];
    check_auto(A, true, NOTHING, symmetric ? "cg" : "bcgs", symmetric ? "" : "A is not symmetric");
    check_auto(again, true, DEFINITE, "cg", "the options declare A positive definite");
  }
  check_auto(random_of(INDEFINITE, N, 20, 3), false, NOTHING, "minres", "the diagonal of A is not");
  check_auto(random_of(INDEFINITE, N, 20, 3), true, NOTHING, "bcgs", "M not diagonal and positive");
}

/* More asymmetry than rounding. */
static double *blur(double *A)
{
  A[1] += 1e-9;
  return A;
}

TEST(auto_believes_that_A_is_symmetric_and_looks_at_its_diagonal)
{
  check_auto(blur(random_spd(N, 50, 5)), true, SYMMETRIC, "cg", "the options declare A symmetric");
  check_auto(blur(random_of(INDEFINITE, N, 20, 3)), false, SYMMETRIC, "minres",
             "the diagonal of A is not");
  check_auto(blur(random_of(INDEFINITE, N, 20, 3)), true, SYMMETRIC, "bcgs",
             "M not diagonal and positive");
}

/* b - A x is at most as large as the result says. */
static void assert_residual(const dense_system *S, ovk_result res)
{
  double rr, bb;
  scoped_vec *r = new_vec(S->A);
  assert_ok(ovk_mat_mult(S->A, S->x, r));
  assert_ok(ovk_vec_axpy(-1, S->b, r));
  assert_ok(ovk_vec_dot(r, r, &rr));
  assert_ok(ovk_vec_dot(S->b, S->b, &bb));
  assert_true(sqrt(rr / bb) <= 1.01 * res.true_relative_residual + 1e-14);
  if (res.reason > 0) assert_true(sqrt(rr / bb) <= 1.01e-8);
}

/* A turns by a right angle and more with each application. */
static double *turning(void)
{
  double *A = new_zeros((size_t)N * N, sizeof *A);
  for (int i = 0; i < N; i++) {
    A[i * N + i] = 1 + (double)i / N;
    A[i * N + (i + 1) % N] = 4;
    A[i * N + (i + N - 1) % N] = -4;
  }
  return A;
}

TEST(a_false_promise_is_named_and_never_counts_as_converged)
{
  static const struct {
    promise said;
    bool symmetric;
    const char *why;
  } cases[] = {
      {DEFINITE, false, "A is not symmetric, though the options say so"},
      {SYMMETRIC, false, "A is not symmetric, though the options say so"},
      {DEFINITE, true, "A is not positive definite, though the options say so"},
  };
  for (int k = 0; k < 3; k++) {
    scoped_dense_system S = new_dense_system(
        cases[k].symmetric ? random_of(INDEFINITE, N, 20, 3) : turning(), N, 9, 1, 1);
    ovk_solver_opts opts = with_promise(cases[k].said);
    opts.maxit = 200;
    const ovk_result res = solve_dense_system(&S, NULL, &opts);
    assert_true(res.reason < 0);
    assert_residual(&S, res);
    assert_non_null(strstr(ovk_ctx_error(test_ctx()), cases[k].why));
  }
}

TEST(a_promise_that_differs_between_ranks_is_an_error_on_all)
{
  if (test_size == 1) return;
  scoped_dense_system S = new_dense_system(random_spd(N, 50, 5), N, 6, 1, 1);
  for (promise said = SYMMETRIC; said <= DEFINITE; said++) {
    const ovk_solver_opts opts = with_promise(test_rank ? NOTHING : said);
    assert_no_solver(S.A, S.M, &opts, OVK_ERR_ARG, said == DEFINITE ? "spd" : "symmetric");
  }
}

/* Diagonals of both signs, and with a zero. */
TEST(auto_takes_minres_where_the_preconditioner_auto_takes_none)
{
  for (int zero = 0; zero < 2; zero++) {
    ovk_mat *A = new_mat(6);
    for (ovk_gidx i = ovk_mat_row_begin(A), end = i + 6; i < end; i++) {
      assert_ok(ovk_mat_add(A, i, i, i % 2 == 0 ? 2 : zero ? 0 : -3));
      assert_ok(ovk_mat_add(A, i, i % 2 ? i - 1 : i + 1, 1));
    }
    assert_ok(ovk_mat_assemble(A));
    scoped_system s = new_system(A, "auto");
    fill_random(s.b, 5);
    const ovk_solver_opts opts = solver_opts(.method = "auto", .backend = "blocking");
    scoped_solver *solver = new_solver(s.A, s.M, &opts);
    assert_non_null(strstr(ovk_solver_method(solver), "minres")); /* or "pipelined-minres" */
    assert_int_equal(solve_from_zero(solver, s.b, s.x).reason, OVK_REASON_CONVERGED_RTOL);
  }
}

/* Blocks (d, 3; 3, d) with d from 1 to 2: half of the eigenvalues are negative. */
TEST(auto_goes_on_with_minres_where_A_is_not_definite)
{
  double *A = new_zeros((size_t)N * N, sizeof *A);
  for (int i = 0; i < N; i++) {
    A[i * N + i] = 1 + (double)(i / 2) / N;
    A[i * N + (i ^ 1)] = 3;
  }
  scoped_dense_system S = new_dense_system(A, N, 9, 1, 1);
  ovk_solver_opts opts = solver_opts(.method = "auto", .backend = "emulate-latency:us=0|blocking");
  scoped_solver *solver = new_solver(S.A, S.M, &opts);
  assert_false(is_general_method(ovk_solver_method(solver)));
  for (int again = 0; again < 2; again++) {
    const ovk_result res = solve_from_zero(solver, S.b, S.x);
    assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
    assert_true(res.true_relative_residual <= 1.01e-8);
    assert_int_equal(res.method_changes, !again);
    assert_string_equal(ovk_solver_method(solver), "minres");
  }
  opts.spd = true; /* a promise */
  assert_int_equal(solve_dense_system(&S, S.M, &opts).reason, OVK_REASON_BREAKDOWN_INDEFINITE_A);
}

/* The factors of such blocks are no more definite than they are. */
TEST(auto_goes_on_with_bicgstab_where_neither_A_nor_C_is_definite)
{
  static const char *const preconds[] = {"ilu", "bjacobi"};
  double *A = new_zeros((size_t)N * N, sizeof *A);
  for (int i = 0; i < N; i++) {
    A[i * N + i] = 1 + (double)(i / 2) / N;
    A[i * N + (i ^ 1)] = 3;
    if (i >= 2) A[i * N + i - 2] = A[(i - 2) * N + i] = 0.1;
  }
  scoped_dense_system S = new_dense_system(A, N, 9, 1, 1);
  const ovk_solver_opts opts = with_method("auto");
  for (int k = 0; k < 2; k++) {
    scoped_precond *M = new_precond(S.A, preconds[k]);
    scoped_solver *solver = new_solver(S.A, M, &opts);
    for (int again = 0; again < 2; again++) {
      const ovk_result res = solve_from_zero(solver, S.b, S.x);
      assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
      assert_int_equal(res.method_changes, !again);
      assert_non_null(strstr(ovk_solver_method(solver), "bcgs"));
    }
  }
}
