/* SPDX-License-Identifier: BSD-2-Clause */
/* The preconditioner "auto": its choice by class of matrix and number of solves, the next candidate
 * after a failure, and that it behaves as the candidate it takes. */
#include "diffusion.h"
#include "precond/precond_impl.h"
#include "support/problem.h"

/* Takes ownership of A. */
static void assert_choice(ovk_mat *A, const char *spec, const char *name)
{
  scoped_precond *M = new_precond(A, spec);
  char start[32];
  snprintf(start, sizeof start, "%s, ", name);
  assert_string_equal(ovk_precond_name(M), "auto");
  if (strncmp(ovk_precond_info(M), start, strlen(start)) != 0) {
    fail_msg("%s, expected %s", ovk_precond_info(M), name);
  }
  ovk_mat_destroy(&A);
}

TEST(the_choice_depends_on_the_matrix)
{
  assert_choice(new_diffusion(test_ctx(), 12, constant), "auto", "jacobi");
  assert_choice(new_diffusion(test_ctx(), 14, stretched), "auto", "ic");
  assert_choice(new_diffusion(test_ctx(), 14, jumping), "auto", "ic");
  assert_choice(new_laplace27(12, 12, 12), "auto", "jacobi");
}

TEST(more_solves_pay_for_a_longer_setup)
{
  assert_choice(new_diffusion(test_ctx(), 25, jumping), "auto", "ic");
  assert_choice(new_diffusion(test_ctx(), 25, jumping), "auto:solves=1000", "amg");
}

/* The Laplacian of a ring of rows with long couplings, plus 1e-6: the constant vector has an
 * eigenvalue of 1e-6, the others are far above it. */
static ovk_mat *new_ring(void)
{
  enum { RING = 6000, COUPLINGS = 4 };
  static const int distance[COUPLINGS] = {1, 37, 1361, 2213};
  const ovk_lidx mine = even_share(RING, test_rank, test_size);
  ovk_mat *A = new_mat(mine);
  for (ovk_gidx i = ovk_mat_row_begin(A), end = i + mine; i < end; i++) {
    assert_ok(ovk_mat_add(A, i, i, 2 * COUPLINGS + 1e-6));
    for (int k = 0; k < COUPLINGS; k++) {
      assert_ok(ovk_mat_add(A, i, (i + distance[k]) % RING, -1));
      assert_ok(ovk_mat_add(A, i, (i + RING - distance[k]) % RING, -1));
    }
  }
  return assembled(A);
}

/* The condition number is 1e7, but there are few iterations. */
TEST(a_single_small_eigenvalue_does_not_lead_to_amg)
{
  assert_choice(new_ring(), "auto", "jacobi");
}

/* Its own message of the reason. */
TEST(the_reason_has_the_predictions)
{
  scoped_mat *A = new_diffusion(test_ctx(), 17, stretched);
  scoped_precond *M = new_precond(A, "auto:solves=2");
  const char *info = ovk_precond_info(M);
  assert_non_null(strstr(info, "ic, predicted to take "));
  assert_non_null(strstr(info, " ms for setup and 2 solves, jacobi "));
  assert_non_null(strstr(info, ", amg "));
}

/* (-1, 2, -1) with all rows on the last rank. */
TEST(ranks_without_rows_choose_alike)
{
  for (int few = 0; few < 2; few++) {
    const ovk_lidx mine = is_last() ? (few ? 3 : 6000) : 0;
    scoped_system s = new_system(new_tridiagonal(mine, 2.001), "auto");
    ovk_solver_opts opts = with_method("cg");
    const ovk_result res = solve_system(&s, &opts);
    assert_true(res.reason > 0);
  }
}

TEST(no_rows_at_all_are_accepted)
{
  assert_choice(new_tridiagonal(0, 2), "auto", "jacobi");
}

static ovk_mat *new_convection(void)
{
  const int n[3] = {12, 12, 12}, grid[3] = {1, 1, test_size};
  ovk_mat *A;
  assert_ok(ovk_gallery_convdiff7(test_ctx(), n, grid, 1, false, "auto", &A));
  return A;
}

/* Convection and diffusion in a plane, of 150^2 points a rank. */
static ovk_mat *new_plane(double peclet)
{
  const int n[3] = {150, 150, 1}, grid[3] = {1, test_size, 1};
  ovk_mat *A;
  assert_ok(ovk_gallery_convdiff7(test_ctx(), n, grid, peclet, true, "auto", &A));
  return A;
}

