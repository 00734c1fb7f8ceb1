/* SPDX-License-Identifier: BSD-2-Clause */
/* How solves with the gmres methods end: exhausted, singular and stagnating Krylov spaces, random
 * systems far from normal, NaN from the middle of a pipeline. */
#include "spectra.h"
#include "support/problem.h"

static const char *const specs[] = {
    "gmres",  "gmres:ortho=cgs2", "gmres:ortho=cgs",  "gmres:ortho=mgs",
    "fgmres", "pgmres",           "gmres:basis=float"};
enum { SPECS = sizeof specs / sizeof *specs, DIRECT = 5 };

/* n rows with b = e_0 + `rest` e_n-1. */
static dense_system make_system(int n, double (*entry)(int n, int i, int j), double rest)
{
  double *A = new_memory((size_t)(n * n) * sizeof *A);
  scoped_array double *b = new_zeros((size_t)n, sizeof *b);
  for (int i = 0; i < n * n; i++) A[i] = entry(n, i / n, i % n);
  b[0] = 1;
  b[n - 1] += rest;
  return new_bare_system(A, n, b);
}

/* How the solves of make(n, entry, rest) end, by each spec. */
typedef struct ending {
  int n;
  double (*entry)(int n, int i, int j);
  double rest;
  const char *restart; /* an option, added to the spec; or NULL */
  ovk_reason reason;
  const char *words;
  int least, most; /* iterations */
} ending;

static void check_ending(ending end)
{
  scoped_dense_system S = make_system(end.n, end.entry, end.rest);
  for (int k = 0; k < SPECS; k++) {
    char spec[80];
    const char *between = !end.restart ? "" : strchr(specs[k], ':') ? "," : ":";
    snprintf(spec, sizeof spec, "%s%s%s", specs[k], between, end.restart ? end.restart : "");
    const ovk_solver_opts opts = with_method(spec);
    const ovk_result res = solve_dense_system(&S, NULL, &opts);
    assert_end(res, end.reason, end.words);
    assert_in_range(res.iterations, end.least, end.most);
    if (res.reason == OVK_REASON_SINGULAR) {
      assert_close(res.true_relative_residual, end.rest > 0 ? sqrt(0.5) : 1, 1e-12);
    }
  }
}

/* A e_j = e_j+1, and e_n-1 to e_0: the residual stays 1 until the last step. */
static double cycle_entry(int n, int i, int j)
{
  return i == (j + 1) % n;
}

TEST(a_cyclic_shift_takes_as_many_steps_as_rows)
{
  check_ending((ending){12, cycle_entry, 0, NULL, OVK_REASON_CONVERGED_RTOL, NULL, 12, 12});
}

TEST(no_gain_between_restarts_is_stagnation)
{
  check_ending((ending){12, cycle_entry, 0, "restart=11", OVK_REASON_STAGNATED_RESTART,
                        "11 iterations between restarts", 11, 33});
}

/* diag(2, ..., 2, 0): the Krylov space of b = e_0 + e_n-1 has two vectors. */
static double singular_entry(int n, int i, int j)
{
  return i == j && i < n - 1 ? 2 : 0;
}

TEST(a_singular_matrix_is_one_on_the_krylov_space)
{
  check_ending((ending){9, singular_entry, 1, NULL, OVK_REASON_SINGULAR,
                        "singular on the Krylov space", 1, 9});
}

TEST(a_singular_system_that_has_a_solution_is_solved)
{
  check_ending((ending){9, singular_entry, 0, NULL, OVK_REASON_CONVERGED_RTOL, NULL, 1, 1});
}

/* A = 0 on the Krylov space: its first image is 0. */
static double nilpotent_entry(int n, int i, int j)
{
  return j == i + 1;
}

TEST(an_image_of_zero_is_singular_at_once)
{
  check_ending((ending){7, nilpotent_entry, 0, NULL, OVK_REASON_SINGULAR, NULL, 1, 1});
}

static double permuted_entry(int n, int i, int j)
{
  return i == n - 1 - j ? 1 + i : 0;
}

/* The diagonal is 0, and so is (r, A r): GMRES needs neither. */
TEST(a_zero_diagonal_is_no_breakdown)
{
  for (int n = 1; n <= 8; n++) {
    const int steps = n == 1 ? 1 : 2;
    check_ending(
        (ending){n, permuted_entry, 0, NULL, OVK_REASON_CONVERGED_RTOL, NULL, steps, steps});
  }
}

enum { ROWS = 24, SYSTEMS = 36 };

/* A restart as long as the system has rows makes GMRES a direct method: it solves all systems that
 * doubles can resolve. The pipeline and a basis of floats, last in the list, may need another
 * start. Shorter restarts may stagnate, and then report it. */
TEST(random_systems_end_with_the_truth)
{
  static const char *const more[] = {"gmres:restart=5", "pgmres:restart=5",
                                     "gmres:restart=5,side=left"};
  for (int k = 0; k < count_systems(SYSTEMS); k++) {
    const int power = 1 + k % 12;
    const uint64_t seed = 3000 + (uint64_t)k;
    const spectrum kind = k % 2 ? NORMAL : FAR_FROM_NORMAL;
    scoped_dense_system S =
        new_dense_system(random_of(kind, ROWS, pow(10, power), seed), ROWS, seed, 1, 1);
    for (int m = 0; m < SPECS + 3; m++) {
      double rounding;
      ovk_solver_opts opts = with_method(specs[m % SPECS]);
      if (m >= SPECS) opts.method = more[m - SPECS];
      if (m == SPECS + 2) opts.norm = OVK_NORM_PRECONDITIONED;
      opts.maxit = 300;
      const bool left = m == SPECS + 2;
      const ovk_result res = solve_dense_system(&S, left ? S.M : NULL, &opts);
      const double residual = dense_residual(&S, &rounding);
      assert_true(fabs(residual - res.true_relative_residual) <= 1e-6 * residual + rounding);
      if (res.reason < 0) assert_true(ovk_ctx_error(test_ctx())[0] != '\0');
      if (res.reason > 0 && !left) assert_true(residual <= 1.02 * opts.rtol + rounding);
      if (m < SPECS && power <= (strstr(specs[m], "float") ? 5 : 6)) {
        assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
      }
      if (m < DIRECT && power <= 6) assert_true(res.iterations <= ROWS + 1);
    }
  }
}

/* The product that gives NaN once, in its k-th call. */
static int calls, bad_call;

static ovk_err multiply(void *user, const double *x, double *y, ovk_poll poll)
{
  for (int i = 0; i < ROWS; i++) y[i] = (2 + i) * x[i] + x[(i + 1) % ROWS];
  if (++calls == bad_call && is_last()) y[3] = NAN;
  return OVK_OK;
}

TEST(a_nan_ends_a_solve_where_it_was_made)
{
  scoped_mat *A = new_shell(ROWS, NULL, .mult = multiply);
  scoped_vec *b = new_filled(A, 1), *x = new_vec(A);
  for (int k = 0; k < SPECS; k++) {
    for (bad_call = 2; bad_call < 7; bad_call++) {
      const ovk_solver_opts opts = with_method(specs[k]);
      calls = 0;
      assert_ok(ovk_vec_fill(x, 0));
      const ovk_result res = solve_alike(A, NULL, b, x, &opts);
      assert_end(res, OVK_REASON_NAN, "NaN or Inf in iteration");
      assert_true(isfinite(res.true_relative_residual));
    }
  }
}
