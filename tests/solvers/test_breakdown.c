/* SPDX-License-Identifier: BSD-2-Clause */
/* Solves that break down: indefinite and singular systems, NaN and its origin, operators and
 * preconditioners that fail; for every method, the same on all ranks. */
#include "small_system.h"
#include "support/create.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void an_indefinite_matrix_is_recognised(void **state)
{
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  FOR_EACH_DEFINITE_METHOD(opts)
  {
    linear_system s =
        make_tridiagonal(10, 0.5); /* eigenvalues from -1.5 to 2.5, positive diagonal */
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
      linear_system s = singular ? make_singular() : make_tridiagonal(10, 0.5);
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
        make_tridiagonal(10, -4); /* the jacobi preconditioner of a negative diagonal */
    const ovk_result res = solve_alike(s.A, s.M, s.b, s.x, &opts);
    assert_int_equal(res.reason, OVK_REASON_BREAKDOWN_INDEFINITE_M);
    assert_int_equal(res.iterations, 0);
    clear_system(&s);
  }
}

static void check_nan(const linear_system *s, const ovk_solver_opts *opts, const char *origin)
{
  const ovk_result res = solve_alike(s->A, s->M, s->b, s->x, opts);
  assert_int_equal(res.reason, OVK_REASON_NAN);
  assert_true(res.iterations <= 1);
  if (!strstr(ovk_ctx_error(test_ctx()), origin)) {
    print_error("%s: '%s' not in '%s'\n", opts->method, origin, ovk_ctx_error(test_ctx()));
  }
  assert_non_null(strstr(ovk_ctx_error(test_ctx()), origin));
}

static void not_a_number_is_traced_to_its_origin(void **state)
{
  const double bad[] = {NAN, INFINITY, -INFINITY};
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  FOR_EACH_METHOD(opts)
  {
    for (int k = 0; k < 3; k++) {
      linear_system s = make_tridiagonal(5, 2);
      spoil(s.b, bad[k]);
      check_nan(&s, &opts, "entries of b");
      assert_ok(ovk_vec_fill(s.b, 1));
      assert_ok(ovk_vec_fill(s.x, 0));
      spoil(s.x, bad[k]);
      check_nan(&s, &opts, "entries of x0");
      clear_system(&s);
    }
  }
}

static void not_a_number_in_the_matrix_is_traced(void **state)
{
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  FOR_EACH_METHOD(opts)
  {
    linear_system s = make_tridiagonal(5, 2);
    ovk_mat *A = new_mat(5);
    const ovk_gidx first = ovk_mat_row_begin(A);
    for (ovk_gidx i = first; i < first + 5; i++) assert_ok(ovk_mat_add(A, i, i, 2));
    if (is_last()) assert_ok(ovk_mat_add(A, first, first + 1, NAN));
    assert_ok(ovk_mat_assemble(A));
    ovk_precond_destroy(&s.M);
    ovk_mat_destroy(&s.A);
    s.A = A;
    s.M = new_precond(s.A, "jacobi");
    check_nan(&s, &opts, "entries of the product ");
    clear_system(&s);
  }
}

/* Whether a call of this rank fails; until = 0: and all later ones. */
static bool is_bad(int call, int from, int until)
{
  return call >= from && (!until || call <= until) && is_last();
}

/* A preconditioner that copies, and fails from its k-th application on. */
typedef struct faulty_precond {
  ovk_lidx n;
  int calls, from, until;
  bool fails; /* otherwise: returns NaN */
} faulty_precond;

static ovk_err trick(void *state, const double *r, double *z, ovk_poll poll)
{
  faulty_precond *t = state;
  const bool bad = is_bad(++t->calls, t->from, t->until);
  if (bad && t->fails) {
    return ovk_ctx_fail(test_ctx(), OVK_ERR_USER, "out of tricks on rank %d", test_rank);
  }
  memcpy(z, r, (size_t)t->n * sizeof *z);
  if (bad) z[0] = NAN;
  return OVK_OK;
}

static ovk_err no_factor(void *state)
{
  return OVK_OK;
}

static faulty_precond the_faulty_precond;

static ovk_err get_faulty(const ovk_mat *A, const ovk_spec *spec, void *user, void **state)
{
  *state = user;
  return OVK_OK;
}

static const ovk_precond_ops faulty_ops = {.name = "faulty_precond",
                                           .setup = get_faulty,
                                           .apply = trick,
                                           .factor = no_factor,
                                           .apply_left = trick,
                                           .apply_right = trick};

static linear_system make_tricky(int from, bool fails)
{
  linear_system s = make_tridiagonal(20, 3);
  spoil(s.b, -3); /* without symmetry, which would shorten the solve */
  ovk_precond_destroy(&s.M);
  the_faulty_precond = (faulty_precond){.n = 20, .from = from, .fails = fails};
  s.M = new_precond(s.A, "faulty_precond");
  return s;
}

