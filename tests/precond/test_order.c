/* SPDX-License-Identifier: BSD-2-Clause */
/* Incomplete factors of rows in the reverse Cuthill-McKee order. */
#include "precond_case.h"
#include "support/test_main.h"

#include <stdlib.h>

enum { SIDE = 14, N = SIDE * SIDE, STEP = 85 }; /* STEP and N have no common divisor */

/* Whether points i and j of a square are beside each other. */
static bool neighbours(int i, int j)
{
  return abs(i / SIDE - j / SIDE) + abs(i % SIDE - j % SIDE) == 1;
}

/* The 5-point Laplacian with its rows in another order: that of i is i STEP modulo N. */
static double *make_laplace(int step)
{
  double *dense = calloc((size_t)N * N, sizeof *dense);
  assert_non_null(dense);
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) {
      const size_t at = (size_t)(i * step % N) * N + (size_t)(j * step % N);
      dense[at] = i == j ? 4 : neighbours(i, j) ? -1 : 0;
    }
  }
  return dense;
}

static void complete_factors_invert_the_block(void **state)
{
  (void)state;
  static const char *const specs[] = {"ic:level=1000,order=rcm", "ilu:level=1000,order=rcm"};
  for (int k = 0; k < 2; k++) {
    precond_case P = case_make(make_laplace(STEP), N, specs[k]);
    assert_ok(ovk_precond_apply(P.M, P.r, P.z, ovk_poll_none()));
    for (int i = 0; i < P.local; i++) {
      double sum = 0;
      for (int j = 0; j < P.local; j++) {
        sum += case_entry(&P, P.first + i, P.first + j) * ovk_vec_array(P.z)[j];
      }
      assert_close(sum, ovk_vec_array(P.r)[i], 1e-12);
    }
    case_clear(&P);
  }
}

static void factors_and_polls_are_those_of_any_order(void **state)
{
  (void)state;
  static const char *const specs[] = {"ic:order=rcm", "ic:order=rcm,store=float",
                                      "bjacobi:sub=ic,order=rcm,blocks=3"};
  for (int k = 0; k < 3; k++) {
    precond_case P = case_make(make_laplace(STEP), N, specs[k]);
    case_check_factors(&P);
    case_check_polls(&P, P.local / 2, true);
    case_clear(&P);
  }
}

static int iterations(int step, const char *spec)
{
  precond_case P = case_make(make_laplace(step), N, spec);
  ovk_pcg_opts opts = OVK_PCG_OPTS;
  ovk_result result;
  opts.rtol = 1e-10;
  assert_ok(ovk_vec_fill(P.z, 0));
  assert_ok(ovk_pcg_solve(P.A, P.M, P.r, P.z, &opts, &result));
  assert_true(result.reason > 0);
  case_clear(&P);
  return result.iterations;
}

static void a_shuffled_problem_takes_as_many_iterations_as_a_sorted_one(void **state)
{
  (void)state;
  const int shuffled = iterations(STEP, "ic"), sorted = iterations(1, "ic");
  const int ordered = iterations(STEP, "ic:order=rcm");
  if (test_rank == 0) print_message("%d, in order %d, rcm %d\n", shuffled, sorted, ordered);
  assert_true(ordered < shuffled);
  assert_true(ordered <= sorted + 2);
}

static void pivots_have_the_number_of_their_row(void **state)
{
  (void)state;
  double *dense = make_laplace(STEP);
  ovk_precond *M = NULL;
  dense[50 * N + 50] = 0;
  ovk_mat *A = distribute(test_ctx(), dense, N, even_share(N, test_rank, test_size));
  free(dense);
  assert_error(ovk_precond_create(A, "ic:order=rcm", &M), OVK_ERR_ARG, "row 50 ");
  ovk_mat_destroy(&A);
}

int run_all_tests(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(complete_factors_invert_the_block),
      cmocka_unit_test(factors_and_polls_are_those_of_any_order),
      cmocka_unit_test(a_shuffled_problem_takes_as_many_iterations_as_a_sorted_one),
      cmocka_unit_test(pivots_have_the_number_of_their_row),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
