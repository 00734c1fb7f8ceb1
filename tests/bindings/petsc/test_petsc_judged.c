/* SPDX-License-Identifier: BSD-2-Clause */
/* The KSP type "ovk" takes the decisions of a KSP as the types of PETSc do: its convergence test,
 * errors if it has not converged, the solution that it returns. */
#include "support/petsc/petsc_problem.h"

enum { N = 12 };

/* A convergence test that ends a solve after `wanted` iterations, and its arguments then. */
typedef struct judge {
  PetscInt wanted, calls;
  PetscReal norm;
} judge;

static PetscErrorCode stop_after(KSP ksp, PetscInt iteration, PetscReal norm,
                                 KSPConvergedReason *reason, void *arg)
{
  judge *J = arg;
  *reason = iteration >= J->wanted ? KSP_CONVERGED_HAPPY_BREAKDOWN : KSP_CONVERGED_ITERATING;
  J->norm = norm;
  J->calls++;
  return 0;
}

/* The first: after an error PETSc takes each solve to be inside of another. */
TEST(an_inner_solve_that_runs_out_of_iterations_is_no_error)
{
  static const char *const inner[] = {"-ksp_ksp_max_it 4", "-ksp_ksp_rtol 1e-17 -ksp_ksp_atol 0"};
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  for (int k = 0; k < 2; k++) {
    char options[200] = "-ksp_type fgmres -pc_type ksp -ksp_ksp_type ovk -ksp_pc_type jacobi "
                        "-ksp_error_if_not_converged ";
    scoped_KSP ksp = make_ksp(A, strcat(options, inner[k]));
    assert_true(solve_error(ksp, A) < 1e-7);
    assert_int_equal((int)reason_of(ksp), (int)KSP_CONVERGED_RTOL);
  }
  scoped_KSP ksp = make_ksp(A, "-ksp_max_it 4 -ksp_error_if_not_converged");
  assert_solve_fails(ksp, A, PETSC_ERR_NOT_CONVERGED, "DIVERGED_ITS");
}

TEST(a_convergence_test_ends_it_with_the_x_that_it_judged)
{
  static const char *const options[] = {
      "-ksp_ovk_method cg",     "-ksp_ovk_method overlap",     "-ksp_ovk_method groppcg",
      "-ksp_ovk_method pipecg", "-ksp_ovk_method pipelcg:l=2", "-ksp_ovk_method pipeprcg",
      "-ksp_ovk_method minres", "-ksp_ovk_method bcgs",        "-ksp_ovk_method gmres:restart=3",
      "-ksp_ovk_method fgmres", "-ksp_ovk_method fcg"};
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
    for (PetscInt wanted = 0; wanted < 8; wanted += 5) {
      judge J = {.wanted = wanted};
      scoped_Vec b = NULL, x = NULL;
      PetscReal norm;
      scoped_KSP ksp = make_ksp(A, options[k]);
      PC pc;
      assert_petsc(KSPGetPC(ksp, &pc));
      assert_petsc(PCSetType(pc, PCJACOBI));
      assert_petsc(KSPSetNormType(ksp, KSP_NORM_UNPRECONDITIONED));
      assert_petsc(KSPSetPCSide(ksp, PC_RIGHT));
      assert_petsc(KSPSetConvergenceTest(ksp, stop_after, &J, NULL));
      solve_ones(ksp, A, &b, &x);
      assert_ended(ksp, KSP_CONVERGED_HAPPY_BREAKDOWN, wanted);
      assert_int_equal(J.calls, wanted + 1);
      assert_petsc(KSPGetResidualNorm(ksp, &norm));
      assert_true(norm == J.norm);
      assert_true(fabs(norm_of_residual(A, b, x) - J.norm) < 1e-10 * J.norm);
    }
  }
}

/* An exact PC leaves nothing to do before that. */
TEST(a_residual_of_rounding_errors_is_a_happy_breakdown_where_a_test_wants_more_iterations)
{
  static const char *const methods[] = {"cg", "pipecg", "gmres", "bcgs"};
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
    judge J = {.wanted = 50};
    char text[128];
    snprintf(text, sizeof text, "-pc_type redundant -redundant_pc_type lu -ksp_ovk_method %s",
             methods[k]);
    scoped_KSP ksp = make_ksp(A, text);
    assert_petsc(KSPSetConvergenceTest(ksp, stop_after, &J, NULL));
    assert_true(solve_error(ksp, A) < 1e-12);
    assert_int_equal((int)reason_of(ksp), (int)KSP_CONVERGED_HAPPY_BREAKDOWN);
    assert_true(iterations_of(ksp) < J.wanted);
  }
}

/* A residual of 0, without an iteration. */
TEST(a_convergence_test_is_asked_about_a_zero_right_hand_side)
{
  judge J = {.wanted = 0};
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  scoped_KSP ksp = make_ksp(A, "-pc_type jacobi");
  scoped_Vec b = NULL, x = NULL;
  assert_petsc(KSPSetConvergenceTest(ksp, stop_after, &J, NULL));
  assert_petsc(MatCreateVecs(A, &x, &b));
  assert_petsc(KSPSolve(ksp, b, x));
  assert_int_equal(J.calls, 1);
  assert_true(J.norm == 0);
}

TEST(a_default_test_without_its_context_fails_in_the_words_of_petsc)
{
  static const char *const types[] = {"-ksp_type cg", "-ksp_type ovk"};
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  for (int k = 0; k < 2; k++) {
    scoped_KSP ksp = make_ksp(A, types[k]);
    assert_petsc(KSPSetConvergenceTest(ksp, KSPConvergedDefault, NULL, NULL));
    assert_solve_fails(ksp, A, PETSC_ERR_ARG_NULL, "KSPConvergedDefaultCreate");
  }
}

