/* SPDX-License-Identifier: BSD-2-Clause */
/* The units of A and b do not matter: powers of two that scale them change no bit of the residuals
 * of a method, so no decision either. */
#include "support/methods.h"
#include "support/problem.h"

enum { N = 30, MOST = 500 };

typedef struct history_of_solve {
  ovk_result res;
  ovk_history history;
  ovk_progress entries[MOST];
} history_of_solve;

static void solve_in(const char *method, const char *precond, ovk_norm norm, int power_A,
                     int power_b, history_of_solve *h)
{
  scoped_dense_system S =
      new_dense_system(random_spd(N, 100, 7), N, 8, ldexp(1, power_A), ldexp(1, power_b));
  scoped_precond *M = new_precond(S.A, precond);
  *h = (history_of_solve){.history = {h->entries, MOST, 0}};
  ovk_solver_opts opts = solver_opts(.method = method, .backend = "nbc", .norm = norm,
                                     .monitor = ovk_monitor_record, .monitor_arg = &h->history);
  h->res = solve_dense_system(&S, M, &opts);
}

static void solve(const char *method, const char *precond, int power_A, int power_b,
                  history_of_solve *h)
{
  solve_in(method, precond, OVK_NORM_UNPRECONDITIONED, power_A, power_b, h);
}

/* Methods that split need factors. */
static bool takes(const char *method, const char *precond)
{
  const bool splits = strcmp(method, "split-cg") == 0 || strcmp(method, "overlap") == 0;
  return !splits || strcmp(precond, "chebyshev") != 0;
}

static void check(const char *method, const char *precond)
{
  static const int powers[][2] = {{-100, 0}, {100, -100}, {0, 100}};
  static history_of_solve plain, scaled;
  solve(method, precond, 0, 0, &plain);
  assert_true(plain.history.count <= MOST);
  assert_int_equal(plain.res.reason, OVK_REASON_CONVERGED_RTOL);
  for (size_t k = 0; k < sizeof powers / sizeof *powers; k++) {
    solve(method, precond, powers[k][0], powers[k][1], &scaled);
    assert_int_equal(scaled.res.reason, plain.res.reason);
    assert_int_equal(scaled.res.replacements, plain.res.replacements);
    assert_int_equal(scaled.history.count, plain.history.count);
    for (int i = 0; i < plain.history.count; i++) {
      const double norm = ldexp(plain.entries[i].residual_norm, powers[k][1]);
      assert_true(scaled.entries[i].residual_norm == norm);
    }
  }
}

TEST(powers_of_two_change_no_bit_of_a_residual)
{
  FOR_EACH_CHOICE(list_named_methods, method) {
    static const char *const preconds[] = {"none", "ssor"};
    for (int p = 0; p < 2; p++) {
      print_message("%s, %s\n", method.name, preconds[p]);
      check(method.name, preconds[p]);
    }
  }
}

/* A times 2^k, b times 2^l: the same count and the same reason as long as the numbers of A, b and x
 * are normal. */
static bool stays_normal(int k, int l)
{
  enum { MARGIN = 40 };
  return abs(k) < 1022 - MARGIN && abs(l) < 1022 - MARGIN && abs(l - k) < 1022 - MARGIN;
}

static int check_scale(const char *method, const char *precond, ovk_norm norm, int k, int l,
                       const history_of_solve *plain)
{
  static history_of_solve scaled;
  solve_in(method, precond, norm, k, l, &scaled);
  const bool same = scaled.res.reason == plain->res.reason &&
                    scaled.res.iterations == plain->res.iterations &&
                    scaled.res.true_relative_residual == plain->res.true_relative_residual;
  if (!same) {
    print_message("%s, %s, norm %d, 2^%d A, 2^%d b: %s, %d iterations, not %s, %d: %s\n", method,
                  precond, (int)norm, k, l, ovk_reason_text(scaled.res.reason),
                  scaled.res.iterations, ovk_reason_text(plain->res.reason), plain->res.iterations,
                  ovk_ctx_error(test_ctx()));
  }
  return !same;
}

static int check_scales(const char *method, const char *precond, ovk_norm norm, int step)
{
  static history_of_solve plain;
  int wrong = 0;
  solve_in(method, precond, norm, 0, 0, &plain);
  for (int k = -1000; k <= 1000; k += step) {
    for (int l = -1000; l <= 1000; l += step) {
      if (stays_normal(k, l)) wrong += check_scale(method, precond, norm, k, l, &plain);
    }
  }
  return wrong;
}

static const char *const scaled_preconds[] = {"none", "jacobi", "ssor", "ic", "chebyshev"};
enum { PRECONDS = sizeof scaled_preconds / sizeof *scaled_preconds };

TEST(no_method_fails_for_the_scale_of_a_system)
{
  const int step = getenv("OVK_TEST_SCALES") ? 50 : 250;
  ovk_choice method = OVK_CHOICE;
  int wrong = 0;
  for (int k = 0; list_named_methods(test_ctx(), k, &method); k++) {
    for (int p = 0; p < PRECONDS; p++) {
      if (!takes(method.name, scaled_preconds[p])) continue;
      wrong += check_scales(method.name, scaled_preconds[p], OVK_NORM_UNPRECONDITIONED, step);
    }
  }
  assert_int_equal(wrong, 0);
}

