/* SPDX-License-Identifier: BSD-2-Clause */
/* Singular systems: with the null space given every method finds the solution of least norm, also
 * for a right-hand side that is not in the range of A. */
#include "singular.h"
#include "support/methods.h"

/* The Laplacian of a graph: a grid of n x n points whose edges have random weights, so that A 1 = 0
 * up to rounding. */
static ovk_mat *grid_laplacian(int n, ovk_lidx rows)
{
  ovk_mat *A = new_mat(rows);
  const ovk_gidx first = ovk_mat_row_begin(A);
  for (ovk_gidx i = first; i < first + rows; i++) {
    for (int side = 0; side < 2; side++) { /* the edges to the right and up, from either end */
      const ovk_gidx j = side ? i + n : i + 1;
      if (side ? i / n == n - 1 : i % n == n - 1) continue;
      const double weight = 0.5 + random_number(17, (uint64_t)(2 * i + side));
      const ovk_gidx ends[2] = {i, j};
      const double block[4] = {weight, -weight, -weight, weight};
      assert_ok(ovk_mat_add_block(A, 2, ends, 2, ends, block));
    }
  }
  return assembled(A);
}

static linear_system new_singular(int n, const char *precond)
{
  return singular_of(grid_laplacian(n, even_share(n * n, test_rank, test_size)), precond);
}

/* Solves with each method from an x0 that has a part in the null space, to `error`. */
static void solve_with_all(const linear_system *s, ovk_solver_opts opts, double null_part,
                           double error)
{
  FOR_EACH_CHOICE(list_definite_methods, method) {
    opts.method = method.name;
    fill_random(s->x, 19);
    const ovk_result res = solve_alike(s->A, s->M, s->b, s->x, &opts);
    assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
    assert_close(res.rhs_null_part, null_part, 1e-12);
    assert_true(distance(s->x, s->wanted) <= error);
  }
}

TEST(every_method_finds_the_solution_of_least_norm)
{
  static const char *const preconds[] = {"none", "jacobi", "ssor", "ic",
                                         "ic:level=40" /* on one rank as singular as A */};
  static const ovk_norm norms[] = {OVK_NORM_UNPRECONDITIONED, OVK_NORM_PRECONDITIONED,
                                   OVK_NORM_NATURAL, OVK_NORM_PRECONDITIONED,
                                   OVK_NORM_UNPRECONDITIONED};
  for (int p = 0; p < 5; p++) {
    scoped_system s = new_singular(14, preconds[p]);
    ovk_solver_opts opts = solver_opts(.rtol = 1e-11, .null_constant = true, .norm = norms[p]);
    solve_with_all(&s, opts, 0, 1e-7);
  }
}

/* Not even where the solution is less than its rounding errors. */
TEST(a_guess_in_the_null_space_has_no_effect)
{
  static const double sizes[] = {1, 1e20, 1e40, 1e150, 1e200};
  scoped_system s = new_singular(16, "jacobi");
  FOR_EACH_CHOICE(list_definite_methods, method) {
    const ovk_solver_opts opts =
        solver_opts(.method = method.name, .rtol = 1e-11, .null_constant = true);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
      assert_ok(ovk_vec_fill(s.x, sizes[k]));
      const ovk_result res = solve_alike(s.A, s.M, s.b, s.x, &opts);
      assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
      assert_true(distance(s.x, s.wanted) <= 1e-7);
    }
  }
}

static char notice[NOTICE];

TEST(an_inconsistent_right_hand_side_is_told_and_projected)
{
  scoped_system s = new_singular(16, "jacobi");
  double bb = 0;
  assert_ok(ovk_vec_dot(s.b, s.b, &bb));
  scoped_vec *ones = new_vec_like(s.b);
  assert_ok(ovk_vec_fill(ones, 0.5));
  assert_ok(ovk_vec_axpy(1, ones, s.b));
  const double null = 0.25 * 16 * 16;
  ovk_solver_opts opts = solver_opts(.rtol = 1e-11, .null_constant = true);
  ovk_ctx_on_notice(test_ctx(), keep_notice, notice);
  solve_with_all(&s, opts, sqrt(null / (bb + null)), 1e-7);
  ovk_ctx_on_notice(test_ctx(), NULL, NULL);
  assert_non_null(strstr(notice, "b is not in the range of A"));
}