/* The others decide alone, at once. */
TEST(a_monitor_may_fail_where_the_convergence_test_ends_it)
{
  static const char *const methods[] = {"-ksp_ovk_method cg", "-ksp_ovk_method pipelcg:l=3"};
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  for (PetscInt wanted = 3; wanted < 6; wanted++) {
    for (int k = 0; k < 2; k++) {
      judge J = {.wanted = wanted};
      scoped_KSP ksp = make_ksp(A, methods[k]);
      assert_petsc(KSPSetConvergenceTest(ksp, stop_after, &J, NULL));
      assert_petsc(KSPMonitorSet(ksp, fail_on_last_rank, NULL, NULL));
      assert_solve_fails(ksp, A, PETSC_ERR_USER, NULL);
    }
  }
}

TEST(the_solution_is_handed_out_for_each_side_of_the_pc)
{
  static const char *const sides[] = {"-pc_type jacobi -ksp_pc_side left",
                                      "-pc_type jacobi -ksp_pc_side right"};
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  for (int k = 0; k < 2; k++) {
    scoped_Vec b = NULL, x = NULL, copy = NULL, r = NULL;
    Vec out;
    PetscReal norm;
    PetscBool same;
    scoped_KSP ksp = make_ksp(A, sides[k]);
    solve_ones(ksp, A, &b, &x);
    assert_petsc(VecDuplicate(x, &copy));
    assert_petsc(KSPBuildSolution(ksp, copy, NULL));
    assert_petsc(VecEqual(copy, x, &same));
    assert_true(same);
    assert_petsc(KSPBuildSolution(ksp, NULL, &out));
    assert_petsc(VecEqual(out, x, &same));
    assert_true(same);
    assert_petsc(KSPBuildResidual(ksp, NULL, NULL, &r));
    assert_petsc(VecNorm(r, NORM_2, &norm));
    assert_true(norm < 1e-8);
  }
}

/* gmres of PETSc minimizes ||L^-1 r||, and so does minres. */
TEST(a_pc_on_both_sides_is_tested_in_the_norm_of_petsc)
{
  static const char *const pcs[] = {"-pc_type jacobi", "-pc_type bjacobi -sub_pc_type icc"};
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  for (int k = 0; k < 2; k++) {
    char options[2][200];
    PetscInt its, wanted;
    const char *types[] = {"gmres -ksp_gmres_restart 100", "ovk -ksp_ovk_method minres"};
    for (int t = 0; t < 2; t++) {
      snprintf(options[t], sizeof *options, "-ksp_type %s -ksp_pc_side symmetric -ksp_rtol 1e-8 %s",
               types[t], pcs[k]);
    }
    assert_true(solve_once(A, options[0], &wanted) < 1e-6);
    assert_true(solve_once(A, options[1], &its) < 1e-6);
    assert_in_range(its, wanted - 1, wanted + 1);
  }
}

/* A guess that is right to the last bit, and one iteration that leaves nothing. */
TEST(a_residual_below_the_absolute_tolerance_is_called_so)
{
  static const char *const types[] = {"-ksp_type cg", "-ksp_type ovk"};
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 1, false, MATAIJ); /* one row */
  for (int k = 0; k < 2; k++) {
    scoped_Vec b = NULL, x = NULL;
    scoped_KSP ksp = make_ksp(A, types[k]);
    solve_ones(ksp, A, &b, &x);
    assert_ended(ksp, KSP_CONVERGED_ATOL, 1);
  }
}

/* Programs switch a tolerance off by -1. */
TEST(a_negative_tolerance_is_never_met)
{
  static const char *const types[] = {"-ksp_type cg -ksp_atol -1", "-ksp_type ovk -ksp_atol -1",
                                      "-ksp_type ovk -ksp_atol 1e-3 -ksp_rtol -1"};
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 12, false, MATAIJ);
  for (int k = 0; k < 3; k++) {
    scoped_KSP ksp = make_ksp(A, types[k]);
    (void)solve_error(ksp, A);
    assert_int_equal(reason_of(ksp), k < 2 ? KSP_CONVERGED_RTOL : KSP_CONVERGED_ATOL);
  }
}

/* The text of -help. */
static char help[1 << 17];

static PetscErrorCode keep_help(MPI_Comm comm, const char format[], ...)
{
  va_list args;
  char line[1024];
  va_start(args, format);
  (void)vsnprintf(line, sizeof line, format, args);
  va_end(args);
  assert_true(strlen(help) + strlen(line) < sizeof help);
  strcat(help, line);
  return 0;
}

TEST(help_lists_methods_backends_formats_and_preconditioners_with_their_keys)
{
  static const char *const names[] = {"-ksp_ovk_method takes",
                                      " pipeprcg",
                                      " pgmres",
                                      "-ksp_ovk_backend takes",
                                      " iallreduce",
                                      " sell",
                                      " ssor",
                                      "gmres:restart <integer, 1 to 1000; default 30>",
                                      "ssor:omega <number, "};
  PetscErrorCode (*before)(MPI_Comm, const char[], ...) = PetscHelpPrintf;
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  scoped_KSP ksp = make_ksp(A, "");
  push_options("-ksp_type ovk", "-help");
  PetscHelpPrintf = keep_help;
  help[0] = '\0';
  assert_petsc(KSPSetFromOptions(ksp));
  PetscHelpPrintf = before;
  pop_options();
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    if (!strstr(help, names[k])) fail_msg("\"%s\" should contain \"%s\"", help, names[k]);
  }
}

TEST_GROUP(open_petsc, close_petsc)
