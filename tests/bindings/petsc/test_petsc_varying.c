/* SPDX-License-Identifier: BSD-2-Clause */
/* PCs that are another operator in each application, as Krylov methods are inside of them. */
#include "support/petsc/petsc_problem.h"

enum { N = 12 };

static const char *const varying[] = {
    "-pc_type ksp -ksp_ksp_type gmres -ksp_ksp_max_it 4",
    "-pc_type ksp -ksp_ksp_type richardson -ksp_ksp_rtol 0.1 -ksp_pc_type bjacobi",
    "-pc_type ksp -ksp_ksp_type richardson -ksp_ksp_max_it 3 -ksp_ksp_convergence_test skip "
    "-ksp_ksp_richardson_self_scale -ksp_pc_type jacobi",
    "-pc_type ksp -ksp_ksp_type preonly -ksp_pc_type ksp -ksp_ksp_ksp_type cg -ksp_ksp_ksp_rtol "
    "0.1",
    "-pc_type bjacobi -pc_bjacobi_blocks 6 -sub_ksp_type cg -sub_ksp_rtol 0.1",
    "-pc_type asm -pc_asm_blocks 6 -sub_ksp_type gmres -sub_ksp_rtol 0.1",
    "-pc_type redundant -redundant_ksp_type cg -redundant_ksp_rtol 0.1 -redundant_pc_type none",
    "-pc_type telescope -pc_telescope_reduction_factor 1 -telescope_ksp_type cg "
    "-telescope_ksp_rtol 0.1",
    "-pc_type composite -pc_composite_pcs jacobi,ksp -sub_1_ksp_ksp_type cg -sub_1_ksp_ksp_rtol "
    "0.1",
    "-pc_type fieldsplit -pc_fieldsplit_type additive "
    "-fieldsplit_1_ksp_type cg -fieldsplit_1_ksp_rtol 0.1",
    "-pc_type fieldsplit -pc_fieldsplit_type schur "
    "-fieldsplit_0_ksp_type preonly -fieldsplit_1_ksp_type gmres -fieldsplit_1_ksp_max_it 3",
    "-pc_type gamg -pc_gamg_coarse_eq_limit 20 -mg_levels_ksp_type gmres -mg_levels_ksp_max_it 2",
    "-pc_type gasm -pc_gasm_total_subdomains 6 -sub_ksp_type gmres -sub_ksp_max_it 2",
};

static const char *const fixed[] = {
    "-pc_type ksp -ksp_ksp_type preonly",
    "-pc_type ksp -ksp_ksp_type richardson -ksp_ksp_max_it 3 -ksp_ksp_convergence_test skip",
    "-pc_type bjacobi -pc_bjacobi_blocks 6",
    "-pc_type gamg -pc_gamg_coarse_eq_limit 20",
};
enum { VARYING = sizeof varying / sizeof *varying, FIXED = sizeof fixed / sizeof *fixed };

/* Solves with `ovk` and these options; *norm is the one that is tested. Returns the error of x. */
static double error_with(Mat A, const char *options, const char *more, KSPNormType *norm)
{
  char text[512];
  snprintf(text, sizeof text, "-ksp_type ovk -ksp_rtol 1e-10 -ksp_max_it 200 %s %s", options, more);
  scoped_KSP ksp = make_ksp(A, text);
  const double error = solve_error(ksp, A);
  const KSPConvergedReason reason = reason_of(ksp);
  if (reason <= 0) fail_msg("reason %d with %s", (int)reason, text);
  assert_petsc(KSPGetNormType(ksp, norm));
  return error;
}

/* It tests the unpreconditioned residual. GASM on one rank only: on more ranks gmres of PETSc, too,
 * gets another x with it. */
TEST(auto_takes_a_flexible_method_for_a_pc_that_varies)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  assert_petsc(MatSetBlockSize(A, 2)); /* for fieldsplit */
  for (int k = 0; k < VARYING - (test_size > 1); k++) {
    KSPNormType norm;
    const double error = error_with(A, varying[k], "", &norm);
    if (norm != KSP_NORM_UNPRECONDITIONED || error > 1e-7) {
      fail_msg("norm %d, error %g with %s", (int)norm, error, varying[k]);
    }
  }
}

TEST(a_pc_that_does_not_vary_keeps_the_preconditioned_norm)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  for (int k = 0; k < FIXED; k++) {
    KSPNormType norm;
    const double error = error_with(A, fixed[k], "", &norm);
    if (norm != KSP_NORM_PRECONDITIONED || error > 1e-7) {
      fail_msg("norm %d, error %g with %s", (int)norm, error, fixed[k]);
    }
  }
}

