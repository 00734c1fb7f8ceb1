/* SPDX-License-Identifier: BSD-2-Clause */
/* "amg" for nonsymmetric matrices: convection and diffusion, and those that it refuses. */
#include "precond/diffusion.h"
#include "precond/precond_case.h"
#include "support/problem.h"

/* Central differences on n^3 points with a cell Peclet number, and Dirichlet boundaries. */
static void fill_convection(ovk_mat *A, int n, double peclet)
{
  const int stride[3] = {1, n, n * n};
  for (ovk_gidx row = ovk_mat_row_begin(A); row < ovk_mat_row_end(A); row++) {
    assert_ok(ovk_mat_add(A, row, row, 6));
    for (int d = 0; d < 3; d++) {
      const int at = (int)(row / stride[d] % n);
      if (at > 0) assert_ok(ovk_mat_add(A, row, row - stride[d], -1 - peclet / 2));
      if (at < n - 1) assert_ok(ovk_mat_add(A, row, row + stride[d], -1 + peclet / 2));
    }
  }
  assert_ok(ovk_mat_assemble(A));
}

static ovk_mat *new_convection(ovk_ctx *ctx, int n, double peclet)
{
  ovk_mat *A;
  assert_ok(ovk_mat_create(ctx, even_share(n * n * n, ovk_ctx_rank(ctx), ovk_ctx_size(ctx)), &A));
  fill_convection(A, n, peclet);
  return A;
}

TEST(nonsymmetric_levels_do_not_depend_on_the_number_of_ranks)
{
  const struct {
    const char *spec;
    double peclet;
  } cases[] = {{"amg:coarse=20", 0.2}, {"amg:coarse=20", 1}, {"amg:coarse=20,block=2", 0.2}};
  const int count = test_size <= 3 ? 3 : 2; /* whose ranks have an even number of rows */
  scoped_ctx *alone = NULL;
  assert_ok(ovk_ctx_create(MPI_COMM_SELF, &alone));
  for (int k = 0; k < count; k++) {
    scoped_mat *A = new_convection(test_ctx(), 12, cases[k].peclet),
               *B = new_convection(alone, 12, cases[k].peclet);
    scoped_precond *M = new_precond(A, cases[k].spec), *C = new_precond(B, cases[k].spec);
    assert_non_null(strstr(ovk_precond_info(M), "levels, rows 1728 "));
    assert_string_equal(ovk_precond_info(M), ovk_precond_info(C));
  }
}

/* Each iteration of bcgs applies M twice. */
TEST(iterations_with_convection_hardly_grow_and_are_fewer_than_with_ilu)
{
  const char *const methods[] = {"gmres", "bcgs"};
  const double peclet[] = {0.2, 1};
  for (int k = 0; k < 2; k++) {
    for (int m = 0; m < 2; m++) {
      const int small =
          count_iterations(new_convection(test_ctx(), 12, peclet[k]), "amg", methods[m]);
      const int large =
          count_iterations(new_convection(test_ctx(), 24, peclet[k]), "amg", methods[m]);
      const int ilu =
          count_iterations(new_convection(test_ctx(), 24, peclet[k]), "ilu", methods[m]);
      const int jacobi =
          count_iterations(new_convection(test_ctx(), 24, peclet[k]), "jacobi", methods[m]);
      assert_in_range(large, 4, m ? 11 : 18);
      assert_true(large <= small + 4);
      assert_true(large < 0.8 * ilu);
      assert_true(large < 0.3 * jacobi);
    }
  }
}

TEST(a_small_nonsymmetric_matrix_is_inverted)
{
  scoped_precond_case P = case_of(new_convection(test_ctx(), 4, 3), "amg");
  case_check_inverse(&P, 1e-10);
}

/* Rows (-1 - p, 2, -1 + p) of a ring, on the last rank: the constant vector is in the null space.
 */
static ovk_mat *new_ring(int n, double p)
{
  ovk_mat *A = new_mat(is_last() ? n : 0);
  for (int i = 0; i < n && is_last(); i++) {
    assert_ok(ovk_mat_add(A, i, i, 2));
    assert_ok(ovk_mat_add(A, i, (i + n - 1) % n, -1 - p));
    assert_ok(ovk_mat_add(A, i, (i + 1) % n, -1 + p));
  }
  return assembled(A);
}

TEST(a_singular_nonsymmetric_matrix_is_solved)
{
  check_amg_solves_singular(new_ring(2000, 0.1), "gmres");
}

/* Rows of Dirichlet conditions have no couplings, but other rows are coupled to them. */
TEST(cleared_rows_of_dirichlet_conditions_are_no_skewness)
{
  enum { N = 2000, EACH = 100 };
  ovk_mat *A = new_mat(is_last() ? N : 0);
  for (int i = 0; i < N && is_last(); i++) {
    const bool given = i % EACH == 0;
    assert_ok(ovk_mat_add(A, i, i, given ? 1e-3 : 2));
    if (!given) assert_ok(ovk_mat_add(A, i, i - 1, -1));
    if (!given && i < N - 1) assert_ok(ovk_mat_add(A, i, i + 1, -1));
  }
  assert_ok(ovk_mat_assemble(A));
  assert_in_range(count_iterations(A, "amg", "gmres"), 3, 20);
}

/* Also from symmetric to nonsymmetric values, and back. */
TEST(an_update_has_the_levels_of_a_new_setup_for_nonsymmetric_values)
{
  const struct {
    const char *spec;
    double before, after;
  } cases[] = {{"amg:coarse=20,update=values", 0.5, 0.5},
               {"amg:coarse=20", 0.5, 0.5},
               {"amg:coarse=20,update=all", 0, 0.5},
               {"amg:coarse=20,update=all", 0.5, 0}};
  for (int k = 0; k < 4; k++) {
    scoped_mat *A = new_convection(test_ctx(), 10, cases[k].before);
    scoped_precond *M = new_precond(A, cases[k].spec);
    assert_ok(ovk_mat_reset_values(A));
    fill_convection(A, 10, cases[k].after);
    assert_updated_as_new(M, A, cases[k].spec);
  }
}

/* Takes ownership of A. */
static void check_refused(ovk_mat *A, ovk_err code, const char *says)
{
  assert_no_precond(A, "amg", code, says);
  ovk_mat_destroy(&A);
}

/* A line whose row `row` is (lower, diagonal, -1), the others (-1, 2, -1). */
static ovk_mat *new_odd_line(int row, double lower, double diagonal)
{
  enum { N = 600 };
  ovk_mat *A = new_mat(is_last() ? N : 0);
  for (int i = 0; i < N && is_last(); i++) {
    add_tridiagonal_row(A, i, i == row ? lower : -1, i == row ? diagonal : 2, -1);
  }
  return assembled(A);
}

TEST(refusals_of_nonsymmetric_matrices_name_the_cause)
{
  check_refused(new_convection(test_ctx(), 9, 2), OVK_ERR_ARG,
                "the skew part of a row of level 0 is 1 of its symmetric part, 0.75 is the most: "
                "for this matrix use ilu or bjacobi");
  check_refused(new_odd_line(100, 1, 2), OVK_ERR_ARG, "use ilu or bjacobi");
  check_refused(new_odd_line(100, -1.5, 0), OVK_ERR_INDEFINITE, "row 100 of level 0 has 0");
  check_refused(new_odd_line(100, -1.5, -2), OVK_ERR_INDEFINITE, "row 100 of level 0 has -2");
  check_refused(new_odd_line(100, -1.5, 1e-3), OVK_ERR_INDEFINITE, "needs a positive definite");
}
