/* SPDX-License-Identifier: BSD-2-Clause */
/* Flexible conjugate gradients: against the papers' formulas, with preconditioners that change. */
#include "support/problem.h"

enum { N = 30, STEPS = 14, MOST_KEPT = 3 };

/* Row i of the diagonal M^-1 of an application; `spread` is how much it changes. */
static double entry(int application, int i, double spread)
{
  return 1 + spread * random_number(40 + (uint64_t)application, (uint64_t)i);
}

typedef struct changing {
  int rows, first, applications;
  double spread;
} changing;

static ovk_err varying_apply(void *state, const double *r, double *z, ovk_poll poll)
{
  changing *C = state;
  for (int i = 0; i < C->rows; i++) {
    z[i] = r[i] * entry(C->applications, C->first + i, C->spread);
  }
  C->applications++;
  return OVK_OK;
}

static const ovk_precond_ops ops = {.name = "changing", .apply = varying_apply};

static changing C;

static int register_changing(void **state)
{
  return (int)ovk_precond_register(test_ctx(), &ops, &C);
}

static dense_system make_system(double condition, double spread, ovk_precond **M)
{
  dense_system S = new_random_system(N, condition, 5);
  C = (changing){.rows = ovk_mat_local_size(S.A), .spread = spread};
  for (int k = 0; k < test_rank; k++) C.first += even_share(N, k, test_size);
  assert_ok(ovk_precond_create(S.A, "changing", M));
  return S;
}

static double dot(const double *x, const double *y)
{
  double sum = 0;
  for (int i = 0; i < N; i++) sum += x[i] * y[i];
  return sum;
}

/* ||r|| of Notay's algorithm, with a product of each direction. */
static void textbook(const dense_system *S, int m, double spread, double norms[STEPS])
{
  static double p[STEPS][N], s[STEPS][N];
  double r[N], z[N];
  memcpy(r, S->b_all, sizeof r);
  for (int k = 0; k < STEPS; k++) {
    for (int i = 0; i < N; i++) z[i] = r[i] * entry(k, i, spread);
    memcpy(p[k], z, sizeof z);
    for (int j = k > m ? k - m : 0; j < k; j++) {
      const double c = dot(z, s[j]) / dot(p[j], s[j]);
      for (int i = 0; i < N; i++) p[k][i] -= c * p[j][i];
    }
    for (int i = 0; i < N; i++) s[k][i] = dot(&S->A_all[(size_t)i * N], p[k]);
    const double alpha = dot(p[k], r) / dot(p[k], s[k]);
    for (int i = 0; i < N; i++) r[i] -= alpha * s[k][i];
    norms[k] = sqrt(dot(r, r));
  }
}

/* The same of PIPEFCG: u follows u - alpha q, with q of m = t u + M^-1 (A u - t r) as p of u, for
 * the Rayleigh quotient t of the iteration before. */
static void pipelined_textbook(const dense_system *S, int m, double spread, double norms[STEPS])
{
  static double p[STEPS][N], q[STEPS][N], s[STEPS][N];
  double r[N], u[N], w[N], t = 0;
  memcpy(r, S->b_all, sizeof r);
  for (int i = 0; i < N; i++) u[i] = r[i] * entry(0, i, spread);
  for (int k = 0; k < STEPS; k++) {
    memcpy(p[k], u, sizeof u);
    for (int i = 0; i < N; i++) w[i] = dot(&S->A_all[(size_t)i * N], u);
    const double quotient = dot(w, u) / dot(r, u);
    if (k == 0) t = quotient;
    for (int i = 0; i < N; i++) {
      q[k][i] = t * u[i] + (w[i] - t * r[i]) * entry(k + 1, i, spread);
    }
    t = quotient;
    for (int j = k > m ? k - m : 0; j < k; j++) {
      const double c = dot(u, s[j]) / dot(p[j], s[j]);
      for (int i = 0; i < N; i++) p[k][i] -= c * p[j][i];
      for (int i = 0; i < N; i++) q[k][i] -= c * q[j][i];
    }
    for (int i = 0; i < N; i++) s[k][i] = dot(&S->A_all[(size_t)i * N], p[k]);
    const double alpha = dot(u, r) / dot(p[k], s[k]);
    for (int i = 0; i < N; i++) r[i] -= alpha * s[k][i];
    for (int i = 0; i < N; i++) u[i] -= alpha * q[k][i];
    norms[k] = sqrt(dot(r, r));
  }
}

