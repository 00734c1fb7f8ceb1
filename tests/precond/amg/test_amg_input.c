/* SPDX-License-Identifier: BSD-2-Clause */
/* "amg" for unusual matrices: tiny, singular, uncoupled, and those that it refuses. */
#include "precond/amg/hierarchy.h"
#include "precond/diffusion.h"
#include "precond/precond_case.h"
#include "support/problem.h"

/* (-1, 2, -1) of n rows on the last rank, with `corner` in the first and the last entry of the
 * diagonal. */
static ovk_mat *new_line(int n, double corner)
{
  ovk_mat *A = new_mat(is_last() ? n : 0);
  for (int i = 0; i < n && is_last(); i++) {
    add_tridiagonal_row(A, i, -1, i == 0 || i == n - 1 ? corner : 2, -1);
  }
  return assembled(A);
}

TEST(tiny_matrices_work_on_any_number_of_ranks)
{
  for (int n = 0; n <= 3; n++) {
    scoped_precond_case P = case_of(new_line(n, 2), "amg");
    case_check_inverse(&P, 1e-12);
  }
}

/* Neumann boundaries: the constant vector is in the null space of all levels. */
TEST(a_singular_matrix_is_solved)
{
  check_amg_solves_singular(new_line(3000, 1), "cg");
}

/* Rows without couplings are in no aggregate; the smoother solves them. */
TEST(uncoupled_rows_are_solved)
{
  enum { N = 300 };
  ovk_mat *A = new_mat(is_last() ? N : 0);
  for (int i = 0; i < N && is_last(); i++) assert_ok(ovk_mat_add(A, i, i, 1 + i));
  assert_ok(ovk_mat_assemble(A));
  assert_in_range(count_iterations(A, "amg:coarse=50", "cg"), 1, 10);
}

/* Sets random vectors to be represented, which make coarse levels large. */
static void set_many_modes(ovk_mat *A)
{
  enum { MODES = 4 };
  ovk_vec *v[MODES];
  for (int k = 0; k < MODES; k++) {
    v[k] = new_vec(A);
    fill_random(v[k], (uint64_t)k);
  }
  assert_ok(ovk_mat_set_near_nullspace(A, MODES, v));
  for (int k = 0; k < MODES; k++) ovk_vec_destroy(&v[k]);
}

TEST(large_levels_are_a_warning)
{
  for (int large = 0; large <= 1; large++) {
    char notice[NOTICE] = "";
    scoped_ctx *ctx = new_ctx();
    ovk_ctx_on_notice(ctx, keep_notice, notice);
    scoped_mat *A = new_diffusion(ctx, 12, jumping);
    if (large) set_many_modes(A);
    scoped_precond *M = new_precond(A, "amg:coarse=50");
    if (large) {
      assert_non_null(strstr(notice, "times the entries of A"));
    } else {
      assert_string_equal(notice, "");
    }
  }
}

/* Diagonal except for one coupling: a single aggregate is no level. */
TEST(a_level_that_cannot_be_made_coarser_is_a_warning)
{
  enum { N = 5000 };
  char notice[NOTICE] = "";
  scoped_ctx *ctx = new_ctx();
  scoped_mat *A = NULL;
  ovk_ctx_on_notice(ctx, keep_notice, notice);
  assert_ok(ovk_mat_create(ctx, is_last() ? N : 0, &A));
  for (int i = 0; i < N && is_last(); i++) assert_ok(ovk_mat_add(A, i, i, 2));
  for (int i = 0; i < 2 && is_last(); i++) assert_ok(ovk_mat_add(A, i, 1 - i, -1));
  assert_ok(ovk_mat_assemble(A));
  scoped_precond *M = new_precond(A, "amg");
  assert_non_null(strstr(notice, "coarsening ended at a level of 5000 rows"));
}

/* All rows are coupled to the first, which is dense and joins no rows: each is its own aggregate.
 */
static ovk_mat *new_star(int n)
{
  ovk_mat *A = new_mat(is_last() ? n : 0);
  for (int i = 0; i < n && is_last(); i++) {
    assert_ok(ovk_mat_add(A, i, i, i ? 2 : n));
    if (i) assert_ok(ovk_mat_add(A, i, 0, -1));
    if (i) assert_ok(ovk_mat_add(A, 0, i, -1));
  }
  return assembled(A);
}

TEST(the_smoother_of_a_level_that_cannot_be_made_coarser_has_a_high_degree)
{
  const ovk__amg_options options = {
      .theta = 0.35, .block = 1, .omega = 1.4, .degree = 2, .levels = 20, .symmetric = true};
  SCOPED(ovk__amg_hierarchy_free) ovk__amg_hierarchy H;
  scoped_mat *A = new_star(5000);
  assert_ok(ovk__amg_hierarchy_create(A, options, &H));
  assert_true(H.stalled && !H.dense);
  assert_int_equal(H.level[H.n - 1].smoother.degree, 8);
}

TEST(a_setup_that_memory_cannot_hold_is_refused_with_its_size)
{
  assert_error(
      ovk__amg_check_memory(test_ctx(), 1, test_rank ? 0 : 1e15, test_rank ? 0 : 2e16, 1e15, 2e16),
      OVK_ERR_MEMORY, "the setup of amg for level 1 with 1e+15 rows and 2e+16 entries: rank 0");
  assert_ok(ovk__amg_check_memory(test_ctx(), 1, 10, 20, 10, 20));
}

