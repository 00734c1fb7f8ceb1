/* SPDX-License-Identifier: BSD-2-Clause */
/* How a solve ends: reasons, monitors, misuse; for every method, the same on all ranks. */
#include "support/methods.h"
#include "support/problem.h"

TEST(a_zero_right_hand_side_gives_zero_at_once)
{
  FOR_EACH_METHOD(opts) {
    scoped_system s = new_tridiagonal_system(3, 2);
    assert_ok(ovk_vec_fill(s.b, 0));
    assert_ok(ovk_vec_fill(s.x, 7));
    const ovk_result res = solve_alike(s.A, s.M, s.b, s.x, &opts);
    assert_int_equal(res.reason, OVK_REASON_CONVERGED_ZERO_RHS);
    assert_int_equal(res.iterations, 0);
    assert_true(ovk_vec_array(s.x)[0] == 0 && ovk_vec_array(s.x)[2] == 0);
  }
}

TEST(a_good_guess_takes_no_iteration)
{
  FOR_EACH_METHOD(opts) {
    scoped_system s = new_tridiagonal_system(4, 2);
    ovk_result res = solve_alike(s.A, s.M, s.b, s.x, &opts);
    assert_true(res.iterations > 0);
    res = solve_alike(s.A, s.M, s.b, s.x, &opts);
    assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
    assert_int_equal(res.iterations, 0);
    assert_true(res.true_relative_residual <= 1e-8);
  }
}

TEST(tiny_and_empty_systems_work)
{
  FOR_EACH_CG_METHOD(opts) {
    for (int rows = 0; rows < 3; rows++) { /* all on the last rank */
      scoped_system s = new_tridiagonal_system(is_last() ? rows : 0, 4);
      const ovk_result res = solve_alike(s.A, s.M, s.b, s.x, &opts);
      assert_int_equal(res.reason,
                       rows ? OVK_REASON_CONVERGED_RTOL : OVK_REASON_CONVERGED_ZERO_RHS);
      assert_true(res.iterations <= rows);
      const double x = rows == 1 ? 0.25 : 1.0 / 3;
      for (ovk_lidx i = 0; i < ovk_vec_local_size(s.x); i++) {
        assert_close(ovk_vec_array(s.x)[i], x, 1e-14);
      }
    }
  }
}

TEST(the_absolute_tolerance_counts_where_it_is_larger)
{
  FOR_EACH_METHOD(opts) {
    opts.atol = 1e-2;
    scoped_system s = new_tridiagonal_system(10, 2);
    const ovk_result res = solve_alike(s.A, s.M, s.b, s.x, &opts);
    assert_int_equal(res.reason, OVK_REASON_CONVERGED_ATOL);
    assert_true(res.tolerance == 1e-2);
    assert_true(res.true_relative_residual * res.rhs_norm <= 1.01e-2);
  }
}

TEST(maxit_stops_and_says_so)
{
  FOR_EACH_METHOD(opts) {
    for (opts.maxit = 0; opts.maxit < 4; opts.maxit += 3) {
      scoped_system s = new_tridiagonal_system(10, 2);
      const ovk_result res = solve_alike(s.A, s.M, s.b, s.x, &opts);
      assert_int_equal(res.reason, OVK_REASON_MAXIT);
      assert_int_equal(res.iterations, opts.maxit);
      assert_non_null(strstr(ovk_ctx_error(test_ctx()), opts.maxit ? "iterations" : "maxit is 0"));
    }
  }
}

static int stop_at_three(void *arg, const ovk_progress *progress)
{
  return is_last() && progress->iteration == 3;
}

TEST(a_monitor_on_one_rank_stops_all_when_the_next_sum_ends)
{
  FOR_EACH_CG_METHOD(opts) {
    opts.monitor = stop_at_three;
    scoped_system s = new_tridiagonal_system(20, 2);
    const ovk_result res = solve_alike(s.A, s.M, s.b, s.x, &opts);
    assert_int_equal(res.reason, OVK_REASON_MONITOR);
    const int later = strcmp(opts.method, "pipelcg") == 0 ? 2 : 1; /* the depth of the pipeline */
    assert_int_equal(res.iterations, 3 + later);
  }
}

/* The first iteration in which to stop, and the arguments of the monitor then. */
typedef struct stop_now {
  int from;
  ovk_progress told;
} stop_now;

static int stop_now_from(void *arg, const ovk_progress *progress)
{
  stop_now *stop = arg;
  if (progress->iteration < stop->from) return OVK_MONITOR_CONTINUE;
  stop->told = *progress;
  return OVK_MONITOR_STOP_NOW;
}

