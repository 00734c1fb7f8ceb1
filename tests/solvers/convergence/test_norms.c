/* SPDX-License-Identifier: BSD-2-Clause */
/* The norm of the convergence test: every method tests the one that was asked for, as computed from
 * x without the method, and takes as many iterations as PETSc does. */
#include "support/methods.h"
#include "support/problem.h"

static const ovk_norm norms[] = {OVK_NORM_UNPRECONDITIONED, OVK_NORM_PRECONDITIONED,
                                 OVK_NORM_NATURAL};
enum { NORMS = 3 };

/* A preconditioner that is not diagonal: M = L L^T of this rank's rows, where L has DIAGONAL on its
 * diagonal and BELOW below it. */
static const double DIAGONAL = 1.75, BELOW = -0.5;

static ovk_err bidiagonal_setup(const ovk_mat *A, const ovk_spec *spec, void *user, void **state)
{
  ovk_lidx *n = malloc(sizeof *n);
  if (!n) return ovk_ctx_fail(ovk_mat_ctx(A), OVK_ERR_MEMORY, "no memory for a number");
  *n = ovk_mat_local_size(A);
  *state = n;
  return OVK_OK;
}

static ovk_err apply_left(void *state, const double *r, double *t, ovk_poll poll)
{
  const ovk_lidx n = *(const ovk_lidx *)state;
  for (ovk_lidx i = 0; i < n; i++) t[i] = (r[i] - (i ? BELOW * t[i - 1] : 0)) / DIAGONAL;
  ovk_poll_call(poll);
  return OVK_OK;
}

static ovk_err apply_right(void *state, const double *t, double *w, ovk_poll poll)
{
  const ovk_lidx n = *(const ovk_lidx *)state;
  for (ovk_lidx i = n; i-- > 0;) w[i] = (t[i] - (i < n - 1 ? BELOW * w[i + 1] : 0)) / DIAGONAL;
  ovk_poll_call(poll);
  return OVK_OK;
}

static ovk_err bidiagonal_apply(void *state, const double *r, double *z, ovk_poll poll)
{
  (void)apply_left(state, r, z, poll);
  return apply_right(state, z, z, poll);
}

static const ovk_precond_ops bidiagonal = {.size = sizeof bidiagonal,
                                           .name = "bidiagonal",
                                           .apply = bidiagonal_apply,
                                           .setup = bidiagonal_setup,
                                           .destroy = free,
                                           .factor = has_factors,
                                           .apply_left = apply_left,
                                           .apply_right = apply_right};

static int register_precond(void **state)
{
  return (int)ovk_precond_register(test_ctx(), &bidiagonal, NULL);
}

/* The 5-point Laplacian of n x n points, b = A ones. */
static linear_system new_laplace(int n, const char *precond)
{
  linear_system s = new_system_of_ones(new_laplace5(n), precond);
  s.r = new_vec(s.A);
  s.z = new_vec(s.A);
  return s;
}

/* The norm of v, which the preconditioner is applied to here. */
static double norm_of(const linear_system *s, ovk_norm norm, const ovk_vec *v)
{
  double vv = 0, vz = 0, zz = 0;
  assert_ok(ovk_precond_apply(s->M, v, s->z, ovk_poll_none()));
  assert_ok(ovk_vec_dot(v, v, &vv));
  assert_ok(ovk_vec_dot(v, s->z, &vz));
  assert_ok(ovk_vec_dot(s->z, s->z, &zz));
  const double squares[] = {vv, zz, vz};
  return sqrt(squares[norm]);
}

/* Of b - A x, as s->x is now. */
static double residual_norm(const linear_system *s, ovk_norm norm)
{
  assert_ok(ovk_mat_mult(s->A, s->x, s->r));
  for (ovk_lidx i = 0; i < ovk_vec_local_size(s->r); i++) {
    ovk_vec_array(s->r)[i] = ovk_vec_array_const(s->b)[i] - ovk_vec_array(s->r)[i];
  }
  return norm_of(s, norm, s->r);
}

static ovk_result solve(const linear_system *s, const ovk_solver_opts *opts)
{
  ovk_result res = OVK_RESULT;
  assert_ok(ovk_vec_fill(s->x, 0));
  assert_ok(ovk_pcg_solve(s->A, s->M, s->b, s->x, opts, &res));
  return res;
}

TEST(petsc_takes_as_many_iterations_in_the_preconditioned_norm)
{
  enum { PETSC = 169 }; /* -pc_type jacobi -ksp_rtol 1e-10, which has this norm by default */
  scoped_system s = new_laplace(80, "jacobi");
  FOR_EACH_CHOICE(list_cg_methods, method) {
    ovk_solver_opts opts =
        solver_opts(.method = method.name, .rtol = 1e-10, .norm = OVK_NORM_PRECONDITIONED);
    const ovk_result res = solve(&s, &opts);
    assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
    assert_in_range(res.iterations, PETSC - 1, PETSC + 1);
  }
}

