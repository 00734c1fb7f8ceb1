/* SPDX-License-Identifier: BSD-2-Clause */
/* "auto" and the class of A: new values may be of another one, and a solve may find that it was
 * taken for the wrong one. */
#include "support/methods.h"
#include "support/problem.h"

enum { ROWS = 60 };

/* Tridiagonal values: (-1 - convection, diagonal, -1). */
typedef struct values {
  double convection, diagonal;
  const char *method; /* that "auto" takes; "cg": one for definite matrices */
} values;

static const values laplace = {0, 2.1, "cg"}, upwind = {0.7, 2.8, "bcgs"},
                    negative = {0, -2.1, "minres"}, indefinite = {0, 0.5, "cg"};

static void add_values(ovk_mat *A, const values *v)
{
  const ovk_gidx first = ovk_mat_row_begin(A);
  for (ovk_gidx i = first; i < first + ovk_mat_local_size(A); i++) {
    add_tridiagonal_row(A, i, -1 - v->convection, v->diagonal, -1);
  }
  assert_ok(ovk_mat_assemble(A));
}

static linear_system open_with(const values *v, const char *precond)
{
  ovk_mat *A = new_mat(even_share(ROWS, test_rank, test_size));
  add_values(A, v);
  linear_system s = new_system(A, precond);
  fill_random(s.b, 9);
  return s;
}

static void refill(const linear_system *s, const values *v)
{
  assert_ok(ovk_mat_reset_values(s->A));
  add_values(s->A, v);
}

static ovk_solver_opts options(const char *method)
{
  return solver_opts(.method = method, .backend = "blocking");
}

static bool uses(const ovk_solver *solver, const char *method)
{
  const char *used = ovk_solver_method(solver);
  return strcmp(method, "cg") == 0 ? !is_general_method(used) : strstr(used, method) != NULL;
}

/* The solver solves, as one does that is made for these values. */
static void check_as_new(ovk_solver *solver, const linear_system *s, const values *v)
{
  assert_true(uses(solver, v->method));
  const ovk_result res = solve_from_zero(solver, s->b, s->x);
  assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
  assert_true(res.true_relative_residual <= 1.01e-8);
  const ovk_solver_opts opts = options(ovk_solver_method(solver));
  const ovk_result alone = solve_system(s, &opts);
  assert_int_equal(res.vectors, alone.vectors);
  assert_in_range(res.iterations - alone.iterations + 1, 0, 2);
}

TEST(an_update_chooses_the_method_for_the_new_values)
{
  const values *const sequence[] = {&laplace, &upwind, &laplace, &negative, &upwind, &negative};
  scoped_system s = open_with(&laplace, "none");
  const ovk_solver_opts opts = options("auto");
  scoped_solver *solver = new_solver(s.A, s.M, &opts);
  for (int k = 0; k < 6; k++) {
    refill(&s, sequence[k]);
    assert_ok(ovk_solver_update(solver));
    check_as_new(solver, &s, sequence[k]);
  }
}

/* A trial has chosen it, and others are for such values as well. */
TEST(the_method_stays_while_the_class_does)
{
  const values twice = {0, 4.2, "cg"};
  char why[512];
  scoped_system s = open_with(&laplace, "jacobi");
  const ovk_solver_opts opts = options("auto");
  scoped_solver *solver = new_solver(s.A, s.M, &opts);
  snprintf(why, sizeof why, "%s", ovk_solver_method_why(solver));
  refill(&s, &twice);
  assert_ok(ovk_solver_update(solver));
  assert_string_equal(ovk_solver_method_why(solver), why);
  check_as_new(solver, &s, &twice);
}

static int products;

static ovk_err multiply(void *user, const double *x, double *y, ovk_poll poll)
{
  const values *const *v = user;
  products++;
  for (int i = 0; test_rank == 0 && i < ROWS; i++) {
    y[i] = (*v)->diagonal * x[i];
    if (i > 0) y[i] -= (1 + (*v)->convection) * x[i - 1];
    if (i < ROWS - 1) y[i] -= x[i + 1];
  }
  return OVK_OK;
}

/* Its products show the class. After the change to a method for any A it keeps that method, and
 * makes no products. */
TEST(a_shell_may_change_its_class)
{
  const values general = {0, 2.1, "bcgs"};
  const values *const sequence[] = {&laplace, &laplace, &upwind, &general, &upwind};
  const values *now = &laplace;
  ovk_mat *A = new_shell(test_rank == 0 ? ROWS : 0, &now, .mult = multiply);
  scoped_system s = new_system(A, "none");
  const ovk_solver_opts opts = options("auto");
  scoped_solver *solver = new_solver(s.A, s.M, &opts);
  for (int k = 0; k < 5; k++) {
    now = sequence[k];
    products = 0;
    assert_ok(ovk_solver_update(solver));
    if (k < 2) assert_true(products >= 2); /* more for the spectrum of "pipelcg" */
    if (k > 2) assert_int_equal(products, 0);
    check_as_new(solver, &s, now);
  }
}

