/* SPDX-License-Identifier: BSD-2-Clause */
/* -ovk_take: KSPs of the types that a program names are of ovkrylov, and behave as those of PETSc.
 */
#include "problem.h"

#include <petsc/private/vecimpl.h>

static const char *const names[] = {"cg",    "groppcg",  "pipecg", "pipecgrr", "pipecg2",
                                    "fcg",   "pipefcg",  "minres", "symmlq",   "gmres",
                                    "bcgs",  "pgmres",   "fgmres", "gcr",      "pipefgmres",
                                    "ibcgs", "pipebcgs", "lgmres", "dgmres",   "bcgsl"};
enum { NAMES = sizeof names / sizeof *names };

static PetscErrorCode load(const char *list)
{
  PetscDLLibrary libraries = NULL;
  assert_petsc(PetscOptionsSetValue(NULL, "-ovk_take", list));
  const PetscErrorCode code =
      PetscDLLibraryAppend(PETSC_COMM_SELF, &libraries, getenv("OVK_TEST_LIBRARY"));
  if (libraries) assert_petsc(PetscDLLibraryClose(libraries)); /* stays loaded */
  return code;
}

TEST(an_unknown_name_is_an_error_with_the_names)
{
  char *text = NULL;
  assert_petsc(PetscPushErrorHandler(PetscIgnoreErrorHandler, NULL));
  const PetscErrorCode code = load("gmre");
  assert_petsc(PetscPopErrorHandler());
  assert_int_equal((int)code, PETSC_ERR_ARG_UNKNOWN_TYPE);
  assert_petsc(PetscErrorMessage(code, NULL, &text));
  assert_non_null(strstr(text, "-ovk_take: 'gmre' cannot be taken: all, or any of cg, groppcg"));
}

/* A KSP whose type is named in code, after the options were read. */
static KSP make_named(Mat A, const char *type, const char *options)
{
  KSP ksp;
  PetscOptions own;
  assert_petsc(PetscOptionsCreate(&own));
  assert_petsc(PetscOptionsInsertString(own, "-ksp_rtol 1e-10 -pc_type jacobi"));
  assert_petsc(PetscOptionsInsertString(own, options));
  assert_petsc(PetscOptionsPush(own));
  assert_petsc(KSPCreate(PetscObjectComm((PetscObject)A), &ksp));
  assert_petsc(KSPSetOperators(ksp, A, A));
  assert_petsc(KSPSetFromOptions(ksp));
  assert_petsc(KSPSetType(ksp, type));
  assert_petsc(PetscOptionsPop());
  assert_petsc(PetscOptionsDestroy(&own));
  return ksp;
}

/* Whether -ksp_view has this text, on rank 0; true on others. */
static bool shows(KSP ksp, const char *part)
{
  scoped_array char *text = NULL;
  size_t size;
  PetscMPIInt rank;
  PetscViewer viewer;
  FILE *file = open_memstream(&text, &size);
  MPI_Comm comm = PetscObjectComm((PetscObject)ksp);
  MPI_Comm_rank(comm, &rank);
  assert_petsc(PetscViewerASCIIOpenWithFILE(comm, file, &viewer));
  assert_petsc(KSPView(ksp, viewer));
  assert_petsc(PetscViewerDestroy(&viewer));
  fclose(file);
  const bool found = rank > 0 || strstr(text, part);
  if (!found) print_message("%s\n", text);
  return found;
}

static bool is_ours(KSP ksp)
{
  PetscBool same;
  char part[64];
  KSPType type;
  assert_petsc(KSPGetType(ksp, &type));
  snprintf(part, sizeof part, "%s, taken by ovk", type);
  assert_petsc(PetscObjectTypeCompareAny((PetscObject)ksp, &same, "ovk", ""));
  assert_false(same);
  return shows(ksp, part);
}

static PetscInt iterations(KSP ksp, Mat A)
{
  assert_true(solve_error(ksp, A) < 1e-6);
  return iterations_of(ksp);
}

TEST(a_type_named_in_code_runs_ours)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 20, false, MATAIJ);
  scoped_KSP ours = make_named(A, KSPCG, ""), petsc = make_named(A, "petsc-cg", "");
  PetscBool same;
  const PetscInt its = iterations(ours, A), wanted = iterations(petsc, A);
  assert_petsc(PetscObjectTypeCompare((PetscObject)ours, KSPCG, &same));
  assert_true(same);
  assert_true(is_ours(ours));
  assert_in_range(its, wanted - 1, wanted + 1);
}

