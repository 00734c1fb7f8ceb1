/* SPDX-License-Identifier: BSD-2-Clause */
/* HYPRE_ParCSROvkSetMethod() with each name of a method: the bits are those of the name that
 * ovkrylov prints. And the size of a result. */
#include "hypre_case.h"
#include "support/method_names.h"

TEST_GROUP(open_hypre, close_hypre)

/* Copies the solution from hypre to c->x. */
static ovk_result solve_by_name(hypre_case *c, const char *method)
{
  ovk_result result = OVK_RESULT;
  hypre_case_clear(c);
  scoped_ovk_solver solver = new_ovk_solver();
  assert_hypre(HYPRE_ParCSROvkSetMethod(solver, method));
  assert_hypre(HYPRE_ParCSROvkSetBackend(solver, "blocking"));
  assert_hypre(HYPRE_ParCSROvkSetExact(solver, "sums"));
  assert_hypre(HYPRE_ParCSROvkSetTwoNorm(solver, 1));
  assert_hypre(HYPRE_ParCSROvkSetTol(solver, 1e-8));
  assert_hypre(HYPRE_ParCSROvkSetPrecondSpec(solver, "jacobi"));
  assert_hypre(HYPRE_ParCSROvkSetup(solver, c->par, c->par_b, c->par_x));
  assert_hypre(HYPRE_ParCSROvkSolve(solver, c->par, c->par_b, c->par_x));
  assert_hypre(HYPRE_ParCSROvkGetResult(solver, &result));
  for (ovk_lidx i = 0; i < ovk_vec_local_size(c->x); i++) {
    const HYPRE_BigInt row = (HYPRE_BigInt)ovk_vec_first(c->x) + i;
    assert_hypre(HYPRE_IJVectorGetValues(c->ij_x, 1, &row, &ovk_vec_array(c->x)[i]));
  }
  return result;
}

TEST(each_name_of_a_method_solves_with_the_bits_of_the_method)
{
  scoped_hypre_case by_alias = hypre_case_open(), by_name = hypre_case_open();
  const ovk_result cg = solve_by_name(&by_name, "cg");
  for (int k = 0; k < METHOD_NAMES; k++) {
    const char *alias = method_names[k][0], *name = method_names[k][1];
    const ovk_result a = solve_by_name(&by_alias, alias), b = solve_by_name(&by_name, name);
    if (a.iterations < 2 || a.fingerprint == 0) fail_msg("%s: %d iterations", alias, a.iterations);
    assert_int_equal(a.iterations, b.iterations);
    assert_int_equal(a.fingerprint, b.fingerprint);
    assert_string_equal(a.method, name);
    assert_string_equal(b.method, name);
    assert_memory_equal(ovk_vec_array(by_alias.x), ovk_vec_array(by_name.x),
                        (size_t)ovk_vec_local_size(by_name.x) * sizeof(double));
    assert_int_equal(a.fingerprint == cg.fingerprint, strcmp(name, "cg") == 0);
  }
}

TEST(the_size_of_a_result_limits_what_is_filled)
{
  scoped_hypre_case c = hypre_case_open();
  struct {
    ovk_result res;
    char after[16];
  } result = {.res = {0}};
  scoped_ovk_solver solver = new_ovk_solver();
  assert_hypre(HYPRE_ParCSROvkSetExact(solver, "sums"));
  assert_hypre(HYPRE_ParCSROvkSetup(solver, c.par, c.par_b, c.par_x));
  assert_hypre(HYPRE_ParCSROvkSolve(solver, c.par, c.par_b, c.par_x));
  assert_hypre(HYPRE_ParCSROvkGetResult(solver, &result.res));
  assert_true(result.res.reason > 0);
  assert_int_equal(result.res.size, offsetof(ovk_result, fingerprint)); /* the first version */
  assert_true(result.res.fingerprint == 0);
  result.res.size = sizeof result;
  assert_hypre(HYPRE_ParCSROvkGetResult(solver, &result.res));
  assert_int_equal(result.res.size, sizeof(ovk_result));
  assert_true(result.res.fingerprint != 0 && result.after[0] == 0);
}
