/* SPDX-License-Identifier: BSD-2-Clause */
/* Random symmetric indefinite and nonsymmetric systems, with condition numbers from 10 to 1e12: no
 * method says that it has converged where it has not, and each end has its reason. */
#include "spectra.h"
#include "support/methods.h"
#include "support/problem.h"

enum { ROWS = 24, SYSTEMS = 60, CONDITIONS = 12, MOST = 400 };

/* How the solves of a kind of matrix ended. */
typedef struct tally {
  int converged, easy, easy_converged; /* easy: condition at most 100 */
} tally;

/* `known`: the norm of the test is that of b - A x. */
static void check_end(const dense_system *S, const ovk_result *res, const ovk_solver_opts *opts,
                      bool known)
{
  double rounding;
  const double residual = dense_residual(S, &rounding);
  if (res->reason > 0) {
    assert_true(!known || residual <= 1.02 * opts->rtol + rounding);
  } else {
    assert_true(ovk_ctx_error(test_ctx())[0] != '\0');
  }
  assert_true(fabs(residual - res->true_relative_residual) <= 1e-6 * residual + rounding);
}

static bool solve(spectrum kind, const char *method, int k, tally *t)
{
  const int power = 1 + k % CONDITIONS;
  const uint64_t seed = 1000 + (uint64_t)k;
  scoped_dense_system S =
      new_dense_system(random_of(kind, ROWS, pow(10, power), seed), ROWS, seed, 1, 1);
  ovk_solver_opts opts = solver_opts(.method = method, .maxit = MOST);
  const bool left = strstr(method, "side=left");
  if (left) opts.norm = OVK_NORM_PRECONDITIONED;
  const ovk_result res = solve_dense_system(&S, k % 3 ? NULL : S.M, &opts);
  if (res.reason != OVK_REASON_NAN) check_end(&S, &res, &opts, !left || k % 3);
  const bool easy = power <= 2 && k % 3;
  t->converged += res.reason > 0;
  t->easy += easy;
  t->easy_converged += easy && res.reason > 0;
  return res.reason > 0;
}

static void solve_many(spectrum kind, const char *method)
{
  tally t = {0};
  for (int k = 0; k < count_systems(SYSTEMS); k++) (void)solve(kind, method, k, &t);
}

/* A method that overlaps its reductions converges as often as the plain one, except for FEW systems
 * and one in MISSED: if neither is sure to, rounding decides. */
static void compare(spectrum kind, const char *plain, const char *hiding)
{
  enum { FEW = 3, MISSED = 37 };
  tally t = {0};
  int missed = 0, gained = 0;
  for (int k = 0; k < count_systems(SYSTEMS); k++) {
    const bool converged = solve(kind, plain, k, &t);
    const bool hidden = solve(kind, hiding, k, &t);
    missed += converged && !hidden;
    gained += hidden && !converged;
  }
  print_message("%d systems: %s solves %d that %s does not, and %d the other way round\n",
                count_systems(SYSTEMS), plain, missed, hiding, gained);
  if (kind != FAR_FROM_NORMAL) assert_int_equal(t.easy_converged, t.easy);
  assert_true(missed - gained <= FEW + count_systems(SYSTEMS) / MISSED);
}

TEST(indefinite_systems_end_with_the_truth)
{
  compare(INDEFINITE, "minres", "pipelined-minres");
  solve_many(INDEFINITE, "bcgs");
}

TEST(nonsymmetric_systems_end_with_the_truth)
{
  compare(NORMAL, "bcgs", "pipebcgs");
  compare(FAR_FROM_NORMAL, "bcgs", "pipebcgs");
  solve_many(NORMAL, "bcgs:side=left");
  solve_many(FAR_FROM_NORMAL, "bcgs:side=left");
}

/* Systems that MINRES is not made for: it must detect that, or at least not claim a solution. */
TEST(minres_claims_no_solution_of_a_nonsymmetric_system)
{
  solve_many(FAR_FROM_NORMAL, "minres");
}
