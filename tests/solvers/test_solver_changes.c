/* SPDX-License-Identifier: BSD-2-Clause */
/* Changes of a solver between solves: the values of its matrix, its tolerances, its monitor. */
#include "support/methods.h"
#include "support/problem.h"

enum { ROWS = 200 };

/* Tridiagonal values number `time`. */
static void add_all(ovk_mat *A, int time)
{
  const ovk_gidx first = ovk_mat_row_begin(A);
  for (ovk_gidx i = first; i < first + ovk_mat_local_size(A); i++) {
    for (ovk_gidx j = i - 1; j <= i + 1; j++) {
      const uint64_t place = (uint64_t)(i < j ? 2 * i + 1 : 2 * j + 1);
      const double off = -random_number(3 + (uint64_t)time, place);
      if (j < 0 || j >= ROWS) continue;
      assert_ok(ovk_mat_add(A, i, j, i == j ? 2.1 + time : off));
    }
  }
}

static linear_system make_system(int time)
{
  ovk_mat *A = new_mat(even_share(ROWS, test_rank, test_size));
  assert_ok(ovk_mat_set_format(A, "csr"));
  add_all(A, time);
  assert_ok(ovk_mat_assemble(A));
  linear_system s = new_system(A, "jacobi");
  fill_random(s.b, 9);
  return s;
}

static ovk_result solve(ovk_solver *solver, const linear_system *s)
{
  return solve_from_zero(solver, s->b, s->x);
}

static void refill(const linear_system *s, int time)
{
  assert_ok(ovk_mat_reset_values(s->A));
  add_all(s->A, time);
  assert_ok(ovk_mat_assemble(s->A));
}

/* With new values a solver has, bit for bit, the results of a new one. */
TEST(an_updated_solver_is_a_new_one)
{
  FOR_EACH_CHOICE(list_named_methods, method) {
    scoped_system s = make_system(0);
    ovk_solver_opts opts = with_method(method.name);
    opts.backend = "nbc"; /* totals have the same bits in each run */
    scoped_solver *solver = new_solver(s.A, s.M, &opts);
    assert_int_equal(solve(solver, &s).reason, OVK_REASON_CONVERGED_RTOL);
    for (int time = 1; time < 3; time++) {
      refill(&s, time);
      assert_ok(ovk_solver_update(solver));
      const ovk_result res = solve(solver, &s);
      scoped_system fresh = make_system(time);
      scoped_solver *other = new_solver(fresh.A, fresh.M, &opts);
      const ovk_result wanted = solve(other, &fresh);
      assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
      assert_int_equal(res.iterations, wanted.iterations);
      assert_same_vec(s.x, fresh.x);
    }
  }
}

static void check_solution(ovk_solver *solver, const linear_system *s)
{
  const ovk_result res = solve(solver, s);
  assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
  assert_int_equal(res.restarts, 0);
  assert_true(res.true_relative_residual <= 1.01e-8);
}

/* That of older values, and that of another matrix; ssor gives split-cg products with its own. */
TEST(the_old_preconditioner_will_do)
{
  static const char *const pairs[][2] = {{"jacobi", "auto"}, {"ssor", "split-cg"}};
  for (int k = 0; k < 2; k++) {
    scoped_system s = make_system(0), other = make_system(2);
    ovk_solver_opts opts = with_method(pairs[k][1]);
    ovk_precond_destroy(&s.M);
    s.M = new_precond(s.A, pairs[k][0]);
    scoped_solver *solver = new_solver(s.A, s.M, &opts), *others = new_solver(other.A, s.M, &opts);
    check_solution(others, &other);
    refill(&s, 1);
    check_solution(solver, &s);
    assert_ok(ovk_precond_update(s.M));
    check_solution(solver, &s);
  }
}

/* The scale of the values changes: "pipelcg" needs their spectrum. */
TEST(a_solver_takes_new_values_and_keeps_its_preconditioner)
{
  FOR_EACH_CHOICE(list_named_methods, method) {
    scoped_system s = make_system(0);
    const ovk_solver_opts opts = with_method(method.name);
    scoped_vec *z = new_vec(s.A), *old = new_vec(s.A);
    assert_ok(ovk_precond_apply(s.M, s.b, old, ovk_poll_none()));
    scoped_solver *solver = new_solver(s.A, s.M, &opts);
    refill(&s, 5);
    assert_ok(ovk_solver_update_matrix(solver));
    check_solution(solver, &s);
    assert_ok(ovk_precond_apply(s.M, s.b, z, ovk_poll_none()));
    assert_same_vec(z, old);
  }
}

