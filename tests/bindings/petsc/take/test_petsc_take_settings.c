/* SPDX-License-Identifier: BSD-2-Clause */
/* -ovk_take: the settings of the types that are taken have an effect, or are refused. */
#include "named.h"

/* Solves with these options, which the view has in these words. */
static void assert_solved_by(Mat A, const char *options, const char *words)
{
  scoped_KSP ksp = make_ksp(A, options);
  assert_true(solve_error(ksp, A) < 1e-6);
  assert_views(ksp, words);
}

TEST(a_restart_is_taken_over)
{
  PetscInt restart;
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 12, false, MATAIJ);
  scoped_KSP ksp = make_named(A, KSPGMRES, "");
  assert_petsc(KSPGMRESSetRestart(ksp, 90));
  const PetscInt few = solved_in(ksp, A);
  assert_petsc(KSPGMRESSetRestart(ksp, 5));
  assert_petsc(KSPGMRESGetRestart(ksp, &restart));
  assert_int_equal((int)restart, 5);
  assert_true(solved_in(ksp, A) > few);
  assert_views(ksp, "restart=5");
  assert_solved_by(A, "-ksp_type fgmres -ksp_gmres_restart 7", "fgmres:restart=7");
  assert_solved_by(A, "-ksp_type gmres -ksp_gmres_modifiedgramschmidt", "ortho=mgs");
}

/* "fcg" and "pipefcg" keep as many directions as those of PETSc, with either type of truncation. */
TEST(the_directions_of_flexible_cg_are_taken_over)
{
  static const struct {
    const char *options, *method;
  } cases[] = {
      {"-ksp_type fcg", "method fcg:m=30"},
      {"-ksp_type fcg -ksp_fcg_mmax 7 -ksp_fcg_nprealloc 3", "method fcg:m=7"},
      {"-ksp_type fcg -ksp_fcg_mmax 8 -ksp_fcg_truncation_type STANDARD", "method fcg:m=8"},
      {"-ksp_type pipefcg", "method pipefcg:m=15"},
      {"-ksp_type pipefcg -ksp_pipefcg_mmax 4", "method pipefcg:m=4"},
  };
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 12, false, MATAIJ);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    assert_solved_by(A, cases[k].options, cases[k].method);
  }
  scoped_KSP named = make_named(A, KSPFCG, "");
  assert_petsc(KSPFCGSetMmax(named, 3));
  (void)solved_in(named, A);
  assert_views(named, "method fcg:m=3");
}

/* With the number of directions that the program has set. */
TEST(flexible_cg_with_more_directions_than_ours_keeps_gets_the_type_back)
{
  PetscInt directions;
  KSPFCDTruncationType truncation;
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 12, false, MATAIJ);
  scoped_KSP ksp = make_named(A, KSPFCG, "");
  assert_petsc(KSPFCGSetMmax(ksp, 101));
  assert_petsc(KSPFCGSetTruncationType(ksp, KSP_FCD_TRUNC_TYPE_STANDARD));
  (void)solved_in(ksp, A);
  assert_views_without(ksp, "taken by ovk");
  assert_petsc(KSPFCGGetMmax(ksp, &directions));
  assert_petsc(KSPFCGGetTruncationType(ksp, &truncation));
  assert_int_equal((int)directions, 101);
  assert_int_equal((int)truncation, (int)KSP_FCD_TRUNC_TYPE_STANDARD);
}

/* With a PC that varies much, one direction does not suffice. */
TEST(flexible_cg_takes_no_more_iterations_than_that_of_petsc)
{
  static const char *const options =
      "-pc_type ksp -ksp_ksp_type petsc-gmres -ksp_ksp_max_it 3 -ksp_pc_type none";
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 20, false, MATAIJ);
  scoped_KSP ours = make_named(A, KSPFCG, options), petsc = make_named(A, "petsc-fcg", options);
  const PetscInt its = solved_in(ours, A), wanted = solved_in(petsc, A);
  if (its > wanted + 1) fail_msg("%d iterations, PETSc: %d", (int)its, (int)wanted);
}

TEST(the_length_of_a_pipeline_is_taken_over)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 12, false, MATAIJ);
  assert_solved_by(A, "-ksp_type pipelcg -ksp_pipelcg_pipel 1", "method pipelcg:l=1");
  assert_solved_by(A, "-ksp_type pipelcg -ksp_pipelcg_pipel 9", "method pipelcg:l=5");
}

