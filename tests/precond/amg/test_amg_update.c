/* SPDX-License-Identifier: BSD-2-Clause */
/* "amg" for new values: the parts that each policy keeps. */
#include "precond/diffusion.h"
#include "precond/precond_case.h"
#include "support/problem.h"

static double slowly_varying(int direction, const int at[3])
{
  return jumping(direction, at) * (1 + 0.1 * sin(at[0] + 2 * at[1]));
}

/* Random for each edge: no comparison of couplings is near a tie. */
static double scattered(int direction, const int at[3])
{
  const uint64_t edge = (uint64_t)(3 * (at[0] + 100 * (at[1] + 100 * at[2])) + direction);
  return 0.1 + random_number(4, edge);
}

static double doubled(int direction, const int at[3])
{
  return 2 * scattered(direction, at);
}

/* Differs so little from it that the aggregates are the same, which the test checks. */
static double nearly_scattered(int direction, const int at[3])
{
  return scattered(direction, at) * (1 + 1e-6 * cos(at[2]));
}

/* Values times 2 keep all prolongators. New values on the same aggregates have the levels of a new
 * setup with update=values, and any values with update=all. */
TEST(an_update_has_the_levels_of_a_new_setup)
{
  const struct {
    const char *spec;
    coefficient_fn *values;
  } cases[] = {{"amg:coarse=50", doubled},
               {"amg:coarse=50,update=values", doubled},
               {"amg:coarse=50,update=values", nearly_scattered},
               {"amg:coarse=50,update=all", doubled},
               {"amg:coarse=50,update=all", constant}};
  for (int k = 0; k < 5; k++) {
    scoped_mat *A = new_diffusion(test_ctx(), 12, scattered);
    scoped_precond *M = new_precond(A, cases[k].spec);
    assert_ok(ovk_mat_reset_values(A));
    fill_diffusion(A, 12, cases[k].values);
    assert_updated_as_new(M, A, cases[k].spec);
  }
}

/* On a box with other couplings, the aggregates are not those that a new setup finds. */
TEST(an_update_keeps_what_it_should)
{
  const char *const specs[] = {"amg:coarse=50", "amg:coarse=50,update=values",
                               "amg:coarse=50,update=all"};
  char info[3][300];
  for (int k = 0; k < 3; k++) {
    ovk_mat *A = new_diffusion(test_ctx(), 12, jumping);
    ovk_precond *M = new_precond(A, specs[k]);
    for (int update = 0; update < 2; update++) { /* the second one repeats the first */
      assert_ok(ovk_mat_reset_values(A));
      fill_diffusion(A, 12, stretched);
      assert_ok(ovk_precond_update(M));
      if (update) assert_string_equal(ovk_precond_info(M), info[k]);
      snprintf(info[k], sizeof info[k], "%s", ovk_precond_info(M));
    }
    ovk_precond_destroy(&M);
    ovk_mat_destroy(&A);
    for (int l = 0; l < k; l++) assert_string_not_equal(info[k], info[l]);
  }
}

TEST(an_update_keeps_the_iterations_where_values_vary_slowly)
{
  ovk_mat *A = new_diffusion(test_ctx(), 16, jumping);
  scoped_system s = new_system(A, "amg:coarse=50");
  ovk_solver_opts opts = with_method("cg");
  const ovk_result before = solve_system(&s, &opts);
  assert_ok(ovk_mat_reset_values(A));
  fill_diffusion(A, 16, slowly_varying);
  assert_ok(ovk_precond_update(s.M));
  assert_ok(ovk_vec_fill(s.x, 0));
  const ovk_result after = solve_system(&s, &opts);
  assert_int_equal(after.reason, OVK_REASON_CONVERGED_RTOL);
  assert_true(after.iterations <= before.iterations + 2);
}

/* As stretched(), but in another direction. */
static double turned(int direction, const int at[3])
{
  return direction == 2 ? 100 : 1;
}

static double nearly_stretched(int direction, const int at[3])
{
  return stretched(direction, at) * (1 + 0.1 * sin(at[0] + 2 * at[1]));
}

static void count_notice(void *arg, const char *message)
{
  if (!strstr(message, "preconditioner 'amg': after an update")) return; /* as of large levels */
  assert_non_null(strstr(message, "amg:update="));                       /* the remedy */
  ++*(int *)arg;
}

/* Solves with old and new values, two right-hand sides each, the second to fewer digits, and
 * returns the notices. */
static int count_notices(const char *spec, coefficient_fn *values, const char *method)
{
  int notices = 0;
  scoped_ctx *ctx = new_ctx();
  ovk_ctx_on_notice(ctx, count_notice, &notices);
  scoped_mat *A = new_diffusion(ctx, 12, stretched);
  scoped_precond *M = new_precond(A, spec);
  scoped_vec *b = new_vec(A), *x = new_vec(A);
  ovk_solver_opts opts = with_method(method);
  for (int solve = 0; solve < 6; solve++) {
    ovk_result result = OVK_RESULT;
    if (solve == 2 || solve == 4) {
      assert_ok(ovk_mat_reset_values(A));
      fill_diffusion(A, 12, values);
      assert_ok(ovk_precond_update(M));
    }
    fill_random(b, (uint64_t)solve);
    assert_ok(ovk_vec_fill(x, 0));
    opts.rtol = solve % 2 ? 1e-4 : 1e-9;
    assert_ok(ovk_solve(A, M, b, x, &opts, &result));
    assert_true(result.reason > 0);
  }
  return notices;
}

TEST(aggregates_of_old_values_are_a_notice_once)
{
  const struct {
    const char *spec, *method;
    coefficient_fn *values;
    int notices;
  } cases[] = {{"amg:coarse=50", "cg", turned, 1},
               {"amg:coarse=50,update=values", "cg", turned, 1},
               {"amg:coarse=50,update=all", "cg", turned, 0},
               {"amg:coarse=50", "cg", nearly_stretched, 0},
               {"amg:coarse=50", "bcgs", turned, 1}};
  for (int k = 0; k < 5; k++) {
    assert_int_equal(count_notices(cases[k].spec, cases[k].values, cases[k].method),
                     cases[k].notices);
  }
}