static void check_method(const char *method, int m, double spread)
{
  scoped_precond *M = NULL;
  scoped_dense_system S = make_system(50, spread, &M);
  double norms[STEPS];
  if (strncmp(method, "pipefcg", strlen("pipefcg")) == 0) {
    pipelined_textbook(&S, m, spread, norms);
  } else {
    textbook(&S, m, spread, norms);
  }
  check_steps(&S, M, with_method(method), STEPS, norms, 1e-10 * norms[0]);
}

TEST(the_first_steps_are_those_of_the_textbook)
{
  check_method("fcg", 1, 0);
  check_method("fcg", 1, 1);
  check_method("fcg:m=3", MOST_KEPT, 1);
  check_method("fcg:m=20", STEPS, 1);
  check_method("pipefcg", 1, 0);
  check_method("pipefcg", 1, 0.1);
  check_method("pipefcg:m=3", MOST_KEPT, 0.1);
  check_method("pipefcg:m=20", STEPS, 0.1);
}

static ovk_result solve(const char *method, double spread)
{
  scoped_precond *M = NULL;
  scoped_dense_system S = make_system(1e3, spread, &M);
  ovk_solver_opts opts = with_method(method);
  const ovk_result res = solve_dense_system(&S, M, &opts);
  double rounding;
  assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
  assert_true(dense_residual(&S, &rounding) <= 1.02 * opts.rtol + rounding);
  return res;
}

/* The residual of the recurrence is that of x, so no restart is needed. */
TEST(a_changing_preconditioner_costs_few_iterations)
{
  const ovk_result rigid = solve("cg", 0.5), one = solve("fcg", 0.5), many = solve("fcg:m=20", 0.5);
  const ovk_result hidden = solve("pipefcg", 0.5), more = solve("pipefcg:m=20", 0.5);
  print_message("cg %d iterations, fcg %d, with m = 20 %d; pipefcg %d (%d "
                "replacements), %d (%d)\n",
                rigid.iterations, one.iterations, many.iterations, hidden.iterations,
                hidden.replacements, more.iterations, more.replacements);
  assert_int_equal(one.restarts, 0);
  assert_int_equal(many.restarts, 0);
  assert_true(one.iterations < rigid.iterations);
  assert_true(many.iterations < one.iterations);
  assert_true(more.iterations < rigid.iterations);
}

TEST(an_indefinite_matrix_ends_the_solve)
{
  const char *const methods[] = {"fcg", "pipefcg", "pipefcg:m=5"};
  double *A = random_spd(N, 10, 3);
  for (int i = 0; i < N; i++) A[i * N + i] -= 0.5;
  scoped_dense_system S = new_dense_system(A, N, 4, 1, 1);
  for (int k = 0; k < 3; k++) {
    ovk_solver_opts opts = with_method(methods[k]);
    assert_int_equal(solve_dense_system(&S, NULL, &opts).reason, OVK_REASON_BREAKDOWN_INDEFINITE_A);
  }
}

TEST(the_number_of_directions_is_checked_and_told)
{
  scoped_dense_system S = new_random_system(N, 10, 5);
  ovk_solver_opts opts = with_method("fcg:m=0");
  assert_no_solver(S.A, NULL, &opts, OVK_ERR_ARG, "m is '0'");
  const char *const methods[] = {"fcg:m=7", "pipefcg:m=7"};
  for (int k = 0; k < 2; k++) {
    opts.method = methods[k];
    scoped_solver *solver = new_solver(S.A, NULL, &opts);
    assert_string_equal(ovk_solver_method(solver), methods[k]);
  }
}

TEST_GROUP(register_changing, NULL)
