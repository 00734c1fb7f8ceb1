/* SPDX-License-Identifier: BSD-2-Clause */
/* NaN and its origin, and operators and preconditioners that fail: each method ends with the same
 * reason or error on all ranks. */
#include "support/methods.h"
#include "support/problem.h"

static void check_nan(const linear_system *s, const ovk_solver_opts *opts, const char *origin)
{
  const ovk_result res = solve_alike(s->A, s->M, s->b, s->x, opts);
  assert_end(res, OVK_REASON_NAN, origin);
  assert_true(res.iterations <= 1);
}

TEST(not_a_number_is_traced_to_its_origin)
{
  const double bad[] = {NAN, INFINITY, -INFINITY};
  FOR_EACH_METHOD(opts) {
    for (int k = 0; k < 3; k++) {
      scoped_system s = new_tridiagonal_system(5, 2);
      spoil_last(s.b, bad[k]);
      check_nan(&s, &opts, "entries of b");
      assert_ok(ovk_vec_fill(s.b, 1));
      assert_ok(ovk_vec_fill(s.x, 0));
      spoil_last(s.x, bad[k]);
      check_nan(&s, &opts, "entries of x0");
    }
  }
}

TEST(not_a_number_in_the_matrix_is_traced)
{
  FOR_EACH_METHOD(opts) {
    scoped_system s = new_tridiagonal_system(5, 2);
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

static faulty_precond the_faulty_precond;

static ovk_err get_faulty(const ovk_mat *A, const ovk_spec *spec, void *user, void **state)
{
  *state = user;
  return OVK_OK;
}

static const ovk_precond_ops faulty_ops = {.name = "faulty_precond",
                                           .setup = get_faulty,
                                           .apply = trick,
                                           .factor = has_factors,
                                           .apply_left = trick,
                                           .apply_right = trick};

static linear_system make_tricky(int from, bool fails)
{
  linear_system s = new_tridiagonal_system(20, 3);
  spoil_last(s.b, -3); /* without symmetry, which would shorten the solve */
  ovk_precond_destroy(&s.M);
  the_faulty_precond = (faulty_precond){.n = 20, .from = from, .fails = fails};
  s.M = new_precond(s.A, "faulty_precond");
  return s;
}

TEST(not_a_number_from_the_preconditioner_is_traced)
{
  FOR_EACH_METHOD(opts) {
    for (int from = 1; from < 4; from++) {
      scoped_system s = make_tricky(from, false);
      const ovk_result res = solve_alike(s.A, s.M, s.b, s.x, &opts);
      assert_end(res, OVK_REASON_NAN, "the preconditioner's output");
      assert_true(res.iterations <= from);
      /* x is that of the last complete iteration, not of one after it */
      assert_close(res.true_relative_residual, res.relative_residual, 1e-12);
    }
  }
}

/* A has no entry in the column of that NaN, so no product shows it. */
TEST(not_a_number_that_only_x_has_is_traced)
{
  FOR_EACH_METHOD(opts) {
    for (int maxit = 1; maxit < 100; maxit += 98) {
      scoped_system s = make_tricky(1, false);
      ovk_mat *A = new_mat(20);
      const ovk_gidx first = ovk_mat_row_begin(A);
      assert_ok(ovk_mat_set_format(A, "csr"));
      for (ovk_gidx i = first + 1; i < first + 20; i++)
        assert_ok(ovk_mat_add(A, i, i, 1 + (double)(i % 5)));
      assert_ok(ovk_mat_assemble(A));
      ovk_precond_destroy(&s.M);
      ovk_mat_destroy(&s.A);
      s.A = A;
      s.M = new_precond(s.A, "faulty_precond");
      ovk_vec_array(s.b)[0] = 0;
      opts.maxit = maxit;
      assert_end(solve_alike(s.A, s.M, s.b, s.x, &opts), OVK_REASON_NAN, "NaN or Inf in iteration");
    }
  }
}

TEST(a_failing_preconditioner_ends_the_solve_with_its_error_on_all_ranks)
{
  FOR_EACH_METHOD(opts) {
    for (int from = 1; from < 7; from++) {
      scoped_system s = make_tricky(from, true);
      ovk_result res = OVK_RESULT;
      assert_error(ovk_solve(s.A, s.M, s.b, s.x, &opts, &res), OVK_ERR_USER, "out of tricks");
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
  return new_system(new_shell(5, f, .mult = shell_mult), NULL);
}

/* In one application or product only, long before the next norm of `chebyshev`. */
TEST(not_a_number_that_comes_once_is_traced)
{
  ovk_solver_opts opts = with_method("chebyshev");
  for (int from = 18; from < 22; from++) {
    scoped_system s = make_tricky(from, false);
    the_faulty_precond.until = from;
    assert_end(solve_alike(s.A, s.M, s.b, s.x, &opts), OVK_REASON_NAN,
               "the preconditioner's output");
    assert_non_null(strstr(ovk_ctx_error(test_ctx()), "1 of "));
    clear_system(&s);
    failing_shell f = {.from = from, .until = from, .nan = true};
    s = make_shell(&f);
    assert_end(solve_alike(s.A, NULL, s.b, s.x, &opts), OVK_REASON_NAN,
               "entries of the product A p; the first is row");
    assert_non_null(strstr(ovk_ctx_error(test_ctx()), "1 of "));
  }
}

TEST(a_failing_operator_ends_the_solve_with_its_error_on_all_ranks)
{
  FOR_EACH_METHOD(opts) {
    for (int from = 1; from < 7; from++) {
      failing_shell f = {.from = from};
      scoped_system s = make_shell(&f);
      assert_error(ovk_solve(s.A, NULL, s.b, s.x, &opts, NULL), OVK_ERR_USER, "mult returned");
    }
  }
}

/* In every product, including the one that confirms the result. */
TEST(not_a_number_from_the_operator_is_traced)
{
  FOR_EACH_METHOD(opts) {
    for (int from = 1; from < 7; from++) {
      failing_shell f = {.from = from, .nan = true};
      scoped_system s = make_shell(&f);
      const ovk_result res = solve_alike(s.A, NULL, s.b, s.x, &opts);
      assert_end(res, OVK_REASON_NAN, "entries of the product ");
    }
  }
}

static int register_plugins(void **state)
{
  return (int)ovk_precond_register(test_ctx(), &faulty_ops, &the_faulty_precond);
}

TEST_GROUP(register_plugins, NULL)
