/* SPDX-License-Identifier: BSD-2-Clause */
/* New values for a preconditioner: the objects that it holds, and its messages. */
#include "support/problem.h"

/* An operator whose diagonal may change: d I. */
typedef struct scaling {
  ovk_lidx n;
  double d;
} scaling;

static ovk_err scale_mult(void *user, const double *x, double *y, ovk_poll poll)
{
  const scaling *s = user;
  for (ovk_lidx i = 0; i < s->n; i++) y[i] = s->d * x[i];
  return OVK_OK;
}

static ovk_err scale_diagonal(void *user, double *d)
{
  const scaling *s = user;
  for (ovk_lidx i = 0; i < s->n; i++) d[i] = s->d;
  return OVK_OK;
}

static ovk_mat *make_operator(scaling *s)
{
  return new_shell(s->n, s, .mult = scale_mult, .diagonal = scale_diagonal);
}

typedef ovk_err application(const ovk_precond *M, const ovk_vec *r, ovk_vec *z, ovk_poll poll);

static void check_application(const ovk_precond *M, const ovk_mat *A, application *apply,
                              double expected)
{
  scoped_vec *r = new_filled(A, 1), *z = new_vec(A);
  assert_ok(apply(M, r, z, ovk_poll_none()));
  for (ovk_lidx i = 0; i < ovk_vec_local_size(z); i++) {
    assert_close(ovk_vec_array_const(z)[i], expected, 1e-15);
  }
}

TEST(jacobi_takes_new_values_and_makes_its_factors_again)
{
  scaling s = {.n = 3 + test_rank, .d = 4};
  scoped_mat *A = make_operator(&s);
  scoped_precond *M = new_precond(A, "jacobi");
  assert_true(ovk_precond_bytes(M) == 8 * ovk_mat_size(A));
  assert_ok(ovk_precond_factor(M));
  assert_true(ovk_precond_bytes(M) == 16 * ovk_mat_size(A));
  assert_string_equal(ovk_precond_info(M), "");
  check_application(M, A, ovk_precond_apply, 0.25);
  s.d = 16;
  assert_ok(ovk_precond_update(M));
  check_application(M, A, ovk_precond_apply, 0.0625);
  check_application(M, A, ovk_precond_apply_left, 0.25);
  s.d = test_rank == test_size - 1 ? NAN : 1;
  assert_error(ovk_precond_update(M), OVK_ERR_ARG, "jacobi cannot invert");
  check_application(M, A, ovk_precond_apply, 0.0625); /* the old one */
  s.d = -1;
  assert_ok(ovk_precond_update(M));
  check_application(M, A, ovk_precond_apply, -1);
  assert_error(ovk_precond_factor(M), OVK_ERR_INDEFINITE, "row 0 has diagonal -1");
}

/* A user's preconditioner that multiplies by a number, which an update doubles; every second rank,
 * from rank 1 on, has something to say of it. */
typedef struct doubler {
  ovk_lidx n;
  double by;
  char text[32];
  bool fails;
} doubler;

static ovk_err set_up(const ovk_mat *A, const ovk_spec *spec, void *user, void **state)
{
  doubler *d = user;
  d->n = ovk_mat_local_size(A);
  d->by = 1;
  if (test_rank % 2) snprintf(d->text, sizeof d->text, "rank %d is odd", test_rank);
  *state = d;
  return OVK_OK;
}

static ovk_err double_it(const ovk_mat *A, void *state)
{
  doubler *d = state;
  assert_true(ovk_mat_local_size(A) == d->n);
  d->by *= 2;
  return d->fails ? OVK_ERR_USER : OVK_OK;
}

static ovk_err user_apply(void *state, const double *r, double *z, ovk_poll poll)
{
  const doubler *d = state;
  for (ovk_lidx i = 0; i < d->n; i++) z[i] = d->by * r[i];
  return OVK_OK;
}

static int64_t bytes(void *state)
{
  return 1 << test_rank;
}

static const char *info(void *state)
{
  return ((const doubler *)state)->text;
}

static const ovk_precond_ops doubler_ops = {.size = sizeof doubler_ops,
                                            .name = "doubler",
                                            .apply = user_apply,
                                            .setup = set_up,
                                            .bytes = bytes,
                                            .update = double_it,
                                            .info = info};

TEST(a_users_own_update_works_in_place_and_a_failed_one_leaves_nothing_to_use)
{
  scaling s = {.n = 2, .d = 1};
  doubler d = {0};
  ovk_ctx *ctx = NULL;
  ovk_mat *A = make_operator(&s);
  ctx = ovk_mat_ctx(A);
  assert_ok(ovk_precond_register(ctx, &doubler_ops, &d));
  ovk_precond *M = new_precond(A, "doubler");
  assert_true(ovk_precond_bytes(M) == (1 << test_size) - 1);
  assert_string_equal(ovk_precond_info(M), test_size > 1 ? "rank 1 is odd" : "");
  assert_ok(ovk_precond_update(M));
  check_application(M, A, ovk_precond_apply, 2);
  ovk_solver *solver = new_solver(A, M, NULL);
  ovk_vec *b = new_vec(A), *x = new_vec(A);
  assert_ok(ovk_vec_fill(b, 1));
  d.fails = test_rank == test_size - 1;
  assert_error(ovk_precond_update(M), OVK_ERR_USER, "the preconditioner's update");
  assert_error(ovk_precond_apply(M, b, x, ovk_poll_none()), OVK_ERR_STATE, "update");
  assert_error(ovk_solver_solve(solver, b, x, NULL), OVK_ERR_STATE, "'doubler' failed");
  d.fails = false;
  assert_ok(ovk_precond_update(M));
  check_application(M, A, ovk_precond_apply, 8);
  assert_ok(ovk_solver_solve(solver, b, x, NULL));
  ovk_solver_destroy(&solver);
  ovk_precond_destroy(&M);
  ovk_vec_destroy(&b);
  ovk_vec_destroy(&x);
  ovk_mat_destroy(&A);
}

TEST(setup_is_timed)
{
  scaling s = {.n = 2, .d = 1};
  scoped_mat *A = make_operator(&s);
  const double before = ovk_log_seconds(test_ctx(), OVK_EVENT_PRECOND_SETUP);
  scoped_precond *M = new_precond(A, "jacobi");
  assert_true(ovk_log_seconds(test_ctx(), OVK_EVENT_PRECOND_SETUP) > before);
}
