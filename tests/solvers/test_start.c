/* SPDX-License-Identifier: BSD-2-Clause */
/* How a solve starts: how many products and applications of the preconditioner come before and
 * after the iterations, and an x that is no guess at all. */
#include "support/methods.h"
#include "support/problem.h"

#include <time.h>

enum { ROWS = 40 };

/* A = diag(1, 2, ..., ROWS) on each rank, M = 2 I. */
typedef struct counter {
  int products, applications;
  int of_product, of_application; /* milliseconds that each takes */
} counter;

static void spend(int milliseconds)
{
  const struct timespec work = {0, 1000000L * milliseconds};
  if (milliseconds) nanosleep(&work, NULL);
}

static ovk_err multiply(void *user, const double *x, double *y, ovk_poll poll)
{
  counter *c = user;
  for (int i = 0; i < ROWS; i++) y[i] = (i + 1) * x[i];
  spend(c->of_product);
  c->products++;
  return OVK_OK;
}

static ovk_err halve(void *user, const double *r, double *z, ovk_poll poll)
{
  counter *c = user;
  for (int i = 0; i < ROWS; i++) z[i] = 0.5 * r[i];
  spend(c->of_application);
  c->applications++;
  return OVK_OK;
}

static const ovk_precond_ops halves = {
    .size = sizeof(ovk_precond_ops), .name = "halves", .apply = halve, .never_polls = true};

static linear_system make_counted(MPI_Comm comm, counter *c, const ovk_solver_opts *opts)
{
  linear_system s = {0};
  assert_ok(ovk_ctx_create(comm, &s.ctx));
  assert_ok(ovk_mat_create_shell(s.ctx, ROWS, &(ovk_shell_ops){.mult = multiply}, c, &s.A));
  assert_ok(ovk_precond_register(s.ctx, &halves, c));
  s.M = new_precond(s.A, "halves");
  s.b = new_vec(s.A);
  s.x = new_vec(s.A);
  assert_ok(ovk_vec_fill(s.b, 1));
  s.solver = new_solver(s.A, s.M, opts);
  return s;
}

/* Beyond one of each an iteration, from the x that is there; a product confirms the result. */
static void check_solve(linear_system *s, counter *c, int products, int applications)
{
  ovk_result res = OVK_RESULT;
  c->products = c->applications = 0;
  assert_ok(ovk_solver_solve(s->solver, s->b, s->x, &res));
  assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
  assert_true(res.iterations > 1 && res.iterations <= ROWS + 1);
  assert_int_equal(c->products, res.iterations + products);
  assert_int_equal(c->applications, res.iterations + applications);
}

/* The first search direction takes an application, as the last iteration does in the Euclidean norm
 * not; the norm of the first residual shares it, the norm of another b takes one more. */
TEST(a_start_from_0_takes_no_product_and_one_application)
{
  static const struct {
    ovk_norm norm;
    int zero, other; /* applications in addition to the iterations, from x = 0 and another x */
  } cases[] = {
      {OVK_NORM_UNPRECONDITIONED, 1, 1}, {OVK_NORM_PRECONDITIONED, 1, 2}, {OVK_NORM_NATURAL, 1, 2}};
  for (int k = 0; k < 3; k++) {
    counter c = {0};
    ovk_solver_opts opts = solver_opts(.method = "cg", .norm = cases[k].norm);
    scoped_system s = make_counted(MPI_COMM_WORLD, &c, &opts);
    check_solve(&s, &c, 1, cases[k].zero);
    assert_ok(ovk_vec_fill(s.x, 0));
    if (is_last()) ovk_vec_array(s.x)[ROWS - 1] = 1; /* not 0 on one rank */
    check_solve(&s, &c, 2, cases[k].other);
  }
}

static int stop_at_rounding(void *arg, const ovk_progress *progress)
{
  return progress->residual_norm < 1e-14 * progress->rhs_norm ? OVK_MONITOR_STOP_NOW : 0;
}

/* There r has lost its relation to b - A x, and a norm of M^-1 (b - A x) would decide nothing. */
TEST(a_solve_that_its_monitor_stops_takes_no_last_application)
{
  counter c = {0};
  ovk_solver_opts opts = with_method("cg");
  opts.norm = OVK_NORM_PRECONDITIONED;
  opts.rtol = 0;
  opts.monitor = stop_at_rounding;
  scoped_system s = make_counted(MPI_COMM_WORLD, &c, &opts);
  ovk_result res = OVK_RESULT;
  assert_ok(ovk_solver_solve(s.solver, s.b, s.x, &res));
  assert_int_equal(res.reason, OVK_REASON_MONITOR);
  assert_true(res.relative_residual < 1e-14 && res.true_relative_residual < 1e-12);
  assert_int_equal(c.applications, res.iterations + 1);
}

/* M is applied from the left. The norm of the first residual shares its application, and the last
 * residual takes one more. */