/* For each size and number, whatever rounding leaves of b: in large ones it leaves something on any
 * number of ranks. */
TEST(a_right_hand_side_in_the_null_space_gives_zero)
{
  static const char *const methods[] = {"auto", "cg", "minres", "gmres", "bcgs"};
  for (int n = 3; n < 90; n += n < 36 ? 1 : 3) {
    scoped_system s = new_singular(n, "jacobi");
    ovk_solver_opts opts = with_method(methods[n % 5]);
    double norm = 1;
    opts.null_constant = true;
    opts.norm = n % 2 ? OVK_NORM_UNPRECONDITIONED : OVK_NORM_PRECONDITIONED;
    ovk_ctx_on_notice(test_ctx(), keep_notice, notice);
    assert_ok(ovk_vec_fill(s.b, exp(n - 20.) / 3));
    assert_ok(ovk_vec_fill(s.x, 1));
    const ovk_result res = solve_alike(s.A, s.M, s.b, s.x, &opts);
    ovk_ctx_on_notice(test_ctx(), NULL, NULL);
    assert_int_equal(res.reason, OVK_REASON_CONVERGED_ZERO_RHS);
    assert_close(res.rhs_null_part, 1, 1e-12);
    assert_non_null(strstr(notice, "in the null space of A^T, 1 ||b||, was removed"));
    assert_ok(ovk_vec_norm(s.x, &norm));
    assert_true(norm == 0);
  }
}

/* Two grids that are not connected: the null space has dimension 2. It is given as two vectors that
 * are not orthogonal: one has a part of the other. */
TEST(vectors_of_the_user_span_the_null_space)
{
  enum { N = 10, ROWS = N * N };
  const ovk_lidx rows = even_share(2 * ROWS, test_rank, test_size);
  ovk_vec *v[2] = {NULL, NULL};
  ovk_mat *A = new_mat(rows);
  for (ovk_gidx i = ovk_mat_row_begin(A); i < ovk_mat_row_begin(A) + rows; i++) {
    const ovk_gidx next = i + 1;
    assert_ok(ovk_mat_add(A, i, i, 0));
    if (next % ROWS == 0) continue; /* the end of a chain */
    const ovk_gidx ends[2] = {i, next};
    assert_ok(ovk_mat_add_block(A, 2, ends, 2, ends, (const double[]){2, -2, -2, 2}));
  }
  assert_ok(ovk_mat_assemble(A));
  scoped_system s = singular_of(A, "jacobi");
  for (int k = 0; k < 2; k++) assert_ok(ovk_mat_create_vec(A, &v[k]));
  for (ovk_lidx i = 0; i < rows; i++) {
    const bool second = ovk_mat_row_begin(A) + i >= ROWS;
    ovk_vec_array(v[0])[i] = 5;
    ovk_vec_array(v[1])[i] = second ? 1 : -3;
    ovk_vec_array(s.wanted)[i] =
        random_number(23, (uint64_t)(ovk_mat_row_begin(A) + i) % ROWS) - 0.5;
  }
  double mean = 0;
  for (int i = 0; i < ROWS; i++) mean += (random_number(23, (uint64_t)i) - 0.5) / ROWS;
  for (ovk_lidx i = 0; i < rows; i++) ovk_vec_array(s.wanted)[i] -= mean;
  assert_ok(ovk_mat_mult(A, s.wanted, s.b));
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  const ovk_vec *const both[2] = {v[0], v[1]}, *const twice[2] = {v[0], v[0]};
  opts.rtol = 1e-11;
  opts.null_count = 2;
  opts.null_vectors = both;
  solve_with_all(&s, opts, 0, 1e-6);
  opts.null_constant = true;
  opts.null_count = 1;
  opts.null_vectors = both + 1;
  solve_with_all(&s, opts, 0, 1e-6);
  opts.null_count = 2;
  opts.null_vectors = twice;
  assert_no_solver(s.A, s.M, &opts, OVK_ERR_ARG,
                   "null-space vector 0 depends linearly on the vectors before it");
  for (int k = 0; k < 2; k++) ovk_vec_destroy(&v[k]);
}

