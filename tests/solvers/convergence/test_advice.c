/* SPDX-License-Identifier: BSD-2-Clause */
/* The remedies in the message of a failed solve, the same on all ranks. */
#include "solvers/convergence/advice.h"
#include "support/problem.h"

/* Rows of a grid of SIDE x SIDE points, none on the last of several ranks. */
enum { SIDE = 24, POINTS = SIDE * SIDE };

static ovk_lidx rows_here(void)
{
  const int owners = test_size > 1 ? test_size - 1 : 1;
  if (test_rank >= owners) return 0;
  return POINTS / owners + (test_rank < POINTS % owners);
}

/* The five-point operator: the diagonal minus `shift`, or the row's sum if `neumann`; `wind` makes
 * it unsymmetric. */
typedef struct grid {
  double shift, wind;
  bool neumann;
} grid;

static void add_neighbor(ovk_mat *A, ovk_gidx i, ovk_gidx j, bool inside, double value, double *sum)
{
  if (!inside) return;
  assert_ok(ovk_mat_add(A, i, j, value));
  *sum -= value;
}

static ovk_mat *make_grid(grid g)
{
  ovk_mat *A = new_mat(rows_here());
  for (ovk_gidx i = ovk_mat_row_begin(A), end = i + rows_here(); i < end; i++) {
    const ovk_gidx x = i % SIDE, y = i / SIDE;
    double sum = 0;
    add_neighbor(A, i, i - 1, x > 0, -1 - g.wind, &sum);
    add_neighbor(A, i, i + 1, x < SIDE - 1, -1 + g.wind, &sum);
    add_neighbor(A, i, i - SIDE, y > 0, -1, &sum);
    add_neighbor(A, i, i + SIDE, y < SIDE - 1, -1, &sum);
    assert_ok(ovk_mat_add(A, i, i, g.neumann ? sum : 4 - g.shift));
  }
  return assembled(A);
}

/* Solves for a b that is random, and has a part in the direction of constant vectors. */
static ovk_result solve_grid(grid g, const char *precond, const ovk_solver_opts *opts)
{
  scoped_system s = new_system(make_grid(g), precond);
  char first[1024] = "";
  fill_random(s.b, 7);
  for (ovk_lidx i = 0; i < ovk_vec_local_size(s.b); i++) ovk_vec_array(s.b)[i] += 0.1;
  const ovk_result res = solve_system(&s, opts);
  snprintf(first, sizeof first, "%s", ovk_ctx_error(test_ctx()));
  MPI_Bcast(first, sizeof first, MPI_CHAR, 0, MPI_COMM_WORLD);
  assert_string_equal(ovk_ctx_error(test_ctx()), first);
  return res;
}

static void assert_says(const char *words)
{
  const char *message = ovk_ctx_error(test_ctx());
  if (!strstr(message, words)) fail_msg("'%s' is not in '%s'", words, message);
}

static void assert_does_not_say(const char *words)
{
  const char *message = ovk_ctx_error(test_ctx());
  if (strstr(message, words)) fail_msg("'%s' is in '%s'", words, message);
}

static ovk_solver_opts limited(const char *method, int maxit)
{
  ovk_solver_opts opts = with_method(method);
  opts.maxit = maxit;
  return opts;
}

static const grid neumann = {.neumann = true}, poisson = {0}, helmholtz = {.shift = 0.5},
                  hard_helmholtz = {.shift = 4.01}, windy = {.wind = 0.9}, stormy = {.wind = 9};

TEST(a_singular_system_names_null_constant_whatever_the_method)
{
  const char *const methods[] = {"cg", "pipecg", "minres", "bcgs", "gmres", "gmres:restart=5"};
  const char *const preconds[] = {"none", "jacobi", "ssor", "ic"};
  for (int m = 0; m < 6; m++) {
    for (int p = 0; p < 4; p++) {
      const ovk_solver_opts opts = limited(methods[m], 1000);
      const ovk_result res = solve_grid(neumann, preconds[p], &opts);
      assert_true(res.reason < 0);
      assert_says("; A is singular, as A 1 = 0; set null_constant (--nullspace constant)");
      assert_does_not_say("restart, is needed");
      assert_does_not_say("or a longer restart");
    }
  }
}

