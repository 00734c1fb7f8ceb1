/* SPDX-License-Identifier: BSD-2-Clause */
/* Solvers of ovkrylov in a program of hypre. */
#include "hypre_case.h"
#include "parcsr/parcsr_ovk.h"
#include "support/problem.h"

#include <_hypre_parcsr_mv.h>
#include <_hypre_utilities.h>

/* In the norm that `two_norm` says. */
static hypre_outcome solve_with_ovk(hypre_case *c, HYPRE_Int two_norm, const char *format)
{
  HYPRE_Solver solver = new_ovk_solver(), amg = hypre_case_boomeramg();
  hypre_outcome out = {0};
  hypre_case_clear(c);
  assert_hypre(HYPRE_ParCSROvkSetTwoNorm(solver, two_norm));
  assert_hypre(HYPRE_ParCSROvkSetTol(solver, 1e-7));
  assert_hypre(HYPRE_ParCSROvkSetMethod(solver, "cg"));
  assert_hypre(HYPRE_ParCSROvkSetBackend(solver, "blocking"));
  assert_hypre(HYPRE_ParCSROvkSetExact(solver, "sums"));
  assert_hypre(HYPRE_ParCSROvkSetFormat(solver, format));
  assert_hypre(HYPRE_ParCSROvkSetPrecond(solver, HYPRE_BoomerAMGSolve, HYPRE_BoomerAMGSetup, amg));
  assert_hypre(HYPRE_ParCSROvkSetup(solver, c->par, c->par_b, c->par_x));
  assert_hypre(HYPRE_ParCSROvkSolve(solver, c->par, c->par_b, c->par_x));
  assert_hypre(HYPRE_ParCSROvkGetNumIterations(solver, &out.iterations));
  assert_hypre(HYPRE_ParCSROvkGetFinalRelativeResidualNorm(solver, &out.residual));
  assert_hypre(HYPRE_ParCSROvkDestroy(solver));
  assert_hypre(HYPRE_BoomerAMGDestroy(amg));
  return out;
}

TEST(takes_the_place_of_pcg_in_both_norms_with_a_copy_and_with_hypres_product)
{
  scoped_hypre_case c = hypre_case_open();
  for (HYPRE_Int two_norm = 0; two_norm < 2; two_norm++) {
    const hypre_outcome theirs = hypre_case_solve(&c, two_norm, 1e-7);
    const hypre_outcome copied = solve_with_ovk(&c, two_norm, "csr");
    const hypre_outcome wrapped = solve_with_ovk(&c, two_norm, "shell");
    assert_int_equal(copied.iterations, theirs.iterations);
    assert_int_equal(wrapped.iterations, theirs.iterations);
    assert_close(copied.residual / theirs.residual, 1, 1e-6);
    assert_close(wrapped.residual / theirs.residual, 1, 1e-6);
  }
}

static HYPRE_Solver open_solver(const char *precond)
{
  HYPRE_Solver solver = new_ovk_solver();
  assert_hypre(HYPRE_ParCSROvkSetPrecondSpec(solver, precond));
  return solver;
}

static int count_calls(void *arg, const ovk_progress *progress)
{
  ++*(int *)arg;
  return 0;
}

TEST(solves_in_the_vectors_own_arrays_from_the_x_given)
{
  scoped_hypre_case c = hypre_case_open();
  scoped_ovk_solver solver = open_solver("boomeramg");
  ovk_result result = OVK_RESULT;
  int calls = 0;
  assert_hypre(HYPRE_ParCSROvkSetMonitor(solver, count_calls, &calls));
  assert_hypre(HYPRE_ParCSROvkSetup(solver, c.par, c.par_b, c.par_x));
  assert_hypre(HYPRE_ParCSROvkSetTol(solver, 1e-9)); /* also after setup */
  assert_hypre(HYPRE_ParCSROvkSolve(solver, c.par, c.par_b, c.par_x));
  assert_hypre(HYPRE_ParCSROvkGetResult(solver, &result));
  assert_int_equal(calls, result.iterations + 1);
  double b2, r2;
  assert_hypre(HYPRE_ParVectorInnerProd(c.par_b, c.par_b, &b2));
  assert_hypre(HYPRE_ParCSROvkSetTol(solver, 1e-6));
  assert_hypre(HYPRE_ParCSROvkSolve(solver, c.par, c.par_b, c.par_x));
  assert_int_equal(iterations_of(solver), 0); /* x is the solution already */
  assert_hypre(HYPRE_ParCSRMatrixMatvec(-1, c.par, c.par_x, 1, c.par_b));
  assert_hypre(HYPRE_ParVectorInnerProd(c.par_b, c.par_b, &r2));
  assert_true(sqrt(r2 / b2) < 1e-8);
}

