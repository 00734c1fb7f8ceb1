/* SPDX-License-Identifier: BSD-2-Clause */
/* Singular systems with a matrix that is not symmetric: the null space of A is removed from x, that
 * of A^T from b, and each must be known for that. */
#include "singular.h"

enum { N = 12, ROWS = N * N };

static const char *const methods[] = {
    "gmres:restart=150", "gmres:restart=150,side=left", "fgmres:restart=150", "bcgs",
    "bcgs:side=left",    "pgmres:restart=150",          "pipebcgs",           "auto"};
enum { METHODS = sizeof methods / sizeof *methods };

/* The weight of edges to neighbors on the left and below; that of others is 1. */
static const double UPWIND = 1.5;

static ovk_gidx neighbor(ovk_gidx i, int side)
{
  const ovk_gidx x = i % N, y = i / N;
  const bool none[4] = {x == 0, x == N - 1, y == 0, y == N - 1};
  const ovk_gidx to[4] = {i - 1, i + 1, i - N, i + N};
  return none[side] ? -1 : to[side];
}

/* Upwind differences of convection and diffusion with Neumann boundaries: A 1 = 0, and v^T A = 0
 * for the v of fill_left(); or its transpose. A is symmetric for upwind = 1. */
static ovk_mat *convection(ovk_lidx rows, double upwind, bool transposed)
{
  ovk_mat *A = new_mat(rows);
  const ovk_gidx first = ovk_mat_row_begin(A);
  for (ovk_gidx i = first; i < first + rows; i++) {
    for (int side = 0; side < 4; side++) {
      const ovk_gidx j = neighbor(i, side);
      const double weight = side % 2 ? 1 : upwind;
      if (j < 0) continue;
      assert_ok(ovk_mat_add(A, transposed ? j : i, transposed ? i : j, -weight));
      assert_ok(ovk_mat_add(A, i, i, weight));
    }
  }
  return assembled(A);
}

static void fill_left(ovk_vec *v, ovk_gidx first)
{
  for (ovk_lidx i = 0; i < ovk_vec_local_size(v); i++) {
    const ovk_gidx row = first + i;
    ovk_vec_array(v)[i] = pow(UPWIND, -(double)(row % N + row / N));
  }
}

/* On two ranks or more one may have no rows. */
static linear_system open_convection(const char *precond, bool empty)
{
  const int rank = test_size - 1 - test_rank;
  const ovk_lidx rows = empty ? (is_last() ? ROWS : 0) : even_share(ROWS, rank, test_size);
  return singular_of(convection(rows, UPWIND, false), precond);
}

/* Adds a vector to b that no A x has. */
static void leave_range(linear_system *s)
{
  scoped_vec *left = new_vec(s->A);
  fill_left(left, ovk_mat_row_begin(s->A));
  assert_ok(ovk_vec_axpy(1, left, s->b));
}

static char notice[NOTICE];

/* Solves from an x0 with a part in the null space. */
static ovk_result solve(const linear_system *s, ovk_solver_opts opts)
{
  notice[0] = '\0';
  fill_random(s->x, 19);
  ovk_ctx_on_notice(test_ctx(), keep_notice, notice);
  const ovk_result res = solve_alike(s->A, s->M, s->b, s->x, &opts);
  ovk_ctx_on_notice(test_ctx(), NULL, NULL);
  return res;
}

static ovk_solver_opts options(int method)
{
  ovk_solver_opts opts = with_method(methods[method]);
  const bool left = strstr(opts.method, "side=left");
  opts.rtol = 1e-11;
  opts.maxit = 1000;
  opts.null_constant = true;
  opts.norm = left ? OVK_NORM_PRECONDITIONED : OVK_NORM_UNPRECONDITIONED;
  return opts;
}

/* A part of b was removed before the solve, which converged. */
static void assert_removed(const linear_system *s, ovk_result res)
{
  assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
  assert_true(res.rhs_null_part > 0.01);
  assert_true(distance(s->x, s->wanted) <= 1e-7);
}

static const char *const preconds[] = {"none", "jacobi", "ilu", "ilu:level=40" /* singular */};
enum { PRECONDS = sizeof preconds / sizeof *preconds };

TEST(a_consistent_system_is_solved_as_it_is)
{
  for (int p = 0; p < PRECONDS; p++) {
    scoped_system s = open_convection(preconds[p], p % 2);
    for (int m = 0; m < METHODS; m++) {
      const ovk_result res = solve(&s, options(m));
      assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
      assert_true(res.rhs_null_part == 0);
      assert_true(distance(s.x, s.wanted) <= 1e-7);
      assert_string_equal(notice, "");
    }
  }
}

TEST(left_null_vectors_are_removed_from_b)
{
  for (int p = 0; p < PRECONDS; p++) {
    scoped_system s = open_convection(preconds[p], p % 2);
    scoped_vec *left = new_vec(s.A);
    const ovk_vec *given = left;
    double norm_b = 0, norm_left = 0;
    fill_left(left, ovk_mat_row_begin(s.A));
    assert_ok(ovk_vec_norm(s.b, &norm_b));
    assert_ok(ovk_vec_norm(left, &norm_left));
    assert_ok(ovk_vec_axpy(2, left, s.b));
    const double part = 2 * norm_left / hypot(norm_b, 2 * norm_left);
    for (int m = 0; m < METHODS; m++) {
      ovk_solver_opts opts = options(m);
      opts.left_null_count = 1;
      opts.left_null_vectors = &given;
      const ovk_result res = solve(&s, opts);
      assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
      assert_close(res.rhs_null_part, part, 1e-12);
      assert_true(distance(s.x, s.wanted) <= 1e-7);
      assert_non_null(strstr(notice, "b is not in the range of A"));
    }
  }
}

