/* SPDX-License-Identifier: BSD-2-Clause */
/* -ovk_take: KSPs of the types that a program names are of ovkrylov, and behave as those of PETSc.
 */
#include "named.h"

#include <petsc/private/vecimpl.h>

TEST(an_unknown_name_is_an_error_with_the_names)
{
  assert_refused(load("gmre"), PETSC_ERR_ARG_UNKNOWN_TYPE,
                 "-ovk_take: 'gmre' cannot be taken: all, or any of cg, groppcg");
}

TEST(a_type_named_in_code_runs_ours)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 20, false, MATAIJ);
  scoped_KSP ours = make_named(A, KSPCG, ""), petsc = make_named(A, "petsc-cg", "");
  PetscBool same;
  const PetscInt its = solved_in(ours, A), wanted = solved_in(petsc, A);
  assert_petsc(PetscObjectTypeCompare((PetscObject)ours, KSPCG, &same));
  assert_true(same);
  assert_taken(ours);
  assert_in_range(its, wanted - 1, wanted + 1);
}

TEST(a_cg_with_a_pc_that_varies_is_flexible)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 20, false, MATAIJ);
  scoped_KSP ksp = make_named(A, KSPCG, "-pc_type ksp -ksp_ksp_type petsc-cg -ksp_ksp_rtol 0.1");
  assert_true(solve_error(ksp, A) < 1e-6);
  assert_views(ksp, "method fcg");
}

TEST(who_asks_for_eigenvalues_gets_the_type_back)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 12, false, MATAIJ);
  scoped_KSP ksp = make_named(A, KSPGMRES, "");
  PetscInt restart;
  PetscReal most, least;
  PetscBool same;
  assert_petsc(KSPGMRESSetRestart(ksp, 70));
  assert_petsc(KSPSetComputeSingularValues(ksp, PETSC_TRUE));
  (void)solved_in(ksp, A);
  assert_petsc(KSPComputeExtremeSingularValues(ksp, &most, &least));
  assert_true(least > 0 && most > 10 * least);
  assert_petsc(KSPGMRESGetRestart(ksp, &restart));
  assert_int_equal((int)restart, 70);
  assert_petsc(PetscObjectTypeCompare((PetscObject)ksp, KSPGMRES, &same));
  assert_true(same);
}

TEST(estimators_of_multigrid_work)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 20, false, MATAIJ);
  scoped_KSP ours = make_named(A, KSPCG, "-pc_type gamg");
  scoped_KSP petsc = make_named(A, "petsc-cg", "-pc_type gamg");
  const PetscInt its = solved_in(ours, A), wanted = solved_in(petsc, A);
  assert_in_range(its, wanted - 1, wanted + 1);
}

TEST(a_type_that_is_taken_solves_with_the_transpose)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 9, false, MATAIJ);
  scoped_KSP ksp = make_named(A, KSPBCGS, "");
  (void)solved_in(ksp, A);
  assert_true(transpose_error(ksp, A) < 1e-6);
  assert_taken(ksp);
  (void)solved_in(ksp, A);
}

TEST(a_pc_on_both_sides_gets_the_type_back)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 9, false, MATAIJ);
  scoped_KSP ksp = make_named(A, KSPGMRES, "-ksp_pc_side symmetric");
  (void)solved_in(ksp, A);
  assert_views(ksp, "symmetric preconditioning");
  assert_views_without(ksp, "taken by ovk");
}

/* [A 0; 0 A] with vectors of two vectors. */
static Mat make_pair(Mat A)
{
  Mat pair, blocks[] = {A, NULL, NULL, A};
  assert_petsc(MatCreateNest(PETSC_COMM_WORLD, 2, NULL, 2, NULL, blocks, &pair));
  assert_petsc(MatNestSetVecType(pair, VECNEST));
  return pair;
}

/* A vector as those of SLEPc, whose entries are in several arrays. */
static void drop_array(Vec v)
{
  v->petscnative = PETSC_FALSE;
  v->ops->getarray = NULL;
  v->ops->getarrayread = NULL;
}

