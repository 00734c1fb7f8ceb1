/* SPDX-License-Identifier: BSD-2-Clause */
/* Solves, reductions and collective operations allocate no memory after their creation. */
#include "support/malloc_fail.h"
#include "support/problem.h"

#include <ovkrylov/comm/collectives.h>
#include <ovkrylov/comm/reduction.h>

TEST(solving_again_allocates_nothing)
{
  scoped_system s = new_system(new_laplace27(3, 3, 3), "jacobi");
  ovk_choice method = OVK_CHOICE;
  for (int m = 0; ovk_list_methods(NULL, m, &method); m++) {
    ovk_solver_opts opts = solver_opts(.method = method.name, .true_residual_every = 1);
    scoped_solver *solver = new_solver(s.A, s.M, &opts);
    malloc_fail_at(0);
    for (int k = 0; k < 3; k++) {
      assert_ok(ovk_vec_fill(s.b, k));
      const ovk_result res = solve_from(solver, s.b, s.x);
      assert_true(res.reason > 0);
    }
    assert_int_equal(malloc_count(), 0);
  }
}

TEST(summing_again_allocates_nothing)
{
  const char *const specs[] = {"shm", "nbc", "nbc:levels=2,channel=shm+p2p",
                               "nbc:fragment=8,window=2", "emulate-latency:us=1|nbc"};
  for (size_t k = 0; k < sizeof specs / sizeof *specs; k++) {
    scoped_reduction *red = new_sum(specs[k], 5);
    malloc_fail_at(0);
    for (int t = 0; t < 10; t++) {
      for (int i = 0; i < 5; i++) ovk_reduction_values(red)[i] = i;
      assert_ok(ovk_reduction_begin(red));
      assert_ok(ovk_reduction_wait(red));
    }
    assert_int_equal(malloc_count(), 0);
  }
}

/* The emulated adapter maps a peer's memory when it first writes there. */
TEST(collectives_allocate_nothing_after_the_first_time)
{
  static const char *const specs[] = {NULL, "verbs:device=emulated"};
  for (size_t s = 0; s < sizeof specs / sizeof *specs; s++) {
    double x[2] = {1, 2}, sums[2] = {0};
    scoped_collective *c = NULL;
    assert_ok(ovk_collective_create_allreduce(test_ctx(), specs[s], x, sums, 2, OVK_TYPE_DOUBLE,
                                              OVK_OP_SUM, &c));
    for (int k = 0; k < 4; k++) {
      bool complete;
      if (k == 1) malloc_fail_at(0);
      assert_ok(ovk_collective_begin(c));
      assert_ok(ovk_collective_test(c, &complete));
      assert_ok(ovk_collective_wait(c));
      assert_true(sums[0] == test_size);
    }
    assert_int_equal(malloc_count(), 0);
  }
}

static int make_context(void **state)
{
  test_ctx();
  return 0;
}

TEST_GROUP(make_context, NULL)
