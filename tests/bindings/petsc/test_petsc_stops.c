/* SPDX-License-Identifier: BSD-2-Clause */
/* How solves of the KSP type "ovk" end: monitors, convergence tests, reasons, errors on one rank.
 */
#include "support/petsc/petsc_problem.h"

enum { N = 12, MOST = 200 };

/* The arguments of a monitor. */
typedef struct history {
  PetscInt count;
  double norm[MOST], true_norm[MOST];
} history;

static PetscErrorCode record(KSP ksp, PetscInt iteration, PetscReal norm, void *arg)
{
  history *h = arg;
  Vec r;
  PetscReal true_norm;
  PetscFunctionBegin;
  PetscCheck(iteration == h->count && iteration < MOST, PETSC_COMM_SELF, PETSC_ERR_USER, "skipped");
  PetscCall(KSPBuildResidual(ksp, NULL, NULL, &r));
  PetscCall(VecNorm(r, NORM_2, &true_norm));
  PetscCall(VecDestroy(&r));
  h->norm[iteration] = norm;
  h->true_norm[iteration] = true_norm;
  h->count++;
  PetscFunctionReturn(0);
}

TEST(monitors_see_every_iteration_and_its_solution)
{
  static const char *const options[] = {
      "-pc_type jacobi -ksp_ovk_method cg", "-pc_type jacobi -ksp_ovk_method overlap",
      "-pc_type bjacobi -ksp_ovk_method pipelcg:l=2", "-pc_type bjacobi -ksp_ovk_method pipecg"};
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  for (int k = 0; k < 4; k++) {
    history h = {0};
    scoped_KSP ksp = make_ksp(A, options[k]);
    assert_petsc(KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED));
    assert_petsc(KSPMonitorSet(ksp, record, &h, NULL));
    (void)solve_error(ksp, A);
    const PetscInt iterations = iterations_of(ksp);
    assert_int_equal(h.count, iterations + 1);
    for (PetscInt i = 0; i < h.count; i++) {
      assert_true(fabs(h.norm[i] - h.true_norm[i]) < 1e-6 * h.norm[0]);
    }
    assert_true(h.norm[iterations] <= 1e-10 * h.norm[0]);
  }
}

static void assert_ends(Mat A, const char *options, KSPConvergedReason reason, PetscInt iterations)
{
  scoped_KSP ksp = make_ksp(A, options);
  (void)solve_error(ksp, A);
  assert_ended(ksp, reason, iterations);
}

/* Which it would not apply to b = 0. */
TEST(a_pc_whose_setup_failed_is_told_for_a_zero_right_hand_side)
{
  scoped_Mat A = NULL;
  scoped_Vec b = NULL, x = NULL;
  assert_petsc(
      MatCreateAIJ(PETSC_COMM_WORLD, 2, 2, PETSC_DETERMINE, PETSC_DETERMINE, 1, NULL, 0, NULL, &A));
  FOR_EACH_ROW(A, i) set_value(A, i, i, is_last() && i % 2 ? 0 : 2);
  assemble(A);
  assert_petsc(MatCreateVecs(A, &x, &b));
  scoped_KSP ksp = make_ksp(A, "-pc_type bjacobi -ksp_ovk_method gmres");
  assert_petsc(KSPSolve(ksp, b, x));
  assert_int_equal((int)reason_of(ksp), (int)KSP_DIVERGED_PC_FAILED);
}

TEST(reasons_are_those_of_petsc)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  assert_ends(A, "-pc_type jacobi -ksp_max_it 4", KSP_DIVERGED_ITS, 4);
  assert_ends(A, "-pc_type jacobi -ksp_max_it 4 -ksp_convergence_test skip", KSP_CONVERGED_ITS, 4);
  assert_ends(A, "-pc_type jacobi -ksp_max_it 4 -ksp_norm_type none", KSP_DIVERGED_ITS, 4);
#if PETSC_VERSION_LT(3, 22, 0) /* which takes it for no limit */
  assert_ends(A, "-pc_type jacobi -ksp_max_it -3", KSP_DIVERGED_ITS, 0);
#endif
  assert_petsc(MatScale(A, -1));
  assert_ends(A, "-pc_type none -ksp_ovk_method cg", KSP_DIVERGED_INDEFINITE_MAT, 0);
}

#if PETSC_VERSION_LT(3, 22, 0) /* which refuses these tolerances as options */
/* Those of a solve with b = (1, ..., 1) from x = 0 and from x = (2, ..., 2). */
static void end_of(Mat A, const char *type, const char *options, KSPConvergedReason reasons[2],
                   PetscInt iterations[2])
{
  scoped_KSP ksp = make_ksp(A, options);
  scoped_Vec x = NULL, b = NULL;
  assert_petsc(KSPSetType(ksp, type));
  assert_petsc(MatCreateVecs(A, &x, &b));
  assert_petsc(VecSet(b, 1));
  for (int k = 0; k < 2; k++) {
    assert_petsc(VecSet(x, 2.0 * k));
    assert_petsc(KSPSetInitialGuessNonzero(ksp, k ? PETSC_TRUE : PETSC_FALSE));
    assert_petsc(KSPSolve(ksp, b, x));
    reasons[k] = reason_of(ksp);
    iterations[k] = iterations_of(ksp);
  }
}

