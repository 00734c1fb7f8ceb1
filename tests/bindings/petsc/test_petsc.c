/* SPDX-License-Identifier: BSD-2-Clause */
/* The KSP type "ovk" compared with the type "cg" of PETSc: methods, PCs, matrix types, norms, null
 * spaces, changes between solves. */
#include "support/method_names.h"
#include "support/petsc/petsc_problem.h"

enum { N = 12 };
static const double SMALL = 1e-7; /* of an error */

static PetscInt count_of_cg(Mat A, const char *options)
{
  char text[200];
  PetscInt iterations;
  snprintf(text, sizeof text, "%s -ksp_type cg", options);
  assert_true(solve_once(A, text, &iterations) < SMALL);
  return iterations;
}

static void assert_count(Mat A, const char *options, const char *own, PetscInt theirs)
{
  char text[200];
  PetscInt ours;
  snprintf(text, sizeof text, "%s %s", options, own);
  assert_true(solve_once(A, text, &ours) < SMALL);
  if (ours < theirs - 1 || ours > theirs + 1) {
    fail_msg("'%s': %d iterations, cg takes %d", text, (int)ours, (int)theirs);
  }
}

static void assert_counts_as_cg(Mat A, const char *options, const char *own)
{
  assert_count(A, options, own, count_of_cg(A, options));
}

TEST(methods_count_as_cg)
{
  static const char *const methods[] = {
      "-ksp_ovk_method cg",       "-ksp_ovk_method single-reduction", "-ksp_ovk_method groppcg",
      "-ksp_ovk_method pipecg",   "-ksp_ovk_method pipelcg:l=2",      "-ksp_ovk_method pipeprcg",
      "-ksp_ovk_method split-cg", "-ksp_ovk_method overlap"};
  static const char *const pcs[] = {"-pc_type jacobi", "-pc_type bjacobi -sub_pc_type icc"};
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  for (int p = 0; p < 2; p++) {
    const PetscInt theirs = count_of_cg(A, pcs[p]);
    for (int m = 0; m < 8; m++) assert_count(A, pcs[p], methods[m], theirs);
  }
  assert_counts_as_cg(A, "-pc_type none", "-ksp_ovk_method overlap");
  assert_counts_as_cg(A, "-pc_type gamg", "-ksp_ovk_method groppcg");
}

TEST(each_name_of_a_method_selects_the_method)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  for (int k = 0; k < METHOD_NAMES; k++) {
    char options[100], view[100];
    snprintf(options, sizeof options,
             "-pc_type none -ksp_norm_type unpreconditioned -ksp_ovk_method %s",
             method_names[k][0]);
    const char *name = method_names[k][1]; /* the keys depend on the side of the PC, too */
    snprintf(view, sizeof view, "method %.*s", (int)strcspn(name, ":"), name);
    scoped_KSP ksp = make_ksp(A, options);
    assert_true(solve_error(ksp, A) < SMALL);
    assert_views(ksp, view);
  }
}

TEST(norms_are_mapped)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  assert_counts_as_cg(A, "-pc_type jacobi -ksp_norm_type preconditioned", "");
  assert_counts_as_cg(A, "-pc_type jacobi -ksp_norm_type unpreconditioned", "");
  assert_counts_as_cg(A, "-pc_type bjacobi -ksp_norm_type natural", "-ksp_ovk_method groppcg");
}

/* The Laplacian with a skew-symmetric part of this size. */
static Mat make_convection(double size)
{
  Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  assert_petsc(MatSetOption(A, MAT_SYMMETRIC, PETSC_FALSE));
  FOR_EACH_ROW(A, i)
  {
    if (i % N < N - 1) add_value(A, i, i + 1, size);
    if (i % N > 0) add_value(A, i, i - 1, -size);
  }
  assemble(A);
  return A;
}

