/* SPDX-License-Identifier: BSD-2-Clause */
/* Vectors of hypre with several components: each is solved for as alone. And guesses from the last
 * solutions. */
#include "hypre_case.h"
#include "support/problem.h"

enum { COMPONENTS = 3 };

TEST_GROUP(open_hypre, close_hypre)

/* Component k of v. */
static double *component(hypre_ParVector *v, int k)
{
  hypre_Vector *local = hypre_ParVectorLocalVector(v);
  return hypre_VectorData(local) + k * hypre_VectorVectorStride(local);
}

/* Applications are to one component, so the vectors that the setup copies must have one. */
static HYPRE_Int set_up_for_one(HYPRE_Solver amg, HYPRE_ParCSRMatrix A, HYPRE_ParVector b,
                                HYPRE_ParVector x)
{
  const HYPRE_ParVector given[] = {b, x};
  for (int k = 0; k < 2; k++) {
    hypre_Vector *local = hypre_ParVectorLocalVector((hypre_ParVector *)given[k]);
    assert_int_equal(hypre_VectorNumVectors(local), 1);
  }
  return HYPRE_BoomerAMGSetup(amg, A, b, x);
}

/* With a solver of hypre as the preconditioner; NULL: with "jacobi". */
static HYPRE_Solver new_pcg_with(HYPRE_Solver amg, const hypre_case *c, hypre_ParVector *b,
                                 hypre_ParVector *x)
{
  HYPRE_Solver solver = new_ovk_solver();
  assert_hypre(HYPRE_ParCSROvkSetTol(solver, 1e-10));
  assert_hypre(HYPRE_ParCSROvkSetMethod(solver, "cg"));
  assert_hypre(amg ? HYPRE_ParCSROvkSetPrecond(solver, HYPRE_BoomerAMGSolve, set_up_for_one, amg)
                   : HYPRE_ParCSROvkSetPrecondSpec(solver, "jacobi"));
  assert_hypre(HYPRE_ParCSROvkSetup(solver, c->par, (HYPRE_ParVector)b, (HYPRE_ParVector)x));
  return solver;
}

static HYPRE_Solver new_pcg(const hypre_case *c, hypre_ParVector *b, hypre_ParVector *x)
{
  return new_pcg_with(NULL, c, b, x);
}

static void compare_components(HYPRE_Solver amg)
{
  scoped_hypre_case c = hypre_case_open();
  const ovk_lidx n = ovk_mat_local_size(c.A);
  scoped_components *b = hypre_case_components(&c, COMPONENTS),
                    *x = hypre_case_components(&c, COMPONENTS);
  scoped_components *one_b = hypre_case_components(&c, 1), *one_x = hypre_case_components(&c, 1);
  for (int k = 0; k < COMPONENTS; k++) {
    for (ovk_lidx i = 0; i < n; i++) {
      component(b, k)[i] = sin((double)(ovk_mat_row_begin(c.A) + i) * (k + 1));
    }
  }
  HYPRE_Int most = 0;
  scoped_ovk_solver solver = new_pcg_with(amg, &c, b, x);
  assert_hypre(HYPRE_ParCSROvkSolve(solver, c.par, (HYPRE_ParVector)b, (HYPRE_ParVector)x));
  const HYPRE_Int iterations = iterations_of(solver);
  for (int k = 0; k < COMPONENTS; k++) {
    memcpy(component(one_b, 0), component(b, k), (size_t)n * sizeof(double));
    memset(component(one_x, 0), 0, (size_t)n * sizeof(double));
    assert_hypre(
        HYPRE_ParCSROvkSolve(solver, c.par, (HYPRE_ParVector)one_b, (HYPRE_ParVector)one_x));
    if (iterations_of(solver) > most) most = iterations_of(solver);
    for (ovk_lidx i = 0; i < n; i++) {
      assert_true(fabs(component(x, k)[i] - component(one_x, 0)[i]) < 1e-7);
    }
  }
  assert_in_range(iterations + 1, most, most + 2);
}

TEST(each_component_is_solved_for_as_alone)
{
  compare_components(NULL);
}

TEST(a_solver_of_hypre_is_applied_to_each_component)
{
  HYPRE_Solver amg = hypre_case_boomeramg();
  compare_components(amg);
  HYPRE_BoomerAMGDestroy(amg);
}

TEST(other_numbers_of_components_are_an_error)
{
  scoped_hypre_case c = hypre_case_open();
  scoped_components *b = hypre_case_components(&c, 2), *x = hypre_case_components(&c, 3);
  scoped_ovk_solver solver = new_pcg(&c, b, b);
  assert_int_not_equal(HYPRE_ParCSROvkSolve(solver, c.par, (HYPRE_ParVector)b, (HYPRE_ParVector)x),
                       0);
  HYPRE_ClearAllErrors();
}

/* x of a solve for b + `time` times the second right-hand side, from 0; returns the iterations. */
static HYPRE_Int solve_at(HYPRE_Solver solver, hypre_case *c, hypre_ParVector *b, double time)
{
  for (ovk_lidx i = 0; i < ovk_mat_local_size(c->A); i++) {
    const double row = (double)(ovk_mat_row_begin(c->A) + i);
    component(b, 0)[i] = sin(row) + time * cos(3 * row);
  }
  hypre_case_clear(c);
  assert_hypre(HYPRE_ParCSROvkSolve(solver, c->par, (HYPRE_ParVector)b, c->par_x));
  return iterations_of(solver);
}

TEST(guesses_from_the_last_solutions_save_iterations)
{
  scoped_hypre_case c = hypre_case_open();
  scoped_components *b = hypre_case_components(&c, 1);
  scoped_ovk_solver solver = new_ovk_solver();
  assert_hypre(HYPRE_ParCSROvkSetMethod(solver, "cg"));
  assert_hypre(HYPRE_ParCSROvkSetPrecondSpec(solver, "jacobi"));
  assert_hypre(HYPRE_ParCSROvkSetGuesses(solver, 4));
  assert_hypre(HYPRE_ParCSROvkSetup(solver, c.par, (HYPRE_ParVector)b, c.par_x));
  const HYPRE_Int first = solve_at(solver, &c, b, 0);
  assert_true(solve_at(solver, &c, b, 1) > first / 2); /* a new direction */
  assert_true(solve_at(solver, &c, b, 2) <= 2);        /* in the span of both */
  hypre_CSRMatrixScale(hypre_ParCSRMatrixDiag((hypre_ParCSRMatrix *)c.par), 2);
  hypre_CSRMatrixScale(hypre_ParCSRMatrixOffd((hypre_ParCSRMatrix *)c.par), 2);
  assert_true(solve_at(solver, &c, b, 3) <= 2); /* also for new values */
  assert_hypre(HYPRE_ParCSROvkSetGuesses(solver, -1));
  assert_true(HYPRE_ParCSROvkSetup(solver, c.par, (HYPRE_ParVector)b, c.par_x) & HYPRE_ERROR_ARG);
  (void)HYPRE_ClearAllErrors();
}