TEST(between_reset_and_assembly_nothing_is_solved)
{
  scoped_system s = make_system(0);
  scoped_solver *solver = new_solver(s.A, s.M, NULL);
  assert_ok(ovk_mat_reset_values(s.A));
  assert_error(ovk_solver_solve(solver, s.b, s.x, NULL), OVK_ERR_STATE, "not assembled");
  assert_error(ovk_solver_update(solver), OVK_ERR_STATE, "not assembled");
  add_all(s.A, 1);
  assert_ok(ovk_mat_assemble(s.A));
  assert_ok(ovk_solver_update(solver));
  assert_int_equal(solve(solver, &s).reason, OVK_REASON_CONVERGED_RTOL);
}

/* A null space that is none of the new values. */
TEST(an_update_tests_the_null_space)
{
  scoped_solver *solver = NULL;
  ovk_solver_opts opts = solver_opts(.null_constant = true);
  scoped_mat *A = new_mat(even_share(ROWS, test_rank, test_size));
  for (int time = 0; time < 2; time++) {
    if (time) assert_ok(ovk_mat_reset_values(A));
    const ovk_gidx first = ovk_mat_row_begin(A), end = first + ovk_mat_local_size(A);
    for (ovk_gidx i = first; i < end; i++) {
      const ovk_gidx ends[2] = {i, i + 1};
      if (i == 0) assert_ok(ovk_mat_add(A, 0, 0, time));
      if (i + 1 == ROWS) continue;
      assert_ok(ovk_mat_add_block(A, 2, ends, 2, ends, (const double[]){1, -1, -1, 1}));
    }
    assert_ok(ovk_mat_assemble(A));
    if (time == 0) assert_ok(ovk_solver_create(A, NULL, &opts, &solver));
  }
  assert_error(ovk_solver_update(solver), OVK_ERR_ARG, "the constant vector is not in the null");
}

TEST(tolerances_are_those_last_set)
{
  scoped_system s = make_system(0);
  scoped_solver *solver = new_solver(s.A, s.M, NULL);
  const int usual = solve(solver, &s).iterations;
  assert_ok(ovk_solver_set_tolerances(solver, 1e-3, 0, 1e10, 10000));
  ovk_result res = solve(solver, &s);
  assert_true(res.iterations < usual && res.relative_residual <= 1e-3);
  assert_true(res.tolerance == 1e-3 * res.rhs_norm);
  assert_ok(ovk_solver_set_tolerances(solver, 0, 1e-2, 1e10, 10000));
  res = solve(solver, &s);
  assert_int_equal(res.reason, OVK_REASON_CONVERGED_ATOL);
  assert_true(res.tolerance == 1e-2);
  assert_ok(ovk_solver_set_tolerances(solver, 1e-8, 0, 1e10, 3));
  res = solve(solver, &s);
  assert_int_equal(res.reason, OVK_REASON_MAXIT);
  assert_int_equal(res.iterations, 3);
  assert_error(ovk_solver_set_tolerances(solver, -1, 0, 1e10, 10000), OVK_ERR_ARG, "rtol = -1");
  assert_error(ovk_solver_set_tolerances(solver, 1e-8, 0, 1, 10000), OVK_ERR_ARG, "dtol = 1");
  if (test_size > 1) {
    assert_error(ovk_solver_set_tolerances(solver, 1e-8, 0, 1e10, 100 + test_rank), OVK_ERR_ARG,
                 "different solver options: 'maxit 100' on rank 0, 'maxit 101' on rank 1");
  }
  assert_int_equal(solve(solver, &s).iterations, 3); /* a refused call changes nothing */
}