/* Options of a fieldsplit PC without inner iterations, the method that `auto` has for it, and one
 * that it has not. */
static const struct {
  const char *factors;
  bool saddle, symmetric;
} schur[] = {{"full", false, true},   {"full -pc_fieldsplit_schur_precondition a11", false, true},
             {"diag", false, false},  {"lower", false, false},
             {"upper", false, false}, {"full", true, false},
             {"lower", true, false}};

/* A Laplacian of two unknowns a point; the second of `saddle` has the other sign. */
static Mat make_two_fields(bool saddle)
{
  Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  FOR_EACH_ROW(A, i)
  {
    if (saddle && i % 2) set_value(A, i, i, -4);
  }
  assemble(A);
  assert_petsc(MatSetBlockSize(A, 2));
  return A;
}

/* "diag" negates the complement, so it is not definite here. */
TEST(the_factors_of_a_schur_complement_are_tried)
{
  for (size_t k = 0; k < sizeof schur / sizeof *schur; k++) {
    char text[512];
    KSPNormType norm;
    scoped_Mat A = make_two_fields(schur[k].saddle);
    snprintf(text, sizeof text,
             "-pc_type fieldsplit -pc_fieldsplit_type schur -fieldsplit_ksp_type preonly "
             "-fieldsplit_0_ksp_type preonly -fieldsplit_1_ksp_type preonly "
             "-fieldsplit_0_pc_type jacobi -fieldsplit_1_pc_type jacobi "
             "-pc_fieldsplit_schur_precondition selfp -pc_fieldsplit_schur_fact_type %s",
             schur[k].factors);
    scoped_KSP ksp = make_ksp(A, text);
    for (int solve = 0; solve < 2; solve++) {
      if (!(solve_error(ksp, A) < 1e-5)) fail_msg("wrong with %s", text);
      assert_petsc(KSPGetNormType(ksp, &norm));
      assert_int_equal(norm, KSP_NORM_PRECONDITIONED);
      (schur[k].symmetric ? assert_views_without
                          : assert_views)(ksp, "the PC is not symmetric, whatever A is");
      assert_petsc(MatScale(A, 2)); /* is tried again */
    }
  }
}

/* The inner solve is exact up to 1e-12. */
TEST(a_norm_that_is_asked_for_is_tested_also_with_a_pc_that_varies)
{
  static const char *const exact = "-pc_type ksp -ksp_ksp_type cg -ksp_ksp_rtol 1e-12";
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  KSPNormType norm;
  assert_true(error_with(A, exact, "-ksp_norm_type preconditioned", &norm) < 1e-7);
  assert_int_equal(norm, KSP_NORM_PRECONDITIONED);
}

/* The PC changes between two solves of the same KSP, and its norm with it. */
TEST(the_method_follows_the_pc)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  scoped_KSP ksp = make_ksp(A, "-ksp_type ovk -ksp_rtol 1e-10 -pc_type ksp -ksp_ksp_max_it 4");
  KSP inner;
  const KSPNormType wanted[] = {KSP_NORM_UNPRECONDITIONED, KSP_NORM_PRECONDITIONED,
                                KSP_NORM_UNPRECONDITIONED};
  PC pc;
  assert_petsc(KSPGetPC(ksp, &pc));
  assert_petsc(PCKSPGetKSP(pc, &inner));
  for (int k = 0; k < 3; k++) {
    KSPNormType norm;
    assert_petsc(KSPSetType(inner, k == 1 ? KSPPREONLY : KSPGMRES));
    assert_true(solve_error(ksp, A) < 1e-7);
    assert_petsc(KSPGetNormType(ksp, &norm));
    assert_int_equal(norm, wanted[k]);
  }
}

/* They precondition from the right, so they have no preconditioned norm. */
TEST(methods_of_the_right_side_have_its_norm_by_default)
{
  static const char *const names[] = {"fgmres",           "flexgmres",
                                      "pipebcgs",         "pipelined-bicgstab",
                                      "gmres:side=right", "bcgs:side=right"};
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    char method[60];
    KSPNormType norm;
    snprintf(method, sizeof method, "-ksp_ovk_method %s", names[k]);
    assert_true(error_with(A, "-pc_type jacobi", method, &norm) < 1e-7);
    assert_int_equal(norm, KSP_NORM_UNPRECONDITIONED);
  }
}

TEST_GROUP(open_petsc, close_petsc)
