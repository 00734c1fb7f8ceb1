/* SPDX-License-Identifier: BSD-2-Clause */
/* Names of methods and reasons, and the size of a result. */
#include "support/method_names.h"
#include "support/problem.h"

TEST(names_of_petsc_hypre_and_the_papers_are_aliases_of_methods)
{
  ovk_solver_opts opts = OVK_SOLVER_OPTS;
  scoped_system s = new_tridiagonal_system(3, 4);
  for (int k = 0; k < METHOD_NAMES; k++) {
    opts.method = method_names[k][0];
    scoped_solver *solver = new_solver(s.A, s.M, &opts);
    assert_string_equal(ovk_solver_method(solver), method_names[k][1]);
  }
}

TEST(a_reason_is_found_by_its_name_here_and_in_petsc)
{
  ovk_reason reason = OVK_REASON_NOT_RUN;
  assert_string_equal(ovk_reason_text(OVK_REASON_MAXIT), "MAXIT");
  assert_string_equal(ovk_reason_petsc_text(OVK_REASON_MAXIT), "KSP_DIVERGED_ITS");
  assert_true(ovk_reason_find("maxit", &reason) && reason == OVK_REASON_MAXIT);
  assert_true(ovk_reason_find("KSP_DIVERGED_DTOL", &reason) && reason == OVK_REASON_DIVERGED);
  assert_true(ovk_reason_find("KSP_DIVERGED_ITS", &reason) && reason == OVK_REASON_MAXIT);
  assert_false(ovk_reason_find("KSP_DIVERGED", &reason) || ovk_reason_find(NULL, &reason));
  assert_int_equal(reason, OVK_REASON_MAXIT);
  assert_string_equal(ovk_reason_text((ovk_reason)99), "unknown");
}

TEST(the_size_of_a_result_limits_what_is_filled)
{
  scoped_system s = new_tridiagonal_system(3, 4);
  const ovk_solver_opts opts = solver_opts(.method = "pcg");
  struct {
    ovk_result res;
    char after[16];
  } zero = {.res = {0}}, larger = {.res = {.size = sizeof larger}};
  memset(larger.after, 'x', sizeof larger.after);
  assert_int_equal(ovk_solve(s.A, s.M, s.b, s.x, &opts, &zero.res), OVK_OK);
  assert_int_equal(ovk_solve(s.A, s.M, s.b, s.x, &opts, &larger.res), OVK_OK);
  assert_int_equal(zero.res.size, offsetof(ovk_result, fingerprint)); /* the first version */
  assert_int_equal(larger.res.size, sizeof(ovk_result)); /* the members that this version has */
  assert_string_equal(zero.res.method, "");
  assert_string_equal(larger.res.method, "cg");
  assert_true(zero.res.reason > 0 && larger.res.seconds.solve > 0);
  for (size_t k = 0; k < sizeof larger.after; k++) assert_int_equal(larger.after[k], 'x');
}
