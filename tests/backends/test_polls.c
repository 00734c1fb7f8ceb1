/* SPDX-License-Identifier: BSD-2-Clause */
/* The interval between polls that the library chooses: it follows how many polls the last sums
 * took, and neither results nor sums depend on it. */
#include "support/problem.h"

#include <ovkrylov/plugin/backend.h>

/* A backend of one rank whose sums take a number of tests. */
typedef struct slow {
  int tests;  /* that a sum takes */
  int passed; /* of this sum */
} slow;

static ovk_err polled_begin(ovk_sum *sum)
{
  slow *s = sum->backend->user;
  s->passed = 0;
  return OVK_OK;
}

static ovk_err polled_test(ovk_sum *sum, bool *complete)
{
  slow *s = sum->backend->user;
  *complete = ++s->passed >= s->tests;
  return OVK_OK;
}

static const ovk_backend_ops slow_ops = {
    .size = sizeof(ovk_backend_ops), .name = "slow", .begin = polled_begin, .test = polled_test};

/* The interval after `times` sums that take `tests` polls, of at most `polls` between begin and
 * wait. */
static ovk_lidx after(ovk_reduction *red, slow *s, int times, int tests, int polls)
{
  s->tests = tests;
  for (int time = 0; time < times; time++) {
    assert_ok(ovk_reduction_begin(red));
    const ovk_poll poll = ovk_reduction_poll(red, 0);
    for (int k = 0; k < polls; k++) ovk_poll_call(poll);
    assert_ok(ovk_reduction_wait(red));
  }
  return ovk_reduction_poll(red, 0).every;
}

TEST(the_interval_follows_the_polls_that_sums_take)
{
  slow s = {1, 0};
  scoped_ctx *ctx = NULL;
  scoped_reduction *red = NULL;
  assert_ok(ovk_ctx_create(MPI_COMM_SELF, &ctx));
  assert_ok(ovk_backend_register(ctx, &slow_ops, &s));
  assert_ok(ovk_reduction_create(ctx, "slow", 1, &red));
  assert_int_equal(ovk_reduction_poll(red, 0).every, 4096);
  assert_int_equal(after(red, &s, 3, 1, 1), 4096); /* there at the first poll */
  assert_int_equal(after(red, &s, 1, 2, 5), 2048);
  assert_int_equal(after(red, &s, 1, 9, 3), 1024); /* not there when it is waited for */
  assert_int_equal(after(red, &s, 5, 2, 5), 512);
  assert_int_equal(after(red, &s, 5, 9, 0), 512); /* without polls nothing is known */
  assert_int_equal(after(red, &s, 5, 8, 20), 512);
  assert_int_equal(after(red, &s, 5, 16, 20), 512); /* of 8 to 16 it stays */
  assert_int_equal(after(red, &s, 1, 17, 20), 1024);
  assert_int_equal(after(red, &s, 1, 1, 20), 2048); /* there at the first poll */
  assert_int_equal(after(red, &s, 9, 30, 20), 4096);
  assert_int_equal(ovk_reduction_poll(red, 7).every, 7);
}

TEST(no_bit_of_a_solution_depends_on_the_polls)
{
  enum { ROWS = 20 * 20 * 20 };
  static const char *const methods[] = {"overlap", "pipecg", "groppcg"};
  static const ovk_lidx rows[] = {0, 1, 100, 4096};
  double first[ROWS];
  scoped_system s = new_system(new_laplace27(20, 20, 20), "jacobi");
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
    ovk_result results[4];
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
      ovk_solver_opts opts = with_method(methods[m]);
      opts.backend = "nbc:alg=ring"; /* of two rounds or more */
      opts.poll_rows = rows[k];
      results[k] = solve_system(&s, &opts);
      assert_true(results[k].reason > 0);
      assert_int_equal(results[k].iterations, results[0].iterations);
      assert_true(results[k].reductions_per_iteration == results[0].reductions_per_iteration);
      const double *values = ovk_vec_array(s.x);
      if (k == 0) memcpy(first, values, sizeof first);
      assert_memory_equal(values, first, sizeof first);
    }
  }
}