/* Which has the factors that this method needs. */
TEST(diagonal_scaling_is_jacobi)
{
  scoped_hypre_case c = hypre_case_open();
  scoped_ovk_solver solver = open_solver(NULL);
  ovk_result result = OVK_RESULT;
  assert_hypre(HYPRE_ParCSROvkSetMethod(solver, "pipecg"));
  assert_hypre(
      HYPRE_ParCSROvkSetPrecond(solver, HYPRE_ParCSRDiagScale, HYPRE_ParCSRDiagScaleSetup, NULL));
  assert_hypre(HYPRE_ParCSROvkSetup(solver, c.par, c.par_b, c.par_x));
  assert_hypre(HYPRE_ParCSROvkSolve(solver, c.par, c.par_b, c.par_x));
  assert_hypre(HYPRE_ParCSROvkGetResult(solver, &result));
  assert_true(result.reason > 0);
}

TEST(failures_are_hypres_flags_with_our_text)
{
  scoped_hypre_case c = hypre_case_open();
  scoped_ovk_solver solver = open_solver("boomeramg:relax=5");
  assert_flagged(HYPRE_ParCSROvkSolve(solver, c.par, c.par_b, c.par_x), HYPRE_ERROR_GENERIC, solver,
                 "Setup() was not called");
  assert_flagged(HYPRE_ParCSROvkSetup(solver, c.par, c.par_b, c.par_x), HYPRE_ERROR_ARG, solver,
                 "relax cannot be '5'");
  assert_hypre(HYPRE_ParCSROvkSetPrecondSpec(solver, "none"));
  assert_hypre(HYPRE_ParCSROvkSetMethod(solver, "pipelyned"));
  assert_flagged(HYPRE_ParCSROvkSetup(solver, c.par, c.par_b, c.par_x), HYPRE_ERROR_ARG, solver,
                 "did you mean 'pipelined'");
  assert_flagged(HYPRE_ParCSROvkSolve(solver, c.par, c.par_b, c.par_x), HYPRE_ERROR_ARG, solver,
                 "did you mean 'pipelined'");
  assert_hypre(HYPRE_ParCSROvkSetMethod(solver, "cg"));
  HYPRE_ParVector b_here = test_rank == test_size - 1 ? NULL : c.par_b;
  assert_flagged(HYPRE_ParCSROvkSetup(solver, c.par, b_here, c.par_x), HYPRE_ERROR_ARG, solver,
                 b_here ? "another rank" : "b is NULL");
  assert_hypre(HYPRE_ParCSROvkSetMaxIter(solver, 2));
  assert_hypre(HYPRE_ParCSROvkSetup(solver, c.par, c.par_b, c.par_x));
  assert_flagged(HYPRE_ParCSROvkSolve(solver, c.par, c.par_b, c.par_x), HYPRE_ERROR_CONV, solver,
                 "2 iterations");
  assert_int_equal(HYPRE_ParCSROvkSetTol(NULL, 1) & HYPRE_ERROR_ARG, HYPRE_ERROR_ARG);
  (void)HYPRE_ClearAllErrors();
}

TEST(a_programs_own_flags_are_left_alone)
{
  scoped_hypre_case c = hypre_case_open();
  scoped_ovk_solver solver = open_solver("jacobi");
  hypre_error(HYPRE_ERROR_CONV);
  hypre_error(HYPRE_ERROR_GENERIC);
  const HYPRE_Int before = HYPRE_GetError();
  scoped_precond *M = new_precond(c.A, "boomeramg");
  assert_ok(ovk_precond_apply(M, c.b, c.x, ovk_poll_none()));
  assert_int_equal(HYPRE_ParCSROvkSetup(solver, c.par, c.par_b, c.par_x), before);
  assert_int_equal(HYPRE_GetError(), before);
  (void)HYPRE_ClearAllErrors();
}