TEST(norms_with_a_preconditioner_are_scaled_too)
{
  static const char *const methods[] = {"cg", "pipecg", "minres", "gmres"};
  static const ovk_norm norms[] = {OVK_NORM_PRECONDITIONED, OVK_NORM_NATURAL};
  int wrong = 0;
  for (int m = 0; m < 4; m++) {
    for (int q = 0; q < (m < 2 ? 2 : 1); q++) {
      wrong += check_scales(methods[m], "jacobi", norms[q], 250);
    }
  }
  assert_int_equal(wrong, 0);
}

/* b of the size `b`, x0 = x, and the method's result for tridiagonal (-1, d, -1) times `size`. */
static ovk_result solve_band(const char *method, double d, double size, double b, double x,
                             double atol)
{
  enum { ROWS = 8 };
  ovk_solver_opts opts = with_method(method);
  scoped_mat *A = new_mat(ROWS);
  for (ovk_gidx i = ovk_mat_row_begin(A), end = i + ROWS; i < end; i++) {
    if (i > 0) assert_ok(ovk_mat_add(A, i, i - 1, -size));
    if (d != 0) assert_ok(ovk_mat_add(A, i, i, d * size));
    if (i + 1 < ovk_mat_size(A)) assert_ok(ovk_mat_add(A, i, i + 1, -size));
  }
  assert_ok(ovk_mat_assemble(A));
  scoped_vec *rhs = new_filled(A, b), *start = new_filled(A, x);
  opts.atol = atol;
  const ovk_result res = solve_alike(A, NULL, rhs, start, &opts);
  double norm;
  assert_ok(ovk_vec_norm(start, &norm));
  if (res.reason > 0) assert_true(isfinite(norm) && (norm > 0 || atol > 0));
  return res;
}

/* A b that vanishes when it is squared next to b - A x0 is not 0. */
TEST(a_start_that_is_far_off_does_not_make_b_zero)
{
  static const double of_b[] = {1e-300, 1e-170, 1, 1}, of_x[] = {1, 1, 1e300, 1e200};
  FOR_EACH_CHOICE(list_named_methods, method) {
    for (int i = 0; i < 4; i++) {
      const ovk_result res = solve_band(method.name, 2.5, 1, of_b[i], of_x[i], 0);
      assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
      assert_true(res.rhs_norm > of_b[i]);
      assert_true(res.true_relative_residual <= 1.01e-8);
    }
    assert_int_equal(solve_band(method.name, 2.5, 1, 1e-300, 1, 1e-8).reason,
                     OVK_REASON_CONVERGED_ATOL);
  }
}

/* The scaled x0 is as large as A in the user's units. */
TEST(a_start_is_used_whatever_the_scale_of_A)
{
  static const double sizes[] = {1e-300, 1e-150, 1e150, 1e300};
  FOR_EACH_CHOICE(list_named_methods, method) {
    const ovk_result plain = solve_band(method.name, 2.5, 1, 1, 1, 0);
    for (int i = 0; i < 4; i++) {
      const double size = sizes[i];
      const ovk_result res = solve_band(method.name, 2.5, size, size, 1, 0);
      assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
      assert_true(abs(res.iterations - plain.iterations) <= 1);
      const double far = size > 1 ? size * 1e-100 : size; /* x0 is far from the solution */
      assert_int_equal(solve_band(method.name, 2.5, size, far, 1, 0).reason,
                       OVK_REASON_CONVERGED_RTOL);
    }
  }
}

TEST(an_infinite_start_does_not_make_b_zero)
{
  FOR_EACH_CHOICE(list_named_methods, method) {
    assert_int_equal(solve_band(method.name, 2.5, 1, 1e-300, INFINITY, 0).reason, OVK_REASON_NAN);
  }
}

/* The scaled system is solved, but its solution cannot be given in doubles. */
TEST(a_solution_beyond_doubles_is_no_convergence)
{
  static const double sizes[] = {0x1p600, 0x1p535, 0x1p-600};
  FOR_EACH_CHOICE(list_named_methods, method) {
    for (int i = 0; i < 3; i++) {
      const ovk_result res = solve_band(method.name, 2.5, sizes[i], 1 / sizes[i], 0, 0);
      assert_end(res, OVK_REASON_NAN, "too large or too small for a double");
    }
  }
}

