/* SPDX-License-Identifier: BSD-2-Clause */
/* Every method of the list compared with a textbook CG and with LAPACK, over both backends. */
#include "support/methods.h"
#include "support/problem.h"

#include <lapacke.h>

enum { N = 40 };

static const char *const backends[] = {"blocking", "iallreduce", "nbc", "nbc:alg=flat", "shm"};
enum { BACKENDS = sizeof backends / sizeof *backends };

static dense_system make_of(double *dense)
{
  return new_dense_system(dense, N, 6, 1, 1);
}

static dense_system make_system(double condition)
{
  return make_of(random_spd(N, condition, 5));
}

/* Sums over nbc:alg=flat add up in the order of ranks, so their bits do not depend on their
 * length. */
TEST(one_sum_for_two_changes_no_bit)
{
  scoped_dense_system P = make_system(1e4);
  scoped_array double *first = new_memory((size_t)ovk_vec_local_size(P.x) * sizeof *first);
  static const char *const pair[] = {"cg", "two-reductions"};
  int iterations[2];
  for (int k = 0; k < 2; k++) {
    const size_t bytes = (size_t)ovk_vec_local_size(P.x) * sizeof *first;
    ovk_solver_opts opts = solver_opts(.method = pair[k], .backend = "nbc:alg=flat");
    const ovk_result res = solve_dense_system(&P, P.M, &opts);
    assert_true(res.reason > 0);
    assert_int_equal(res.reductions_per_iteration, 3 - k);
    iterations[k] = res.iterations;
    if (k) assert_memory_equal(ovk_vec_array(P.x), first, bytes);
    if (!k) memcpy(first, ovk_vec_array(P.x), bytes);
  }
  assert_int_equal(iterations[0], iterations[1]);
}

TEST(the_first_steps_are_those_of_textbook_cg)
{
  enum { STEPS = 12 };
  scoped_dense_system P = make_system(10);
  double norms[STEPS], x[N];
  textbook_cg(&P, STEPS, norms, x);
  FOR_EACH_CHOICE(list_cg_methods, method) {
    for (int k = 0; k < BACKENDS; k++) {
      ovk_solver_opts opts = solver_opts(.method = method.name, .backend = backends[k]);
      check_steps(&P, P.M, opts, STEPS, norms, 1e-12 * norms[0]);
      assert_near(P.x, x, 1e-11);
    }
  }
}

TEST(monitors_can_ask_for_the_solution)
{
  scoped_dense_system P = make_system(10);
  scoped_vec *x = new_vec(P.A), *r = new_vec(P.A);
  asking a = {.P = &P, .x = x, .r = r, .tolerance = 1e-11};
  FOR_EACH_CHOICE(list_cg_methods, method) {
    for (int every = 0; every < 3; every += 2) {
      ovk_solver_opts opts = with_method(method.name);
      opts.rtol = 0;
      opts.maxit = 8;
      opts.true_residual_every = every;
      opts.monitor = ask;
      opts.monitor_arg = &a;
      a.calls = 0;
      scoped_solver *solver = a.solver = new_solver(P.A, P.M, &opts);
      (void)solve_from_zero(solver, P.b, P.x);
      assert_int_equal(a.calls, 9);
      assert_error(ovk_solver_current_x(a.solver, a.x), OVK_ERR_STATE, "no monitor");
    }
  }
}

TEST(the_solution_is_that_of_lapack)
{
  const double conditions[] = {1, 1e2, 1e6}; /* no residual can be smaller than about eps cond */
  const double rtols[] = {1e-13, 1e-11, 1e-8};
  for (int c = 0; c < 3; c++) {
    scoped_dense_system P = make_system(conditions[c]);
    scoped_array double *factor = new_memory(N * N * sizeof *factor);
    double x[N];
    memcpy(factor, P.A_all, N * N * sizeof *factor);
    memcpy(x, P.b_all, sizeof x);
    assert_int_equal(LAPACKE_dposv(LAPACK_ROW_MAJOR, 'L', N, 1, factor, N, x, 1), 0);
    double size = 0;
    for (int i = 0; i < N; i++) size = fmax(size, fabs(x[i]));
    FOR_EACH_CHOICE(list_cg_methods, method) {
      ovk_solver_opts opts = solver_opts(.method = method.name, .rtol = rtols[c]);
      const ovk_result res = solve_dense_system(&P, P.M, &opts);
      assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
      assert_true(res.true_relative_residual <= 1.01 * rtols[c]);
      assert_near(P.x, x, 10 * rtols[c] * conditions[c] * size);
    }
  }
}

/* With rtol = 0 a method runs until it no longer improves: as accurate as classic CG, and reported
 * correctly. */
TEST(attainable_accuracy_is_reached_and_called_stagnation)
{
  scoped_dense_system P = make_system(1e4);
  FOR_EACH_CHOICE(list_cg_methods, method) {
    ovk_solver_opts opts = with_method(method.name);
    opts.rtol = 0;
    const ovk_result res = solve_dense_system(&P, P.M, &opts);
    assert_end(res, OVK_REASON_STAGNATED, "stagnated: ");
    assert_true(res.restarts >= 1);
    assert_true(res.true_relative_residual < 1e-12);
  }
}

/* The jacobi preconditioner, not declared as diagonal: its output is stored. */
typedef struct hidden {
  ovk_lidx n;
  double d[N];
} hidden;

static ovk_err hidden_setup(const ovk_mat *A, const ovk_spec *spec, void *user, void **state)
{
  hidden *h = user;
  scoped_vec *d = new_vec(A);
  assert_ok(ovk_mat_diagonal(A, d));
  h->n = ovk_mat_local_size(A);
  for (ovk_lidx i = 0; i < h->n; i++) h->d[i] = 1 / ovk_vec_array(d)[i];
  *state = h;
  return OVK_OK;
}

