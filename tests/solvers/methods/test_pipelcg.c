/* SPDX-License-Identifier: BSD-2-Clause */
/* The deep method at every depth: the iterates of CG also with overlapping reductions, the keys of
 * its spec, and breakdown of the pipeline. */
#include "support/problem.h"

enum { N = 120, STEPS = 22 };

static ovk_solver_opts options(const char *method)
{
  return solver_opts(.method = method, .poll_rows = 7);
}

static const char *deep(int l)
{
  static char text[16];
  snprintf(text, sizeof text, "pipelcg:l=%d", l);
  return text;
}

/* The same M, not declared as diagonal. */
static const double *the_diagonal;

static ovk_err plain_setup(const ovk_mat *A, const ovk_spec *spec, void *user, void **state)
{
  static ovk_lidx n;
  n = ovk_mat_local_size(A);
  the_diagonal = ovk_mat_row_begin(A) + (const double *)user;
  *state = &n;
  return OVK_OK;
}

static ovk_err plain_apply(void *state, const double *r, double *z, ovk_poll poll)
{
  const ovk_lidx n = *(const ovk_lidx *)state;
  for (ovk_lidx i = 0; i < n; i++) z[i] = r[i] / the_diagonal[i];
  return OVK_OK;
}

static const ovk_precond_ops plain_ops = {
    .name = "plain", .setup = plain_setup, .apply = plain_apply};

static double diagonal_all[N];

/* Tridiagonal, with evenly spaced eigenvalues, for which CG's vectors stay orthogonal for long. */
static double *even_spectrum(void)
{
  double *A = new_zeros((size_t)N * N, sizeof *A);
  for (int i = 0; i < N; i++) {
    A[i * N + i] = 2.2 + 0.1 * random_number(5, (uint64_t)i);
    if (i > 0) A[i * N + i - 1] = A[(i - 1) * N + i] = -1;
  }
  return A;
}

TEST(iterates_are_those_of_textbook_cg_at_every_depth)
{
  double norms[STEPS], x[N];
  scoped_dense_system S = new_dense_system(even_spectrum(), N, 3, 1, 1);
  textbook_cg(&S, STEPS, norms, x);
  for (int i = 0; i < N; i++) diagonal_all[i] = S.A_all[i * N + i];
  scoped_precond *plain = new_precond(S.A, "plain");
  for (int l = 1; l <= 5; l++) {
    for (int k = 0; k < 2; k++) {
      check_steps(&S, k ? plain : S.M, options(deep(l)), STEPS, norms, 1e-6);
      assert_near(S.x, x, 1e-6 * fabs(x[0]) + 1e-6);
    }
  }
}

TEST(depths_from_1_to_5_are_taken_and_others_refused)
{
  static const char *const good[] = {"pipelcg", "pipelcg:l=1", "pipelcg:l=5"};
  static const char *const bad[] = {"pipelcg:l=0", "pipelcg:l=6", "pipelcg:l=two",
                                    "pipelcg:depth=2", "pipecg:l=2"};
  scoped_dense_system S = new_random_system(20, 10, 3);
  for (int k = 0; k < 3; k++) {
    ovk_solver_opts opts = options(good[k]);
    scoped_solver *solver = new_solver(S.A, S.M, &opts);
    assert_string_equal(ovk_solver_method(solver), k ? good[k] : "pipelcg:l=2");
  }
  for (int k = 0; k < 5; k++) {
    ovk_solver_opts opts = options(bad[k]);
    ovk_solver *solver = NULL;
    const ovk_err err = ovk_solver_create(S.A, S.M, &opts, &solver);
    assert_true(err == OVK_ERR_ARG || err == OVK_ERR_UNKNOWN);
    assert_null(solver);
  }
}

/* The pivots of T end with the Krylov space: eigenvalues 1, ..., 15 only. */
TEST(a_pipeline_that_breaks_down_still_reaches_the_solution)
{
  double *A = new_zeros((size_t)N * N, sizeof *A);
  for (int i = 0; i < N; i++) A[i * N + i] = 1 + i % 15;
  scoped_dense_system S = new_dense_system(A, N, 4, 1, 1);
  scoped_precond *none = new_precond(S.A, "none");
  for (int l = 1; l <= 5; l++) {
    ovk_solver_opts opts = options(deep(l));
    opts.rtol = 1e-13;
    const ovk_result res = solve_dense_system(&S, none, &opts);
    assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
    assert_in_range(res.iterations, 14, 17);
    double rounding;
    assert_true(dense_residual(&S, &rounding) <= 1.01e-13 + rounding);
  }
}

TEST(counts_are_those_of_classic_cg_at_every_depth)
{
  for (uint64_t seed = 1; seed < 4; seed++) {
    scoped_dense_system S = new_random_system(N, 1e4, seed);
    ovk_solver_opts opts = options("cg");
    const ovk_result classic = solve_dense_system(&S, S.M, &opts);
    for (int l = 1; l <= 5; l++) {
      opts.method = deep(l);
      const ovk_result res = solve_dense_system(&S, S.M, &opts);
      assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
      assert_true(res.iterations <= ceil(1.15 * classic.iterations));
      assert_true(res.true_relative_residual <= 1.01e-8);
    }
  }
}

static int register_plugins(void **state)
{
  return (int)ovk_precond_register(test_ctx(), &plain_ops, diagonal_all);
}

TEST_GROUP(register_plugins, NULL)
