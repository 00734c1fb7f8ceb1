/* SPDX-License-Identifier: BSD-2-Clause */
/* The methods for matrices that need not be positive definite: against textbook forms, and
 * breakdowns provoked on purpose. */
#include "spectra.h"
#include "support/methods.h"
#include "support/problem.h"

enum { N = 24, STEPS = 12 };

static void multiply(const double *A, const double *x, double *y)
{
  for (int i = 0; i < N; i++) {
    y[i] = 0;
    for (int j = 0; j < N; j++) y[i] += A[i * N + j] * x[j];
  }
}

static double dot(const double *x, const double *y)
{
  double sum = 0;
  for (int i = 0; i < N; i++) sum += x[i] * y[i];
  return sum;
}

static void add(double a, const double *x, double *y)
{
  for (int i = 0; i < N; i++) y[i] += a * x[i];
}

/* The least residuals over the Krylov spaces of A and b: ORTHODIR of Young and Jea (1980), with all
 * directions kept and orthogonalised twice. */
static void least_residuals(const double *A, const double *b, double *norms)
{
  static double p[STEPS][N], w[STEPS][N];
  double r[N];
  memcpy(r, b, sizeof r);
  for (int k = 0; k < STEPS; k++) {
    memcpy(p[k], k ? w[k - 1] : b, sizeof p[k]);
    multiply(A, p[k], w[k]);
    for (int j = 0; j < 2 * k; j++) {
      const double h = dot(w[k], w[j % k]);
      add(-h, w[j % k], w[k]);
      add(-h, p[j % k], p[k]);
    }
    const double size = sqrt(dot(w[k], w[k]));
    for (int i = 0; i < N; i++) {
      w[k][i] /= size;
      p[k][i] /= size;
    }
    add(-dot(r, w[k]), w[k], r);
    norms[k] = sqrt(dot(r, r));
  }
}

/* BiCGStab as in van der Vorst (1992), with the diagonal preconditioner d from the right. */
static void textbook_bicgstab(const double *A, const double *d, const double *b, double *norms)
{
  double r[N], q[N], p[N], v[N], t[N], y[N], z[N], rho;
  memcpy(r, b, sizeof r);
  memcpy(q, b, sizeof q);
  memcpy(p, b, sizeof p);
  rho = dot(q, r);
  for (int k = 0; k < STEPS; k++) {
    for (int i = 0; i < N; i++) y[i] = p[i] / d[i];
    multiply(A, y, v);
    const double alpha = rho / dot(q, v);
    add(-alpha, v, r);
    for (int i = 0; i < N; i++) z[i] = r[i] / d[i];
    multiply(A, z, t);
    const double omega = dot(t, r) / dot(t, t);
    add(-omega, t, r);
    norms[k] = sqrt(dot(r, r));
    const double rho_old = rho;
    rho = dot(q, r);
    const double beta = rho / rho_old * (alpha / omega);
    for (int i = 0; i < N; i++) p[i] = r[i] + beta * (p[i] - omega * v[i]);
  }
}

/* The norm of the test that the method's spec has. */
static ovk_norm norm_of(const char *method)
{
  return strstr(method, "side=left") ? OVK_NORM_PRECONDITIONED : OVK_NORM_UNPRECONDITIONED;
}

static void check_method(const dense_system *S, ovk_precond *M, const char *method,
                         const double *norms, double tolerance)
{
  ovk_solver_opts opts = solver_opts(.method = method, .norm = norm_of(method));
  check_steps(S, M, opts, STEPS, norms, tolerance * norms[0]);
}

TEST(minres_has_the_least_residuals)
{
  scoped_dense_system S = new_dense_system(random_of(INDEFINITE, N, 20, 3), N, 4, 1, 1);
  double norms[STEPS];
  least_residuals(S.A_all, S.b_all, norms);
  check_method(&S, NULL, "minres", norms, 1e-11);
  check_method(&S, NULL, "pipelined-minres", norms, 1e-11);
}

/* A constant times the identity leaves the iterates as they are, in each norm except for the scale.
 */
static ovk_err halve(void *state, const double *r, double *z, ovk_poll poll)
{
  for (int i = 0; i < *(const int *)state; i++) z[i] = 0.25 * r[i];
  return OVK_OK;
}