/* The residual norms of the result against those of its x, after `maxit` iterations. */
static void compare(const linear_system *s, const ovk_solver_opts *opts, const char *method)
{
  ovk_solver_opts own = *opts;
  own.method = method;
  const ovk_result res = solve(s, &own);
  const double rhs = norm_of(s, own.norm, s->b), direct = residual_norm(s, own.norm);
  assert_int_equal(res.iterations, own.maxit);
  assert_close(res.rhs_norm / rhs, 1, 1e-12);
  assert_close(res.relative_residual * rhs / direct, 1, 1e-9);
  const double plain = residual_norm(s, OVK_NORM_UNPRECONDITIONED);
  const double plain_rhs = norm_of(s, OVK_NORM_UNPRECONDITIONED, s->b);
  assert_close(res.true_relative_residual * plain_rhs / plain, 1, 1e-9);
}

TEST(the_norm_tested_is_that_of_the_iterate)
{
  static const char *const preconds[] = {"none", "jacobi", "bidiagonal"};
  static const int counts[] = {1, 3, 16};
  for (int p = 0; p < 3; p++) {
    scoped_system s = new_laplace(12, preconds[p]);
    FOR_EACH_CHOICE(list_definite_methods, method) {
      for (int k = 0; k < NORMS * 3; k++) {
        ovk_solver_opts opts = OVK_SOLVER_OPTS;
        opts.norm = norms[k % NORMS];
        opts.maxit = counts[k / NORMS];
        opts.rtol = 0;
        compare(&s, &opts, method.name);
      }
    }
  }
}

TEST(every_iteration_is_told_in_the_norm_of_the_test)
{
  enum { MOST = 100 };
  scoped_system s = new_laplace(12, "bidiagonal");
  FOR_EACH_CHOICE(list_definite_methods, method) {
    for (int k = 0; k < NORMS; k++) {
      ovk_progress entries[MOST];
      ovk_history history = {.entries = entries, .capacity = MOST};
      ovk_solver_opts opts =
          solver_opts(.method = method.name, .norm = norms[k], .true_residual_every = 1,
                      .monitor = ovk_monitor_record, .monitor_arg = &history);
      const ovk_result res = solve(&s, &opts);
      assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
      assert_int_equal(history.count, res.iterations + 1);
      for (int i = 0; i <= res.iterations; i++) {
        assert_int_equal(entries[i].iteration, i);
        assert_close(entries[i].residual_norm / entries[i].true_residual_norm, 1, 1e-5);
        assert_true((entries[i].residual_norm <= entries[i].tolerance) == (i == res.iterations));
      }
      assert_close(entries[0].rhs_norm / norm_of(&s, norms[k], s.b), 1, 1e-12);
      assert_true(residual_norm(&s, norms[k]) <= 1.01 * opts.rtol * entries[0].rhs_norm);
    }
  }
}

TEST(a_norm_that_is_none_is_refused)
{
  scoped_system s = new_laplace(4, "none");
  ovk_solver_opts opts = solver_opts(.norm = (ovk_norm)3);
  assert_no_solver(s.A, s.M, &opts, OVK_ERR_ARG, "norm = 3");
}

/* A preconditioner that is negative: every norm but the Euclidean one meets it at the start. */
static ovk_err negate(void *state, const double *r, double *z, ovk_poll poll)
{
  const ovk_lidx n = *(const ovk_lidx *)state;
  for (ovk_lidx i = 0; i < n; i++) z[i] = -r[i];
  return OVK_OK;
}

TEST(a_negative_preconditioner_is_told_in_every_norm)
{
  const ovk_precond_ops ops = {.size = sizeof ops,
                               .name = "negative",
                               .apply = negate,
                               .setup = bidiagonal_setup,
                               .destroy = free};
  assert_ok(ovk_precond_register(test_ctx(), &ops, NULL));
  scoped_system s = new_laplace(6, "negative");
  for (int k = 0; k < NORMS; k++) {
    ovk_solver_opts opts = solver_opts(.method = "cg", .norm = norms[k]);
    assert_int_equal(solve(&s, &opts).reason, OVK_REASON_BREAKDOWN_INDEFINITE_M);
  }
}

TEST(a_nan_in_b_is_found_in_every_norm)
{
  scoped_system s = new_laplace(6, "bidiagonal");
  FOR_EACH_CHOICE(list_definite_methods, method) {
    for (int k = 0; k < NORMS; k++) {
      ovk_solver_opts opts = solver_opts(.method = method.name, .norm = norms[k]);
      if (is_last()) ovk_vec_array(s.b)[0] = NAN;
      assert_end(solve(&s, &opts), OVK_REASON_NAN, "of b");
    }
  }
}

TEST_GROUP(register_precond, NULL)