/* The check comes before any row is touched: the matrix has none. */
TEST(more_rows_on_a_rank_than_can_be_held_are_errors_on_all)
{
  if (sizeof(HYPRE_Int) < 8) skip();
  const HYPRE_BigInt most = INT32_MAX, size = most + test_size;
  HYPRE_BigInt rows[2] = {test_rank, is_last() ? size : test_rank + 1};
  HYPRE_ParCSRMatrix A = NULL;
  ovk_mat *copy = NULL;
  assert_hypre(HYPRE_ParCSRMatrixCreate(MPI_COMM_WORLD, size, size, rows, rows, 0, 0, 0, &A));
  const ovk_err err = ovk_hypre_mat_create(test_ctx(), A, "auto", &copy);
  const char *text =
      is_last() ? "this rank has 2147483648 rows, 2147483647 is the most" : "another rank";
  assert_int_equal(err, is_last() ? OVK_ERR_RANGE : OVK_ERR_ARG);
  assert_non_null(strstr(ovk_ctx_error(test_ctx()), text));
  assert_null(copy);
  assert_hypre(HYPRE_ParCSRMatrixDestroy(A));
}

TEST(the_matrix_has_the_functions_and_the_vectors_of_the_solver)
{
  scoped_hypre_case c = hypre_case_open();
  HYPRE_ParVector vectors[2] = {c.par_b, c.par_x};
  assert_hypre(HYPRE_ParVectorSetConstantValues(c.par_x, 3));
  scoped_ovk_solver solver = new_ovk_solver();
  assert_hypre(HYPRE_ParCSROvkSetPrecondSpec(solver, "jacobi"));
  assert_hypre(HYPRE_ParCSROvkSetNumFunctions(solver, 2));
  assert_hypre(HYPRE_ParCSROvkSetInterpVectors(solver, 2, vectors));
  vectors[0] = vectors[1] = NULL; /* the array is copied */
  assert_hypre(HYPRE_ParCSROvkSetup(solver, c.par, c.par_b, c.par_x));
  const ovk_mat *A = ((ovk__parcsr_solver *)solver)->A;
  assert_int_equal(ovk_mat_block_size(A), 2);
  assert_int_equal(ovk_mat_near_nullspace_size(A), 2);
  for (ovk_lidx i = 0; i < ovk_mat_local_size(A); i++) {
    assert_true(ovk_vec_array_const(ovk_mat_near_nullspace_vec(A, 0))[i] == ovk_vec_array(c.b)[i]);
    assert_true(ovk_vec_array_const(ovk_mat_near_nullspace_vec(A, 1))[i] == 3);
  }
}

TEST(bad_functions_and_vectors_are_flagged_on_all_ranks)
{
  scoped_hypre_case c = hypre_case_open();
  HYPRE_ParVector vectors[2] = {c.par_b, NULL};
  scoped_ovk_solver solver = new_ovk_solver();
  assert_flagged(HYPRE_ParCSROvkSetInterpVectors(solver, 2, vectors), HYPRE_ERROR_ARG, solver,
                 "vector 1 is NULL");
  assert_flagged(HYPRE_ParCSROvkSetInterpVectors(solver, -1, vectors), HYPRE_ERROR_ARG, solver,
                 "num_vectors is -1");
  vectors[1] = c.par_b;
  assert_hypre(HYPRE_ParCSROvkSetInterpVectors(solver, 2, vectors));
  assert_flagged(HYPRE_ParCSROvkSetup(solver, c.par, c.par_b, c.par_x), HYPRE_ERROR_ARG, solver,
                 "depends linearly on the vectors before it");
  if (test_size > 1) {
    assert_hypre(HYPRE_ParCSROvkSetInterpVectors(solver, is_last() ? 0 : 1, vectors));
    assert_flagged(HYPRE_ParCSROvkSetup(solver, c.par, c.par_b, c.par_x), HYPRE_ERROR_ARG, solver,
                   "ranks have 0 to 1 interpolation vectors");
  }
  assert_hypre(HYPRE_ParCSROvkSetInterpVectors(solver, 0, NULL));
  assert_hypre(HYPRE_ParCSROvkSetNumFunctions(solver, 0));
  assert_flagged(HYPRE_ParCSROvkSetup(solver, c.par, c.par_b, c.par_x), HYPRE_ERROR_ARG, solver,
                 "the block size is 0, but must be >= 1");
}

TEST_GROUP(open_hypre_and_register, close_hypre)
