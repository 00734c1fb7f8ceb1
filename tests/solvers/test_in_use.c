/* SPDX-License-Identifier: BSD-2-Clause */
/* Monitors, preconditioners and operators use the objects of the call that calls them: they cannot
 * change these objects, and a destruction takes effect after the call has returned. */
#include "support/problem.h"

static const char IN_USE[] =
    "is in use: a solve or another call that works with it has not returned";

/* Objects. A call uses some of them. */
typedef struct objects {
  ovk_ctx *ctx;
  ovk_mat *A;
  ovk_precond *M;
  ovk_vec *b, *x, *y;
  ovk_solver *solver, *other;
  int calls, freed;
  ovk_err fails; /* the error that a user function returns, in its third call */
} objects;

static ovk_lidx rows(void)
{
  return test_rank == 1 ? 0 : 40; /* one rank has none */
}

/* On test_ctx(), with this preconditioner for both solvers. */
static objects make_objects(const char *precond)
{
  objects o = {.A = new_tridiagonal(rows(), 2.1)};
  ovk_solver_opts opts = with_method("pipecg"), others = with_method("cg");
  o.ctx = test_ctx();
  o.M = new_precond(o.A, precond);
  o.b = new_vec(o.A);
  o.x = new_vec(o.A);
  o.y = new_vec(o.A);
  fill_random(o.b, 1);
  o.solver = new_solver(o.A, o.M, &opts);
  o.other = new_solver(o.A, o.M, &others);
  return o;
}

/* All but the context. */
static void clear(objects *o)
{
  ovk_solver_destroy(&o->solver);
  ovk_solver_destroy(&o->other);
  ovk_precond_destroy(&o->M);
  ovk_mat_destroy(&o->A);
  ovk_vec_destroy(&o->b);
  ovk_vec_destroy(&o->x);
  ovk_vec_destroy(&o->y);
}

/* After a call: nothing is in use any more. */
static void check_unused(objects *o)
{
  assert_ok(ovk_vec_fill(o->b, 1));
  assert_ok(ovk_vec_fill(o->x, 0));
  assert_ok(ovk_mat_reset_values(o->A));
  const ovk_gidx first = ovk_mat_row_begin(o->A), end = first + ovk_mat_local_size(o->A);
  for (ovk_gidx i = first; i < end; i++) add_tridiagonal_row(o->A, i, -1, 2.2, -1);
  assert_ok(ovk_mat_assemble(o->A));
  assert_ok(ovk_solver_update(o->solver));
  assert_ok(ovk_solver_update(o->other));
  assert_int_equal(solve_from_zero(o->solver, o->b, o->x).reason, OVK_REASON_CONVERGED_RTOL);
}

static void change_objects(objects *o)
{
  const ovk_poll none = ovk_poll_none();
  assert_error(ovk_mat_reset_values(o->A), OVK_ERR_STATE, IN_USE);
  assert_local_error(ovk_mat_add(o->A, 0, 0, 1), OVK_ERR_STATE, "only before assembly");
  assert_error(ovk_mat_set_format(o->A, "csr"), OVK_ERR_STATE, "only before assembly");
  assert_error(ovk_mat_assemble(o->A), OVK_ERR_STATE, "assembled once");
  assert_error(ovk_precond_update(o->M), OVK_ERR_STATE, IN_USE);
  assert_error(ovk_solver_update(o->other), OVK_ERR_STATE, IN_USE);
  assert_error(ovk_solver_update(o->solver), OVK_ERR_STATE, IN_USE);
  assert_error(ovk_solver_solve(o->solver, o->b, o->y, NULL), OVK_ERR_STATE, IN_USE);
  assert_error(ovk_solver_solve(o->other, o->y, o->x, NULL), OVK_ERR_STATE, IN_USE);
  assert_error(ovk_solve(o->A, o->M, o->y, o->b, NULL, NULL), OVK_ERR_STATE, IN_USE);
  assert_error(ovk_mat_mult(o->A, o->y, o->x), OVK_ERR_STATE, IN_USE);
  assert_error(ovk_mat_diagonal(o->A, o->x), OVK_ERR_STATE, IN_USE);
  assert_error(ovk_precond_apply(o->M, o->y, o->b, none), OVK_ERR_STATE, IN_USE);
  assert_error(ovk_vec_fill(o->b, 0), OVK_ERR_STATE, IN_USE);
  assert_error(ovk_vec_copy(o->y, o->x), OVK_ERR_STATE, IN_USE);
  assert_error(ovk_vec_axpy(1, o->y, o->x), OVK_ERR_STATE, IN_USE);
}