TEST(vectors_without_an_array_give_the_type_back)
{
  static const char *const some[] = {"cg", "fcg", "minres", "gmres", "fgmres", "bcgs", "bcgsl"};
  scoped_Mat block = make_laplace(PETSC_COMM_WORLD, 9, false, MATAIJ), A = make_pair(block);
  scoped_Vec b = NULL, x = NULL;
  assert_petsc(MatCreateVecs(A, &x, &b));
  assert_petsc(VecSet(b, 1));
  drop_array(b);
  drop_array(x);
  for (size_t k = 0; k < sizeof some / sizeof *some; k++) {
    scoped_KSP ksp = make_named(A, some[k], "-pc_type none");
    assert_petsc(KSPSolve(ksp, b, x));
    assert_true(reason_of(ksp) > 0);
    assert_true(norm_of_residual(A, b, x) < 1e-6);
    assert_views_without(ksp, "taken by ovk");
  }
}

static PetscErrorCode create_without_array(Mat A, Vec *right, Vec *left)
{
  Vec *const out[] = {right, left};
  PetscInt rows;
  PetscFunctionBegin;
  PetscCall(MatGetLocalSize(A, &rows, NULL));
  for (int k = 0; k < 2; k++) {
    if (!out[k]) continue;
    PetscCall(VecCreateMPI(PetscObjectComm((PetscObject)A), rows, PETSC_DETERMINE, out[k]));
    drop_array(*out[k]);
  }
  PetscFunctionReturn(0);
}

/* Work vectors that are created in the first solve may have fewer parts than those of a later one.
 */
TEST(the_setup_gives_the_type_back_if_vectors_of_A_have_no_array)
{
  scoped_Mat A = NULL;
  assert_petsc(MatCreateShell(PETSC_COMM_WORLD, 9, 9, PETSC_DETERMINE, PETSC_DETERMINE, NULL, &A));
  assert_petsc(MatShellSetOperation(A, MATOP_CREATE_VECS, (void (*)(void))create_without_array));
  assert_petsc(MatSetUp(A));
  scoped_KSP ksp = make_named(A, KSPBCGSL, "-pc_type none");
  assert_petsc(KSPSetUp(ksp));
  assert_views_without(ksp, "taken by ovk");
}

TEST(the_type_ovk_rejects_vectors_without_an_array)
{
  scoped_Mat block = make_laplace(PETSC_COMM_WORLD, 9, false, MATAIJ), A = make_pair(block);
  scoped_Vec b = NULL, x = NULL;
  scoped_KSP ksp = make_named(A, "ovk", "-pc_type none");
  assert_petsc(MatCreateVecs(A, &x, &b));
  assert_petsc(VecSet(b, 1));
  drop_array(b);
  assert_refused(KSPSolve(ksp, b, x), PETSC_ERR_SUP, "vectors of type 'nest' have no array");
}

TEST(solves_inside_of_others_are_taken)
{
  static const char *const inner[] = {
      "-pc_type bjacobi -sub_ksp_type preonly -sub_pc_type icc",
      "-pc_type bjacobi -sub_ksp_type cg -sub_ksp_rtol 1e-12 -sub_pc_type jacobi",
      "-pc_type ksp -ksp_ksp_type fcg -ksp_ksp_rtol 1e-12 -ksp_pc_type jacobi",
      ("-pc_type gamg -mg_coarse_ksp_type cg -mg_coarse_pc_type jacobi -mg_coarse_ksp_rtol 1e-12 "
       "-mg_levels_ksp_type gmres -mg_levels_ksp_max_it 2 -ksp_type fgmres")};
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 14, false, MATAIJ);
  for (int k = 0; k < 4; k++) {
    PetscInt its;
    char options[512];
    snprintf(options, sizeof options, "-ksp_type cg %s", inner[k]);
    assert_true(solve_once(A, options, &its) < 1e-6);
    assert_true(its > 0);
  }
}

TEST(monitors_guesses_and_tests_are_kept)
{
  PetscReal history[200];
  PetscInt n, its;
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 12, false, MATAIJ);
  scoped_KSP ksp = make_named(A, KSPCG, "");
  assert_petsc(KSPSetInitialGuessNonzero(ksp, PETSC_TRUE));
  assert_petsc(KSPSetResidualHistory(ksp, history, 200, PETSC_TRUE));
  its = solved_in(ksp, A);
  assert_petsc(KSPGetResidualHistory(ksp, NULL, &n));
  assert_int_equal((int)n, (int)its + 1);
  assert_true(history[n - 1] < history[0]);
}

TEST_GROUP(open_library, close_petsc)