TEST(what_is_no_null_vector_is_refused_with_a_number)
{
  scoped_system s = new_singular(8, "none");
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  const ovk_vec *wanted = s.wanted;
  opts.null_count = 1;
  opts.null_vectors = &wanted;
  assert_no_solver(s.A, s.M, &opts, OVK_ERR_ARG,
                   "null-space vector 0 is not in the null space of A: ||A v|| is ");
  assert_ok(ovk_vec_fill(s.wanted, 0));
  assert_no_solver(s.A, s.M, &opts, OVK_ERR_ARG, "has the norm 0");
  if (test_rank == 0) opts.null_vectors = NULL;
  assert_no_solver(s.A, s.M, &opts, OVK_ERR_ARG, "null_vectors is NULL");
  opts.null_vectors = &wanted;
  opts.null_count = -1;
  assert_no_solver(s.A, s.M, &opts, OVK_ERR_ARG, "null_count is -1");
  opts.null_count = test_rank == 0;
  if (test_size > 1) {
    assert_no_solver(s.A, s.M, &opts, OVK_ERR_ARG, "null space 0 + 1");
  }
}

/* A rank without rows, and a solver that is used again. */
TEST(a_rank_may_have_no_rows)
{
  scoped_system s = singular_of(grid_laplacian(6, is_last() ? 36 : 0), "jacobi");
  ovk_solver_opts opts = solver_opts(.null_constant = true, .method = "pipecg", .rtol = 1e-11);
  scoped_solver *solver = new_solver(s.A, s.M, &opts);
  for (int k = 0; k < 3; k++) {
    fill_random(s.x, 19);
    const ovk_result res = solve_from(solver, s.b, s.x);
    assert_int_equal(res.reason, OVK_REASON_CONVERGED_RTOL);
    assert_int_equal(res.reductions_per_iteration, 1); /* jacobi is not projected */
    assert_true(distance(s.x, s.wanted) <= 1e-7);
  }
}

TEST(the_sums_of_projections_are_counted)
{
  static const struct {
    const char *method;
    int own, more; /* with a null space */
  } methods[] = {{"cg", 3, 0},       {"split-cg", 3, 0},         {"two-reductions", 2, 0},
                 {"overlap", 3, 0},  {"single-reduction", 1, 0}, {"groppcg", 2, 0},
                 {"pipecg", 1, 0},   {"pipelcg:l=1", 1, 1},      {"pipeprcg", 1, 2},
                 {"chebyshev", 0, 1}};
  scoped_system s = new_singular(8, "ssor");
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
    for (int given = 0; given < 3; given++) {
      ovk_solver_opts opts = with_method(methods[m].method);
      opts.null_constant = given > 0;
      if (given == 2) opts.norm = OVK_NORM_PRECONDITIONED; /* of z without that part */
      assert_ok(ovk_vec_fill(s.x, 0));
      const ovk_result res = solve_alike(s.A, s.M, s.b, s.x, &opts);
      const int alone = methods[m].more ? methods[m].more : 1;
      const int more = given == 0 ? 0 : given == 1 ? methods[m].more : alone;
      assert_int_equal(res.reductions_per_iteration, methods[m].own + more);
    }
  }
}

TEST(a_nan_in_b_is_found_where_it_is)
{
  scoped_system s = new_singular(8, "jacobi");
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  opts.null_constant = true;
  if (is_last()) ovk_vec_array(s.b)[ovk_vec_local_size(s.b) - 1] = NAN;
  const ovk_result res = solve_alike(s.A, s.M, s.b, s.x, &opts);
  assert_end(res, OVK_REASON_NAN, "1 of 64 entries of b; the first is row 63");
}

TEST(iterations_of_every_method_end_for_crack_lap)
{
  if (!matrix_path("")) skip();
  ovk_mat *A = new_mat_of_file(matrix_path("spd/crack_lap.mtx"), NULL);
  scoped_system s = singular_of(A, "jacobi");
  ovk_solver_opts opts = solver_opts(.rtol = 1e-10, .null_constant = true);
  solve_with_all(&s, opts, 0, 1e-6);
}