TEST(monitors_of_all_ranks_stop_at_once_with_the_x_that_they_were_told_of)
{
  stop_now stop;
  FOR_EACH_METHOD(opts) {
    opts.monitor = stop_now_from;
    opts.monitor_arg = &stop;
    for (int from = 0; from <= 3; from += 3) {
      scoped_system s = new_tridiagonal_system(40, 2);
      stop = (stop_now){.from = from};
      opts.rtol = from == 0 ? 0.9 : 0; /* the monitor stops it before the tolerance does */
      const ovk_result res = solve_alike(s.A, s.M, s.b, s.x, &opts);
      const double told = stop.told.residual_norm / stop.told.rhs_norm;
      const bool tenth = strcmp(opts.method, "chebyshev") == 0;
      assert_int_equal(res.reason, OVK_REASON_MONITOR);
      assert_int_equal(res.iterations, tenth && from ? 10 : from);
      assert_int_equal(res.iterations, stop.told.iteration);
      assert_true(fabs(res.true_relative_residual - told) < 1e-10 * told);
    }
  }
}

TEST(a_solver_serves_many_right_hand_sides)
{
  FOR_EACH_METHOD(opts) {
    opts.backend = "iallreduce";
    scoped_system s = new_tridiagonal_system(6, 2.5);
    ovk_solver *solver = new_solver(s.A, s.M, &opts);
    assert_int_equal(strncmp(ovk_solver_method(solver), opts.method, strlen(opts.method)), 0);
    assert_string_equal(ovk_solver_backend(solver), opts.backend);
    for (int k = 1; k < 6; k++) {
      double rest = 1;
      assert_ok(ovk_vec_fill(s.b, k));
      spoil_last(s.b, -k * k);
      const ovk_result res = solve_from_zero(solver, s.b, s.x);
      assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
      assert_in_range(res.reductions_per_iteration, 0, 3);
      scoped_vec *r = new_vec_like(s.b);
      assert_ok(ovk_mat_mult(s.A, s.x, r));
      assert_ok(ovk_vec_axpy(-1, s.b, r));
      assert_ok(ovk_vec_norm(r, &rest));
      assert_close(rest / res.rhs_norm, res.true_relative_residual, 1e-14);
      assert_true(rest <= 1.01e-8 * res.rhs_norm);
      const ovk_seconds *t = &res.seconds;
      const double parts =
          t->mult + t->halo_wait + t->precond + t->vector + t->reduction_begin + t->reduction_wait;
      assert_true(parts > 0 && parts <= t->solve);
    }
    ovk_solver_destroy(&solver);
    assert_null(solver);
  }
}

TEST(the_print_monitor_writes_a_line_an_iteration)
{
  scoped_system s = new_tridiagonal_system(4, 2);
  FILE *file = tmpfile();
  assert_non_null(file);
  ovk_solver_opts opts =
      solver_opts(.monitor = ovk_monitor_print, .monitor_arg = test_rank == 0 ? file : NULL,
                  .true_residual_every = 2);
  const ovk_result res = solve_alike(s.A, s.M, s.b, s.x, &opts);
  rewind(file);
  int lines = 0, with_true = 0;
  char line[200];
  while (fgets(line, sizeof line, file)) {
    assert_int_equal(atoi(line), lines++);
    with_true += strstr(line, "true") != NULL;
  }
  assert_int_equal(lines, test_rank == 0 ? res.iterations + 1 : 0);
  if (test_rank == 0) assert_int_equal(with_true, res.iterations / 2 + 1);
  fclose(file);
}

TEST(bad_options_are_told_on_all_ranks)
{
  scoped_system s = new_tridiagonal_system(3, 2);
  const struct {
    ovk_solver_opts opts;
    ovk_err err;
    const char *says;
  } bad[] = {
      {{.rtol = -1, .dtol = 10, .poll_rows = 1}, OVK_ERR_ARG, "rtol = -1"},
      {{.rtol = NAN, .dtol = 10, .poll_rows = 1}, OVK_ERR_ARG, "rtol ="},
      {{.rtol = 2, .dtol = 10, .poll_rows = 1}, OVK_ERR_ARG, "rtol = 2: must be >= 0 and < 1"},
      {{.rtol = 1, .dtol = 10, .poll_rows = 1}, OVK_ERR_ARG, "rtol = 1:"},
      {{.method = "", .dtol = 10, .poll_rows = 1}, OVK_ERR_ARG, "method '', column 1"},
      {{.backend = "", .dtol = 10, .poll_rows = 1}, OVK_ERR_ARG, "backend '', column 1"},
      {{.atol = -1, .dtol = 10, .poll_rows = 1}, OVK_ERR_ARG, "atol = -1"},
      {{.dtol = 1, .poll_rows = 1}, OVK_ERR_ARG, "dtol = 1"},
      {{.dtol = 10, .maxit = -1, .poll_rows = 1}, OVK_ERR_ARG, "maxit = -1"},
      {{.dtol = 10, .poll_rows = -1}, OVK_ERR_ARG, "poll_rows = -1"},
      {{.dtol = 10, .poll_rows = 1, .true_residual_every = -1}, OVK_ERR_ARG, "every = -1"},
      {{.rtol = 1e-8}, OVK_ERR_ARG, "start from OVK_SOLVER_OPTS"},
      {{.method = "algorithm3", .dtol = 10, .poll_rows = 1}, OVK_ERR_UNKNOWN, "did you mean"},
      {{.method = "overlap:x", .dtol = 10, .poll_rows = 1}, OVK_ERR_UNKNOWN, "no keys"},
      {{.backend = "blockin", .dtol = 10, .poll_rows = 1}, OVK_ERR_UNKNOWN, "'blocking'"},
  };
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    assert_no_solver(s.A, s.M, &bad[k].opts, bad[k].err, bad[k].says);
    ovk_result res = {.reason = OVK_REASON_MAXIT, .iterations = 7};
    assert_error(ovk_solve(s.A, s.M, s.b, s.x, &bad[k].opts, &res), bad[k].err, bad[k].says);
    assert_true(res.reason == OVK_REASON_NOT_RUN && res.iterations == 0);
  }
  if (test_size > 1) {
    ovk_solver_opts opts = OVK_SOLVER_OPTS;
    if (is_last()) opts.rtol = 1e-3;
    assert_no_solver(s.A, s.M, &opts, OVK_ERR_ARG,
                     "different solver options: 'rtol 1e-08' on rank 0, 'rtol 0.001' on rank");
    opts = ovk_solver_opts_default();
    if (is_last()) opts.maxit = -1;
    assert_no_solver(s.A, s.M, &opts, OVK_ERR_ARG, "maxit = -1: must be >= 0 (rank ");
  }
}