/* Calls that only read them, also a solve with both by another solver. */
static void read_objects(objects *o)
{
  ovk_result res = OVK_RESULT;
  scoped_vec *z = new_vec(o->A);
  assert_ok(ovk_mat_mult(o->A, o->b, o->y));
  assert_ok(ovk_mat_diagonal(o->A, o->y));
  assert_ok(ovk_precond_apply(o->M, o->x, o->y, ovk_poll_none()));
  assert_ok(ovk_solver_solve(o->other, o->b, z, &res));
  assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
  assert_ok(ovk_pcg_solve(o->A, o->M, o->b, o->y, NULL, &res));
  assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
}

static int use_objects(void *arg, const ovk_progress *progress)
{
  objects *o = arg;
  if (progress->iteration != 5) return 0;
  o->calls++;
  change_objects(o);
  assert_error(ovk_solver_current_x(o->solver, o->b), OVK_ERR_STATE, IN_USE);
  read_objects(o);
  change_objects(o); /* the inner calls have not ended the outer one's use */
  return 0;
}

TEST(what_a_solve_uses_cannot_be_changed)
{
  static const char *const preconds[] = {"jacobi", "chebyshev", "ic", "none"};
  for (int k = 0; k < 4; k++) {
    objects o = make_objects(preconds[k]);
    const ovk_result wanted = solve_from_zero(o.solver, o.b, o.x);
    assert_ok(ovk_solver_set_monitor(o.solver, use_objects, &o, 0));
    const ovk_result res = solve_from_zero(o.solver, o.b, o.x);
    assert_int_equal(o.calls, wanted.iterations >= 5);
    assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
    assert_int_equal(res.iterations, wanted.iterations);
    assert_true(res.true_relative_residual <= 1.01e-8);
    assert_ok(ovk_solver_set_monitor(o.solver, NULL, NULL, 0));
    check_unused(&o);
    clear(&o);
  }
}

static void count_free(void *user)
{
  ((objects *)user)->freed++;
}

/* A tridiagonal operator on each rank's own rows. */
static ovk_err mult(void *user, const double *x, double *y, ovk_poll poll)
{
  objects *o = user;
  const ovk_lidx n = rows();
  for (ovk_lidx i = 0; i < n; i++)
    y[i] = 2.1 * x[i] - (i > 0 ? x[i - 1] : 0) - (i + 1 < n ? x[i + 1] : 0);
  if (++o->calls != 3) return OVK_OK;
  clear(o);
  ovk_ctx_destroy(&o->ctx);
  assert_int_equal(o->freed, 0);
  return o->fails;
}

static const ovk_shell_ops shell = {.size = sizeof shell, .mult = mult, .destroy = count_free};

/* With a separate context, for a shell that destroys everything in its third product. */
static void make_shell(objects *o, ovk_err fails)
{
  *o = (objects){.ctx = new_ctx(), .fails = fails};
  assert_int_equal(ovk_mat_create_shell(o->ctx, rows(), &shell, o, &o->A), OVK_OK);
  assert_int_equal(ovk_precond_create(o->A, "none", &o->M), OVK_OK);
  assert_int_equal(ovk_mat_create_vec(o->A, &o->b), OVK_OK);
  assert_int_equal(ovk_mat_create_vec(o->A, &o->x), OVK_OK);
  assert_int_equal(ovk_vec_fill(o->b, 1), OVK_OK);
}

TEST(what_a_solve_uses_may_be_given_up)
{
  const ovk_solver_opts opts = with_method("cg");
  for (int fails = 0; fails < 2; fails++) {
    objects o;
    ovk_result res = OVK_RESULT;
    make_shell(&o, fails ? OVK_ERR_USER : OVK_OK);
    assert_int_equal(ovk_solver_create(o.A, o.M, &opts, &o.solver), OVK_OK);
    assert_int_equal(ovk_solver_solve(o.solver, o.b, o.x, &res), o.fails);
    if (!fails) assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
    assert_null(o.solver);
    assert_int_equal(o.freed, 1);
  }
}

/* "auto" makes products while the solver is set up. */
TEST(what_a_call_in_one_uses_may_be_given_up)
{
  static const char *const methods[] = {"auto", "cg"};
  for (int k = 0; k < 2; k++) {
    objects o;
    ovk_result res = OVK_RESULT;
    const ovk_solver_opts opts = with_method(methods[k]);
    make_shell(&o, OVK_OK);
    assert_int_equal(ovk_solve(o.A, o.M, o.b, o.x, &opts, &res), OVK_OK);
    assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
    assert_int_equal(o.freed, 1);
  }
}

