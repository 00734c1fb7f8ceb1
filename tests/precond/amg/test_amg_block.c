/* SPDX-License-Identifier: BSD-2-Clause */
/* The number of unknowns per point that "amg" finds if the user has not set it. */
#include "precond/amg/truss.h"
#include "precond/diffusion.h"
#include "precond/precond_case.h"
#include "support/problem.h"

static const char FOUND[] = ", found ";

static bool amg_finds_points(ovk_mat *A, const char *spec)
{
  scoped_precond *M = new_precond(A, spec);
  return strstr(ovk_precond_info(M), FOUND) != NULL;
}

TEST(the_displacements_of_a_point_are_found)
{
  scoped_mat *A = new_loose_truss(test_ctx(), 8, true, 0);
  scoped_mat *B = new_truss(test_ctx(), 8, true, false);
  scoped_precond *M = new_precond(A, "amg:coarse=60"), *C = new_precond(B, "amg:coarse=60");
  const char *info = ovk_precond_info(M), *set = ovk_precond_info(C), *end = strstr(info, FOUND);
  assert_non_null(end);
  assert_string_equal(end, ", found 3 unknowns a point");
  assert_memory_equal(info, set, strlen(set));
  assert_int_equal(strlen(set), end - info);
}

TEST(what_is_found_does_not_depend_on_the_number_of_ranks)
{
  scoped_ctx *alone = NULL;
  assert_ok(ovk_ctx_create(MPI_COMM_SELF, &alone));
  scoped_mat *A = new_loose_truss(test_ctx(), 7, true, 0);
  scoped_mat *B = new_loose_truss(alone, 7, true, 0);
  scoped_precond *M = new_precond(A, "amg:coarse=60"), *C = new_precond(B, "amg:coarse=60");
  assert_string_equal(ovk_precond_info(M), ovk_precond_info(C));
}

TEST(a_block_size_of_the_spec_is_not_replaced)
{
  scoped_mat *A = new_loose_truss(test_ctx(), 7, true, 0);
  assert_false(amg_finds_points(A, "amg:coarse=60,block=1"));
  assert_false(amg_finds_points(A, "amg:coarse=60,block=3"));
}

TEST(points_that_ranks_split_are_not_found)
{
  scoped_mat *A = new_loose_truss(test_ctx(), 7, true, 1);
  assert_true(amg_finds_points(A, "amg:coarse=60") == (test_size == 1));
}

static ovk_err add_nonzeros(void *to, ovk_gidx i, ovk_lidx n, const ovk_gidx *col,
                            const double *val)
{
  for (ovk_lidx k = 0; k < n; k++) {
    if (val[k] != 0) assert_ok(ovk_mat_add(to, i, col[k], val[k]));
  }
  return OVK_OK;
}

/* The rows of a point couple with different rows, as zeros are not stored: the order of rows would
 * separate them. */
TEST(points_that_are_found_stay_together_in_another_order)
{
  scoped_mat *truss = new_loose_truss(test_ctx(), 6, true, 0), *A = NULL, *B = NULL;
  assert_ok(ovk_mat_create(test_ctx(), ovk_mat_local_size(truss), &A));
  assert_ok(ovk_mat_for_each_row(truss, add_nonzeros, A));
  assert_ok(ovk_mat_assemble(A));
  assert_ok(ovk_mat_reorder(A, &B));
  const ovk_lidx *order = ovk_mat_order(B);
  for (ovk_lidx i = 0; i < ovk_mat_local_size(B); i++) {
    assert_int_equal(order[i], order[i - i % DIM] + i % DIM);
  }
  assert_int_equal(ovk_mat_block_size(B), 1);
  assert_true(amg_finds_points(B, "amg:coarse=60"));
}

/* Values without couplings, in which a setup finds none. */
TEST(an_update_keeps_the_points_that_the_setup_found)
{
  static const char *const specs[] = {"amg:coarse=60", "amg:coarse=60,update=values",
                                      "amg:coarse=60,update=all"};
  for (int k = 0; k < 3; k++) {
    scoped_mat *A = new_loose_truss(test_ctx(), 6, true, 0);
    scoped_precond *M = new_precond(A, specs[k]);
    assert_ok(ovk_mat_reset_values(A));
    for (ovk_gidx i = ovk_mat_row_begin(A); i < ovk_mat_row_end(A); i++) {
      assert_ok(ovk_mat_add(A, i, i, 1));
    }
    assert_ok(ovk_mat_assemble(A));
    assert_ok(ovk_precond_update(M));
    assert_non_null(strstr(ovk_precond_info(M), FOUND));
    assert_false(amg_finds_points(A, specs[k]));
  }
}

TEST(a_scalar_problem_has_no_points)
{
  coefficient_fn *const coefficients[] = {constant, stretched, jumping};
  for (int k = 0; k < 3; k++) {
    scoped_mat *A = new_diffusion(test_ctx(), 12, coefficients[k]);
    assert_false(amg_finds_points(A, "amg:coarse=60"));
  }
}

/* K (x) M with the matrices of linear elements for stiffness and mass: very stretched elements,
 * numbered along their long side. Half of the columns of a line, or a third, also have sums of 0.
 */
static void add_stretched_row(ovk_mat *A, int n, ovk_gidx i)
{
  static const double stiffness[] = {-1, 2, -1}, mass[] = {1, 4, 1};
  const int x = (int)(i % n), y = (int)(i / n);
  for (int dy = -1; dy <= 1; dy++) {
    for (int dx = -1; dx <= 1; dx++) {
      if (x + dx < 0 || x + dx >= n || y + dy < 0 || y + dy >= n) continue;
      const double value = stiffness[dy + 1] * mass[dx + 1];
      assert_ok(ovk_mat_add(A, i, i + dy * n + dx, value));
    }
  }
}

TEST(stretched_elements_have_no_points)
{
  enum { N = 36 };
  scoped_mat *A = new_mat(is_last() ? N * N : 0);
  for (int i = 0; i < N * N && is_last(); i++) add_stretched_row(A, N, i);
  assert_ok(ovk_mat_assemble(A));
  assert_false(amg_finds_points(A, "amg:coarse=60"));
}

/* Two unknowns, each with a diffusion along a line, and a reaction between them. Their couplings
 * are those of a matrix `cross`. */
static ovk_mat *new_species(int n, double cross, double reaction)
{
  ovk_mat *A = new_mat(is_last() ? 2 * n : 0);
  for (int i = 0; i < 2 * n && is_last(); i++) {
    const int other = i % 2 ? i - 1 : i + 1;
    assert_ok(ovk_mat_add(A, i, i, 2 + reaction));
    assert_ok(ovk_mat_add(A, i, other, 2 * cross - reaction));
    for (int step = -2; step <= 2; step += 4) {
      if (i + step < 0 || i + step >= 2 * n) continue;
      assert_ok(ovk_mat_add(A, i, i + step, -1));
      assert_ok(ovk_mat_add(A, i, other + step, -cross));
    }
  }
  return assembled(A);
}

/* Cross-diffusion has points of two unknowns. In a reaction alone there are either no points, or
 * one unknown for slow changes. */
TEST(two_species_are_found_if_their_diffusions_are_coupled)
{
  const struct {
    double cross, reaction;
    bool found;
  } cases[] = {{0.5, 0, true}, {-0.5, 0, true}, {0, 0.01, false}, {0, 10, false}};
  for (int k = 0; k < 4; k++) {
    scoped_mat *A = new_species(900, cases[k].cross, cases[k].reaction);
    assert_true(amg_finds_points(A, "amg:coarse=60") == cases[k].found);
  }
}