TEST(a_matrix_that_is_not_symmetric_is_solved_from_each_side)
{
  static const char *const options[] = {"", "-ksp_norm_type unpreconditioned", "-ksp_pc_side right",
                                        "-ksp_ovk_method gmres",
                                        "-ksp_ovk_method gmres -ksp_pc_side right"};
  scoped_Mat A = make_convection(0.5);
  KSPNormType norm;
  for (int k = 0; k < 5; k++) assert_true(solve_once(A, options[k], NULL) < SMALL);
  scoped_KSP ksp = make_ksp(A, "-ksp_pc_side right");
  assert_petsc(KSPGetNormType(ksp, &norm));
  assert_int_equal((int)norm, (int)KSP_NORM_UNPRECONDITIONED);
}

/* bcgs takes about half as many iterations. */
TEST(a_matrix_that_is_told_to_be_definite_gets_conjugate_gradients)
{
  scoped_Mat A = make_convection(1e-14);
  assert_petsc(MatSetOption(A, MAT_SPD, PETSC_TRUE));
  assert_counts_as_cg(A, "-pc_type jacobi", "");
}

TEST(matrix_types_are_copied_or_called)
{
  static const char *const types[] = {MATAIJ, MATBAIJ, MATSBAIJ};
  static const char *const formats[] = {"auto", "csr", "shell"};
  char own[80];
  for (int t = 0; t < 3; t++) {
    scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, types[t]);
    for (int f = 0; f < 3; f++) {
      snprintf(own, sizeof own, "-ksp_ovk_method cg -ksp_ovk_format %s", formats[f]);
      assert_counts_as_cg(A, "-pc_type jacobi", own);
    }
  }
}

TEST(a_shell_matrix_has_no_rows_to_copy)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ), shell = make_shell_of(A);
  assert_true(solve_once(shell, "-pc_type none", NULL) < SMALL);
  scoped_KSP ksp = make_ksp(shell, "-pc_type none -ksp_ovk_format sell");
  assert_solve_fails(ksp, shell, PETSC_ERR_SUP, "of type shell has no rows to copy, use shell");
}

TEST(null_spaces_are_left_out)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, true, MATAIJ);
  PetscInt theirs, ours, differ;
  set_constant_nullspace(A);
  (void)solve_once(A, "-pc_type bjacobi -ksp_type cg", &theirs); /* x is another solution */
  (void)solve_once(A, "-pc_type bjacobi -ksp_ovk_method groppcg", &ours);
  differ = ours - theirs;
  assert_in_range(differ + 1, 0, 2);
}

TEST(null_vectors_are_given_to_ovkrylov)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, true, MATAIJ);
  MatNullSpace space;
  scoped_Vec v = NULL;
  PetscInt iterations;
  assert_petsc(MatCreateVecs(A, &v, NULL));
  assert_petsc(VecSet(v, 1));
  assert_petsc(VecNormalize(v, NULL));
  assert_petsc(MatNullSpaceCreate(PETSC_COMM_WORLD, PETSC_FALSE, 1, &v, &space));
  assert_petsc(MatSetNullSpace(A, space));
  assert_petsc(MatNullSpaceDestroy(&space));
  (void)solve_once(A, "-pc_type bjacobi -ksp_ovk_method pipecg", &iterations);
  assert_in_range(iterations, 1, 100);
}

TEST(ranks_may_have_no_rows)
{
  static const char *const options[] = {"-ksp_ovk_method overlap", "-ksp_ovk_method groppcg",
                                        "-ksp_ovk_format shell", "-ksp_ovk_pc ic",
                                        "-ksp_ovk_pc auto"};
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 1, false, MATAIJ); /* one row */
  for (int k = 0; k < 5; k++) {
    char text[80];
    snprintf(text, sizeof text, "-pc_type jacobi %s", options[k]);
    assert_true(solve_once(A, text, NULL) < SMALL);
  }
}

/* Of A, whose pattern stays or, with `corner`, gets another entry. */
static void change(Mat A, bool corner)
{
  PetscInt n;
  assert_petsc(MatGetSize(A, &n, NULL));
  assert_petsc(MatScale(A, 3));
  if (!corner) return;
  assert_petsc(MatSetOption(A, MAT_NEW_NONZERO_LOCATIONS, PETSC_TRUE));
  for (int k = 0; k < 2 && test_rank == 0; k++) {
    add_value(A, k ? n - 1 : 0, k ? 0 : n - 1, -0.5);
  }
  assemble(A);
}

