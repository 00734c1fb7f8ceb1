/* SPDX-License-Identifier: BSD-2-Clause */
/* Solves that break down or diverge: indefinite and singular systems, and underflow; for every
 * method, the same on all ranks. */
#include "support/methods.h"
#include "support/problem.h"

/* How solves end; the message has `words` and lacks `others`, unless these are NULL. */
typedef struct ending {
  ovk_reason reason;
  const char *words, *others;
  bool at_once; /* before the first iteration */
} ending;

/* Solves by each method of a list a system that `make` returns. */
static void check_each(bool (*list)(const ovk_ctx *, int, ovk_choice *),
                       linear_system (*make)(void), ending end)
{
  FOR_EACH_OF(list, opts) {
    scoped_system s = make();
    const ovk_result res = solve_alike(s.A, s.M, s.b, s.x, &opts);
    assert_end(res, end.reason, end.words);
    assert_true(!end.others || !strstr(ovk_ctx_error(test_ctx()), end.others));
    assert_true(!end.at_once || res.iterations == 0);
  }
}

/* Eigenvalues from -1.5 to 2.5, positive diagonal. */
static linear_system make_indefinite(void)
{
  return new_tridiagonal_system(10, 0.5);
}

TEST(an_indefinite_matrix_is_recognized)
{
  check_each(list_definite_methods, make_indefinite,
             (ending){.reason = OVK_REASON_BREAKDOWN_INDEFINITE_A,
                      .words = "(p, A p) = -",
                      .others = "singular or nearly so"});
}

/* Diagonal and singular: 0 in even rows, 2 in odd ones; b is not in the range of A, which is zero
 * in these rows. */
static linear_system make_singular(void)
{
  enum { EACH = 6 };
  ovk_mat *A = new_mat(EACH);
  for (ovk_gidx i = ovk_mat_row_begin(A), end = i + EACH; i < end; i++) {
    assert_ok(ovk_mat_add(A, i, i, i % 2 ? 2 : 0));
  }
  assert_ok(ovk_mat_assemble(A));
  return new_system(A, NULL);
}

/* A row of zeros whose b is not 0: the steps of BiCGStab grow until x overflows. */
TEST(an_overflow_without_a_preconditioner_does_not_accuse_it)
{
  static const double b[] = {3, -1, -2};
  ovk_mat *A = new_mat(3);
  const ovk_gidx i = ovk_mat_row_begin(A);
  assert_ok(ovk_mat_add(A, i, i, 0));
  assert_ok(ovk_mat_add(A, i + 1, i, 2));
  assert_ok(ovk_mat_add(A, i + 1, i + 1, 2));
  assert_ok(ovk_mat_add(A, i + 2, i + 2, 3));
  assert_ok(ovk_mat_assemble(A));
  scoped_system s = new_system(A, "none");
  memcpy(ovk_vec_array(s.b), b, sizeof b);
  const ovk_solver_opts opts = {
      .size = sizeof opts, .method = "bcgs", .rtol = 0, .dtol = INFINITY, .maxit = 1000};
  const ovk_result res = solve_system(&s, &opts);
  assert_end(res, OVK_REASON_NAN, "NaN or Inf in iteration");
  assert_null(strstr(ovk_ctx_error(test_ctx()), "preconditioner"));
}

TEST(a_singular_matrix_is_named_where_it_breaks_the_solve)
{
  check_each(list_definite_methods, make_singular,
             (ending){.reason = OVK_REASON_BREAKDOWN_INDEFINITE_A,
                      .words = "indefinite or singular: (p, A p) = "});
}

/* From an x that is large in the rows of zeros, as after a solve that continues because of
 * rounding. */
static linear_system make_singular_with_large_x(void)
{
  linear_system s = make_singular();
  for (int i = 0; i < ovk_vec_local_size(s.x); i++) {
    ovk_vec_array(s.x)[i] = (ovk_mat_row_begin(s.A) + i) % 2 ? 0 : 1e16;
  }
  return s;
}

TEST(a_singular_matrix_is_named_where_x_has_grown)
{
  check_each(list_definite_methods, make_singular_with_large_x,
             (ending){.reason = OVK_REASON_BREAKDOWN_INDEFINITE_A,
                      .words = "; A is singular or nearly so, as "});
}

/* The jacobi preconditioner has a negative diagonal. */
static linear_system make_negative(void)
{
  return new_tridiagonal_system(10, -4);
}

TEST(an_indefinite_preconditioner_is_recognized)
{
  check_each(list_definite_methods, make_negative,
             (ending){.reason = OVK_REASON_BREAKDOWN_INDEFINITE_M, .at_once = true});
}

/* A has entries of 1 and of 1e-260, so no scale fits all: b of 1e-37 is representable where A is
 * 1e-260, but (p, A p) underflows. */
static linear_system make_underflow(void)
{
  ovk_mat *A = new_mat(3);
  const ovk_gidx first = ovk_mat_row_begin(A);
  for (ovk_gidx i = first; i < first + 3; i++) assert_ok(ovk_mat_add(A, i, i, i == 0 ? 1 : 1e-260));
  assert_ok(ovk_mat_assemble(A));
  linear_system s = new_system(A, NULL);
  assert_ok(ovk_vec_fill(s.b, 1e-37));
  if (test_rank == 0) ovk_vec_array(s.b)[0] = 0;
  return s;
}

TEST(underflow_is_not_called_indefinite)
{
  check_each(list_cg_methods, make_underflow,
             (ending){.reason = OVK_REASON_NAN, .words = "(p, A p) underflows"});
}

TEST(a_residual_that_runs_away_is_divergence)
{
  FOR_EACH_METHOD(opts) {
    opts.dtol = 1 + 1e-12;
    scoped_system s = new_tridiagonal_system(20, 2);
    scoped_precond *none = new_precond(s.A, "none");
    assert_ok(ovk_vec_fill(s.b, 0));
    spoil_last(s.b, 1); /* the residual of a single source grows before it decreases */
    if (test_rank == 0) ovk_vec_array(s.b)[0] = -0.5;
    const ovk_result res = solve_alike(s.A, none, s.b, s.x, &opts);
    assert_true(res.reason == OVK_REASON_DIVERGED || res.reason == OVK_REASON_CONVERGED_RTOL);
  }
}
