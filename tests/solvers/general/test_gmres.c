/* SPDX-License-Identifier: BSD-2-Clause */
/* The gmres methods: against the textbook's iteration, specs, sides and preconditioners that
 * change. How orthogonal their bases are: test_gmres_basis.c. How they end: test_gmres_ends.c. */
#include "solvers/state/state.h"
#include "spectra.h"
#include "support/problem.h"

enum { N = 30, RESTART = 8, STEPS = 20 };

static const char *const right_specs[] = {"gmres:restart=8",
                                          "gmres:restart=8,ortho=cgs2",
                                          "gmres:restart=8,ortho=mgs",
                                          "gmres:restart=8,ortho=cgs",
                                          "fgmres:restart=8",
                                          "pgmres:restart=8",
                                          "gmres:restart=8,basis=float"};
static const char *const left_specs[] = {
    "gmres:restart=8,side=left",           "gmres:restart=8,ortho=cgs2,side=left",
    "gmres:restart=8,ortho=mgs,side=left", "gmres:restart=8,ortho=cgs,side=left",
    "pgmres:restart=8,side=left",          "gmres:restart=8,side=left,basis=float"};
enum {
  RIGHT = sizeof right_specs / sizeof *right_specs,
  LEFT = sizeof left_specs / sizeof *left_specs
};

/* How far ||r|| of a method may be from the textbook's, as a multiple of ||b||. */
static double tolerance(const char *spec)
{
  const bool selective = strstr(spec, "cgs") && !strstr(spec, "cgs2");
  return selective ? 1e-4 : strstr(spec, "float") ? 1e-6 : 1e-12;
}

static long double dot(const long double *x, const long double *y)
{
  long double sum = 0;
  for (int i = 0; i < N; i++) sum += x[i] * y[i];
  return sum;
}

/* r <- r - its part along q, for k orthonormal q; twice */
static void remove_parts(long double q[][N], int k, long double *r)
{
  for (int m = 0; m < 2 * k; m++) {
    const long double h = dot(q[m % k], r);
    for (int i = 0; i < N; i++) r[i] -= h * q[m % k][i];
  }
}

static void normalize(long double *v)
{
  const long double norm = sqrtl(dot(v, v));
  for (int i = 0; i < N; i++) v[i] /= norm;
}

/* The definition of GMRES with restarts for B x = b: the residual of step k is r without its part
 * in B times the Krylov space of B and r. Orthonormal bases of both spaces, in higher precision. */
static void textbook(const double *B, const double *b, double norms[STEPS])
{
  static long double v[RESTART + 1][N], w[RESTART][N];
  long double r[N];
  for (int i = 0; i < N; i++) r[i] = b[i];
  for (int step = 0; step < STEPS; step++) {
    const int k = step % RESTART;
    if (k == 0) {
      memcpy(v[0], r, sizeof r);
      normalize(v[0]);
    }
    for (int i = 0; i < N; i++) {
      w[k][i] = 0;
      for (int j = 0; j < N; j++) w[k][i] += (long double)B[i * N + j] * v[k][j];
    }
    memcpy(v[k + 1], w[k], sizeof r);
    remove_parts(v, k + 1, v[k + 1]);
    normalize(v[k + 1]);
    remove_parts(w, k, w[k]);
    normalize(w[k]);
    const long double part = dot(w[k], r);
    for (int i = 0; i < N; i++) r[i] -= part * w[k][i];
    norms[step] = (double)sqrtl(dot(r, r));
  }
}

/* A nonsymmetric system with the diagonal of A at 1 to 2, and the textbook's residuals; with
 * side=left in the preconditioned norm; norms[0] is that of b. */
static dense_system make_system(bool left, double norms[STEPS + 1])
{
  double *A = random_of(FAR_FROM_NORMAL, N, 20, 11), B[N * N], c[N], diagonal[N];
  for (int i = 0; i < N; i++) diagonal[i] = A[i * N + i] += 1 + (double)i / N;
  dense_system S = new_dense_system(A, N, 12, 1, 1);
  double bb = 0;
  for (int i = 0; i < N; i++) {
    c[i] = S.b_all[i] / (left ? diagonal[i] : 1);
    bb += c[i] * c[i];
    for (int j = 0; j < N; j++) B[i * N + j] = A[i * N + j] / diagonal[left ? i : j];
  }
  norms[0] = sqrt(bb);
  textbook(B, c, norms + 1);
  return S;
}

