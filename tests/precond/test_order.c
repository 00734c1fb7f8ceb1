/* SPDX-License-Identifier: BSD-2-Clause */
/* Incomplete factors of rows in the reverse Cuthill-McKee order. */
#include "precond_case.h"
#include "support/problem.h"

enum { SIDE = 14, N = SIDE * SIDE, STEP = 85 }; /* STEP and N have no common divisor */

/* Whether points i and j of a square are adjacent. */
static bool neighbors(int i, int j)
{
  return abs(i / SIDE - j / SIDE) + abs(i % SIDE - j % SIDE) == 1;
}

/* A 5-point Laplacian on each rank, with its rows in another order: that of point i is i STEP
 * modulo N; and a preconditioner. */
static precond_case make_case(int step, const char *spec)
{
  ovk_mat *A = new_mat(N);
  const ovk_gidx first = ovk_mat_row_begin(A);
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      if (i != j && !neighbors(i, j)) continue;
      const ovk_gidx row = first + i * step % N, column = first + j * step % N;
      assert_ok(ovk_mat_add(A, row, column, i == j ? 4 : -1));
    }
  }
  assert_ok(ovk_mat_assemble(A));
  return case_of(A, spec);
}

TEST(complete_factors_invert_the_block)
{
  static const char *const specs[] = {"ic:level=1000,order=rcm", "ilu:level=1000,order=rcm"};
  for (int k = 0; k < 2; k++) {
    scoped_precond_case P = make_case(STEP, specs[k]);
    assert_ok(ovk_precond_apply(P.M, P.r, P.z, ovk_poll_none()));
    assert_ok(ovk_mat_mult(P.A, P.z, P.t));
    for (int i = 0; i < N; i++) {
      assert_close(ovk_vec_array(P.t)[i], ovk_vec_array(P.r)[i], 1e-12);
    }
  }
}

/* Row i has its diagonal and some of the columns i + 1, i + STEP ..., so no later row reaches it;
 * "ic" takes stored zeros there. */
TEST(columns_need_not_be_symmetric)
{
  static const char *const specs[] = {"ic:order=rcm", "ilu:level=1000,order=rcm",
                                      "bjacobi:sub=ilu,order=rcm,blocks=3"};
  for (int k = 0; k < 3; k++) {
    ovk_mat *A = new_mat(N);
    const ovk_gidx first = ovk_mat_row_begin(A);
    for (int i = 0; i < N; i++) {
      assert_ok(ovk_mat_add(A, first + i, first + i, 4));
      for (int j = i + 1; j < N; j += STEP - 1) {
        if ((i + j) % 5) assert_ok(ovk_mat_add(A, first + i, first + j, k ? -1 : 0));
      }
    }
    assert_ok(ovk_mat_assemble(A));
    scoped_precond_case P = case_of(A, specs[k]);
    assert_ok(ovk_precond_apply(P.M, P.r, P.z, ovk_poll_none()));
    assert_ok(ovk_mat_mult(P.A, P.z, P.t));
    for (int i = 0; i < N && k < 2; i++) {
      assert_close(ovk_vec_array(P.t)[i], ovk_vec_array(P.r)[i], 1e-12);
    }
  }
}

TEST(factors_and_polls_are_those_of_any_order)
{
  static const char *const specs[] = {"ic:order=rcm", "ic:order=rcm,store=float",
                                      "bjacobi:sub=ic,order=rcm,blocks=3"};
  for (int k = 0; k < 3; k++) {
    scoped_precond_case P = make_case(STEP, specs[k]);
    case_check_factors(&P);
    case_check_polls(&P, 2 * (N / 3), true);
  }
}

static int iterations(int step, const char *spec)
{
  scoped_precond_case P = make_case(step, spec);
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  ovk_result result = OVK_RESULT;
  opts.rtol = 1e-10;
  opts.method = "cg";
  assert_ok(ovk_vec_fill(P.z, 0));
  assert_ok(ovk_pcg_solve(P.A, P.M, P.r, P.z, &opts, &result));
  assert_true(result.reason > 0);
  return result.iterations;
}

TEST(a_shuffled_problem_takes_as_many_iterations_as_a_sorted_one)
{
  const int shuffled = iterations(STEP, "ic"), sorted = iterations(1, "ic");
  const int ordered = iterations(STEP, "ic:order=rcm");
  assert_true(sorted + 2 < shuffled);
  assert_in_range(ordered, sorted - 1, sorted + 1);
}

TEST(pivots_have_the_number_of_their_row)
{
  scoped_mat *A = new_mat(N);
  const ovk_gidx first = ovk_mat_row_begin(A);
  for (int i = 0; i < N; i++) {
    if (test_rank > 0 || i != 50) assert_ok(ovk_mat_add(A, first + i, first + i, 1));
  }
  assert_ok(ovk_mat_assemble(A));
  assert_no_precond(A, "ic:order=rcm", OVK_ERR_ARG, "row 50 ");
}
