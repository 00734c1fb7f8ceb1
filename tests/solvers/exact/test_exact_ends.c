/* SPDX-License-Identifier: BSD-2-Clause */
/* Solves with exact sums end for the same reasons as without: indefinite systems, numbers that are
 * NaN, infinite, out of range, subnormal or a signed zero. With exact=all they end in the same
 * iteration, with the same bits, as on a rank alone. */
#include "support/methods.h"
#include "support/problem.h"

enum { N = 40 };

/* A tridiagonal matrix with -1 besides the diagonal; b = scale (first, 1, -0.5, 1, ...) */
typedef struct ending {
  const char *precond;
  double diagonal, first, scale;
} ending;

static ovk_mat *make_line(ovk_ctx *ctx, int rank, int size, double diagonal)
{
  ovk_mat *A;
  const int from = N * rank / size, to = N * (rank + 1) / size;
  assert_ok(ovk_mat_create(ctx, to - from, &A));
  for (int i = from; i < to; i++) add_tridiagonal_row(A, i, -1, diagonal, -1);
  return assembled(A);
}

static void fill_right_side(ovk_vec *b, const ending *e, int rank, int size)
{
  const int from = N * rank / size, to = N * (rank + 1) / size;
  for (int i = from; i < to; i++) {
    const double value = i == 0 ? e->first : i % 2 ? 1 : -0.5;
    ovk_vec_array(b)[i - from] = e->scale * value;
  }
}

/* Returns false if the method does not take such sums. */
static bool end_solve(ovk_ctx *ctx, int rank, int size, const ending *e, const char *method,
                      const char *exact, ovk_result *res)
{
  ovk_solver_opts opts = with_method(method);
  scoped_mat *A = make_line(ctx, rank, size, e->diagonal);
  scoped_solver *solver = NULL;
  opts.exact = exact;
  opts.maxit = 200;
  scoped_precond *M = new_precond(A, e->precond);
  scoped_vec *b = new_vec(A), *x = new_vec(A);
  fill_right_side(b, e, rank, size);
  const ovk_err err = ovk_solver_create(A, M, &opts, &solver);
  if (!err) assert_ok(ovk_solver_solve(solver, b, x, res));
  if (err) assert_int_equal(err, OVK_ERR_UNSUPPORTED);
  return !err;
}

static void check_reason(const ending *e, const char *method, const char *exact, ovk_result is,
                         ovk_result plain)
{
  if (is.reason != plain.reason) {
    print_error("%s, exact=%s, diagonal %g, b0 %g, scale %g: %s, not %s\n", method, exact,
                e->diagonal, e->first, e->scale, ovk_reason_text(is.reason),
                ovk_reason_text(plain.reason));
  }
  assert_int_equal(is.reason, plain.reason);
}

/* Returns how many methods took exact=all. */
static int check_ending(ovk_ctx *self, const ending *e)
{
  ovk_choice method = OVK_CHOICE;
  int taken = 0;
  for (int k = 0; list_definite_methods(test_ctx(), k, &method); k++) {
    ovk_result plain = OVK_RESULT, sums = OVK_RESULT, all = OVK_RESULT, alone = OVK_RESULT;
    assert_true(end_solve(test_ctx(), test_rank, test_size, e, method.name, "off", &plain));
    assert_true(end_solve(test_ctx(), test_rank, test_size, e, method.name, "sums", &sums));
    check_reason(e, method.name, "sums", sums, plain);
    if (!end_solve(test_ctx(), test_rank, test_size, e, method.name, "all", &all)) continue;
    check_reason(e, method.name, "all", all, plain);
    assert_true(end_solve(self, 0, 1, e, method.name, "all", &alone));
    check_reason(e, method.name, "all of one rank", alone, plain);
    assert_int_equal(all.method_changes, plain.method_changes);
    assert_int_equal(all.iterations, alone.iterations);
    assert_true(all.fingerprint == alone.fingerprint);
    taken++;
  }
  return taken;
}

static void check_endings(const ending *e, int n)
{
  scoped_ctx *self = new_self_ctx();
  for (int k = 0; k < n; k++) assert_true(check_ending(self, &e[k]) >= 5);
}

TEST(indefinite_systems_end_for_the_same_reasons)
{
  static const ending e[] = {{"none", 0.5, 1, 1}, {"none", -0.1, 3, 1}, {"jacobi", -4, 1, 1}};
  check_endings(e, sizeof e / sizeof *e);
}

TEST(nan_and_infinite_numbers_end_for_the_same_reasons)
{
  const ending e[] = {
      {"jacobi", 2.5, NAN, 1}, {"jacobi", 2.5, INFINITY, 1}, {"none", 2.5, -INFINITY, 1}};
  check_endings(e, sizeof e / sizeof *e);
}

TEST(numbers_out_of_range_end_for_the_same_reasons)
{
  const ending e[] = {{"jacobi", 2.5, 1, 1e200},      {"jacobi", 2.5, 1, 1e-200},
                      {"none", 2.5, 1, 1e300},        {"none", 2.5, 1, 1e-310},
                      {"none", 2.5, 1, DBL_TRUE_MIN}, {"none", 2.5, 1e160, 1e-160}};
  check_endings(e, sizeof e / sizeof *e);
}

TEST(signed_zeros_end_for_the_same_reasons)
{
  const ending e[] = {{"jacobi", 2.5, 1, 0}, {"jacobi", 2.5, 1, -0.0}, {"none", 2.5, -0.0, 1}};
  check_endings(e, sizeof e / sizeof *e);
}