/* The null space of A says nothing of b, and to remove it would make a system that has a solution
 * into one without. */
TEST(without_left_null_vectors_b_stays_as_it_is)
{
  scoped_system s = open_convection("jacobi", false);
  leave_range(&s);
  for (int m = 0; m < METHODS; m++) {
    ovk_solver_opts opts = options(m);
    opts.maxit = 200;
    const ovk_result res = solve(&s, opts);
    assert_true(res.reason < 0);
    assert_true(res.rhs_null_part == 0);
    assert_string_equal(notice, "");
  }
}

/* M^-1 r = c 1 without its part in the null space is 0: in that norm a solve ends with r = c M 1.
 */
TEST(the_true_residual_shows_what_the_preconditioned_norm_does_not)
{
  scoped_system s = open_convection("ilu", false);
  leave_range(&s);
  for (int m = 0; m < METHODS; m++) {
    ovk_solver_opts opts = options(m);
    opts.maxit = 200;
    const ovk_result res = solve(&s, opts);
    assert_true((res.reason > 0) == (opts.norm == OVK_NORM_PRECONDITIONED));
    assert_true(res.true_relative_residual > 0.01);
  }
}

/* As of a matrix of fluxes, which loses nothing: its columns sum to 0. */
TEST(constants_may_be_in_the_left_null_space_alone)
{
  const ovk_lidx rows = even_share(ROWS, test_rank, test_size);
  for (int m = 0; m < METHODS; m++) {
    scoped_system s = singular_of(convection(rows, UPWIND, true), "jacobi");
    ovk_solver_opts opts = options(m);
    scoped_vec *right = new_vec(s.A), *shift = new_vec(s.A);
    const ovk_vec *given = right;
    double part = 0, square = 0;
    fill_left(right, ovk_mat_row_begin(s.A));
    assert_ok(ovk_vec_dot(right, s.wanted, &part));
    assert_ok(ovk_vec_dot(right, right, &square));
    assert_ok(ovk_vec_axpy(-part / square, right, s.wanted));
    assert_ok(ovk_vec_fill(shift, 0.3));
    assert_ok(ovk_vec_axpy(1, shift, s.b));
    opts.null_constant = false;
    opts.null_count = 1;
    opts.null_vectors = &given;
    opts.left_null_constant = true;
    assert_removed(&s, solve(&s, opts));
  }
}

/* Whatever the method: if A is symmetric, the null space of A is that of A^T. */
TEST(the_null_space_of_a_symmetric_matrix_is_removed_from_b)
{
  static const char *const symmetric[] = {"minres", "pipelined-minres", "cg"};
  static const char *const positive[] = {"none", "jacobi", "ssor"};
  for (int p = 0; p < 3; p++) {
    const ovk_lidx rows = even_share(ROWS, test_rank, test_size);
    scoped_system s = singular_of(convection(rows, 1, false), positive[p]);
    scoped_vec *shift = new_vec(s.A);
    assert_ok(ovk_vec_fill(shift, 0.3));
    assert_ok(ovk_vec_axpy(1, shift, s.b));
    for (int m = 0; m < METHODS + 3; m++) {
      ovk_solver_opts opts = options(m % METHODS);
      if (m >= METHODS) opts.method = symmetric[m - METHODS];
      const ovk_result res = solve(&s, opts);
      assert_removed(&s, res);
      assert_non_null(strstr(notice, "b is not in the range of A"));
    }
  }
}

/* Differences around a ring: A is not symmetric, but its rows and its columns sum to 0. */
TEST(one_space_may_be_both)
{
  enum { RING = 60 };
  ovk_mat *A = new_mat(even_share(RING, test_rank, test_size));
  const ovk_gidx first = ovk_mat_row_begin(A);
  for (ovk_gidx i = first; i < first + ovk_mat_local_size(A); i++) {
    assert_ok(ovk_mat_add(A, i, i, 2.5));
    assert_ok(ovk_mat_add(A, i, (i + 1) % RING, -1));
    assert_ok(ovk_mat_add(A, i, (i + RING - 1) % RING, -1.5));
  }
  assert_ok(ovk_mat_assemble(A));
  scoped_system s = singular_of(A, "jacobi");
  scoped_vec *shift = new_filled(A, 0.3);
  assert_ok(ovk_vec_axpy(1, shift, s.b));
  for (int m = 0; m < METHODS; m++) {
    assert_removed(&s, solve(&s, options(m)));
  }
}

TEST(what_is_no_left_null_vector_is_refused_with_a_number)
{
  scoped_system s = open_convection("none", false);
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  const ovk_vec *wanted = s.wanted;
  opts.left_null_constant = true;
  assert_no_solver(s.A, s.M, &opts, OVK_ERR_ARG,
                   "the left constant vector is not in the null space of A^T: ||A^T v|| is about ");
  opts.left_null_constant = false;
  opts.left_null_count = 1;
  opts.left_null_vectors = &wanted;
  assert_no_solver(s.A, s.M, &opts, OVK_ERR_ARG,
                   "left null-space vector 0 is not in the null space of A^T");
  opts.left_null_count = -1;
  assert_no_solver(s.A, s.M, &opts, OVK_ERR_ARG, "left_null_count is -1");
  opts.left_null_count = 1;
  opts.left_null_vectors = NULL;
  assert_no_solver(s.A, s.M, &opts, OVK_ERR_ARG, "left_null_vectors is NULL");
  opts.left_null_count = 0;
  opts.left_null_constant = test_rank == 0;
  if (test_size > 1) {
    assert_no_solver(s.A, s.M, &opts, OVK_ERR_ARG, "left null space 1 + 0");
  }
}
