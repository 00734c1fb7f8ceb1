/* SPDX-License-Identifier: BSD-2-Clause */
/* Nonsymmetry of a matrix or preconditioner is detected, also at the end of a solve. */
#include "support/methods.h"
#include "support/problem.h"

enum { EACH = 40 };

/* tridiagonal (-1, 2.1, upper) */
static ovk_mat *make_matrix(double upper)
{
  ovk_mat *A = new_mat(EACH);
  for (ovk_gidx i = ovk_mat_row_begin(A), end = i + EACH; i < end; i++) {
    add_tridiagonal_row(A, i, -1, 2.1, upper);
  }
  return assembled(A);
}

static double measure(const ovk_mat *A)
{
  double asymmetry = -1;
  assert_ok(ovk_mat_asymmetry(A, &asymmetry));
  return asymmetry;
}

static double measure_of(double upper)
{
  scoped_mat *A = make_matrix(upper);
  return measure(A);
}

/* The measure by its definition, with vectors of the test's own numbers, is about as large. */
TEST(the_measure_tells_symmetric_from_not)
{
  scoped_mat *A = make_matrix(-1);
  assert_true(measure(A) >= 0 && measure(A) < 1e-14);
  assert_true(measure(A) == measure(A));
  assert_in_range((int64_t)(1e6 * measure_of(-0.5)), 100, 1000000);
  const double slight = measure_of(-1 + 1e-8);
  assert_true(slight > 1e-12 && slight < 1e-7);
}

TEST(the_measure_needs_an_assembled_matrix_and_no_rows)
{
  scoped_mat *A = new_mat(0);
  double asymmetry = -1;
  assert_error(ovk_mat_asymmetry(A, &asymmetry), OVK_ERR_STATE, "not assembled");
  assert_ok(ovk_mat_assemble(A));
  assert_true(measure(A) == 0);
  assert_error(ovk_mat_asymmetry(A, test_rank ? &asymmetry : NULL), OVK_ERR_ARG,
               "asymmetry is NULL");
}

/* Also where the squares of the entries overflow or vanish. */
TEST(the_measure_does_not_depend_on_scale)
{
  const double scales[] = {1e-300, 1, 1e300};
  double results[3];
  for (int k = 0; k < 3; k++) {
    scoped_mat *A = new_mat(EACH);
    for (ovk_gidx i = ovk_mat_row_begin(A), end = i + EACH; i < end; i++) {
      assert_ok(ovk_mat_add(A, i, i, scales[k]));
      if (i > 0) assert_ok(ovk_mat_add(A, i, i - 1, scales[k]));
    }
    assert_ok(ovk_mat_assemble(A));
    results[k] = measure(A);
  }
  assert_close(results[0] / results[1], 1, 1e-10);
  assert_close(results[2] / results[1], 1, 1e-10);
}

static void solve_with_all_methods(ovk_mat *A, ovk_precond *M, const char *hint)
{
  ovk_choice method = OVK_CHOICE;
  scoped_vec *b = new_vec(A), *x = new_vec(A);
  for (int i = 0; i < EACH; i++)
    ovk_vec_array(b)[i] = random_number(7, (uint64_t)(EACH * test_rank + i));
  for (int k = 0; list_definite_methods(test_ctx(), k, &method); k++) {
    ovk_solver_opts opts = with_method(method.name);
    scoped_solver *S = NULL;
    ovk_result res = OVK_RESULT;
    opts.maxit = 120; /* after many iterations a hint is worth its products */
    opts.rtol = 0;
    const ovk_err err = ovk_solver_create(A, M, &opts, &S);
    if (err == OVK_ERR_UNSUPPORTED) continue;
    for (int again = 0; again < 2; again++) {
      res = solve_from_zero(S, b, x);
      assert_true(res.reason < 0);
      char first[1024] = "";
      snprintf(first, sizeof first, "%s", ovk_ctx_error(test_ctx()));
      MPI_Bcast(first, sizeof first, MPI_CHAR, 0, MPI_COMM_WORLD);
      assert_string_equal(ovk_ctx_error(test_ctx()), first);
      if (hint) {
        assert_non_null(strstr(first, hint));
      } else {
        assert_null(strstr(first, "symmetric"));
      }
    }
  }
}

TEST(a_failed_solve_says_that_A_is_not_symmetric)
{
  scoped_mat *A = make_matrix(-0.3);
  solve_with_all_methods(A, NULL, "; A is not symmetric, as the method needs");
  ovk_mat_destroy(&A);
  A = make_matrix(-1);
  solve_with_all_methods(A, NULL, NULL);
}

/* A Gauss-Seidel sweep over this rank's rows of make(-1): C is the lower triangle. */
static ovk_err sweep(void *state, const double *r, double *z, ovk_poll poll)
{
  double last = 0;
  for (int i = 0; i < EACH; i++) last = z[i] = (r[i] + last) / 2.1;
  return OVK_OK;
}

static const ovk_precond_ops lower_ops = {.name = "lower", .apply = sweep};

TEST(a_failed_solve_says_that_C_is_not_symmetric)
{
  scoped_mat *A = make_matrix(-1);
  scoped_precond *M = new_precond(A, "lower");
  solve_with_all_methods(A, M, "; the preconditioner is not symmetric, as the method needs");
}

/* Not symmetric, and fails on one rank after the end of the solve. */
typedef struct tired {
  int calls, last;
} tired;

static ovk_err tire(void *user, const double *x, double *y, ovk_poll poll)
{
  tired *t = user;
  for (int i = 0; i < EACH; i++) y[i] = 2 * x[i] - (i > 0 ? x[i - 1] : 0);
  return ++t->calls > t->last && test_rank == 0 ? OVK_ERR_USER : OVK_OK;
}

/* Returns how many products an unsuccessful solve with at most `maxit` iterations made. */
static int solve_with_tire(int maxit, int last)
{
  tired t = {.last = last};
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  char message[64];
  opts.method = "cg";
  opts.maxit = maxit;
  opts.rtol = 1e-15;
  opts.dtol = 1e300;
  scoped_mat *A = new_shell(EACH, &t, .mult = tire);
  scoped_vec *b = new_filled(A, 1), *x = new_vec(A);
  const ovk_result res = solve_alike(A, NULL, b, x, &opts);
  assert_int_equal(res.reason, OVK_REASON_MAXIT);
  snprintf(message, sizeof message, "not converged after %d iterations", maxit);
  assert_non_null(strstr(ovk_ctx_error(test_ctx()), message));
  assert_null(strstr(ovk_ctx_error(test_ctx()), "symmetric"));
  return t.calls;
}

enum {
  FEW = 99,
  MANY = 100,
  ENDS = 1 /* the residual at the end; x = 0 needs none at the start */
};

TEST(a_product_that_fails_then_leaves_the_solves_own_message)
{
  assert_true(solve_with_tire(MANY, MANY + ENDS) > MANY + ENDS);
}

TEST(a_solve_of_few_iterations_makes_no_product_more)
{
  assert_int_equal(solve_with_tire(FEW, FEW + ENDS), FEW + ENDS);
}

static int register_plugins(void **state)
{
  return (int)ovk_precond_register(test_ctx(), &lower_ops, NULL);
}

TEST_GROUP(register_plugins, NULL)