TEST(an_update_forgets_that_a_solve_found_A_indefinite)
{
  scoped_system s = open_with(&indefinite, "jacobi");
  const ovk_solver_opts opts = options("auto");
  scoped_solver *solver = new_solver(s.A, s.M, &opts);
  for (int again = 0; again < 2; again++) {
    refill(&s, &indefinite);
    assert_ok(ovk_solver_update(solver));
    assert_true(uses(solver, "cg"));
    assert_int_equal(solve_from_zero(solver, s.b, s.x).reason, OVK_REASON_CONVERGED_RTOL);
    assert_true(uses(solver, "minres"));
    refill(&s, &laplace);
    assert_ok(ovk_solver_update(solver));
    check_as_new(solver, &s, &laplace);
  }
}

/* Also if the options declare A definite to "auto". */
TEST(a_method_that_was_asked_for_stays_and_the_message_says_why_it_fails)
{
  const values strong = {30, 3.2, "bcgs"};
  for (int spd = 0; spd < 2; spd++) {
    char before[64];
    scoped_system s = open_with(&laplace, "jacobi");
    ovk_solver_opts opts = options(spd ? "auto" : "cg");
    opts.spd = spd;
    scoped_solver *solver = new_solver(s.A, s.M, &opts);
    snprintf(before, sizeof before, "%s", ovk_solver_method(solver));
    refill(&s, &strong);
    assert_ok(ovk_solver_update(solver));
    assert_string_equal(ovk_solver_method(solver), before);
    assert_true(solve_from_zero(solver, s.b, s.x).reason < 0);
    const char *why = spd ? "A is not symmetric, though the options say so"
                          : "A is not symmetric, as the method needs";
    assert_non_null(strstr(ovk_ctx_error(test_ctx()), why));
  }
}

/* The Laplacian of a chain with natural ends, which is singular, and a b that is not in its range.
 */
static linear_system open_singular(const char *precond, int rows)
{
  ovk_mat *A = new_mat(even_share(rows, test_rank, test_size));
  const ovk_gidx first = ovk_mat_row_begin(A);
  for (ovk_gidx i = first; i < first + ovk_mat_local_size(A); i++) {
    const ovk_gidx ends[2] = {i, i + 1};
    if (i + 1 == rows) continue;
    assert_ok(ovk_mat_add_block(A, 2, ends, 2, ends, (const double[]){1, -1, -1, 1}));
  }
  assert_ok(ovk_mat_assemble(A));
  linear_system s = new_system(A, precond);
  for (ovk_lidx i = 0; i < ovk_mat_local_size(A); i++) {
    ovk_vec_array(s.b)[i] = first + i < rows / 2 ? 2 : 1;
  }
  return s;
}

static double residual_norm(const linear_system *s)
{
  double norm = 0;
  scoped_vec *r = new_vec(s->A);
  assert_ok(ovk_mat_mult(s->A, s->x, r));
  assert_ok(ovk_vec_axpy(-1, s->b, r));
  assert_ok(ovk_vec_norm(r, &norm));
  return norm;
}

/* Conjugate gradients make x as large as 1e20 before they find that A is singular. With "ic" no
 * other method follows, as that may not be positive. */
TEST(x_is_not_left_as_conjugate_gradients_have_ruined_it)
{
  static const char *const preconds[] = {"jacobi", "none", "ic"};
  for (int k = 0; k < 9; k++) {
    scoped_system s = open_singular(preconds[k % 3], 40 + 37 * k);
    ovk_solver_opts opts = options("auto");
    opts.maxit = 3000;
    opts.norm = k < 3 ? OVK_NORM_PRECONDITIONED : OVK_NORM_UNPRECONDITIONED;
    scoped_solver *solver = new_solver(s.A, s.M, &opts);
    for (int far = 0; far < 2; far++) {
      double norm_b = 0;
      assert_ok(ovk_vec_fill(s.x, 0));
      if (far) fill_random(s.x, 5);
      const double start = residual_norm(&s);
      assert_ok(ovk_solver_update(solver)); /* takes A for definite again */
      const ovk_result res = solve_from(solver, s.b, s.x);
      assert_true(res.reason < 0);
      assert_ok(ovk_vec_norm(s.b, &norm_b));
      const double end = residual_norm(&s);
      assert_true(end <= start * (1 + 1e-10));
      assert_close(res.true_relative_residual, end / norm_b, 1e-6);
    }
  }
}
