/* SPDX-License-Identifier: BSD-2-Clause */
/* The preconditioner bjacobi, compared with products with its blocks. */
#include "precond_case.h"
#include "support/problem.h"

enum { N = 150 };

/* The first row of the block, of so many, that has row i of this rank; and the first after it. */
static int block_of(const precond_case *P, int blocks, int i, int *end)
{
  int k = 0;
  while (P->local * (k + 1) / blocks <= i) k++;
  *end = P->local * (k + 1) / blocks;
  return P->local * k / blocks;
}

static void check_blocks(const precond_case *P, int blocks)
{
  const double *z = ovk_vec_array(P->z);
  for (int i = 0; i < P->local; i++) {
    int end;
    double r = 0;
    for (int j = block_of(P, blocks, i, &end); j < end; j++) {
      r += case_entry(P, P->first + i, P->first + j) * z[j];
    }
    assert_close(r, ovk_vec_array(P->r)[i], 1e-11);
  }
}

TEST(an_application_solves_with_each_block)
{
  const int counts[] = {1, 2, 7, 1000};
  for (int k = 0; k < 4; k++) {
    char spec[40];
    snprintf(spec, sizeof spec, "bjacobi:blocks=%d", counts[k]);
    scoped_precond_case P = case_make(random_spd(N, 30, 4), N, spec);
    const int blocks = counts[k] < P.local ? counts[k] : P.local;
    assert_ok(ovk_precond_apply(P.M, P.r, P.z, ovk_poll_none()));
    check_blocks(&P, blocks);
    case_check_factors(&P);
    case_check_polls(&P, P.local ? 2 * blocks : 0, true);
  }
}

TEST(blocks_have_64_rows_at_most_unless_their_number_is_given)
{
  scoped_precond_case P = case_make(random_spd(N, 30, 4), N, "bjacobi");
  assert_ok(ovk_precond_apply(P.M, P.r, P.z, ovk_poll_none()));
  check_blocks(&P, (P.local + 63) / 64);
}

static double *make_unsymmetric(void)
{
  double *dense = random_spd(N, 30, 4);
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < i; j++) dense[i * N + j] *= 2;
  }
  return dense;
}

TEST(blocks_that_are_not_symmetric_are_factored_with_pivots)
{
  scoped_precond_case P = case_make(make_unsymmetric(), N, "bjacobi:blocks=2");
  assert_ok(ovk_precond_apply(P.M, P.r, P.z, ovk_poll_none()));
  check_blocks(&P, 2);
  case_check_polls(&P, P.local ? 2 : 0, false);
  assert_error(ovk_precond_factor(P.M), OVK_ERR_INDEFINITE, "is not symmetric positive definite");
}

TEST(an_indefinite_block_is_solved_but_has_no_factors)
{
  double *dense = random_spd(N, 30, 4);
  dense[(N - 1) * (N + 1)] *= -1;
  scoped_precond_case P = case_make(dense, N, "bjacobi:blocks=3");
  assert_ok(ovk_precond_apply(P.M, P.r, P.z, ovk_poll_none()));
  check_blocks(&P, 3);
  assert_error(ovk_precond_factor(P.M), OVK_ERR_INDEFINITE, " to 149 is not symmetric");
}

TEST(a_singular_block_names_its_rows)
{
  scoped_array double *dense = random_spd(N, 30, 4);
  for (int i = 0; i < N; i++) dense[i * N + N - 1] = dense[(N - 1) * N + i] = 0;
  scoped_mat *A = distribute(test_ctx(), dense, N, even_share(N, test_rank, test_size));
  assert_no_precond(A, "bjacobi:blocks=2", OVK_ERR_ARG, "to 149 is singular: no pivot for row 149");
}

/* With as much fill as there are rows, incomplete factors are complete. */
TEST(incomplete_factors_of_blocks_know_nothing_of_each_other)
{
  scoped_precond_case P = case_make(random_spd(N, 30, 4), N, "bjacobi:blocks=3,sub=ic,level=1000");
  assert_ok(ovk_precond_apply(P.M, P.r, P.z, ovk_poll_none()));
  check_blocks(&P, 3);
  case_check_factors(&P);
  case_check_polls(&P, 2 * ((P.local + 2) / 3), true); /* up to three rows at a time */
  case_clear(&P);
  P = case_make(make_unsymmetric(), N, "bjacobi:blocks=2,sub=ilu,level=1000");
  assert_ok(ovk_precond_apply(P.M, P.r, P.z, ovk_poll_none()));
  check_blocks(&P, 2);
  for (int k = 0; k < 2; k++) { /* which is no failure of an update */
    assert_error(ovk_precond_factor(P.M), OVK_ERR_UNSUPPORTED, "'bjacobi:sub=ilu' has no factors");
    assert_ok(ovk_precond_update(P.M));
  }
}

TEST(one_block_a_rank_is_ic_itself)
{
  scoped_precond_case P = case_make(random_spd(N, 30, 4), N, "bjacobi:sub=ic");
  ovk_precond *M = new_precond(P.A, "ic");
  assert_ok(ovk_precond_apply(P.M, P.r, P.z, ovk_poll_none()));
  assert_ok(ovk_precond_apply(M, P.r, P.t, ovk_poll_none()));
  assert_same_vec(P.z, P.t);
  assert_int_equal(ovk_precond_bytes(P.M), ovk_precond_bytes(M));
  ovk_precond_destroy(&M);
  assert_no_precond(P.A, "bjacobi:level=1", OVK_ERR_ARG, "level= is for sub=ic");
  assert_no_precond(P.A, "bjacobi:order=rcm", OVK_ERR_ARG, "order= is for sub=");
  assert_no_precond(P.A, "bjacobi:sub=lu", OVK_ERR_UNKNOWN, "lu");
}

/* Blocks of 400000 rows would need 1280 GB. */
TEST(blocks_beyond_the_memory_are_refused)
{
  const ovk_lidx rows = 400000;
  scoped_precond *M = NULL;
  scoped_mat *A = new_mat(rows);
  const ovk_gidx first = ovk_mat_row_begin(A);
  for (ovk_lidx i = 0; i < rows; i++) assert_ok(ovk_mat_add(A, first + i, first + i, 2));
  assert_ok(ovk_mat_assemble(A));
  assert_no_precond(A, "bjacobi:blocks=1", OVK_ERR_MEMORY, "dense blocks of ");
  assert_ok(ovk_precond_create(A, "bjacobi:blocks=400000", &M));
}