TEST(many_solves_with_little_convection_get_amg)
{
  assert_choice(new_plane(0.01), "auto:solves=1000", "amg");
  assert_choice(new_plane(3), "auto:solves=1000", "ilu");
}

TEST(small_nonsymmetric_matrices_get_jacobi_or_ilu)
{
  scoped_mat *A = new_convection();
  scoped_precond *M = new_precond(A, "auto:solves=100");
  const char *info = ovk_precond_info(M);
  assert_true(strncmp(info, "ilu, ", 5) == 0 || strncmp(info, "jacobi, ", 8) == 0);
  assert_null(strstr(info, "ic "));
}

/* A diagonal matrix, with `last` in the last row of all. */
static ovk_mat *new_diagonal(double others, double last)
{
  ovk_mat *A = new_mat(3);
  const ovk_gidx i = ovk_mat_row_begin(A);
  for (int k = 0; k < 3; k++)
    assert_ok(ovk_mat_add(A, i + k, i + k, is_last() && k == 2 ? last : others));
  return assembled(A);
}

TEST(diagonals_that_are_not_positive_are_named)
{
  static const struct {
    double others, last;
    const char *info;
  } diagonals[] = {{-2, -1, "jacobi, because the diagonal of A is not positive"},
                   {2, -1, "none, because the diagonal of A has both signs"},
                   {-2, 1, "none, because the diagonal of A has both signs"},
                   {2, 0, "none, because the diagonal of A has no inverse"}};
  for (int k = 0; k < 4; k++) {
    scoped_mat *A = new_diagonal(diagonals[k].others, diagonals[k].last);
    scoped_precond *M = new_precond(A, "auto");
    assert_string_equal(ovk_precond_info(M), diagonals[k].info);
  }
}

/* A tridiagonal matrix on each rank in which every fourth row but the first has a zero diagonal,
 * and this entry before it. */
static ovk_mat *new_constrained(double before)
{
  enum { ROWS = 20 };
  ovk_mat *A = new_mat(ROWS);
  const ovk_gidx first = ovk_mat_row_begin(A);
  for (int k = 0; k < ROWS; k++) {
    const bool constraint = k > 0 && k % 4 == 0;
    if (!constraint) assert_ok(ovk_mat_add(A, first + k, first + k, 3));
    if (k > 0) assert_ok(ovk_mat_add(A, first + k, first + k - 1, constraint ? before : -1));
    if (k + 1 < ROWS) assert_ok(ovk_mat_add(A, first + k, first + k + 1, -1));
  }
  return assembled(A);
}

/* Rows without a diagonal show, too, that A is not symmetric. */
TEST(a_zero_diagonal_gets_none_only_if_A_is_symmetric)
{
  assert_choice(new_constrained(-1), "auto", "none");
  assert_choice(new_constrained(-1 - 1e-15), "auto", "none");
  scoped_mat *A = new_constrained(-2);
  scoped_precond *M = new_precond(A, "auto");
  const char *expected = "ilu, because the diagonal of A has no inverse";
  assert_memory_equal(ovk_precond_info(M), expected, strlen(expected));
}

/* Symmetric, with a positive diagonal and eigenvalues of both signs. */
TEST(indefinite_matrices_get_jacobi)
{
  scoped_mat *A = new_tridiagonal(20, 0.5);
  scoped_precond *M = new_precond(A, "auto");
  assert_string_equal(ovk_precond_info(M), "jacobi, because A is not positive definite");
}

/* NaN couples two rows, in both directions, which are not in the sample of rows. */
TEST(the_reason_names_entries_that_are_not_finite)
{
  enum { N = 4000, ROW = 2001 };
  scoped_mat *A = new_mat(is_last() ? N : 0);
  for (int i = 0; i < N && is_last(); i++) {
    add_tridiagonal_row(A, i, i == ROW + 1 ? NAN : -1, 4, i == ROW ? NAN : -1);
  }
  assert_ok(ovk_mat_assemble(A));
  scoped_precond *M = new_precond(A, "auto");
  assert_string_equal(ovk_precond_info(M), "jacobi, because an entry of A is not finite");
}

static ovk_err shell_mult(void *user, const double *x, double *y, ovk_poll poll)
{
  for (int k = 0; k < 3; k++) y[k] = 2 * x[k];
  return OVK_OK;
}