TEST(the_null_space_that_was_given_is_not_advised)
{
  ovk_solver_opts opts = limited("cg", 10000);
  opts.null_constant = true;
  opts.rtol = 1e-20;
  assert_true(solve_grid(neumann, "jacobi", &opts).reason < 0);
  assert_does_not_say("null_constant");
}

TEST(an_indefinite_matrix_names_minres)
{
  const char *const preconds[] = {"none", "jacobi", "ssor", "ic"};
  for (int p = 0; p < 4; p++) {
    const ovk_solver_opts opts = limited("cg", 1000);
    assert_int_equal(solve_grid(helmholtz, preconds[p], &opts).reason,
                     OVK_REASON_BREAKDOWN_INDEFINITE_A);
    assert_says("; use minres, with precond none or another positive definite one");
  }
}

TEST(an_indefinite_preconditioner_names_none)
{
  const ovk_solver_opts opts = limited("cg", 1000);
  assert_int_equal(solve_grid(hard_helmholtz, "jacobi", &opts).reason,
                   OVK_REASON_BREAKDOWN_INDEFINITE_M);
  assert_says("; use precond none, with minres if A is symmetric");
}

TEST(an_indefinite_preconditioner_in_float_names_double)
{
  const ovk_solver_opts opts = limited("cg", 1000);
  const char *const specs[] = {"ssor:store=float", "ssor:store=double"};
  for (int k = 0; k < 2; k++) {
    assert_int_equal(solve_grid(hard_helmholtz, specs[k], &opts).reason,
                     OVK_REASON_BREAKDOWN_INDEFINITE_M);
    if (k == 0) assert_says("; use store=double in its spec, such as amg:store=double");
    if (k == 1) assert_does_not_say("store=");
    assert_says("precond none, with minres if A is symmetric");
  }
}

TEST(a_preconditioner_that_overflows_is_not_called_a_bad_scale)
{
  const char *const methods[] = {"bcgs", "gmres", "minres"};
  for (int m = 0; m < 3; m++) {
    const ovk_solver_opts opts = limited(methods[m], 1000);
    const ovk_result res = solve_grid(hard_helmholtz, "ssor", &opts);
    assert_true(res.reason == OVK_REASON_NAN || res.reason == OVK_REASON_BREAKDOWN_INDEFINITE_M);
    assert_says("use precond none, with minres if A is symmetric");
    assert_does_not_say("scale the system");
  }
}

TEST(a_general_method_that_fails_for_a_symmetric_matrix_names_minres)
{
  const ovk_solver_opts opts = limited("gmres:restart=5", 200);
  assert_true(solve_grid(helmholtz, "none", &opts).reason < 0);
  assert_says("; A is symmetric; use minres, with precond none");
}

TEST(a_restart_that_is_too_short_names_bicgstab)
{
  const ovk_solver_opts opts = limited("gmres:restart=1", 120);
  const ovk_result res = solve_grid(stormy, "none", &opts);
  assert_true(res.reason == OVK_REASON_MAXIT || res.reason == OVK_REASON_STAGNATED_RESTART);
  assert_says("; use bcgs or a longer restart");
}

/* The part of a message after `words`. */
static double number_after(const char *words)
{
  assert_says(words);
  return strtod(strstr(ovk_ctx_error(test_ctx()), words) + strlen(words), NULL);
}

TEST(maxit_gives_the_tolerance_and_how_many_iterations_are_missing)
{
  ovk_solver_opts opts = limited("chebyshev", 10000);
  opts.rtol = 1e-9;
  const int needed = solve_grid(poisson, "none", &opts).iterations;
  opts.maxit = 2 * needed / 3;
  assert_int_equal(solve_grid(poisson, "none", &opts).reason, OVK_REASON_MAXIT);
  assert_says(", tolerance 1e-09 ||b||, falling by a factor of ");
  assert_says(" more would do; raise maxit");
  const double more = number_after("so about ");
  assert_true(more > 0.2 * needed && more < 0.5 * needed);
}