static void not_a_number_from_the_preconditioner_is_traced(void **state)
{
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  FOR_EACH_METHOD(opts)
  {
    for (int from = 1; from < 4; from++) {
      linear_system s = make_tricky(from, false);
      const ovk_result res = solve_alike(s.A, s.M, s.b, s.x, &opts);
      assert_int_equal(res.reason, OVK_REASON_NAN);
      assert_true(res.iterations <= from);
      assert_non_null(strstr(ovk_ctx_error(test_ctx()), "the preconditioner's output"));
      /* x is that of the last complete iteration, not one behind */
      assert_close(res.true_relative_residual, res.relative_residual, 1e-12);
      clear_system(&s);
    }
  }
}

static void a_failing_preconditioner_ends_the_solve_with_its_error_on_all_ranks(void **state)
{
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  FOR_EACH_METHOD(opts)
  {
    for (int from = 1; from < 7; from++) {
      linear_system s = make_tricky(from, true);
      ovk_result res = OVK_RESULT;
      assert_error(ovk_solve(s.A, s.M, s.b, s.x, &opts, &res), OVK_ERR_USER, "out of tricks");
      clear_system(&s);
    }
  }
}

/* diag(1, 2, 3, 4, 5) on each rank, which fails from some call on: returns an error without output,
 * or NaN. */
typedef struct failing_shell {
  int calls, from, until;
  bool nan;
} failing_shell;

static ovk_err shell_mult(void *user, const double *x, double *y, ovk_poll poll)
{
  failing_shell *f = user;
  const bool bad = is_bad(++f->calls, f->from, f->until);
  if (bad && !f->nan) return OVK_ERR_USER;
  for (int i = 0; i < 5; i++) y[i] = (i + 1) * x[i];
  if (bad) y[2] = NAN;
  return OVK_OK;
}

static linear_system make_shell(failing_shell *f)
{
  ovk_mat *A = NULL;
  assert_ok(ovk_mat_create_shell(test_ctx(), 5, &(ovk_shell_ops){.mult = shell_mult}, f, &A));
  return new_system(A, NULL);
}

/* In one application or product only, long before the next norm of `chebyshev`. */
static void not_a_number_that_comes_once_is_traced(void **state)
{
  ovk_solver_opts opts = with_method("chebyshev");
  for (int from = 18; from < 22; from++) {
    linear_system s = make_tricky(from, false);
    the_faulty_precond.until = from;
    ovk_result res = solve_alike(s.A, s.M, s.b, s.x, &opts);
    assert_int_equal(res.reason, OVK_REASON_NAN);
    assert_non_null(strstr(ovk_ctx_error(test_ctx()), "1 of "));
    assert_non_null(strstr(ovk_ctx_error(test_ctx()), "the preconditioner's output"));
    clear_system(&s);
    failing_shell f = {.from = from, .until = from, .nan = true};
    s = make_shell(&f);
    res = solve_alike(s.A, NULL, s.b, s.x, &opts);
    assert_int_equal(res.reason, OVK_REASON_NAN);
    assert_non_null(strstr(ovk_ctx_error(test_ctx()), "1 of "));
    assert_non_null(
        strstr(ovk_ctx_error(test_ctx()), "entries of the product A p; the first is row"));
    clear_system(&s);
  }
}

static void a_failing_operator_ends_the_solve_with_its_error_on_all_ranks(void **state)
{
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  FOR_EACH_METHOD(opts)
  {
    for (int from = 1; from < 7; from++) {
      failing_shell f = {.from = from};
      linear_system s = make_shell(&f);
      assert_error(ovk_solve(s.A, NULL, s.b, s.x, &opts, NULL), OVK_ERR_USER, "mult returned");
      clear_system(&s);
    }
  }
}

/* In every product, including the one that confirms the result. */
static void not_a_number_from_the_operator_is_traced(void **state)
{
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  FOR_EACH_METHOD(opts)
  {
    for (int from = 1; from < 7; from++) {
      failing_shell f = {.from = from, .nan = true};
      linear_system s = make_shell(&f);
      const ovk_result res = solve_alike(s.A, NULL, s.b, s.x, &opts);
      assert_int_equal(res.reason, OVK_REASON_NAN);
      assert_non_null(strstr(ovk_ctx_error(test_ctx()), "entries of the product "));
      clear_system(&s);
    }
  }
}