/* A shell without a diagonal: jacobi fails, and none is left. */
TEST(operators_without_a_diagonal_get_none)
{
  const ovk_shell_ops ops = {.size = sizeof ops, .mult = shell_mult};
  char notice[NOTICE] = "";
  scoped_ctx *ctx = new_ctx();
  scoped_mat *A = NULL;
  ovk_ctx_on_notice(ctx, keep_notice, notice);
  assert_ok(ovk_mat_create_shell(ctx, 3, &ops, NULL, &A));
  scoped_precond *M = new_precond(A, "auto");
  assert_string_equal(ovk_precond_info(M), "none, because the setup of jacobi failed");
  if (test_rank == 0) assert_non_null(strstr(notice, "preconditioner 'auto': "));
}

/* A pair of rows that the sample does not read is not symmetric, on the last rank only. */
TEST(the_next_candidate_replaces_one_that_fails)
{
  char notice[NOTICE] = "";
  scoped_ctx *ctx = new_ctx();
  scoped_mat *A = NULL;
  ovk_ctx_on_notice(ctx, keep_notice, notice);
  assert_ok(ovk_mat_create(ctx, even_share(14 * 14 * 14, test_rank, test_size), &A));
  const ovk_gidx row = ovk_mat_row_begin(A) + 7;
  if (is_last()) assert_ok(ovk_mat_add(A, row, row + 2, 1e-3));
  fill_diffusion(A, 14, stretched);
  scoped_precond *M = new_precond(A, "auto");
  assert_string_equal(ovk_precond_info(M), "jacobi, because the setup of ic failed");
  if (test_rank == 0) assert_non_null(strstr(notice, "ic needs a symmetric A"));
  notice[0] = '\0';
  assert_ok(ovk_precond_update(M));
  assert_string_equal(notice, ""); /* jacobi has not failed */
}

TEST(it_has_the_factors_of_the_candidate)
{
  scoped_mat *A = new_diffusion(test_ctx(), 12, constant);
  scoped_precond *M = new_precond(A, "auto");
  assert_true(ovk__precond_has_factors(M));
  assert_ok(ovk_precond_factor(M));
  ovk_precond_destroy(&M);
  ovk_mat_destroy(&A);
  A = new_diffusion(test_ctx(), 25, jumping);
  M = new_precond(A, "auto:solves=1000");
  assert_memory_equal(ovk_precond_info(M), "amg", strlen("amg"));
  assert_false(ovk__precond_has_factors(M)); /* so the method "auto" takes no split method */
  assert_ok(ovk_precond_factor(M));
  assert_memory_equal(ovk_precond_info(M), "amg", strlen("amg"));
  assert_non_null(strstr(ovk_precond_info(M), "; for split methods ic; "));
  assert_ok(ovk_precond_update(M));
  assert_memory_equal(ovk_precond_info(M), "amg", strlen("amg"));
  assert_non_null(strstr(ovk_precond_info(M), "; for split methods ic; "));
}

/* M may be in use: methods that split it do not change it for others. */
TEST(factors_do_not_change_applications)
{
  scoped_mat *A = new_diffusion(test_ctx(), 25, jumping);
  scoped_precond *M = new_precond(A, "auto:solves=1000");
  scoped_vec *r = new_vec(A), *before = new_vec(A), *after = new_vec(A), *t = new_vec(A);
  const int64_t bytes = ovk_precond_bytes(M);
  const size_t size = (size_t)ovk_mat_local_size(A) * sizeof(double);
  fill_random(r, 7);
  assert_ok(ovk_precond_apply(M, r, before, ovk_poll_none()));
  assert_ok(ovk_precond_factor(M));
  assert_true(ovk_precond_bytes(M) > bytes);
  assert_ok(ovk_precond_apply_left(M, r, t, ovk_poll_none()));
  assert_ok(ovk_precond_apply(M, r, after, ovk_poll_none()));
  if (size) assert_memory_equal(ovk_vec_array(after), ovk_vec_array(before), size);
}

TEST(split_cg_solves_with_factors)
{
  scoped_mat *A = new_diffusion(test_ctx(), 25, jumping);
  scoped_precond *M = new_precond(A, "auto:solves=1000");
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  ovk_result result = {.size = sizeof result};
  scoped_vec *b = new_vec(A), *x = new_vec(A);
  opts.method = "split-cg";
  fill_random(b, 4);
  scoped_solver *S = new_solver(A, M, &opts);
  assert_ok(ovk_solver_solve(S, b, x, &result));
  assert_int_equal(result.reason, OVK_REASON_CONVERGED_RTOL);
}