/* The residuals of `steps` iterations. */
static void check_method(const dense_system *S, const char *spec, const char *backend,
                         ovk_norm norm, const double *norms)
{
  ovk_solver_opts opts = solver_opts(.method = spec, .backend = backend, .norm = norm);
  check_steps(S, S->M, opts, STEPS, norms + 1, tolerance(spec) * norms[0]);
}

TEST(the_first_steps_are_those_of_the_textbook)
{
  static const char *const backends[] = {"blocking", "nbc", "shm", "emulate-latency:us=50|nbc"};
  double norms[STEPS + 1];
  scoped_dense_system S = make_system(false, norms);
  for (int k = 0; k < RIGHT; k++) {
    check_method(&S, right_specs[k], backends[k % 4], OVK_NORM_UNPRECONDITIONED, norms);
    check_method(&S, right_specs[k], backends[(k + 1) % 4], OVK_NORM_UNPRECONDITIONED, norms);
  }
  clear_dense_system(&S);
  S = make_system(true, norms);
  for (int k = 0; k < LEFT; k++) {
    check_method(&S, left_specs[k], backends[k % 4], OVK_NORM_PRECONDITIONED, norms);
  }
}

/* Also in the second solve of a solver, before its first iteration. */
TEST(monitors_can_ask_for_the_solution)
{
  double norms[STEPS + 1];
  scoped_dense_system S = make_system(false, norms);
  scoped_vec *x = new_vec(S.A), *r = new_vec(S.A);
  asking a = {.P = &S, .x = x, .r = r};
  for (int k = 0; k < RIGHT; k++) {
    ovk_solver_opts opts = with_method(right_specs[k]);
    opts.maxit = STEPS;
    opts.rtol = 0;
    opts.monitor = ask;
    opts.monitor_arg = &a;
    a.tolerance = tolerance(right_specs[k]);
    a.calls = 0;
    scoped_solver *solver = a.solver = new_solver(S.A, S.M, &opts);
    for (int solve = 0; solve < 2; solve++) (void)solve_from_zero(solver, S.b, S.x);
    assert_int_equal(a.calls, 2 * (STEPS + 1));
  }
}

TEST(specs_are_read_and_told)
{
  static const char *const good[][2] = {
      {"gmres", "gmres:restart=30,ortho=dcgs2"},
      {"gmres:basis=float", "gmres:restart=30,ortho=dcgs2,basis=float"},
      {"gmres:restart=1000,side=left,basis=float",
       "gmres:restart=1000,ortho=dcgs2,side=left,basis=float"},
      {"gmres:restart=1,ortho=mgs,side=left", "gmres:restart=1,ortho=mgs,side=left"},
      {"gmres:ortho=cgs", "gmres:restart=30,ortho=cgs"},
      {"fgmres:restart=1000", "fgmres:restart=1000"},
      {"pgmres:l=1", "pgmres:l=1,restart=30"}};
  static const struct {
    const char *method;
    ovk_err err;
    const char *says;
  } bad[] = {{"gmres:restart=0", OVK_ERR_ARG, "is '0', but must be a whole number from 1 to 1000"},
             {"gmres:restart=1001", OVK_ERR_ARG, "but must be a whole number"},
             {"gmres:ortho=dcgs", OVK_ERR_UNKNOWN, "dcgs2"},
             {"gmres:basis=half", OVK_ERR_UNKNOWN, "float"},
             {"gmres:ortho=mgs,basis=float", OVK_ERR_ARG, "is for ortho=dcgs2, not ortho=mgs"},
             {"fgmres:side=left", OVK_ERR_UNKNOWN, "side"},
             {"pgmres:l=2", OVK_ERR_ARG, "l is '2', but must be a whole number from 1 to 1"}};
  scoped_dense_system S = new_random_system(N, 10, 3);
  for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
    const bool left = strstr(good[k][0], "left");
    const ovk_solver_opts opts =
        solver_opts(.method = good[k][0],
                    .norm = left ? OVK_NORM_PRECONDITIONED : OVK_NORM_UNPRECONDITIONED);
    scoped_solver *solver = new_solver(S.A, S.M, &opts);
    assert_string_equal(ovk_solver_method(solver), good[k][1]);
  }
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    const ovk_solver_opts opts = with_method(bad[k].method);
    assert_no_solver(S.A, S.M, &opts, bad[k].err, bad[k].says);
  }
}

