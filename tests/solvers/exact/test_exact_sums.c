/* SPDX-License-Identifier: BSD-2-Clause */
/* Solves with exact sums: the same bits over every backend, in every run; and the totals of the
 * inner products of a solver, compared with a slow reference. */
#include "solvers/ops/dots.h"
#include "support/exact_reference.h"
#include "support/methods.h"
#include "support/problem.h"
#include "support/specs/reduction_specs.h"

enum { N = 40 };

static const char *const backends[] = {"blocking",
                                       "iallreduce",
                                       "nbc",
                                       "nbc:alg=flat",
                                       "nbc:alg=ring",
                                       "shm",
                                       "emulate-latency:us=20|nbc:alg=tree"};
enum { BACKENDS = sizeof backends / sizeof *backends };

static ovk_solver_opts exact_opts(const char *method)
{
  return solver_opts(.method = method, .exact = "sums", .maxit = 1000);
}

/* Asserts that this solve has the bits of the one before it. */
static void check_same(const dense_system *P, ovk_result res, bool first, ovk_result *should,
                       double *x)
{
  const size_t bytes = (size_t)ovk_vec_local_size(P->x) * sizeof *x;
  assert_int_not_equal(res.fingerprint, 0);
  if (first) {
    *should = res;
    memcpy(x, ovk_vec_array(P->x), bytes);
  }
  assert_int_equal(res.reason, should->reason);
  assert_int_equal(res.iterations, should->iterations);
  assert_true(res.fingerprint == should->fingerprint);
  assert_memory_equal(ovk_vec_array(P->x), x, bytes);
}

TEST(every_method_has_the_same_bits_over_every_backend)
{
  scoped_dense_system P = new_random_system(N, 50, 5);
  double x[N];
  FOR_EACH_CHOICE(list_named_methods, method) {
    ovk_result should;
    ovk_solver_opts opts = exact_opts(method.name);
    for (int k = 0; k < BACKENDS; k++) {
      opts.backend = backends[k];
      const ovk_result res = solve_dense_system(&P, P.M, &opts);
      assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
      check_same(&P, res, k == 0, &should, x);
    }
  }
}

TEST(every_schedule_gives_the_same_bits)
{
  scoped_dense_system P = new_random_system(N, 1e2, 7);
  double x[N];
  char spec[REDUCTION_SPEC_SIZE];
  ovk_result should;
  ovk_solver_opts opts = exact_opts("cg");
  opts.backend = spec;
  for (int k = 0; reduction_spec(k, spec); k++) {
    check_same(&P, solve_dense_system(&P, P.M, &opts), k == 0, &should, x);
  }
}

/* The windows of the first solve serve the second one, and change no bit. */
TEST(a_solver_repeats_its_bits)
{
  scoped_dense_system P = new_random_system(N, 1e4, 8);
  double x[N];
  ovk_result should;
  const ovk_solver_opts opts = exact_opts("pipecg");
  scoped_solver *solver = new_solver(P.A, P.M, &opts);
  for (int k = 0; k < 3; k++) {
    check_same(&P, solve_from_zero(solver, P.b, P.x), k == 0, &should, x);
  }
}

TEST(polls_change_no_bit)
{
  scoped_dense_system P = new_random_system(N, 1e3, 9);
  double x[N];
  ovk_result should;
  ovk_solver_opts opts = exact_opts("overlap");
  for (int k = 0; k < 3; k++) {
    opts.poll_rows = k;
    check_same(&P, solve_dense_system(&P, P.M, &opts), k == 0, &should, x);
  }
}

TEST(only_exact_sums_have_a_fingerprint)
{
  scoped_dense_system P = new_random_system(N, 1e2, 10);
  ovk_solver_opts opts = exact_opts("cg");
  opts.exact = "off";
  assert_true(solve_dense_system(&P, P.M, &opts).fingerprint == 0);
  opts.exact = "sums";
  const uint64_t first = solve_dense_system(&P, P.M, &opts).fingerprint;
  opts.rtol = 1e-3;
  assert_true(solve_dense_system(&P, P.M, &opts).fingerprint != first);
}