/* An exact PC leaves nothing to do before the test. */
TEST(a_solve_that_ends_before_its_first_test_is_tested_at_its_end)
{
  static const char *const methods[] = {"cg", "minres", "gmres", "fgmres", "bcgs"};
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
    char text[128];
    snprintf(text, sizeof text,
             "-pc_type redundant -redundant_pc_type lu -ksp_check_norm_iteration 5 "
             "-ksp_ovk_method %s",
             methods[k]);
    scoped_KSP ksp = make_ksp(A, text);
    assert_true(solve_error(ksp, A) < 1e-10);
    assert_true(reason_of(ksp) > 0);
  }
}

/* Where they leave nothing to do. */
TEST(tolerances_that_ovkrylov_refuses_end_a_solve_as_in_petsc)
{
  static const char *const options[] = {"-ksp_rtol 1",   "-ksp_rtol 3",
                                        "-ksp_divtol 1", "-ksp_divtol 0",
                                        "-ksp_atol inf", "-ksp_divtol 0.5 -ksp_rtol 1",
                                        "-ksp_divtol -2"};
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
    KSPConvergedReason ours[2], theirs[2];
    PetscInt iterations[2], their_iterations[2];
    char text[128];
    snprintf(text, sizeof text, "-pc_type jacobi -ksp_max_it 300 %s", options[k]);
    end_of(A, KSPCG, text, theirs, their_iterations);
    end_of(A, "ovk", text, ours, iterations);
    for (int guess = 0; guess < 2; guess++) {
      if (ours[guess] != theirs[guess] || iterations[guess] != their_iterations[guess]) {
        fail_msg("%s, guess %d: %d after %d, PETSc %d after %d", options[k], guess, ours[guess],
                 (int)iterations[guess], theirs[guess], (int)their_iterations[guess]);
      }
    }
  }
}
#endif

TEST(an_initial_guess_is_used)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  scoped_KSP ksp = make_ksp(A, "-pc_type jacobi");
  scoped_Vec x = NULL, b = NULL;
  assert_petsc(MatCreateVecs(A, &x, &b));
  assert_petsc(VecSet(x, 3));
  assert_petsc(MatMult(A, x, b));
  assert_petsc(KSPSetInitialGuessNonzero(ksp, PETSC_TRUE));
  assert_petsc(KSPSolve(ksp, b, x));
  assert_int_equal(iterations_of(ksp), 0);
}

static PetscErrorCode broken(PC pc, Vec x, Vec y)
{
  PetscFunctionBegin;
  PetscCheck(test_rank < test_size - 1, PETSC_COMM_SELF, PETSC_ERR_USER, "this PC is broken");
  PetscCall(VecCopy(x, y));
  PetscFunctionReturn(0);
}

TEST(a_failing_pc_fails_on_all_ranks_with_both_texts)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  scoped_KSP ksp = make_ksp(A, "-pc_type shell -ksp_ovk_method cg");
  PC pc;
  assert_petsc(KSPGetPC(ksp, &pc));
  assert_petsc(PCShellSetApply(pc, broken));
  assert_solve_fails(ksp, A, PETSC_ERR_LIB, "ovkrylov: a user's function failed: PETSc's PCApply");
  assert_solve_fails(ksp, A, PETSC_ERR_LIB, "this PC is broken");
  assert_petsc(KSPDestroy(&ksp)); /* PETSc does not use it after an error */
  ksp = make_ksp(A, "-pc_type jacobi");
  assert_true(solve_error(ksp, A) < 1e-7);
}

TEST(a_failing_monitor_fails_on_all_ranks)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  scoped_KSP ksp = make_ksp(A, "-pc_type jacobi");
  assert_petsc(KSPMonitorSet(ksp, fail_on_last_rank, NULL, NULL));
  assert_solve_fails(ksp, A, PETSC_ERR_USER, NULL);
}

static PetscErrorCode fail_at_end(KSP ksp, PetscInt iteration, PetscReal norm, void *end)
{
  return iteration == *(PetscInt *)end && is_last() ? PETSC_ERR_USER : 0;
}

TEST(a_monitor_that_fails_in_the_last_iteration_fails_on_all_ranks)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  scoped_KSP ksp = make_ksp(A, "-pc_type jacobi -ksp_ovk_method cg");
  (void)solve_error(ksp, A);
  PetscInt end = iterations_of(ksp);
  assert_petsc(KSPMonitorSet(ksp, fail_at_end, &end, NULL));
  assert_solve_fails(ksp, A, PETSC_ERR_USER, NULL);
}

