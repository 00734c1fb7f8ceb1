/* SPDX-License-Identifier: BSD-2-Clause */
/* Solvers of ovkrylov in a program of hypre; one rank fails or differs: all return. */
#include "hypre_case.h"
#include "support/problem.h"

TEST_GROUP(open_hypre, close_hypre)

/* A preconditioner of a program, the identity, whose call `fails_at` fails on the last rank. */
typedef struct failing {
  int calls, fails_at;
  double value; /* unless 0: entry 0 of its results there */
} failing;

static HYPRE_Int failing_call(failing *f)
{
  if (++f->calls == f->fails_at && is_last()) hypre_error(HYPRE_ERROR_GENERIC);
  return HYPRE_GetError();
}

static HYPRE_Int failing_setup(HYPRE_Solver f, HYPRE_ParCSRMatrix A, HYPRE_ParVector b,
                               HYPRE_ParVector x)
{
  (void)A, (void)b, (void)x;
  return failing_call((failing *)f);
}

static HYPRE_Int failing_solve(HYPRE_Solver solver, HYPRE_ParCSRMatrix A, HYPRE_ParVector b,
                               HYPRE_ParVector x)
{
  failing *f = (failing *)solver;
  (void)A;
  HYPRE_ParVectorCopy(b, x);
  hypre_Vector *local = hypre_ParVectorLocalVector((hypre_ParVector *)x);
  if (f->value != 0 && is_last()) hypre_VectorData(local)[0] = f->value;
  return failing_call(f);
}

static HYPRE_Solver open_failing(failing *f, const char *method)
{
  HYPRE_Solver solver = new_ovk_solver();
  assert_hypre(HYPRE_ParCSROvkSetMethod(solver, method));
  assert_hypre(HYPRE_ParCSROvkSetTwoNorm(solver, 1));
  assert_hypre(HYPRE_ParCSROvkSetPrecond(solver, failing_solve, failing_setup, (HYPRE_Solver)f));
  return solver;
}

TEST(a_rank_without_a_place_for_the_new_object_is_an_error_on_all)
{
  scoped_hypre_case c = hypre_case_open();
  HYPRE_Solver solver = NULL;
  ovk_mat *A = NULL;
  const HYPRE_Int flag = is_last() ? HYPRE_ERROR_ARG : HYPRE_ERROR_GENERIC;
  const HYPRE_Int flags = HYPRE_ParCSROvkCreate(MPI_COMM_WORLD, is_last() ? NULL : &solver);
  assert_int_equal(flags & flag, flag);
  assert_null(solver);
  HYPRE_ClearAllErrors();
  assert_local_error(ovk_hypre_mat_create(test_ctx(), c.par, "auto", is_last() ? NULL : &A),
                     OVK_ERR_ARG, is_last() ? "out is NULL" : "another rank");
  assert_null(A);
}

TEST(a_setup_that_fails_on_one_rank_fails_on_all)
{
  scoped_hypre_case c = hypre_case_open();
  failing f = {.fails_at = 1};
  scoped_ovk_solver solver = open_failing(&f, "cg");
  assert_flagged(HYPRE_ParCSROvkSetup(solver, c.par, c.par_b, c.par_x), HYPRE_ERROR_GENERIC, solver,
                 "hypre's setup_function: ");
  assert_flagged(HYPRE_ParCSROvkSolve(solver, c.par, c.par_b, c.par_x), HYPRE_ERROR_GENERIC, solver,
                 "hypre's setup_function: "); /* nothing was set up */
  assert_hypre(HYPRE_ParCSROvkSetup(solver, c.par, c.par_b, c.par_x));
  assert_hypre(HYPRE_ParCSROvkSolve(solver, c.par, c.par_b, c.par_x));
  assert_true(hypre_case_residual(&c) <= 1.02e-6);
}

TEST(a_preconditioner_that_fails_on_one_rank_fails_the_solve_on_all_and_the_next_succeeds)
{
  static const char *const methods[] = {"cg", "pipecg", "pipelcg", "bcgs", "gmres", "fgmres"};
  scoped_hypre_case c = hypre_case_open();
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
    failing f = {0};
    scoped_ovk_solver solver = open_failing(&f, methods[k]);
    assert_hypre(HYPRE_ParCSROvkSetup(solver, c.par, c.par_b, c.par_x));
    for (int later = 1; later < 8; later += 3) {
      f.fails_at = f.calls + later;
      hypre_case_clear(&c);
      assert_flagged(HYPRE_ParCSROvkSolve(solver, c.par, c.par_b, c.par_x), HYPRE_ERROR_GENERIC,
                     solver, "hypre's solve_function: ");
    }
    hypre_case_clear(&c);
    assert_hypre(HYPRE_ParCSROvkSolve(solver, c.par, c.par_b, c.par_x));
    assert_true(hypre_case_residual(&c) <= 1.02e-6);
  }
}

TEST(a_NaN_of_one_rank_ends_the_solve_on_all)
{
  scoped_hypre_case c = hypre_case_open();
  failing f = {.value = NAN};
  scoped_ovk_solver solver = open_failing(&f, "pipecg");
  ovk_result result = OVK_RESULT;
  assert_hypre(HYPRE_ParCSROvkSetup(solver, c.par, c.par_b, c.par_x));
  assert_true(HYPRE_ParCSROvkSolve(solver, c.par, c.par_b, c.par_x) & HYPRE_ERROR_CONV);
  (void)HYPRE_ClearAllErrors();
  assert_hypre(HYPRE_ParCSROvkGetResult(solver, &result));
  assert_int_equal(result.reason, OVK_REASON_NAN);
}

TEST(numbers_of_components_that_differ_between_ranks_are_an_error_on_all)
{
  if (test_size == 1) skip();
  scoped_hypre_case c = hypre_case_open();
  for (int first = 1; first < 3; first++) {
    const int components = is_last() ? 2 : first == 1 ? 1 : 3;
    scoped_components *b = hypre_case_components(&c, components),
                      *x = hypre_case_components(&c, components);
    failing f = {0};
    scoped_ovk_solver solver = open_failing(&f, "cg");
    assert_hypre(HYPRE_ParCSROvkSetup(solver, c.par, c.par_b, c.par_x));
    assert_flagged(HYPRE_ParCSROvkSolve(solver, c.par, (HYPRE_ParVector)b, (HYPRE_ParVector)x),
                   HYPRE_ERROR_ARG, solver, "components");
  }
}

TEST(a_shell_on_one_rank_only_is_an_error_on_all)
{
  if (test_size == 1) skip();
  scoped_hypre_case c = hypre_case_open();
  ovk_mat *A = NULL;
  const char *format = is_last() ? "shell" : "csr";
  assert_error(ovk_hypre_mat_create(test_ctx(), c.par, format, &A), OVK_ERR_ARG, "'shell'");
  assert_null(A);
}