TEST(a_preconditioner_that_is_a_number_changes_no_residual_of_minres)
{
  scoped_dense_system S = new_dense_system(random_of(INDEFINITE, N, 20, 3), N, 4, 1, 1);
  int n = ovk_mat_local_size(S.A);
  const ovk_precond_ops quarter = {.name = "quarter", .apply = halve};
  double norms[STEPS];
  assert_ok(ovk_precond_register(test_ctx(), &quarter, &n));
  scoped_precond *M = new_precond(S.A, "quarter");
  least_residuals(S.A_all, S.b_all, norms);
  check_method(&S, M, "minres", norms, 1e-11);
  check_method(&S, M, "pipelined-minres", norms, 1e-11);
}

TEST(minres_tests_each_norm)
{
  scoped_dense_system S = new_dense_system(random_spd(N, 50, 5), N, 6, 1, 1);
  for (int k = 0; k <= 2 * OVK_NORM_NATURAL + 1; k++) {
    ovk_solver_opts opts =
        solver_opts(.method = k % 2 ? "pipelined-minres" : "minres", .norm = (ovk_norm)(k / 2));
    const ovk_result res = solve_dense_system(&S, S.M, &opts);
    assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
    assert_int_equal(res.restarts, 0); /* the recurred norm was the true one */
    assert_true(res.true_relative_residual < 1e-6);
  }
}

TEST(the_first_steps_are_those_of_textbook_bicgstab)
{
  double *A = random_of(NORMAL, N, 10, 7);
  for (int i = 0; i < N; i++) A[i * N + i] += 1; /* BiCGStab magnifies rounding where r peaks */
  scoped_dense_system S = new_dense_system(A, N, 8, 1, 1);
  double ones[N], d[N], norms[STEPS];
  for (int i = 0; i < N; i++) {
    ones[i] = 1;
    d[i] = S.A_all[i * N + i];
  }
  textbook_bicgstab(S.A_all, ones, S.b_all, norms);
  check_method(&S, NULL, "bcgs", norms, 1e-9);
  check_method(&S, NULL, "pipebcgs", norms, 1e-9);
  textbook_bicgstab(S.A_all, d, S.b_all, norms);
  check_method(&S, S.M, "bcgs", norms, 1e-9);
  check_method(&S, S.M, "pipebcgs", norms, 1e-9);
}

/* That of M^-1 A and M^-1 b; without a preconditioner that of A and b. */
TEST(the_left_side_is_textbook_bicgstab_of_another_system)
{
  double *A = random_of(NORMAL, N, 10, 7), B[N * N], c[N], ones[N], norms[STEPS];
  for (int i = 0; i < N; i++) A[i * N + i] += 1 + (double)i / N;
  scoped_dense_system S = new_dense_system(A, N, 8, 1, 1);
  for (int i = 0; i < N; i++) {
    ones[i] = 1;
    c[i] = S.b_all[i] / A[i * N + i];
    for (int j = 0; j < N; j++) B[i * N + j] = A[i * N + j] / A[i * N + i];
  }
  textbook_bicgstab(A, ones, S.b_all, norms);
  check_method(&S, NULL, "bcgs:side=left", norms, 1e-9);
  textbook_bicgstab(B, ones, c, norms);
  check_method(&S, S.M, "bcgs:side=left", norms, 1e-9);
}

/* With an M that is not diagonal; the norm that meets the tolerance is the preconditioned one. */
TEST(both_sides_converge_to_the_same_x)
{
  double *A = random_of(NORMAL, N, 10, 7);
  for (int i = 0; i < N; i++) A[i * N + i] += 1;
  scoped_dense_system S = new_dense_system(A, N, 8, 1, 1);
  scoped_precond *M = new_precond(S.A, "ilu");
  static const char *const specs[] = {"bcgs:side=right", "bcgs:side=left"};
  for (int k = 0; k < 2; k++) {
    const ovk_solver_opts opts = solver_opts(.method = specs[k], .norm = norm_of(specs[k]));
    const ovk_result res = solve_dense_system(&S, M, &opts);
    assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
    assert_int_equal(res.restarts, 0); /* the recurred norm was the true one */
    assert_true(res.true_relative_residual < 1e-6);
  }
}

/* Skew-symmetric: (r, A r) = 0 for every r. */
TEST(a_skew_symmetric_matrix_breaks_bicg_down)
{
  double *A = random_of(NORMAL, N, 10, 7);
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < i; j++) A[i * N + j] = -A[j * N + i];
    A[i * N + i] = 0;
  }
  scoped_dense_system S = new_bare_system(A, N, NULL);
  static const char *const specs[] = {"bcgs", "pipebcgs", "bcgs:side=left"};
  for (int k = 0; k < 3; k++) {
    const ovk_solver_opts opts = solver_opts(.method = specs[k], .norm = norm_of(specs[k]));
    const ovk_result res = solve_dense_system(&S, NULL, &opts);
    assert_end(res, OVK_REASON_BREAKDOWN_BICG, k == 2 ? "(r~, M^-1 A p) = " : "(r~, A M^-1 p) = ");
    assert_int_equal(res.method_changes, k == 1); /* bicgstab takes over, and finds the same */
  }
}