TEST(bad_options_are_named)
{
  static const struct {
    const char *options, *part;
    PetscErrorCode code;
  } bad[] = {
      {"-ksp_ovk_method groppp", "did you mean 'gropp'?", PETSC_ERR_ARG_UNKNOWN_TYPE},
      {"-ksp_ovk_backend mail", "unknown backend 'mail'", PETSC_ERR_ARG_UNKNOWN_TYPE},
      {"-ksp_ovk_exact sum", "must be 'off', 'sums' or 'all'", PETSC_ERR_ARG_WRONG},
      {"-ksp_ovk_format csrr", "did you mean 'csr'?", PETSC_ERR_ARG_UNKNOWN_TYPE},
      {"-ksp_ovk_pc boomeramg", "libovkhypre", PETSC_ERR_ARG_UNKNOWN_TYPE},
      {"-ksp_ovk_method overlap -pc_type gamg", "'gamg' has no factors", PETSC_ERR_SUP},
  };
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    scoped_KSP ksp = make_ksp(A, bad[k].options);
    assert_solve_fails(ksp, A, bad[k].code, bad[k].part);
  }
}

TEST(options_that_differ_between_ranks_are_errors_on_all)
{
  static const char *const options[][2] = {
      {"-ksp_ovk_format shell", "-ksp_ovk_format csr"},
      {"-ksp_ovk_method groppcg", "-ksp_ovk_method pipecg"},
      {"-ksp_ovk_pc ic", "-ksp_ovk_pc jacobi"},
      {"-ksp_rtol 1e-3", "-ksp_rtol 1e-4"},
  };
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  double error;
  for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
    scoped_KSP ksp = make_ksp(A, options[k][is_last()]);
    assert_petsc(PetscPushErrorHandler(PetscIgnoreErrorHandler, NULL));
    const PetscErrorCode code = try_solve(ksp, A, &error);
    assert_petsc(PetscPopErrorHandler());
    if ((code != 0) != (test_size > 1)) fail_msg("%s: %d", options[k][0], (int)code);
  }
}

TEST(a_null_space_of_a_regular_matrix_is_refused)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  scoped_KSP ksp = make_ksp(A, "-pc_type jacobi");
  set_constant_nullspace(A);
  assert_solve_fails(ksp, A, PETSC_ERR_ARG_WRONG, "null");
}

static PetscErrorCode remove_nothing(MatNullSpace space, Vec v, void *arg)
{
  return 0;
}

TEST(what_is_not_supported_says_so)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, true, MATAIJ);
  scoped_KSP ic = make_ksp(A, "-ksp_ovk_pc ic"), ksp = make_ksp(A, "-pc_type jacobi"),
             singular = make_ksp(A, "-pc_type jacobi");
  scoped_MatNullSpace space = NULL;
  scoped_Vec b = NULL, x = NULL;
  PetscReal real, imaginary;
  PetscInt found = 1;
  assert_petsc(MatCreateVecs(A, &x, &b));
  assert_refused(KSPSolveTranspose(ic, b, x), PETSC_ERR_SUP, NULL);
  assert_petsc(KSPSetComputeEigenvalues(ksp, PETSC_TRUE));
  assert_petsc(KSPSetComputeRitz(ksp, PETSC_TRUE));
  (void)solve_error(ksp, A); /* only asking for them is refused */
  assert_refused(KSPComputeEigenvalues(ksp, 1, &real, &imaginary, &found), PETSC_ERR_SUP, NULL);
  assert_refused(KSPComputeExtremeSingularValues(ksp, &real, &imaginary), PETSC_ERR_SUP, NULL);
  assert_refused(KSPComputeRitz(ksp, PETSC_TRUE, PETSC_TRUE, &found, &x, &real, &imaginary),
                 PETSC_ERR_SUP, NULL);
  assert_petsc(MatNullSpaceCreate(PETSC_COMM_WORLD, PETSC_FALSE, 0, NULL, &space));
  assert_petsc(MatNullSpaceSetFunction(space, remove_nothing, NULL));
  assert_petsc(MatSetNullSpace(A, space));
  assert_solve_fails(singular, A, PETSC_ERR_SUP, "MatNullSpaceSetFunction() has none");
}

/* The check comes before any row or entry is touched: the vectors have no arrays. */
TEST(more_rows_on_a_rank_than_can_be_held_are_errors_on_all)
{
  if (sizeof(PetscInt) < 8) skip();
  const PetscInt rows = (PetscInt)(is_last() ? (int64_t)INT32_MAX + 1 : 1);
  scoped_Mat A = NULL;
  scoped_Vec b = NULL, x = NULL;
  assert_petsc(
      MatCreateShell(PETSC_COMM_WORLD, rows, rows, PETSC_DETERMINE, PETSC_DETERMINE, NULL, &A));
  scoped_KSP ksp = make_ksp(A, "-pc_type none");
  assert_petsc(KSPSetInitialGuessNonzero(ksp, PETSC_TRUE));
  assert_petsc(VecCreateMPIWithArray(PETSC_COMM_WORLD, 1, rows, PETSC_DETERMINE, NULL, &b));
  assert_petsc(VecCreateMPIWithArray(PETSC_COMM_WORLD, 1, rows, PETSC_DETERMINE, NULL, &x));
  assert_refused(KSPSolve(ksp, b, x), PETSC_ERR_ARG_OUTOFRANGE,
                 "more than 2^31 - 1 rows on a rank");
}

TEST_GROUP(open_petsc, close_petsc)