TEST(what_products_use_may_be_given_up)
{
  objects o;
  make_shell(&o, OVK_OK);
  o.calls = 2;
  assert_int_equal(ovk_mat_mult(o.A, o.b, o.x), OVK_OK);
  assert_int_equal(o.freed, 1);
  double asymmetry;
  make_shell(&o, OVK_OK);
  o.calls = 1;
  assert_int_equal(ovk_mat_asymmetry(o.A, &asymmetry), OVK_OK);
  assert_int_equal(o.freed, 1);
  make_shell(&o, OVK_OK);
  o.calls = 2;
  ovk_precond_destroy(&o.M);
  assert_int_equal(ovk_precond_create(o.A, "none", &o.M), OVK_OK);
  assert_int_equal(ovk_solver_create(o.A, o.M, NULL, &o.solver), OVK_OK);
  assert_int_equal(o.freed, 1);
  assert_null(o.solver);
}

/* A preconditioner that solves with A itself, by a solver whose monitor would change it. */
static int reset_inside(void *arg, const ovk_progress *progress)
{
  objects *o = arg;
  if (progress->iteration == 1) {
    assert_error(ovk_mat_reset_values(o->A), OVK_ERR_STATE, IN_USE);
    o->calls++;
  }
  return 0;
}

static ovk_err inner_apply(void *state, const double *r, double *z, ovk_poll poll)
{
  objects *o = state;
  scoped_vec *in = NULL, *out = NULL;
  if (o->fails && o->calls >= 3) return o->fails;
  if (rows()) memset(z, 0, (size_t)rows() * sizeof *z);
  assert_ok(ovk_vec_wrap(o->ctx, rows(), (double *)r, &in));
  assert_ok(ovk_vec_wrap(o->ctx, rows(), z, &out));
  assert_ok(ovk_solver_solve(o->other, in, out, NULL));
  return OVK_OK;
}

TEST(a_preconditioner_may_solve_with_the_same_matrix)
{
  static const ovk_precond_ops ops = {.size = sizeof ops, .name = "inner", .apply = inner_apply};
  ovk_solver_opts opts = with_method("fcg");
  for (int fails = 0; fails < 2; fails++) {
    objects o = make_objects("jacobi");
    ovk_precond *inner = NULL;
    ovk_result res = OVK_RESULT;
    assert_ok(ovk_solver_set_tolerances(o.other, 1e-2, 0, 1e10, 1000));
    assert_ok(ovk_solver_set_monitor(o.other, reset_inside, &o, 0));
    assert_ok(ovk_precond_create_from_ops(o.A, &ops, &o, &inner));
    ovk_solver *outer = new_solver(o.A, inner, &opts);
    o.calls = 0;
    o.fails = fails ? OVK_ERR_USER : OVK_OK;
    assert_int_equal(ovk_solver_solve(outer, o.b, o.x, &res), o.fails);
    if (!fails) assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
    assert_true(o.calls >= 3);
    ovk_solver_destroy(&outer);
    ovk_precond_destroy(&inner);
    assert_ok(ovk_solver_set_monitor(o.other, NULL, NULL, 0));
    check_unused(&o);
    clear(&o);
  }
}

/* Gives A and the preconditioner up while it is set up, or updated. */
static ovk_err set_up(const ovk_mat *A, const ovk_spec *spec, void *user, void **made)
{
  objects *o = user;
  *made = o;
  if (o->M) assert_error(ovk_precond_update(o->M), OVK_ERR_STATE, IN_USE);
  assert_error(ovk_mat_reset_values(o->A), OVK_ERR_STATE, IN_USE);
  if (++o->calls < 2) return OVK_OK;
  ovk_precond_destroy(&o->M);
  ovk_mat_destroy(&o->A);
  assert_int_equal(ovk_mat_local_size(A), rows());
  return OVK_OK;
}

static ovk_err apply_nothing(void *made, const double *r, double *z, ovk_poll poll)
{
  if (rows()) memcpy(z, r, (size_t)rows() * sizeof *z);
  return OVK_OK;
}

TEST(what_is_set_up_may_be_given_up_and_not_be_changed)
{
  static const ovk_precond_ops ops = {.size = sizeof ops,
                                      .name = "setting-up",
                                      .apply = apply_nothing,
                                      .setup = set_up,
                                      .destroy = count_free};
  objects o = {.A = new_tridiagonal(rows(), 2.1)};
  ovk_precond *M = NULL;
  assert_ok(ovk_precond_create_from_ops(o.A, &ops, &o, &M));
  o.M = M;
  assert_ok(ovk_precond_update(M));
  assert_null(o.M);
  assert_int_equal(o.freed, 2); /* both states */
}