static void a_residual_that_runs_away_is_divergence(void **state)
{
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  opts.dtol = 1 + 1e-12;
  FOR_EACH_METHOD(opts)
  {
    linear_system s = make_tridiagonal(20, 2);
    ovk_precond *none = new_precond(s.A, "none");
    assert_ok(ovk_vec_fill(s.b, 0));
    spoil(s.b, 1); /* the residual of a single source grows before it decreases */
    if (test_rank == 0) ovk_vec_array(s.b)[0] = -0.5;
    const ovk_result res = solve_alike(s.A, none, s.b, s.x, &opts);
    assert_true(res.reason == OVK_REASON_DIVERGED || res.reason == OVK_REASON_CONVERGED_RTOL);
    ovk_precond_destroy(&none);
    clear_system(&s);
  }
}

static void right_hand_sides_of_any_size_are_solved(void **state)
{
  const double sizes[] = {1e-290, 1e-170, 1e-130, 1e150, 1e200, 1e290};
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  FOR_EACH_METHOD(opts)
  {
    for (int k = 0; k < 6; k++) {
      linear_system s = make_tridiagonal(3, 2);
      assert_ok(ovk_vec_fill(s.b, sizes[k]));
      const ovk_result res = solve_alike(s.A, s.M, s.b, s.x, &opts);
      assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
      assert_true(res.true_relative_residual <= 1.01 * opts.rtol);
      assert_true(res.rhs_norm >= sizes[k] && res.rhs_norm < 100 * sizes[k]);
      clear_system(&s);
    }
  }
}

static void an_absolute_tolerance_holds_for_any_right_hand_side(void **state)
{
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  opts.atol = 1e-50;
  FOR_EACH_METHOD(opts)
  {
    linear_system s = make_tridiagonal(3, 2);
    assert_ok(ovk_vec_fill(s.b, 1e-271));
    const ovk_result res = solve_alike(s.A, s.M, s.b, s.x, &opts);
    assert_int_equal(res.reason, OVK_REASON_CONVERGED_ATOL);
    assert_int_equal(res.iterations, 0);
    assert_true(res.tolerance == 1e-50);
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
    linear_system s = make_tridiagonal(3, 2);
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

static double of_shell; /* A = 2 of_shell I */

static ovk_err multiply_by_size(void *n, const double *x, double *y, ovk_poll poll)
{
  for (int i = 0; i < *(const int *)n; i++) y[i] = 2 * (of_shell * x[i]);
  return OVK_OK;
}

/* The scale of a shell is measured where a solve fails. */
static void shells_of_any_scale_are_solved(void **state)
{
  static const double sizes[] = {1e-290, 1e-165, 1e-60, 1e60, 1e165, 1e290};
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  FOR_EACH_METHOD(opts)
  {
    for (int k = 0; k < 6; k++) {
      linear_system s = make_tridiagonal(3, 2);
      ovk_mat *A = NULL;
      int n = 3;
      const ovk_shell_ops ops = {.size = sizeof ops, .mult = multiply_by_size};
      of_shell = sizes[k];
      assert_ok(ovk_mat_create_shell(test_ctx(), n, &ops, &n, &A));
      assert_ok(ovk_vec_fill(s.b, 1));
      const ovk_result res = solve_alike(A, NULL, s.b, s.x, &opts);
      assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
      assert_true(res.true_relative_residual <= 1.01 * opts.rtol);
      ovk_mat_destroy(&A);
      clear_system(&s);
    }
  }
}

static int register_plugins(void **state)
{
  return (int)ovk_precond_register(test_ctx(), &faulty_ops, &the_faulty_precond);
}

int run_all_tests(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_indefinite_matrix_is_recognised),
      cmocka_unit_test(a_singular_matrix_is_named_where_it_breaks_the_solve),
      cmocka_unit_test(a_singular_matrix_is_named_where_x_has_grown),
      cmocka_unit_test(an_indefinite_preconditioner_is_recognised),
      cmocka_unit_test(not_a_number_is_traced_to_its_origin),
      cmocka_unit_test(not_a_number_in_the_matrix_is_traced),
      cmocka_unit_test(not_a_number_from_the_preconditioner_is_traced),
      cmocka_unit_test(not_a_number_that_comes_once_is_traced),
      cmocka_unit_test(a_failing_preconditioner_ends_the_solve_with_its_error_on_all_ranks),
      cmocka_unit_test(a_failing_operator_ends_the_solve_with_its_error_on_all_ranks),
      cmocka_unit_test(not_a_number_from_the_operator_is_traced),
      cmocka_unit_test(underflow_is_not_called_indefinite),
      cmocka_unit_test(shells_of_any_scale_are_solved),
      cmocka_unit_test(a_residual_that_runs_away_is_divergence),
      cmocka_unit_test(right_hand_sides_of_any_size_are_solved),
      cmocka_unit_test(an_absolute_tolerance_holds_for_any_right_hand_side),
  };
  return cmocka_run_group_tests(tests, register_plugins, NULL);
}
