/* SPDX-License-Identifier: BSD-2-Clause */
/* Which method is for which matrix: what "auto" takes, and what is refused. */
#include "spectra.h"
#include "support/create.h"
#include "support/matrices.h"
#include "support/methods.h"
#include "support/systems.h"
#include "support/test_main.h"

#include <stdlib.h>
#include <string.h>

enum { N = 24 };

static void what_a_method_is_not_for_is_refused_by_name(void **state)
{
  dense_system S = system_of(random_spd(N, 50, 5), N, 6, 1, 1);
  ovk_pcg_opts opts = with_method("minres");
  assert_error(ovk_pcg_solve(S.A, S.M, S.b, S.x, &opts, NULL), OVK_ERR_ARG,
               "ovk_solve() takes the method 'minres'");
  opts.method = "bicgstab";
  opts.norm = OVK_NORM_NATURAL;
  assert_error(ovk_solve(S.A, S.M, S.b, S.x, &opts, NULL), OVK_ERR_UNSUPPORTED,
               "'bicgstab' has no natural norm");
  opts.method = "bicgstab:side=left";
  opts.norm = OVK_NORM_UNPRECONDITIONED;
  assert_error(ovk_solve(S.A, S.M, S.b, S.x, &opts, NULL), OVK_ERR_UNSUPPORTED,
               "'bicgstab' with side=left has no unpreconditioned norm");
  system_clear(&S);
}

/* The method that "auto" makes of a matrix, in both norms, and what it says of A. */
static void check_auto(double *A, bool with_M, bool spd, const char *expected, const char *why)
{
  dense_system S = system_of(A, N, 9, 1, 1);
  ovk_pcg_opts opts = with_method("auto");
  opts.backend = "delay:us=0|blocking";
  opts.spd = spd;
  for (int k = 0; k < 2; k++) {
    opts.norm = k ? OVK_NORM_PRECONDITIONED : OVK_NORM_UNPRECONDITIONED;
    ovk_solver *solver = new_solver(S.A, with_M ? S.M : NULL, &opts);
    const char *method = ovk_solver_method(solver);
    if (strcmp(expected, "cg") == 0) {
      assert_false(is_general_method(method));
    } else {
      assert_non_null(strstr(method, expected));
    }
    assert_non_null(strstr(ovk_solver_method_why(solver), why));
    ovk_solver_destroy(&solver);
  }
  system_clear(&S);
}

static void auto_takes_conjugate_gradients_for_symmetric_matrices_only(void **state)
{
  static const double changes[] = {0, 1e-15, 1e-9};
  for (int k = 0; k < 3; k++) {
    const bool symmetric = changes[k] < 1e-14; /* one larger entry makes A not symmetric */
    double *A = random_spd(N, 50, 5), *again = random_spd(N, 50, 5);
    A[1] += changes[k];
    again[1] += changes[k];
    check_auto(A, true, false, symmetric ? "cg" : "bicgstab",
               symmetric ? "" : "A is not symmetric");
    check_auto(again, true, true, "cg", "");
  }
  check_auto(random_of(INDEFINITE, N, 20, 3), false, false, "minres", "the diagonal of A is not");
  check_auto(random_of(INDEFINITE, N, 20, 3), true, false, "bicgstab",
             "C not diagonal and positive");
}

/* Blocks (d, 3; 3, d) with d from 1 to 2: half of the eigenvalues are negative. */
static void auto_goes_on_with_minres_where_A_is_not_definite(void **state)
{
  double *A = calloc((size_t)N * N, sizeof *A);
  assert_non_null(A);
  for (int i = 0; i < N; i++) {
    A[i * N + i] = 1 + (double)(i / 2) / N;
    A[i * N + (i ^ 1)] = 3;
  }
  dense_system S = system_of(A, N, 9, 1, 1);
  ovk_result res;
  ovk_pcg_opts opts = with_method("auto");
  opts.backend = "delay:us=0|blocking";
  ovk_solver *solver = new_solver(S.A, S.M, &opts);
  assert_false(is_general_method(ovk_solver_method(solver)));
  for (int again = 0; again < 2; again++) {
    res = solve_from_zero(solver, S.b, S.x);
    assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
    assert_true(res.true_relative_residual <= 1.01e-8);
    assert_int_equal(res.method_changes, !again);
    assert_string_equal(ovk_solver_method(solver), "minres");
  }
  ovk_solver_destroy(&solver);
  opts.spd = true; /* a promise */
  assert_int_equal(system_solve(&S, S.M, &opts).reason, OVK_REASON_BREAKDOWN_INDEFINITE_A);
  system_clear(&S);
}

/* The factors of such blocks are no more definite than they are. */
static void auto_goes_on_with_bicgstab_where_neither_A_nor_C_is_definite(void **state)
{
  static const char *const preconds[] = {"ilu", "bjacobi"};
  double *A = calloc((size_t)N * N, sizeof *A);
  assert_non_null(A);
  for (int i = 0; i < N; i++) {
    A[i * N + i] = 1 + (double)(i / 2) / N;
    A[i * N + (i ^ 1)] = 3;
    if (i >= 2) A[i * N + i - 2] = A[(i - 2) * N + i] = 0.1;
  }
  dense_system S = system_of(A, N, 9, 1, 1);
  const ovk_pcg_opts opts = with_method("auto");
  for (int k = 0; k < 2; k++) {
    ovk_precond *M = NULL;
    ovk_solver *solver = NULL;
    assert_ok(ovk_precond_create(S.A, preconds[k], &M));
    assert_ok(ovk_solver_create(S.A, M, &opts, &solver));
    for (int again = 0; again < 2; again++) {
      const ovk_result res = solve_from_zero(solver, S.b, S.x);
      assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
      assert_int_equal(res.method_changes, !again);
      assert_non_null(strstr(ovk_solver_method(solver), "bicgstab"));
    }
    ovk_solver_destroy(&solver);
    ovk_precond_destroy(&M);
  }
  system_clear(&S);
}

int run_all_tests(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_a_method_is_not_for_is_refused_by_name),
      cmocka_unit_test(auto_takes_conjugate_gradients_for_symmetric_matrices_only),
      cmocka_unit_test(auto_goes_on_with_minres_where_A_is_not_definite),
      cmocka_unit_test(auto_goes_on_with_bicgstab_where_neither_A_nor_C_is_definite),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