TEST(the_monitor_is_the_one_last_set)
{
  enum { MOST = 300 };
  static ovk_progress entries[MOST];
  scoped_system s = make_system(0);
  ovk_history history = {.entries = entries, .capacity = MOST};
  scoped_solver *solver = new_solver(s.A, s.M, NULL);
  (void)solve(solver, &s);
  assert_ok(ovk_solver_set_monitor(solver, ovk_monitor_record, &history, 1));
  const ovk_result res = solve(solver, &s);
  assert_int_equal(history.count, res.iterations + 1);
  assert_close(entries[2].true_residual_norm / entries[2].residual_norm, 1, 1e-10);
  assert_ok(ovk_solver_set_monitor(solver, ovk_monitor_record, &history, 0));
  history.count = 0;
  (void)solve(solver, &s);
  assert_true(history.count > 2 && isnan(entries[2].true_residual_norm));
  assert_ok(ovk_solver_set_monitor(solver, NULL, NULL, 0));
  history.count = 0;
  (void)solve(solver, &s);
  assert_int_equal(history.count, 0);
  assert_error(ovk_solver_set_monitor(solver, NULL, NULL, -1), OVK_ERR_ARG,
               "true_residual_every = -1");
}

/* The properties that a monitor reads of the solver that calls it. */
typedef struct misuse {
  ovk_solver *solver;
  const linear_system *s;
  int calls;
} misuse;

static int use_the_solver(void *arg, const ovk_progress *progress)
{
  misuse *m = arg;
  const char *said = "the solver is in use";
  if (progress->iteration != 2) return 0;
  m->calls++;
  scoped_vec *y = new_vec_like(m->s->x);
  assert_error(ovk_solver_solve(m->solver, m->s->b, y, NULL), OVK_ERR_STATE, said);
  assert_error(ovk_solver_update(m->solver), OVK_ERR_STATE, said);
  assert_error(ovk_solver_set_tolerances(m->solver, 0.5, 0, 2, 2), OVK_ERR_STATE, said);
  assert_error(ovk_solver_set_monitor(m->solver, NULL, NULL, 0), OVK_ERR_STATE, said);
  assert_ok(ovk_solver_current_x(m->solver, y));
  ovk_result res = OVK_RESULT;
  assert_ok(ovk_pcg_solve(m->s->A, m->s->M, m->s->b, y, NULL, &res)); /* another solver */
  assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
  return 0;
}

TEST(a_solver_that_solves_can_do_nothing_else)
{
  scoped_system s = make_system(0);
  misuse m = {.solver = new_solver(s.A, s.M, NULL), .s = &s};
  assert_ok(ovk_solver_set_monitor(m.solver, use_the_solver, &m, 0));
  for (int again = 0; again < 2; again++) check_solution(m.solver, &s);
  assert_int_equal(m.calls, 2);
  ovk_solver_destroy(&m.solver);
}

typedef struct failing {
  int products, last; /* fails in product number `last` */
} failing;

/* A x = (i + 1) x_i, until it fails on the last rank. */
static ovk_err multiply(void *user, const double *x, double *y, ovk_poll poll)
{
  failing *f = user;
  for (int i = 0; i < 40; i++) y[i] = (i + 1) * x[i];
  return is_last() && ++f->products == f->last ? OVK_ERR_USER : OVK_OK;
}

TEST(an_error_in_a_solve_leaves_the_iterations_before_it)
{
  enum { LAST = 12 }; /* product 1 is in iteration 1, as x is 0 */
  failing f = {.last = LAST};
  ovk_result res = OVK_RESULT;
  ovk_mat *A = new_shell(40, &f, .mult = multiply);
  scoped_system s = new_system(A, NULL);
  const ovk_solver_opts opts = with_method("cg");
  scoped_solver *solver = new_solver(A, NULL, &opts);
  fill_random(s.b, 9);
  assert_error(ovk_solver_solve(solver, s.b, s.x, &res), OVK_ERR_USER, "mult returned");
  assert_int_equal(res.iterations, LAST - 1);
  assert_int_equal(res.reason, OVK_REASON_NOT_RUN);
  assert_true(isnan(res.relative_residual) && isnan(res.true_relative_residual));
  assert_true(res.rhs_norm > 0 && res.tolerance > 0);
}

TEST(a_solve_that_converges_leaves_no_message)
{
  scoped_system s = make_system(0);
  scoped_solver *solver = new_solver(s.A, s.M, NULL);
  assert_error(ovk_solver_set_tolerances(solver, 2, 0, 10, 10), OVK_ERR_ARG, "rtol = 2");
  assert_int_equal(solve(solver, &s).reason, OVK_REASON_CONVERGED_RTOL);
  assert_string_equal(ovk_ctx_error(test_ctx()), "");
}