TEST(gmres_from_the_left_takes_no_application_of_its_own_at_its_start)
{
  static const char *const methods[] = {"gmres:side=left,restart=50,ortho=cgs2",
                                        "gmres:side=left,restart=50,ortho=mgs"};
  for (int k = 0; k < 2; k++) {
    counter c = {0};
    ovk_solver_opts opts = solver_opts(.method = methods[k], .norm = OVK_NORM_PRECONDITIONED);
    scoped_system s = make_counted(MPI_COMM_WORLD, &c, &opts);
    check_solve(&s, &c, 1, 2);
    assert_ok(ovk_vec_fill(s.x, 0));
    if (is_last()) ovk_vec_array(s.x)[ROWS - 1] = 1; /* not 0 on one rank */
    check_solve(&s, &c, 2, 3);
  }
}

/* One process, whose reductions by MPI take little time, chooses cg with so many products and
 * applications. A process that the operating system interrupts measures slow reductions, so that
 * one of several choices has to be as expected. */
static void check_trial(counter expected)
{
  enum { CHOICES = 20 };
  const ovk_solver_opts opts = solver_opts(.method = "auto", .backend = "blocking");
  bool found = false;
  for (int k = 0; !found && k < CHOICES; k++) {
    counter c = {.of_product = expected.of_product, .of_application = expected.of_application};
    scoped_system s = make_counted(MPI_COMM_SELF, &c, &opts);
    found = !strcmp(ovk_solver_method(s.solver), "cg") && c.products == expected.products &&
            c.applications == expected.applications;
  }
  assert_true(found);
}

/* Compared with a preconditioner of 5 ms. */
TEST(a_costly_preconditioner_is_tried_once_where_sums_are_cheap)
{
  check_trial((counter){.of_application = 5, .products = 4, .applications = 1});
}

/* Two products show that A is symmetric. Their time shows that sums are not worth hiding, whatever
 * the preconditioner takes. */
TEST(costly_products_of_the_symmetry_test_need_no_trial)
{
  check_trial((counter){.of_product = 5, .of_application = 5, .products = 2, .applications = 0});
}

/* Two products show that A is symmetric; the default backend has nothing to wait for. */
TEST(a_rank_alone_makes_no_trial)
{
  counter c = {0};
  scoped_system s = make_counted(MPI_COMM_SELF, &c, NULL);
  assert_string_equal(ovk_solver_method(s.solver), "cg");
  assert_non_null(strstr(ovk_solver_method_why(s.solver), "one rank"));
  assert_int_equal(c.products, 2);
  assert_int_equal(c.applications, 0);
}

/* diag(1, 5, 9, 1, ...) */
static ovk_err multiply_by_few(void *user, const double *x, double *y, ovk_poll poll)
{
  for (int i = 0; i < ROWS; i++) y[i] = (1 + i % 3 * 4) * x[i];
  return OVK_OK;
}

/* Rounding errors of the first residual are above the tolerance, so a recurrence that starts there
 * cannot meet it: one that restarts later can. */
TEST(a_start_far_from_the_solution_is_forgotten)
{
  static const double sizes[] = {1e10, 1e14, 1e18};
  ovk_choice method = OVK_CHOICE;
  ovk_mat *A = new_shell(ROWS, NULL, .mult = multiply_by_few);
  scoped_system s = new_system(A, NULL);
  for (int m = 0; list_named_methods(test_ctx(), m, &method); m++) {
    ovk_solver_opts opts = with_method(method.name);
    ovk_result res = OVK_RESULT;
    for (int k = 0; k < 3; k++) {
      for (int i = 0; i < ROWS; i++) ovk_vec_array(s.x)[i] = sizes[k] * (1 + i * i % 41 / 41.0);
      assert_ok(ovk_solve(A, NULL, s.b, s.x, &opts, &res));
      assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
      assert_true(res.true_relative_residual <= 1.01e-8);
    }
  }
}

/* Work vectors still have the NaN of a solve before. */
TEST(failed_solves_change_no_bit_of_later_ones)
{
  static const struct {
    double b, x;
  } before[] = {{NAN, 0}, {1, NAN}, {INFINITY, 1}, {1e300, 1e300}};
  scoped_mat *A = new_tridiagonal(ROWS, 2.5);
  scoped_precond *M = new_precond(A, "jacobi");
  scoped_vec *b = new_vec(A);
  FOR_EACH_CHOICE(list_named_methods, method) {
    const ovk_solver_opts opts = solver_opts(.method = method.name, .backend = "nbc");
    scoped_solver *used = new_solver(A, M, &opts), *fresh = new_solver(A, M, &opts);
    scoped_vec *x = new_vec(A), *fresh_x = new_vec(A);
    ovk_result res = OVK_RESULT;
    fill_random(b, 5);
    assert_int_equal(solve_from_zero(fresh, b, fresh_x).reason, OVK_REASON_CONVERGED_RTOL);
    for (size_t k = 0; k < sizeof before / sizeof *before; k++) {
      fill_random(b, 3);
      fill_random(x, 4);
      ovk_vec_array(b)[k] = before[k].b;
      ovk_vec_array(x)[ROWS - 1] = before[k].x;
      assert_ok(ovk_solver_solve(used, b, x, &res));
      fill_random(b, 5);
      assert_int_equal(solve_from_zero(used, b, x).reason, OVK_REASON_CONVERGED_RTOL);
      assert_same_vec(x, fresh_x);
    }
  }
}