TEST(points_without_a_near_null_space_are_a_warning)
{
  enum { N = 600 };
  for (int known = 0; known <= 1; known++) {
    char notice[NOTICE] = "";
    scoped_ctx *ctx = new_ctx();
    ovk_ctx_on_notice(ctx, keep_notice, notice);
    scoped_mat *A = NULL;
    assert_ok(ovk_mat_create(ctx, is_last() ? N : 0, &A));
    for (int i = 0; i < N && is_last(); i++) assert_ok(ovk_mat_add(A, i, i, 2));
    assert_ok(ovk_mat_assemble(A));
    scoped_vec *ones = new_vec(A);
    assert_ok(ovk_vec_fill(ones, 1));
    if (known) assert_ok(ovk_mat_set_near_nullspace(A, 1, &ones));
    scoped_precond *M = new_precond(A, "amg:block=2");
    assert_true((strstr(notice, "ovk_mat_set_coordinates()") != NULL) == !known);
  }
}

/* Two lines that do not touch, and rows of Dirichlet conditions after each. */
TEST(separate_parts_are_solved)
{
  enum { N = 1000, COUPLED = 900 };
  ovk_mat *A = new_mat(is_last() ? 2 * N : 0);
  for (int i = 0; i < 2 * N && is_last(); i++) {
    assert_ok(ovk_mat_add(A, i, i, i % N < COUPLED ? 2 : 1));
    if (i % N < COUPLED - 1) {
      assert_ok(ovk_mat_add(A, i, i + 1, -1));
      assert_ok(ovk_mat_add(A, i + 1, i, -1));
    }
  }
  assert_ok(ovk_mat_assemble(A));
  assert_in_range(count_iterations(A, "amg", "cg"), 3, 15);
}

/* Row 0 is coupled to all others of a line, as strongly as these are coupled. */
static ovk_mat *new_line_with_dense_row(int n)
{
  ovk_mat *A = new_mat(is_last() ? n : 0);
  for (int i = 0; i < n && is_last(); i++) {
    assert_ok(ovk_mat_add(A, i, i, i ? 3 : n));
    for (int j = 0; j < i; j++) {
      if (j > 0 && j < i - 1) continue;
      assert_ok(ovk_mat_add(A, i, j, -1));
      assert_ok(ovk_mat_add(A, j, i, -1));
    }
  }
  return assembled(A);
}

/* Aggregates are those of the line: it does not join them. */
TEST(a_dense_row_is_no_root)
{
  enum { N = 3000 };
  ovk_mat *A = new_line_with_dense_row(N);
  ovk_precond *M = new_precond(A, "amg");
  int levels, rows, coarse;
  assert_int_equal(sscanf(ovk_precond_info(M), "%d levels, rows %d %d", &levels, &rows, &coarse),
                   3);
  assert_in_range(coarse, N / 5, N / 2);
  ovk_precond_destroy(&M);
  assert_in_range(count_iterations(A, "amg", "cg"), 3, 15);
}

/* Without negative couplings the largest positive one is the measure. */
TEST(positive_couplings_make_aggregates)
{
  enum { N = 2000 };
  ovk_mat *A = new_mat(is_last() ? N : 0);
  for (int i = 0; i < N && is_last(); i++) add_tridiagonal_row(A, i, 1, 3, 1);
  assert_ok(ovk_mat_assemble(A));
  ovk_precond *M = new_precond(A, "amg");
  assert_null(strstr(ovk_precond_info(M), "1 level,"));
  ovk_precond_destroy(&M);
  assert_in_range(count_iterations(A, "amg", "cg"), 3, 15);
}

/* A = factor (-1, diagonal, -1), with `first` in entry (0,1). */
static void check_refused(double factor, double diagonal, double first, ovk_err code,
                          const char *says)
{
  enum { N = 600 };
  scoped_mat *A = new_mat(is_last() ? N : 0);
  for (int i = 0; i < N && is_last(); i++) {
    add_tridiagonal_row(A, i, -factor, factor * diagonal, i ? -factor : first);
  }
  assert_ok(ovk_mat_assemble(A));
  assert_no_precond(A, "amg", code, says);
}

TEST(errors_name_the_cause)
{
  check_refused(-1, 2, 1, OVK_ERR_INDEFINITE, "so scale A by -1");
  check_refused(1, 1, -1, OVK_ERR_INDEFINITE, "the smallest Ritz value of level 0 is -");
  check_refused(1, 2, NAN, OVK_ERR_ARG, "row 0, column 1 of A is nan");
  check_refused(1, NAN, -1, OVK_ERR_ARG, "row 0, column 0 of A is nan");
  check_refused(1, 2, 1, OVK_ERR_ARG, "for this matrix use ilu or bjacobi");
}

/* Symmetric ones, which pass the test of symmetry, with one level and with several. */
TEST(an_entry_that_is_not_finite_is_named)
{
  const double bad[] = {NAN, INFINITY, -INFINITY};
  for (int k = 0; k < 6; k++) {
    char says[64];
    scoped_mat *A = new_line(k < 3 ? 40 : 1200, bad[k % 3]);
    snprintf(says, sizeof says, "amg: row 0, column 0 of A is %g", bad[k % 3]);
    assert_no_precond(A, "amg", OVK_ERR_ARG, says);
  }
}

TEST(unfit_matrices_are_refused)
{
  const struct {
    double corner;
    const char *says;
  } cases[] = {{-1, "row 0 of level 0 has -1"}, {0, "row 0 of level 0 has 0"}};
  for (int k = 0; k < 2; k++) {
    scoped_mat *A = new_line(600, cases[k].corner);
    assert_no_precond(A, "amg", OVK_ERR_INDEFINITE, cases[k].says);
  }
  scoped_mat *A = new_line(40, -1);
  assert_no_precond(A, "amg", OVK_ERR_INDEFINITE, "not positive definite");
  assert_no_precond(A, "amg:theta=2", OVK_ERR_ARG, "but must be a number from 0 to 1");
  assert_no_precond(A, "amg:cycle=k", OVK_ERR_UNKNOWN, "it takes: v, w");
}