TEST(solves_end_for_the_same_reasons)
{
  const double spoiled[] = {NAN, INFINITY, 0, 1e200, 1e-200};
  ovk_solver_opts opts = exact_opts("cg");
  for (int k = 0; k < (int)(sizeof spoiled / sizeof *spoiled); k++) {
    scoped_system s = new_tridiagonal_system(7, 2.5);
    assert_ok(ovk_vec_fill(s.b, isfinite(spoiled[k]) ? spoiled[k] : 1));
    spoil_last(s.b, spoiled[k]);
    opts.exact = "off";
    const ovk_result plain = solve_system(&s, &opts);
    opts.exact = "sums";
    const ovk_result exact = solve_system(&s, &opts);
    assert_int_equal(exact.reason, plain.reason);
    assert_int_equal(exact.iterations, plain.iterations);
  }
}

TEST(exact_takes_three_words)
{
  scoped_system s = new_tridiagonal_system(7, 2.5);
  ovk_solver_opts opts = exact_opts("cg");
  opts.exact = "sum";
  assert_no_solver(s.A, s.M, &opts, OVK_ERR_ARG, "exact = 'sum': must be 'off', 'sums' or 'all'");
  opts.exact = test_rank == 0 ? "off" : "sums";
  if (test_size > 1) {
    assert_no_solver(s.A, s.M, &opts, OVK_ERR_ARG, "exact");
  }
}

TEST(the_environment_asks_for_exact_sums)
{
  static const char *const values[] = {"sums", "many"};
  for (int k = 0; k < 2; k++) {
    assert_int_equal(setenv("OVK_EXACT", values[k], 1), 0);
    scoped_ctx *ctx = new_ctx();
    assert_int_equal(unsetenv("OVK_EXACT"), 0);
    scoped_array double *dense = random_spd(N, 10, 3);
    scoped_mat *A = distribute(ctx, dense, N, even_share(N, test_rank, test_size));
    scoped_vec *b = new_vec(A), *x = new_vec(A);
    ovk_result res = OVK_RESULT;
    ovk_solver_opts opts = with_method("cg");
    assert_ok(ovk_vec_fill(b, 1));
    const ovk_err err = ovk_solve(A, NULL, b, x, &opts, &res);
    assert_int_equal(err, k ? OVK_ERR_ARG : OVK_OK);
    if (k) assert_non_null(strstr(ovk_ctx_error(ctx), "OVK_EXACT: exact = 'many'"));
    assert_true((res.fingerprint != 0) == (k == 0));
  }
}

TEST(auto_makes_no_trial)
{
  scoped_system s = new_tridiagonal_system(7, 2.5);
  const ovk_solver_opts opts = exact_opts("auto");
  scoped_solver *solver = new_solver(s.A, s.M, &opts);
  assert_string_equal(ovk_solver_method(solver), "cg");
  assert_non_null(strstr(ovk_solver_method_why(solver), "exact sums rule out a timing trial"));
}

/* This rank's part of value v of sum `i`; exponents drift, and leap at times. */
static double part_of(int rank, int i, int v)
{
  const uint64_t seed = (uint64_t)(1000 * i + 100 * v + rank + 1);
  const int leap = i % 7 == 6 ? 200 : 0, cancel = v % 2;
  const double size = ldexp(random_number(seed, 0) - 0.5, -3 * i + leap - 40 * v);
  return cancel && rank % 2 ? -part_of(rank - 1, i, v) : size;
}

TEST(totals_are_the_correctly_rounded_sums)
{
  enum { VALUES = 6, SUMS = 60 };
  scoped_system s = new_tridiagonal_system(7, 2.5);
  ovk_solver_opts opts = exact_opts("cg");
  scoped_array double *parts = new_memory((size_t)test_size * sizeof *parts);
  for (int k = 0; k < BACKENDS; k++) {
    opts.backend = backends[k];
    scoped_solver *solver = new_solver(s.A, s.M, &opts);
    ovk__dots *dots = NULL;
    assert_ok(ovk__dots_create(solver, VALUES, true, &dots));
    double *values = ovk__dots_parts(dots);
    for (int i = 0; i < SUMS; i++) {
      for (int v = 0; v < VALUES; v++) values[v] = part_of(test_rank, i, v);
      values[VALUES] = 1;
      assert_ok(ovk__dots_begin(dots));
      assert_ok(ovk__dots_wait(solver, dots));
      for (int v = 0; v < VALUES; v++) {
        for (int r = 0; r < test_size; r++) parts[r] = part_of(r, i, v);
        assert_true(values[v] == reference_sum(parts, (size_t)test_size));
      }
      assert_true(values[VALUES] == test_size);
    }
    ovk__dots_destroy(&dots);
  }
}