static ovk_err hidden_apply(void *state, const double *r, double *z, ovk_poll poll)
{
  const hidden *h = state;
  for (ovk_lidx i = 0; i < h->n; i++) z[i] = h->d[i] * r[i];
  return OVK_OK;
}

static ovk_err hidden_apply_root(void *state, const double *r, double *t, ovk_poll poll)
{
  const hidden *h = state;
  for (ovk_lidx i = 0; i < h->n; i++) t[i] = sqrt(h->d[i]) * r[i];
  return OVK_OK;
}

static const ovk_precond_ops hidden_ops = {.name = "hidden",
                                           .setup = hidden_setup,
                                           .apply = hidden_apply,
                                           .factor = has_factors,
                                           .apply_left = hidden_apply_root,
                                           .apply_right = hidden_apply_root};

static hidden the_hidden;

/* Solves from 0 and records ||r|| after each of `steps` iterations. */
static void record(const dense_system *P, ovk_precond *M, const char *method, int steps,
                   double *norms)
{
  ovk_progress entries[N];
  ovk_history history = {entries, N, 0};
  ovk_solver_opts opts = with_method(method);
  opts.backend = "blocking";
  opts.rtol = 0;
  opts.maxit = steps;
  opts.monitor = ovk_monitor_record;
  opts.monitor_arg = &history;
  assert_ok(ovk_vec_fill(P->x, 0));
  assert_ok(ovk_pcg_solve(P->A, M, P->b, P->x, &opts, NULL));
  for (int i = 0; i <= steps; i++) norms[i] = entries[i].residual_norm;
}

static void check_against_hidden(const dense_system *P)
{
  enum { STEPS = 12 };
  double fused[STEPS + 1], stored[STEPS + 1], x[N];
  const ovk_lidx n = ovk_vec_local_size(P->x);
  scoped_precond *M = new_precond(P->A, "hidden");
  FOR_EACH_CHOICE(list_cg_methods, method) {
    const bool same_bits = strcmp(method.name, "cg") == 0; /* others avoid square roots */
    const double most = same_bits ? 0 : strcmp(method.name, "pipelcg") == 0 ? 1e-12 : 1e-13;
    record(P, P->M, method.name, STEPS, fused);
    memcpy(x, ovk_vec_array(P->x), (size_t)n * sizeof *x);
    record(P, M, method.name, STEPS, stored);
    for (int i = 0; i <= STEPS; i++) {
      assert_true(fabs(fused[i] - stored[i]) <= most * stored[0]);
    }
    for (ovk_lidx i = 0; i < n; i++) {
      assert_close(x[i], ovk_vec_array(P->x)[i], 10 * most);
    }
  }
}

TEST(a_diagonal_preconditioner_inside_the_updates_changes_no_iterate)
{
  scoped_dense_system P = make_system(10);
  check_against_hidden(&P);
}

TEST(a_constant_diagonal_changes_no_iterate)
{
  double *dense = random_spd(N, 10, 5);
  for (int i = 0; i < N; i++)
    dense[i * N + i] = 1.125; /* more than any entry had: still positive definite */
  scoped_dense_system P = make_of(dense);
  check_against_hidden(&P);
}

static int stop_at_two(void *arg, const ovk_progress *progress)
{
  return progress->iteration == 2;
}

/* Solves, expects the reason, and that x belongs to the last residual of the recurrence: residuals
 * of neighboring iterations differ by far more than recurrences drift. */
static void check_exit(const dense_system *P, ovk_precond *M, const ovk_solver_opts *opts,
                       ovk_reason reason)
{
  const ovk_result res = solve_dense_system(P, M, opts);
  assert_int_equal(res.reason, reason);
  assert_true(res.iterations > 0 && res.restarts == 0);
  assert_close(res.true_relative_residual, res.relative_residual, 1e-11);
}

static void check_exits(const dense_system *P, const dense_system *indefinite, ovk_precond *M,
                        ovk_precond *K)
{
  FOR_EACH_CHOICE(list_cg_methods, method) {
    for (int k = 0; k < BACKENDS; k++) {
      ovk_solver_opts opts =
          solver_opts(.method = method.name, .backend = backends[k], .poll_rows = 3);
      check_exit(P, M, &opts, OVK_REASON_CONVERGED_RTOL);
      check_exit(indefinite, K, &opts, OVK_REASON_BREAKDOWN_INDEFINITE_A);
      for (opts.maxit = 1; opts.maxit < 5; opts.maxit++) check_exit(P, M, &opts, OVK_REASON_MAXIT);
      opts.monitor = stop_at_two;
      check_exit(P, M, &opts, OVK_REASON_MONITOR);
    }
  }
}

TEST(x_is_not_behind_at_any_exit)
{
  double *dense = random_spd(N, 10, 5);
  dense[(N - 2) * N + N - 1] = dense[(N - 1) * N + N - 2] = 0.5; /* indefinite in two rows only, */
                                                                 /* which not every p detects */
  scoped_dense_system P = make_system(10), indefinite = make_of(dense);
  check_exits(&P, &indefinite, P.M, indefinite.M);
  scoped_precond *M = new_precond(P.A, "none"), *K = new_precond(indefinite.A, "none");
  check_exits(&P, &indefinite, M, K);
  scoped_precond *hiding = new_precond(P.A, "hidden");
  check_exits(&P, &indefinite, hiding, NULL);
}

static int register_plugins(void **state)
{
  return (int)ovk_precond_register(test_ctx(), &hidden_ops, &the_hidden);
}

TEST_GROUP(register_plugins, NULL)