TEST(a_cg_with_a_pc_that_varies_is_flexible)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 20, false, MATAIJ);
  scoped_KSP ksp = make_named(A, KSPCG, "-pc_type ksp -ksp_ksp_type petsc-cg -ksp_ksp_rtol 0.1");
  assert_true(solve_error(ksp, A) < 1e-6);
  assert_true(shows(ksp, "method fcg"));
}

/* The norm that is tested, the side of the PC and the solution. */
static void assert_same_defaults(Mat A, const char *name)
{
  char renamed[64];
  KSPNormType norm, wanted_norm;
  PCSide side, wanted_side;
  snprintf(renamed, sizeof renamed, "petsc-%s", name);
  scoped_KSP ours = make_named(A, name, ""), petsc = make_named(A, renamed, "");
  assert_petsc(KSPSetUp(petsc));
  assert_true(solve_error(ours, A) < 1e-6);
  assert_true(is_ours(ours));
  assert_petsc(KSPGetNormType(ours, &norm));
  assert_petsc(KSPGetNormType(petsc, &wanted_norm));
  assert_petsc(KSPGetPCSide(ours, &side));
  assert_petsc(KSPGetPCSide(petsc, &wanted_side));
  if (norm != wanted_norm || side != wanted_side) {
    fail_msg("%s: norm %d, side %d, PETSc: %d, %d", name, norm, side, wanted_norm, wanted_side);
  }
}

TEST(norms_and_sides_are_those_of_the_type)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 9, false, MATAIJ);
  for (int k = 0; k < NAMES; k++) assert_same_defaults(A, names[k]);
}

/* An indefinite A with a diagonal from 1e-6 to 1, so that norms of the residual differ. */
static Mat make_graded(void)
{
  Mat A = make_laplace(PETSC_COMM_WORLD, 12, false, MATAIJ);
  PetscInt n;
  scoped_Vec d = NULL;
  assert_petsc(MatShift(A, -0.4));
  assert_petsc(MatCreateVecs(A, &d, NULL));
  assert_petsc(VecGetSize(d, &n));
  FILL_ROWS(d, i, pow(1e-3, (double)i / (double)n));
  assert_petsc(MatDiagonalScale(A, d, d));
  return A;
}

TEST(minres_stops_where_that_of_petsc_does)
{
  double error;
  scoped_Mat A = make_graded();
  scoped_KSP ours = make_named(A, KSPMINRES, ""), petsc = make_named(A, "petsc-minres", "");
  assert_petsc(try_solve(ours, A, &error));
  assert_petsc(try_solve(petsc, A, &error));
  const PetscInt its = iterations_of(ours), wanted = iterations_of(petsc);
  if (its < wanted - 1 || its > wanted + 1)
    fail_msg("%d iterations, not %d", (int)its, (int)wanted);
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
  (void)iterations(ksp, A);
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
  const PetscInt its = iterations(ours, A), wanted = iterations(petsc, A);
  assert_in_range(its, wanted - 1, wanted + 1);
}

TEST(a_restart_is_taken_over)
{
  PetscInt restart;
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 12, false, MATAIJ);
  scoped_KSP ksp = make_named(A, KSPGMRES, "");
  assert_petsc(KSPGMRESSetRestart(ksp, 90));
  const PetscInt few = iterations(ksp, A);
  assert_petsc(KSPGMRESSetRestart(ksp, 5));
  assert_petsc(KSPGMRESGetRestart(ksp, &restart));
  assert_int_equal((int)restart, 5);
  assert_true(iterations(ksp, A) > few);
  assert_true(shows(ksp, "restart=5"));
  assert_petsc(KSPDestroy(&ksp));
  ksp = make_ksp(A, "-ksp_type fgmres -ksp_gmres_restart 7");
  (void)solve_error(ksp, A);
  assert_true(shows(ksp, "fgmres:restart=7"));
  assert_petsc(KSPDestroy(&ksp));
  ksp = make_ksp(A, "-ksp_type gmres -ksp_gmres_modifiedgramschmidt");
  (void)solve_error(ksp, A);
  assert_true(shows(ksp, "ortho=mgs"));
}