TEST(changes_between_solves_are_seen)
{
  static const char *const options[] = {
      "-pc_type jacobi -ksp_ovk_method overlap", "-pc_type bjacobi -ksp_ovk_method pipelcg:l=1",
      "-pc_type jacobi -ksp_ovk_format shell -ksp_ovk_method groppcg"};
  for (int k = 0; k < 3; k++) {
    scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
    scoped_KSP ksp = make_ksp(A, options[k]);
    assert_true(solve_error(ksp, A) < SMALL);
    assert_true(solve_error(ksp, A) < SMALL);
    change(A, false);
    assert_true(solve_error(ksp, A) < SMALL);
    change(A, true);
    assert_true(solve_error(ksp, A) < SMALL);
    assert_petsc(KSPSetTolerances(ksp, 1e-2, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
    assert_true(solve_error(ksp, A) > SMALL);
    assert_petsc(KSPReset(ksp));
    assert_petsc(KSPSetOperators(ksp, A, A));
    assert_true(solve_error(ksp, A) > SMALL);
  }
}

TEST(another_pc_makes_a_new_solver)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  scoped_KSP ksp = make_ksp(A, "-pc_type jacobi -ksp_ovk_method groppcg");
  PC pc;
  assert_true(solve_error(ksp, A) < SMALL);
  const PetscInt jacobi = iterations_of(ksp);
  assert_petsc(KSPGetPC(ksp, &pc));
  assert_petsc(PCSetType(pc, PCBJACOBI));
  assert_true(solve_error(ksp, A) < SMALL);
  assert_true(iterations_of(ksp) < jacobi);
}

TEST(ovkrylov_has_preconditioners_too)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  PetscInt ours, theirs;
  assert_true(solve_once(A, "-ksp_ovk_pc ic -ksp_ovk_method overlap", &ours) < SMALL);
  assert_true(solve_once(A, "-ksp_type cg -pc_type bjacobi -sub_pc_type icc", &theirs) < SMALL);
  assert_true(ours < 2 * theirs);
  assert_true(solve_once(A, "-ksp_ovk_pc auto:solves=3", &ours) < SMALL);
}

TEST(the_last_solutions_make_guesses)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 12, false, MATAIJ);
  scoped_KSP ksp =
      make_ksp(A, "-ksp_type ovk -ksp_ovk_method cg -ksp_ovk_guesses 2 -ksp_rtol 1e-8");
  assert_true(solve_error(ksp, A) < 1e-5);
  assert_true(iterations_of(ksp) > 5);
  assert_true(solve_error(ksp, A) < 1e-5);
  assert_in_range(iterations_of(ksp), 0, 1);
}

TEST(every_communicator_has_a_context)
{
  MPI_Comm half;
  for (int k = 0; k < 3; k++) {
    assert_int_equal(MPI_Comm_split(PETSC_COMM_WORLD, test_rank % 2, 0, &half), MPI_SUCCESS);
    Mat A = make_laplace(half, N, false, MATAIJ);
    assert_true(solve_once(A, "-pc_type jacobi", NULL) < SMALL);
    assert_true(solve_once(A, "-pc_type bjacobi", NULL) < SMALL);
    assert_petsc(MatDestroy(&A));
    assert_int_equal(MPI_Comm_free(&half), MPI_SUCCESS);
  }
}

TEST(solvers_work_inside_of_others)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  PetscInt iterations;
  assert_true(
      solve_once(A, "-pc_type bjacobi -sub_ksp_type ovk -sub_pc_type jacobi -sub_ksp_rtol 1e-13",
                 &iterations) < SMALL);
  assert_true(solve_once(A,
                         "-ksp_ovk_method pipecg -pc_type ksp -ksp_ksp_type ovk "
                         "-ksp_ksp_rtol 1e-13 -ksp_ksp_ovk_method groppcg -ksp_pc_type jacobi",
                         &iterations) < SMALL);
  assert_in_range(iterations, 1, 2);
}

TEST_GROUP(open_petsc, close_petsc)