TEST(each_side_has_one_norm)
{
  static const char *const specs[] = {"gmres:side=right", "fgmres", "pgmres:side=right",
                                      "gmres:side=left", "pgmres:side=left"};
  static const ovk_norm all[] = {OVK_NORM_UNPRECONDITIONED, OVK_NORM_PRECONDITIONED,
                                 OVK_NORM_NATURAL};
  scoped_dense_system S = new_random_system(N, 10, 3);
  for (int k = 0; k < 15; k++) {
    ovk_solver_opts opts = solver_opts(.method = specs[k / 3], .norm = all[k % 3]);
    const bool left = k / 3 >= 3;
    if (opts.norm == (left ? OVK_NORM_PRECONDITIONED : OVK_NORM_UNPRECONDITIONED)) {
      scoped_solver *solver = new_solver(S.A, S.M, &opts);
    } else {
      const char *hint = k / 3 == 1 ? "; it has: unpreconditioned"
                                    : "; it has: unpreconditioned with side=right, preconditioned "
                                      "with side=left";
      assert_no_solver(S.A, S.M, &opts, OVK_ERR_UNSUPPORTED, hint);
    }
  }
}

TEST(a_side_that_is_not_named_follows_the_norm)
{
  static const char *const specs[] = {"gmres", "pgmres", "bcgs"};
  scoped_dense_system S = new_random_system(N, 10, 3);
  for (int k = 0; k < 6; k++) {
    const ovk_solver_opts opts =
        solver_opts(.method = specs[k / 2],
                    .norm = k % 2 ? OVK_NORM_PRECONDITIONED : OVK_NORM_UNPRECONDITIONED);
    scoped_solver *solver = new_solver(S.A, S.M, &opts);
    assert_int_equal(strstr(ovk_solver_method(solver), "side=left") != NULL, k % 2);
  }
}

/* A preconditioner that is another diagonal at each application. */
static int applications;

static ovk_err apply_another(void *state, const double *r, double *z, ovk_poll poll)
{
  const ovk_lidx n = *(const ovk_lidx *)state;
  applications++;
  for (ovk_lidx i = 0; i < n; i++) {
    z[i] = r[i] * (1 + 0.5 * random_number((uint64_t)applications, (uint64_t)i));
  }
  return OVK_OK;
}

static ovk_err set_up_another(const ovk_mat *A, const ovk_spec *spec, void *user, void **state)
{
  *(ovk_lidx *)user = ovk_mat_local_size(A);
  *state = user;
  return OVK_OK;
}

static const ovk_precond_ops another = {
    .name = "another", .setup = set_up_another, .apply = apply_another};

/* fgmres does; gmres' residual is not that of its x then, which the end of a solve finds. */
TEST(fgmres_takes_a_preconditioner_that_changes)
{
  static ovk_lidx n;
  double norms[STEPS + 1];
  scoped_dense_system S = make_system(false, norms);
  assert_ok(ovk_precond_register(test_ctx(), &another, &n));
  scoped_precond *M = new_precond(S.A, "another");
  ovk_solver_opts opts = with_method("fgmres");
  const ovk_result res = solve_dense_system(&S, M, &opts);
  assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
  assert_int_equal(res.restarts, 0);
  assert_close(res.true_relative_residual, res.relative_residual, 1e-13);
  opts.method = "gmres";
  assert_true(solve_dense_system(&S, M, &opts).restarts > 0);
}