/* "fcg" and "pipefcg" keep as many directions as those of PETSc, with either type of truncation. */
TEST(the_directions_of_flexible_cg_are_taken_over)
{
  static const struct {
    const char *type, *options, *method;
  } cases[] = {
      {KSPFCG, "", "method fcg:m=30"},
      {KSPFCG, "-ksp_fcg_mmax 7 -ksp_fcg_nprealloc 3", "method fcg:m=7"},
      {KSPFCG, "-ksp_fcg_mmax 8 -ksp_fcg_truncation_type STANDARD", "method fcg:m=8"},
      {KSPPIPEFCG, "", "method pipefcg:m=15"},
      {KSPPIPEFCG, "-ksp_pipefcg_mmax 4", "method pipefcg:m=4"},
  };
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 12, false, MATAIJ);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char options[256];
    snprintf(options, sizeof options, "-ksp_type %s %s", cases[k].type, cases[k].options);
    scoped_KSP ksp = make_ksp(A, options);
    assert_true(solve_error(ksp, A) < 1e-6);
    assert_true(shows(ksp, cases[k].method));
  }
  scoped_KSP named = make_named(A, KSPFCG, "");
  assert_petsc(KSPFCGSetMmax(named, 3));
  (void)iterations(named, A);
  assert_true(shows(named, "method fcg:m=3"));
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
  (void)iterations(ksp, A);
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
  const PetscInt its = iterations(ours, A), wanted = iterations(petsc, A);
  if (its > wanted + 1) fail_msg("%d iterations, PETSc: %d", (int)its, (int)wanted);
}

TEST(the_length_of_a_pipeline_is_taken_over)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 12, false, MATAIJ);
  static const char *const options[] = {"-ksp_pipelcg_pipel 1", "-ksp_pipelcg_pipel 9"};
  static const char *const methods[] = {"method pipelcg:l=1", "method pipelcg:l=5"};
  for (int k = 0; k < 2; k++) {
    char all[128];
    snprintf(all, sizeof all, "-ksp_type pipelcg %s", options[k]);
    scoped_KSP ksp = make_ksp(A, all);
    assert_true(solve_error(ksp, A) < 1e-6);
    assert_true(shows(ksp, methods[k]));
  }
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
    (void)iterations(ksp, A);
    assert_true(shows(ksp, methods[k]));
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

static void assert_refused(PetscErrorCode code, const char *part)
{
  char *text = NULL;
  assert_int_equal((int)code, PETSC_ERR_SUP);
  assert_petsc(PetscErrorMessage(code, NULL, &text));
  if (!strstr(text, part)) fail_msg("\"%s\" should contain \"%s\"", text, part);
}

TEST(what_changes_the_answer_is_refused_in_a_sentence)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 5, false, MATAIJ);
  scoped_KSP cg = make_named(A, KSPCG, ""), gmres = make_named(A, KSPGMRES, "");
  scoped_KSP fgmres = make_named(A, KSPFGMRES, "");
  assert_petsc(PetscPushErrorHandler(PetscIgnoreErrorHandler, NULL));
  assert_refused(KSPCGSetRadius(cg, 2), "a trust region's radius: a cg taken by ovk has none");
  assert_refused(KSPGMRESSetOrthogonalization(gmres, own_orthogonalization),
                 "use -ksp_type petsc-gmres, or leave gmres out of -ovk_take");
  assert_refused(KSPFGMRESSetModifyPC(fgmres, modify, NULL, NULL), "changes the PC");
  assert_petsc(PetscPopErrorHandler());
  assert_petsc(KSPCGSetType(cg, KSP_CG_SYMMETRIC));
  assert_petsc(KSPGMRESSetHapTol(gmres, 1e-20));
  assert_petsc(KSPFGMRESSetModifyPC(fgmres, KSPFGMRESModifyPCNoChange, NULL, NULL));
}

/* The code of KSPSetFromOptions() for a KSP of this type, with the message of an error. */
static PetscErrorCode read_options(Mat A, const char *type, const char *text)
{
  PetscOptions own;
  scoped_KSP ksp = NULL;
  assert_petsc(PetscOptionsCreate(&own));
  assert_petsc(PetscOptionsInsertString(own, text));
  assert_petsc(PetscOptionsPush(own));
  assert_petsc(KSPCreate(PetscObjectComm((PetscObject)A), &ksp));
  assert_petsc(KSPSetOperators(ksp, A, A));
  assert_petsc(KSPSetType(ksp, type));
  const PetscErrorCode code = KSPSetFromOptions(ksp);
  assert_petsc(PetscOptionsPop());
  assert_petsc(PetscOptionsDestroy(&own));
  return code;
}