TEST(maxit_names_a_stronger_preconditioner_where_the_end_is_far)
{
  const struct {
    grid A;
    const char *method, *precond, *says;
  } cases[] = {{poisson, "cg", "none", "; use a stronger preconditioner, such as ic"},
               {poisson, "cg", "jacobi", "; use a stronger preconditioner, such as ic"},
               {poisson, "cg", "ic", "such as ic:level=1 or ilu:level=1"},
               {windy, "bcgs", "jacobi", "; use a stronger preconditioner, such as ilu"}};
  for (int k = 0; k < 4; k++) {
    ovk_solver_opts opts = limited(cases[k].method, 11);
    opts.rtol = 1e-300;
    assert_int_equal(solve_grid(cases[k].A, cases[k].precond, &opts).reason, OVK_REASON_MAXIT);
    assert_says(cases[k].says);
  }
}

/* One pair of entries that is small compared with others: a relative measure would not name it. */
TEST(entries_that_are_not_symmetric_are_given)
{
  const ovk_solver_opts opts = limited("cg", 1000);
  scoped_system s = new_system(new_mat(rows_here()), NULL);
  for (ovk_gidx i = ovk_mat_row_begin(s.A), end = i + rows_here(); i < end; i++) {
    assert_ok(ovk_mat_add(s.A, i, i, i % 7 ? 2 : 1e4));
    if (i == 3) assert_ok(ovk_mat_add(s.A, 3, 2, -103.5));
    if (i == 2) assert_ok(ovk_mat_add(s.A, 2, 3, -4));
    if (i == 0) assert_ok(ovk_mat_add(s.A, 0, POINTS - 1, -0.5));
    if (i == POINTS - 1) assert_ok(ovk_mat_add(s.A, POINTS - 1, 0, -0.5));
  }
  assert_ok(ovk_mat_assemble(s.A));
  ovk_vec_destroy(&s.b);
  ovk_vec_destroy(&s.x);
  s.b = new_vec(s.A);
  s.x = new_vec(s.A);
  fill_random(s.b, 3);
  assert_true(solve_system(&s, &opts).reason < 0);
  assert_says(
      "A is not symmetric, as the method needs it to be: row 3, column 2 is -103.5, but row "
      "2, column 3 is -4; use bcgs or gmres");
}

TEST(few_iterations_are_no_trend)
{
  const ovk_solver_opts opts = limited("cg", 5);
  assert_int_equal(solve_grid(poisson, "none", &opts).reason, OVK_REASON_MAXIT);
  assert_does_not_say("iterations,");
  assert_says(" ||b||; raise maxit");
}

TEST(norms_that_have_not_fallen_say_since_when)
{
  ovk_solver S = {.counts.iterations = 500, .norms = {.rr = 1, .tolerance = 1e-8}};
  char text[160];
  for (int k = 0; k <= 500; k++) {
    ovk__trend_add(&S.trend, k, k < 170 ? exp(-0.05 * k) : 1e-4 * (1 + 0.1 * (k % 3)));
  }
  assert_int_equal(ovk__trend_write(&S, text, sizeof text), 0);
  assert_string_equal(text, ", with no fall since iteration 170");
}

TEST(norms_that_fall_say_how_fast)
{
  ovk_solver S = {.counts.iterations = 200, .norms.tolerance = 1e-8};
  char text[160];
  for (int k = 0; k <= 200; k++) {
    S.norms.rr = pow(10, -0.02 * k); /* the norm falls by 10 in 100 iterations */
    ovk__trend_add(&S.trend, k, S.norms.rr);
  }
  assert_int_equal(ovk__trend_write(&S, text, sizeof text), 0);
  assert_string_equal(text,
                      ", falling by a factor of 10 in 100 iterations, so about 600 more would do");
  S.norms.tolerance = 1e-3;
  assert_int_equal(ovk__trend_write(&S, text, sizeof text), OVK__FACT_NEAR);
  S.norms.tolerance = 0;
  assert_int_equal(ovk__trend_write(&S, text, sizeof text), 0);
  assert_string_equal(text, ", falling by a factor of 10 in 100 iterations");
}