/* Without augmentation and deflation, whose settings do no harm. */
TEST(types_without_a_method_of_their_own_get_the_nearest)
{
  static const char *const types[] = {KSPLGMRES, KSPDGMRES, KSPBCGSL};
  static const char *const methods[] = {"method gmres:restart=9", "method gmres:restart=9",
                                        "method bcgs"};
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 12, false, MATAIJ);
  for (int k = 0; k < 3; k++) {
    scoped_KSP ksp = make_named(A, types[k], "-ksp_dgmres_eigen 2");
    assert_petsc(KSPGMRESSetRestart(ksp, 9));
    assert_petsc(KSPLGMRESSetAugDim(ksp, 3));
    if (k == 2) assert_petsc(KSPBCGSLSetEll(ksp, 4));
    (void)solved_in(ksp, A);
    assert_views(ksp, methods[k]);
  }
}

static PetscErrorCode own_orthogonalization(KSP ksp, PetscInt it)
{
  return KSPGMRESClassicalGramSchmidtOrthogonalization(ksp, it);
}

static PetscErrorCode modify(KSP ksp, PetscInt its, PetscInt local, PetscReal norm, void *arg)
{
  return KSPFGMRESModifyPCNoChange(ksp, its, local, norm, arg);
}

TEST(what_changes_the_answer_is_refused_in_a_sentence)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 5, false, MATAIJ);
  scoped_KSP cg = make_named(A, KSPCG, ""), gmres = make_named(A, KSPGMRES, "");
  scoped_KSP fgmres = make_named(A, KSPFGMRES, "");
  assert_refused(KSPCGSetRadius(cg, 2), PETSC_ERR_SUP,
                 "a trust region's radius: a cg taken by ovk has none");
  assert_refused(KSPGMRESSetOrthogonalization(gmres, own_orthogonalization), PETSC_ERR_SUP,
                 "use -ksp_type petsc-gmres, or leave gmres out of -ovk_take");
  assert_refused(KSPFGMRESSetModifyPC(fgmres, modify, NULL, NULL), PETSC_ERR_SUP, "changes the PC");
  assert_petsc(KSPCGSetType(cg, KSP_CG_SYMMETRIC));
  assert_petsc(KSPGMRESSetHapTol(gmres, 1e-20));
  assert_petsc(KSPFGMRESSetModifyPC(fgmres, KSPFGMRESModifyPCNoChange, NULL, NULL));
}

/* The code of KSPSetFromOptions() for a KSP of this type, with the message of an error. */
static PetscErrorCode read_options(Mat A, const char *type, const char *text)
{
  scoped_KSP ksp = NULL;
  push_options("", text);
  assert_petsc(KSPCreate(PetscObjectComm((PetscObject)A), &ksp));
  assert_petsc(KSPSetOperators(ksp, A, A));
  assert_petsc(KSPSetType(ksp, type));
  const PetscErrorCode code = KSPSetFromOptions(ksp);
  pop_options();
  return code;
}

TEST(options_that_change_the_answer_are_refused_as_their_functions_are)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 5, false, MATAIJ);
  assert_petsc(read_options(A, KSPMINRES, "-ksp_minres_qlp 0 -ksp_minres_radius 0"));
  assert_petsc(read_options(A, KSPFGMRES, "-ksp_fgmres_modifypcnochange"));
  assert_petsc(read_options(A, KSPCG, "-ksp_minres_qlp -ksp_fgmres_modifypcksp"));
  assert_refused(read_options(A, KSPMINRES, "-ksp_minres_qlp"), PETSC_ERR_SUP,
                 "MINRES-QLP: a minres taken by ovk");
  assert_refused(read_options(A, KSPMINRES, "-ksp_minres_radius 2"), PETSC_ERR_SUP,
                 "radius: a minres taken by ovk");
  assert_refused(read_options(A, KSPFGMRES, "-ksp_fgmres_modifypcksp"), PETSC_ERR_SUP,
                 "changes the PC: a fgmres");
}

/* PETSc writes into ksp->data, whatever its type is. */
TEST(setters_without_a_method_do_no_harm)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 12, false, MATAIJ);
  scoped_KSP ksp = make_named(A, KSPCG, "");
  assert_petsc(KSPFCGSetMmax(ksp, 12345678));
  assert_petsc(KSPFCGSetNprealloc(ksp, 12345678));
  assert_petsc(KSPPIPEFCGSetMmax(ksp, 12345678));
  assert_petsc(KSPBCGSLSetEll(ksp, 3));
  (void)solved_in(ksp, A);
}

TEST_GROUP(open_library, close_petsc)