TEST(options_that_change_the_answer_are_refused_as_their_functions_are)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 5, false, MATAIJ);
  assert_petsc(read_options(A, KSPMINRES, "-ksp_minres_qlp 0 -ksp_minres_radius 0"));
  assert_petsc(read_options(A, KSPFGMRES, "-ksp_fgmres_modifypcnochange"));
  assert_petsc(read_options(A, KSPCG, "-ksp_minres_qlp -ksp_fgmres_modifypcksp"));
  assert_petsc(PetscPushErrorHandler(PetscIgnoreErrorHandler, NULL));
  assert_refused(read_options(A, KSPMINRES, "-ksp_minres_qlp"),
                 "MINRES-QLP: a minres taken by ovk");
  assert_refused(read_options(A, KSPMINRES, "-ksp_minres_radius 2"),
                 "radius: a minres taken by ovk");
  assert_refused(read_options(A, KSPFGMRES, "-ksp_fgmres_modifypcksp"), "changes the PC: a fgmres");
  assert_petsc(PetscPopErrorHandler());
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
  (void)iterations(ksp, A);
}

TEST(a_type_that_is_taken_solves_with_the_transpose)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 9, false, MATAIJ);
  scoped_KSP ksp = make_named(A, KSPBCGS, "");
  scoped_Vec x = NULL, b = NULL, r = NULL;
  PetscReal norm;
  (void)iterations(ksp, A);
  assert_petsc(MatCreateVecs(A, &x, &b));
  assert_petsc(VecDuplicate(b, &r));
  assert_petsc(VecSet(b, 1));
  assert_petsc(KSPSolveTranspose(ksp, b, x));
  assert_petsc(MatMultTranspose(A, x, r));
  assert_petsc(VecAXPY(r, -1, b));
  assert_petsc(VecNorm(r, NORM_2, &norm));
  assert_true(norm < 1e-6);
  assert_true(is_ours(ksp));
  (void)iterations(ksp, A);
}

TEST(a_pc_on_both_sides_gets_the_type_back)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 9, false, MATAIJ);
  scoped_KSP ksp = make_named(A, KSPGMRES, "-ksp_pc_side symmetric");
  (void)iterations(ksp, A);
  assert_true(shows(ksp, "symmetric preconditioning"));
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
  v->ops->getarray = NULL;
  v->ops->getarrayread = NULL;
}

TEST(vectors_without_an_array_give_the_type_back)
{
  static const char *const some[] = {"cg", "fcg", "minres", "gmres", "fgmres", "bcgs", "bcgsl"};
  scoped_Mat block = make_laplace(PETSC_COMM_WORLD, 9, false, MATAIJ), A = make_pair(block);
  scoped_Vec b = NULL, x = NULL, r = NULL;
  PetscReal norm;
  assert_petsc(MatCreateVecs(A, &x, &b));
  assert_petsc(VecDuplicate(b, &r));
  assert_petsc(VecSet(b, 1));
  drop_array(b);
  drop_array(x);
  for (size_t k = 0; k < sizeof some / sizeof *some; k++) {
    scoped_KSP ksp = make_named(A, some[k], "-pc_type none");
    assert_petsc(KSPSolve(ksp, b, x));
    assert_true(reason_of(ksp) > 0);
    assert_petsc(MatMult(A, x, r));
    assert_petsc(VecAYPX(r, -1, b));
    assert_petsc(VecNorm(r, NORM_2, &norm));
    assert_true(norm < 1e-6);
    assert_views_without(ksp, "taken by ovk");
  }
}

TEST(the_type_ovk_rejects_vectors_without_an_array)
{
  scoped_Mat block = make_laplace(PETSC_COMM_WORLD, 9, false, MATAIJ), A = make_pair(block);
  scoped_Vec b = NULL, x = NULL;
  scoped_KSP ksp = make_named(A, "ovk", "-pc_type none");
  char *text = NULL;
  assert_petsc(MatCreateVecs(A, &x, &b));
  assert_petsc(VecSet(b, 1));
  drop_array(b);
  assert_petsc(PetscPushErrorHandler(PetscIgnoreErrorHandler, NULL));
  const PetscErrorCode code = KSPSolve(ksp, b, x);
  assert_petsc(PetscPopErrorHandler());
  assert_int_equal((int)code, PETSC_ERR_SUP);
  assert_petsc(PetscErrorMessage(code, NULL, &text));
  assert_non_null(strstr(text, "vectors of type 'nest' have no array"));
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
  its = iterations(ksp, A);
  assert_petsc(KSPGetResidualHistory(ksp, NULL, &n));
  assert_int_equal((int)n, (int)its + 1);
  assert_true(history[n - 1] < history[0]);
}

static int open_library(void **state)
{
  return open_petsc(state) || load("cg,all") ? -1 : 0;
}

TEST_GROUP(open_library, close_petsc)