TEST(b_and_x_that_share_memory_on_one_rank_are_refused_on_all)
{
  enum { ROWS = 3 };
  double array[2 * ROWS] = {0};
  scoped_system s = new_tridiagonal_system(ROWS, 2);
  scoped_vec *b = NULL, *x = NULL;
  assert_ok(ovk_vec_wrap(test_ctx(), ROWS, array, &b));
  assert_ok(ovk_vec_wrap(test_ctx(), ROWS, array + (is_last() ? ROWS - 1 : ROWS), &x));
  assert_error(ovk_solve(s.A, s.M, b, x, NULL, NULL), OVK_ERR_ARG, "share memory");
  assert_error(ovk_precond_apply(s.M, x, b, ovk_poll_none()), OVK_ERR_ARG, "share memory");
}

TEST(vectors_that_do_not_fit_are_told_on_all_ranks)
{
  scoped_system s = new_tridiagonal_system(3, 2),
                other = new_tridiagonal_system(is_last() ? 4 : 3, 2);
  ovk_solver *solver = new_solver(s.A, s.M, NULL);
  assert_error(ovk_solver_solve(solver, other.b, s.x, NULL), OVK_ERR_ARG, "b ");
  assert_error(ovk_solver_solve(solver, s.b, other.x, NULL), OVK_ERR_ARG, "x ");
  assert_error(ovk_solver_solve(solver, s.b, s.b, NULL), OVK_ERR_ARG, "same vector");
  ovk_vec *alias = NULL;
  assert_ok(ovk_vec_wrap(test_ctx(), 3, ovk_vec_array(s.b), &alias));
  assert_error(ovk_solver_solve(solver, s.b, alias, NULL), OVK_ERR_ARG, "same vector");
  ovk_vec_destroy(&alias);
  assert_error(ovk_solver_solve(solver, is_last() ? NULL : s.b, s.x, NULL), OVK_ERR_ARG,
               "b is NULL");
  ovk_solver_destroy(&solver);
  assert_no_solver(s.A, other.M, NULL, OVK_ERR_ARG, "preconditioner");
}

static ovk_err copy(void *state, const double *r, double *z, ovk_poll poll)
{
  memcpy(z, r, *(const size_t *)state);
  return OVK_OK;
}

TEST(split_methods_refuse_a_preconditioner_without_factors)
{
  static size_t bytes = 3 * sizeof(double);
  static const ovk_precond_ops ops = {.name = "unsplit", .apply = copy};
  scoped_system s = new_tridiagonal_system(3, 2);
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  assert_ok(ovk_precond_register(test_ctx(), &ops, &bytes));
  scoped_precond *M = new_precond(s.A, "unsplit");
  opts.method = "overlap";
  assert_no_solver(s.A, M, &opts, OVK_ERR_UNSUPPORTED,
                   "method 'overlap' needs a preconditioner with factors");
  opts.method = "cg";
  assert_int_equal(solve_alike(s.A, M, s.b, s.x, &opts).reason, OVK_REASON_CONVERGED_RTOL);
}

TEST(the_environment_gives_defaults)
{
  setenv("OVK_METHOD", "split-cg", 1);
  setenv("OVK_BACKEND", "iallreduce", 1);
  scoped_ctx *ctx = new_ctx();
  unsetenv("OVK_METHOD");
  unsetenv("OVK_BACKEND");
  scoped_mat *A = NULL;
  const int n[3] = {2, 2, 2}, grid[3] = {1, 1, test_size};
  assert_int_equal(ovk_gallery_laplace7(ctx, n, grid, NULL, &A), OVK_OK);
  scoped_solver *solver = new_solver(A, NULL, NULL);
  assert_string_equal(ovk_solver_method(solver), "split-cg");
  assert_string_equal(ovk_solver_backend(solver), "iallreduce");
}