/* A solve that ends before it converges: x is beyond doubles, or too small and therefore 0. */
TEST(a_failed_solve_tells_the_residual_of_the_x_that_it_returns)
{
  static const double sizes[] = {0x1p-600, 0x1p600};
  static const ovk_reason reasons[] = {OVK_REASON_NAN, OVK_REASON_MAXIT};
  for (int i = 0; i < 2; i++) {
    scoped_dense_system S = new_dense_system(random_spd(N, 100, 7), N, 8, sizes[i], 1 / sizes[i]);
    ovk_solver_opts opts = solver_opts(.method = "cg", .maxit = 3);
    const ovk_result res = solve_dense_system(&S, NULL, &opts);
    double norm_x;
    assert_ok(ovk_vec_norm(S.x, &norm_x));
    assert_int_equal(res.reason, reasons[i]);
    assert_int_equal(isfinite(norm_x), isfinite(res.true_relative_residual));
    if (norm_x == 0) assert_true(res.true_relative_residual == 1);
  }
}

TEST(a_matrix_without_a_diagonal_is_scaled)
{
  static const char *const methods[] = {"minres", "pipelined-minres", "gmres",
                                        "bcgs",   "pipebcgs",         "gmres:ortho=cgs2"};
  for (int m = 0; m < 6; m++) {
    const int count = solve_band(methods[m], 0, 1, 1, 0, 0).iterations;
    for (int k = -1000; k <= 1000; k += 250) {
      const ovk_result res = solve_band(methods[m], 0, ldexp(1, k), 1, 0, 0);
      assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
      assert_int_equal(res.iterations, count);
    }
  }
}

/* x0 does not fit the scale of A, or that of b where A x0 is 0. */
TEST(a_finite_start_is_finite_on_every_scale)
{
  FOR_EACH_CHOICE(list_named_methods, method) {
    assert_int_equal(solve_band(method.name, 2.5, 1e300, 1, 1e270, 0).reason,
                     OVK_REASON_CONVERGED_RTOL);
    assert_int_equal(solve_band(method.name, 2.5, 1e302, 1e-315, 0.4, 1e300).reason,
                     OVK_REASON_CONVERGED_ATOL);
    scoped_mat *zero = new_mat(1);
    assert_ok(ovk_mat_add(zero, ovk_mat_row_begin(zero), ovk_mat_row_begin(zero), 0.0));
    assert_ok(ovk_mat_assemble(zero));
    scoped_vec *b = new_filled(zero, 1e-310), *x = new_filled(zero, -1);
    const ovk_solver_opts opts = with_method(method.name);
    const ovk_result res = solve_alike(zero, NULL, b, x, &opts);
    assert_true(res.reason < 0);
    assert_true(isfinite(ovk_vec_array(x)[0]));
  }
}

/* The message names x0, not the scale; a column of A without entries hides x0 from the product. */
TEST(a_start_that_is_not_finite_is_named)
{
  static const double sizes[] = {1, 1e-300, 1e300};
  for (int i = 0; i < 3; i++) {
    assert_end(solve_band("cg", 2.5, sizes[i], 1, NAN, 0), OVK_REASON_NAN, "x0");
  }
  scoped_mat *A = new_mat(2);
  const ovk_gidx first = ovk_mat_row_begin(A);
  assert_ok(ovk_mat_add(A, first, first, 2.0));
  assert_ok(ovk_mat_assemble(A));
  scoped_vec *b = new_filled(A, 1), *x = new_filled(A, 0);
  ovk_vec_array(b)[1] = 0;
  ovk_vec_array(x)[1] = NAN;
  const ovk_solver_opts opts = with_method("cg");
  const ovk_result res = solve_alike(A, NULL, b, x, &opts);
  assert_end(res, OVK_REASON_NAN, "x0");
}

/* Though atol is beyond doubles on the scale of b. */
TEST(the_tolerance_is_told_in_the_units_of_the_options)
{
  const ovk_result res = solve_band("cg", 2.5, 1e-200, 1e-200, 0, 1e300);
  assert_int_equal(res.reason, OVK_REASON_CONVERGED_ATOL);
  assert_true(res.tolerance == 1e300);
}

TEST(gmres_messages_have_the_residual_in_the_units_of_b)
{
  static const char *const methods[] = {"gmres", "gmres:restart=3"};
  char words[2][80];
  for (int i = 0; i < 2; i++) {
    scoped_mat *A = new_mat(4); /* each rank: a cycle of four rows, or one with an end */
    const ovk_gidx first = ovk_mat_row_begin(A);
    for (int k = 0; k < 3 + i; k++)
      assert_ok(ovk_mat_add(A, first + (k + 1) % 4, first + k, 1e200));
    assert_ok(ovk_mat_assemble(A));
    scoped_vec *b = new_filled(A, 0), *x = new_filled(A, 0);
    ovk_vec_array(b)[0] = 1e160;
    const ovk_solver_opts opts = with_method(methods[i]);
    const ovk_result res = solve_alike(A, NULL, b, x, &opts);
    snprintf(words[i], sizeof words[i], "%g", 1e160 * sqrt(ovk_ctx_size(test_ctx())));
    assert_end(res, i ? OVK_REASON_STAGNATED_RESTART : OVK_REASON_SINGULAR, words[i]);
    if (i) assert_non_null(strstr(ovk_ctx_error(test_ctx()), "3 iterations between restarts"));
  }
}