/* The system with this diagonal and b = (1, 1, ...). */
static dense_system diagonal_system(const double diagonal[N])
{
  double *A = new_zeros((size_t)N * N, sizeof *A);
  for (int i = 0; i < N; i++) A[i * N + i] = diagonal[i];
  return new_bare_system(A, N, NULL);
}

/* (1, -1, 2, -2, ..., -4, 1, -1, ..., 0), and as many eigenvalues as rows: b has a part that no A x
 * has, and x is the solution of the least squares problem. */
TEST(minres_says_that_a_matrix_is_singular)
{
  double few[N], many[N];
  for (int i = 0; i < N; i++) {
    few[i] = i == N - 1 ? 0 : (i % 2 ? -1 : 1) * (1 + i % 8 / 2);
    many[i] = i == N - 1 ? 0 : (i % 2 ? -1 : 1) * (1 + 9.0 * i / N);
  }
  for (int k = 0; k < 4; k++) {
    scoped_dense_system S = diagonal_system(k % 2 ? many : few);
    ovk_solver_opts opts = with_method(k / 2 ? "pipelined-minres" : "minres");
    const ovk_result res = solve_dense_system(&S, NULL, &opts);
    assert_end(res, OVK_REASON_SINGULAR, "singular on the Krylov space");
    assert_close(res.true_relative_residual, 1 / sqrt(N), 1e-10);
    opts.method = "bcgs";
    assert_true(solve_dense_system(&S, NULL, &opts).reason < 0);
  }
}

/* Blocks (1, -c; -c, c^2) and an inconsistent right-hand side: the third Lanczos vector consists of
 * rounding errors only. With these a recurred z need not have a positive inner product. */
TEST(no_definite_preconditioner_is_taken_for_another)
{
  for (int seed = 0; seed < 8; seed++) {
    const double c = 0.5 + random_number(7, (uint64_t)seed);
    double *A = new_zeros((size_t)N * N, sizeof *A);
    for (int i = 0; i < N; i++) {
      A[i * N + i] = i % 2 ? c * c : 1;
      A[i * N + (i ^ 1)] = -c;
    }
    scoped_dense_system S = new_dense_system(A, N, 11 + (uint64_t)seed, 1, 1);
    ovk_solver_opts opts = solver_opts(.method = "pipelined-minres", .maxit = 100);
    scoped_precond *M = new_precond(S.A, "ssor");
    for (int i = 0; i < ovk_vec_local_size(S.b); i++) {
      ovk_vec_array(S.b)[i] = random_number(12, (uint64_t)(ovk_vec_first(S.b) + i));
    }
    assert_int_not_equal(solve_dense_system(&S, M, &opts).reason,
                         OVK_REASON_BREAKDOWN_INDEFINITE_M);
  }
}

/* Not linear: 1 for small entries, so that no measure of its scale finds 1e250. */
static ovk_err multiply_large(void *user, const double *x, double *y, ovk_poll poll)
{
  for (int i = 0; i < *(const int *)user; i++) y[i] = fabs(x[i]) > 1e3 ? 1e250 * x[i] : x[i];
  return OVK_OK;
}

/* (v, v) = 1e70, (v, A v) = 1e320 */
TEST(an_inner_product_of_minres_that_overflows_is_named)
{
  int n = 3;
  ovk_mat *A = new_shell(n, &n, .mult = multiply_large);
  scoped_system s = new_system(A, "none");
  assert_ok(ovk_vec_fill(s.b, 1e35));
  for (int k = 0; k < 2; k++) {
    const ovk_solver_opts opts = with_method(k ? "pipelined-minres" : "minres");
    assert_end(solve_alike(s.A, s.M, s.b, s.x, &opts), OVK_REASON_NAN,
               "(z, A z) overflows in iteration 1");
  }
}

TEST(minres_refuses_an_indefinite_preconditioner)
{
  scoped_dense_system S = new_dense_system(random_of(INDEFINITE, N, 20, 3), N, 4, -1, 1);
  for (int k = 0; k < 2; k++) {
    const ovk_solver_opts opts = with_method(k ? "pipelined-minres" : "minres");
    assert_int_equal(solve_dense_system(&S, S.M, &opts).reason, OVK_REASON_BREAKDOWN_INDEFINITE_M);
  }
}