/* New values of a diffusion on n x n x n points: a flow in the first direction alone. */
static void refill_with_flow(ovk_mat *A, int n)
{
  assert_ok(ovk_mat_reset_values(A));
  for (ovk_gidx i = ovk_mat_row_begin(A); i < ovk_mat_row_end(A); i++) {
    assert_ok(ovk_mat_add(A, i, i, 4));
    if (i % n > 0) assert_ok(ovk_mat_add(A, i, i - 1, -1.5));
    if (i % n < n - 1) assert_ok(ovk_mat_add(A, i, i + 1, -0.5));
  }
  assert_ok(ovk_mat_assemble(A));
}

TEST(an_update_chooses_again_where_the_choice_refuses_the_values)
{
  scoped_mat *A = new_diffusion(test_ctx(), 14, stretched);
  scoped_precond *M = new_precond(A, "auto");
  scoped_solver *S = new_solver(A, M, NULL);
  scoped_vec *b = new_vec(A), *x = new_vec(A);
  ovk_result result = {.size = sizeof result};
  assert_memory_equal(ovk_precond_info(M), "ic,", strlen("ic,"));
  refill_with_flow(A, 14);
  assert_ok(ovk_solver_update(S));
  assert_true(strncmp(ovk_precond_info(M), "ic,", strlen("ic,")) != 0);
  fill_random(b, 4);
  assert_ok(ovk_solver_solve(S, b, x, &result));
  assert_int_equal(result.reason, OVK_REASON_CONVERGED_RTOL);
}

/* The coupling of stiff rows is stronger than the diagonal. */
static void refill_without_pivots(ovk_mat *A, int n)
{
  assert_ok(ovk_mat_reset_values(A));
  for (ovk_gidx i = ovk_mat_row_begin(A); i < ovk_mat_row_end(A); i++) {
    assert_ok(ovk_mat_add(A, i, i, 1));
    if (i % n > 0) assert_ok(ovk_mat_add(A, i, i - 1, -2));
    if (i % n < n - 1) assert_ok(ovk_mat_add(A, i, i + 1, -2));
  }
  assert_ok(ovk_mat_assemble(A));
}

/* The kept choice is a poor one then. */
TEST(an_update_for_which_ic_needs_a_shift_is_a_notice)
{
  char notice[NOTICE] = "";
  scoped_ctx *ctx = new_ctx();
  ovk_ctx_on_notice(ctx, keep_notice, notice);
  scoped_mat *A = new_diffusion(ctx, 14, stretched);
  scoped_precond *M = new_precond(A, "auto");
  assert_memory_equal(ovk_precond_info(M), "ic,", strlen("ic,"));
  assert_string_equal(notice, "");
  refill_without_pivots(A, 14);
  assert_ok(ovk_precond_update(M));
  if (test_rank == 0) assert_non_null(strstr(notice, "preconditioner 'auto': shift "));
  assert_non_null(strstr(ovk_precond_info(M), "; shift "));
}

/* x <- M^-1 b for random b */
static void apply_random(ovk_mat *A, ovk_precond *M, ovk_vec *x)
{
  scoped_vec *b = new_vec(A);
  fill_random(b, 4);
  assert_ok(ovk_precond_apply(M, b, x, ovk_poll_none()));
}

/* It applies the same numbers as the candidate, also after an update, which keeps the choice. */
static void check_equals(const char *spec, const char *name, coefficient_fn *first, int n)
{
  scoped_mat *A = new_diffusion(test_ctx(), n, first);
  scoped_precond *M = new_precond(A, spec), *C = new_precond(A, name);
  scoped_vec *x = new_vec(A), *y = new_vec(A);
  double norm;
  for (int pass = 0; pass < 2; pass++) {
    apply_random(A, M, x);
    apply_random(A, C, y);
    assert_ok(ovk_vec_axpy(-1, x, y));
    assert_ok(ovk_vec_norm(y, &norm));
    assert_true(norm == 0);
    assert_true(ovk_precond_bytes(M) == ovk_precond_bytes(C));
    if (pass) break;
    assert_ok(ovk_mat_reset_values(A));
    fill_diffusion(A, n, constant);
    assert_ok(ovk_precond_update(M));
    assert_ok(ovk_precond_update(C));
    assert_true(strncmp(ovk_precond_info(M), name, strlen(name)) == 0);
  }
}

TEST(it_acts_as_the_candidate)
{
  check_equals("auto", "jacobi", constant, 12);
  check_equals("auto", "ic", stretched, 14);
  check_equals("auto:solves=1000", "amg", jumping, 25);
}

TEST(wrong_keys_are_refused)
{
  scoped_mat *A = new_tridiagonal(3, 2);
  assert_no_precond(A, "auto:solves=0", OVK_ERR_ARG, "solves");
  assert_no_precond(A, "auto:level=1", OVK_ERR_UNKNOWN, "solves");
}
