/* SPDX-License-Identifier: BSD-2-Clause */
/* Solves that break down or diverge: indefinite and singular systems, and underflow; for every
 * method, the same on all ranks. */
#include "support/methods.h"
#include "support/problem.h"
#include "support/test_main.h"

#include <math.h>
#include <string.h>

static void an_indefinite_matrix_is_recognised(void **state)
{
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  FOR_EACH_DEFINITE_METHOD(opts)
  {
    linear_system s =
        new_tridiagonal_system(10, 0.5); /* eigenvalues from -1.5 to 2.5, positive diagonal */
    const ovk_result res = solve_alike(s.A, s.M, s.b, s.x, &opts);
    assert_int_equal(res.reason, OVK_REASON_BREAKDOWN_INDEFINITE_A);
    assert_non_null(strstr(ovk_ctx_error(test_ctx()), "(p, A p) = -"));
    clear_system(&s);
  }
}

/* Diagonal and singular: 0 in even rows, 2 in odd ones. */
static linear_system make_singular(void)
{
  enum { EACH = 6 };
  ovk_mat *A = new_mat(EACH);
  for (ovk_gidx i = ovk_mat_row_begin(A), end = i + EACH; i < end; i++) {
    assert_ok(ovk_mat_add(A, i, i, i % 2 ? 2 : 0));
  }
  assert_ok(ovk_mat_assemble(A));
  return new_system(A, NULL); /* b is not in the range of A, which is zero in these rows */
}

static void a_singular_matrix_is_named_where_it_breaks_the_solve(void **state)
{
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  FOR_EACH_DEFINITE_METHOD(opts)
  {
    linear_system s = make_singular();
    const ovk_result res = solve_alike(s.A, NULL, s.b, s.x, &opts);
    assert_int_equal(res.reason, OVK_REASON_BREAKDOWN_INDEFINITE_A);
    assert_non_null(strstr(ovk_ctx_error(test_ctx()), "indefinite or singular: (p, A p) = "));
    clear_system(&s);
  }
}

/* From an x that is large in the rows of zeros, as after a solve that continues because of
 * rounding. */
static void a_singular_matrix_is_named_where_x_has_grown(void **state)
{
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  FOR_EACH_DEFINITE_METHOD(opts)
  {
    for (int singular = 0; singular < 2; singular++) {
      linear_system s = singular ? make_singular() : new_tridiagonal_system(10, 0.5);
      for (int i = 0; singular && i < ovk_vec_local_size(s.x); i++) {
        ovk_vec_array(s.x)[i] = (ovk_mat_row_begin(s.A) + i) % 2 ? 0 : 1e16;
      }
      const ovk_result res = solve_alike(s.A, s.M, s.b, s.x, &opts);
      assert_int_equal(res.reason, OVK_REASON_BREAKDOWN_INDEFINITE_A);
      const char *found = strstr(ovk_ctx_error(test_ctx()), "; A is singular or nearly so, as ");
      assert_true(singular == (found != NULL));
      clear_system(&s);
    }
  }
}

static void an_indefinite_preconditioner_is_recognised(void **state)
{
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  FOR_EACH_DEFINITE_METHOD(opts)
  {
    linear_system s =
        new_tridiagonal_system(10, -4); /* the jacobi preconditioner of a negative diagonal */
    const ovk_result res = solve_alike(s.A, s.M, s.b, s.x, &opts);
    assert_int_equal(res.reason, OVK_REASON_BREAKDOWN_INDEFINITE_M);
    assert_int_equal(res.iterations, 0);
    clear_system(&s);
  }
}

static void a_residual_that_runs_away_is_divergence(void **state)
{
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  opts.dtol = 1 + 1e-12;
  FOR_EACH_METHOD(opts)
  {
    linear_system s = new_tridiagonal_system(20, 2);
    ovk_precond *none = new_precond(s.A, "none");
    assert_ok(ovk_vec_fill(s.b, 0));
    spoil_last(s.b, 1); /* the residual of a single source grows before it decreases */
    if (test_rank == 0) ovk_vec_array(s.b)[0] = -0.5;
    const ovk_result res = solve_alike(s.A, none, s.b, s.x, &opts);
    assert_true(res.reason == OVK_REASON_DIVERGED || res.reason == OVK_REASON_CONVERGED_RTOL);
    ovk_precond_destroy(&none);
    clear_system(&s);
  }
}

/* A has entries of 1 and of 1e-260, so no scale fits all: b of 1e-37 is representable where A is
 * 1e-260, but (p, A p) underflows. */
static void underflow_is_not_called_indefinite(void **state)
{
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  FOR_EACH_CG_METHOD(opts)
  {
    linear_system s = new_tridiagonal_system(3, 2);
    ovk_mat *A = new_mat(3);
    for (ovk_gidx i = ovk_mat_row_begin(A), end = i + 3; i < end; i++) {
      assert_ok(ovk_mat_add(A, i, i, i == 0 ? 1 : 1e-260));
      ovk_vec_array(s.b)[i - ovk_mat_row_begin(A)] = i == 0 ? 0 : 1e-37;
    }
    assert_ok(ovk_mat_assemble(A));
    const ovk_result res = solve_alike(A, NULL, s.b, s.x, &opts);
    assert_int_equal(res.reason, OVK_REASON_NAN);
    assert_non_null(strstr(ovk_ctx_error(test_ctx()), "(p, A p) underflows"));
    ovk_mat_destroy(&A);
    clear_system(&s);
  }
}

int run_all_tests(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_indefinite_matrix_is_recognised),
      cmocka_unit_test(a_singular_matrix_is_named_where_it_breaks_the_solve),
      cmocka_unit_test(a_singular_matrix_is_named_where_x_has_grown),
      cmocka_unit_test(an_indefinite_preconditioner_is_recognised),
      cmocka_unit_test(underflow_is_not_called_indefinite),
      cmocka_unit_test(a_residual_that_runs_away_is_divergence),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
