/* SPDX-License-Identifier: BSD-2-Clause */
/* Matrices of PETSc that are not symmetric, or stop being so: their methods and null spaces. */
#include "support/petsc/petsc_problem.h"

#include <petscsnes.h>

enum { N = 12 };

/* Sets the values of A, a Laplacian of N x N points, to those of convection and diffusion by upwind
 * differences; v of (1 + convection)^-(x + y) is in the left null space of a singular one. */
static void set_convection(Mat A, double convection, bool singular)
{
  assert_petsc(MatSetOption(A, MAT_SYMMETRIC, PETSC_FALSE));
  FOR_EACH_ROW(A, i)
  {
    const bool inside[4] = {i % N > 0, i >= N, i % N < N - 1, i < N * N - N};
    const PetscInt to[4] = {i - 1, i - N, i + 1, i + N};
    double diagonal = 0;
    for (int side = 0; side < 4; side++) {
      const double weight = side < 2 ? 1 + convection : 1;
      if (inside[side]) set_value(A, i, to[side], -weight);
      if (inside[side] || !singular) diagonal += weight;
    }
    set_value(A, i, i, diagonal);
  }
  assemble(A);
}

static Mat make_convection(double convection, bool singular)
{
  Mat A = make_laplace(PETSC_COMM_WORLD, N, singular, MATAIJ);
  set_convection(A, convection, singular);
  return A;
}

/* Whether x of A x = A (1, 2, ...) / n is right up to a constant. */
static void check_up_to_constant(KSP ksp, Mat A, Vec shift)
{
  scoped_Vec b = NULL, x = NULL, right = NULL;
  PetscReal size, norm;
  scoped_MatNullSpace constant = NULL;
  assert_petsc(MatCreateVecs(A, &x, &b));
  assert_petsc(VecDuplicate(x, &right));
  FILL_ROWS(right, i, sin(1.7 * (double)i));
  assert_petsc(MatMult(A, right, b));
  if (shift) assert_petsc(VecAXPY(b, 0.5, shift));
  assert_petsc(KSPSolve(ksp, b, x));
  assert_true(reason_of(ksp) > 0);
  assert_petsc(MatNullSpaceCreate(PETSC_COMM_WORLD, PETSC_TRUE, 0, NULL, &constant));
  assert_petsc(VecAXPY(x, -1, right));
  assert_petsc(MatNullSpaceRemove(constant, x));
  assert_petsc(VecNorm(x, NORM_2, &norm));
  assert_petsc(VecNorm(right, NORM_2, &size));
  assert_true(norm <= 1e-7 * size);
}

/* The unit vector of the left null space of a singular A, and both null spaces for A. */
static void make_spaces(Mat A, Vec *v, MatNullSpace *left)
{
  assert_petsc(MatCreateVecs(A, v, NULL));
  FILL_ROWS(*v, i, pow(1.5, -(double)(i % N + i / N)));
  assert_petsc(VecNormalize(*v, NULL));
  assert_petsc(MatNullSpaceCreate(PETSC_COMM_WORLD, PETSC_FALSE, 1, v, left));
  set_constant_nullspace(A);
}

static const char *const options[] = {
    "-pc_type jacobi", "-pc_type bjacobi -ksp_ovk_method gmres:restart=150",
    "-pc_type none -ksp_ovk_method bcgs -ksp_pc_side right",
    "-pc_type jacobi -ksp_ovk_method fgmres -ksp_pc_side right -ksp_ovk_format shell"};

TEST(a_null_space_changes_no_right_hand_side_in_the_range)
{
  for (int k = 0; k < 4; k++) {
    scoped_Mat A = make_convection(0.5, true);
    set_constant_nullspace(A);
    scoped_KSP ksp = make_ksp(A, options[k]);
    check_up_to_constant(ksp, A, NULL);
  }
}

TEST(the_null_space_of_the_transpose_is_removed_from_b)
{
  for (int k = 0; k < 4; k++) {
    scoped_MatNullSpace left = NULL;
    scoped_Mat A = make_convection(0.5, true);
    scoped_Vec v = NULL;
    make_spaces(A, &v, &left);
    scoped_KSP ksp = make_ksp(A, options[k]);
    check_up_to_constant(ksp, A, NULL);
    assert_petsc(MatSetTransposeNullSpace(A, left)); /* makes a new solver */
    check_up_to_constant(ksp, A, v);
  }
}

TEST(a_null_space_that_is_not_given_is_explained_by_functions_of_petsc)
{
  scoped_Mat A = make_convection(0.5, true);
  scoped_KSP ksp = make_ksp(A, "-pc_type none -ksp_ovk_method bcgs -ksp_max_it 1000");
  scoped_Vec b = NULL, x = NULL;
  solve_ones(ksp, A, &b, &x); /* not in the range of A */
  assert_true(reason_of(ksp) < 0);
  assert_views(ksp, "null_");
  assert_views(ksp, "; in PETSc by MatSetNullSpace() and MatSetTransposeNullSpace()");
}

/* Blocks of ILU are not symmetric. */
TEST(solves_with_the_transpose_and_without_it_may_alternate)
{
  static const char *const transposed[] = {
      "", "-pc_type bjacobi", "-pc_type jacobi -ksp_ovk_format csr -ksp_ovk_method bcgs",
      "-pc_type bjacobi -ksp_ovk_method gmres -ksp_pc_side right",
      "-pc_type ksp -ksp_ksp_type gmres -ksp_ksp_max_it 5"}; /* flexible, with another norm and side
                                                              */
  for (int k = 0; k < 5; k++) {
    scoped_Mat A = make_convection(1, false);
    scoped_KSP ksp = make_ksp(A, transposed[k]);
    for (int again = 0; again < 3; again++) {
      assert_true(solve_error(ksp, A) < 1e-6);
      assert_true(transpose_error(ksp, A) < 1e-6);
      assert_true(transpose_error(ksp, A) < 1e-6);
      if (again == 1) assert_petsc(MatScale(A, 3));
    }
  }
}

TEST(solves_that_alternate_keep_the_solvers_of_both_directions)
{
  static const struct {
    int set_ups, copies;
  } wanted[] = {{2, 1}, {0, 0}, {2, 1}, {0, 0}, {2, 1}};
  scoped_Mat A = make_convection(1, false);
  scoped_KSP ksp = make_ksp(A, "-pc_type jacobi -ksp_ovk_format csr -ksp_ovk_method bcgs");
  assert_petsc(PetscLogDefaultBegin());
  for (int step = 0; step < 5; step++) {
    if (step == 2) assert_petsc(MatScale(A, 3));
    if (step == 4) {
      assert_petsc(KSPReset(ksp));
      assert_petsc(KSPSetOperators(ksp, A, A));
    }
    const int set_ups = count_events("KSPOvkSetUp"), copies = count_events("KSPOvkCopyMat");
    assert_true(solve_error(ksp, A) < 1e-6);
    assert_true(transpose_error(ksp, A) < 1e-6);
    assert_int_equal(count_events("KSPOvkSetUp") - set_ups, wanted[step].set_ups);
    assert_int_equal(count_events("KSPOvkCopyMat") - copies, wanted[step].copies);
  }
}

TEST(null_spaces_change_sides_in_solves_with_the_transpose)
{
  scoped_Mat A = make_convection(0.5, true);
  scoped_MatNullSpace left = NULL;
  scoped_Vec v = NULL, b = NULL, x = NULL, r = NULL;
  PetscReal dot, norm;
  make_spaces(A, &v, &left);
  assert_petsc(MatSetTransposeNullSpace(A, left));
  scoped_KSP ksp = make_ksp(A, "-pc_type jacobi -ksp_ovk_method gmres:restart=150");
  assert_petsc(MatCreateVecs(A, &x, &b));
  assert_petsc(VecDuplicate(b, &r));
  FILL_ROWS(b, i, sin(1.7 * (double)i));
  assert_petsc(MatMultTranspose(A, b, r)); /* in the range of A^T */
  assert_petsc(KSPSolveTranspose(ksp, r, x));
  assert_true(reason_of(ksp) > 0);
  assert_petsc(VecDot(x, v, &dot));
  assert_true(fabs(dot) < 1e-8); /* x has no part in the null space of A^T */
  assert_petsc(MatMultTranspose(A, x, b));
  assert_petsc(VecAXPY(b, -1, r));
  assert_petsc(VecNorm(b, NORM_2, &norm));
  assert_true(norm < 1e-6);
}

/* A KSP with all defaults solves as one that is made for these values. */
TEST(values_may_lose_and_regain_their_symmetry)
{
  static const double convections[] = {0, 0.1, 1, 5, 0, 5};
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  scoped_KSP ksp = make_ksp(A, "");
  for (int k = 0; k < 6; k++) {
    PetscInt theirs;
    set_convection(A, convections[k], false);
    assert_true(solve_error(ksp, A) < 1e-7);
    assert_true(solve_once(A, "", &theirs) < 1e-7);
    /* "auto" may choose another method of the class. */
    assert_in_range(iterations_of(ksp), 1, 2 * theirs + 10);
  }
}

/* -u'' + 50 u u' = 10 between zeros, from u = 0, for which the Jacobian is the Laplacian. */
enum { POINTS = 100 };
static const double STRENGTH = 50, LOAD = 10, STEP = 1.0 / (POINTS + 1);

typedef struct point {
  double left, here, right;
} point;

static point point_of(const double *u, int i)
{
  return (point){i > 0 ? u[i - 1] : 0, u[i], i < POINTS - 1 ? u[i + 1] : 0};
}

static PetscErrorCode burgers(SNES snes, Vec u, Vec f, void *user)
{
  const PetscScalar *a;
  PetscScalar *r;
  PetscFunctionBegin;
  PetscCall(VecGetArrayRead(u, &a));
  PetscCall(VecGetArray(f, &r));
  for (int i = 0; i < POINTS; i++) {
    const point p = point_of(a, i);
    r[i] = 2 * p.here - p.left - p.right + STRENGTH * p.here * (p.right - p.left) * STEP / 2 -
           LOAD * STEP * STEP;
  }
  PetscCall(VecRestoreArray(f, &r));
  PetscCall(VecRestoreArrayRead(u, &a));
  PetscFunctionReturn(0);
}

static PetscErrorCode jacobian(SNES snes, Vec u, Mat A, Mat P, void *user)
{
  const PetscScalar *a;
  const double half = STRENGTH * STEP / 2;
  PetscFunctionBegin;
  PetscCall(VecGetArrayRead(u, &a));
  for (int i = 0; i < POINTS; i++) {
    const point p = point_of(a, i);
    PetscCall(MatSetValue(P, i, i, 2 + half * (p.right - p.left), INSERT_VALUES));
    if (i > 0) PetscCall(MatSetValue(P, i, i - 1, -1 - half * p.here, INSERT_VALUES));
    if (i < POINTS - 1) PetscCall(MatSetValue(P, i, i + 1, -1 + half * p.here, INSERT_VALUES));
  }
  PetscCall(VecRestoreArrayRead(u, &a));
  PetscCall(MatAssemblyBegin(P, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(P, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(0);
}

/* Newton steps with a KSP of this type, and no other option; 0: not converged. */
static PetscInt newton_steps(KSPType type)
{
  SNES snes;
  KSP ksp;
  PC pc;
  scoped_Vec u = NULL, f = NULL;
  scoped_Mat A = NULL;
  SNESConvergedReason reason;
  PetscInt steps;
  assert_petsc(MatCreateSeqAIJ(PETSC_COMM_SELF, POINTS, POINTS, 3, NULL, &A));
  assert_petsc(MatCreateVecs(A, &u, &f));
  assert_petsc(SNESCreate(PETSC_COMM_SELF, &snes));
  assert_petsc(SNESSetFunction(snes, f, burgers, NULL));
  assert_petsc(SNESSetJacobian(snes, A, A, jacobian, NULL));
  assert_petsc(SNESGetKSP(snes, &ksp));
  assert_petsc(KSPSetType(ksp, type));
  assert_petsc(KSPGetPC(ksp, &pc));
  assert_petsc(PCSetType(pc, PCJACOBI));
  assert_petsc(VecSet(u, 0));
  assert_petsc(SNESSolve(snes, NULL, u));
  assert_petsc(SNESGetConvergedReason(snes, &reason));
  assert_petsc(SNESGetIterationNumber(snes, &steps));
  assert_petsc(SNESDestroy(&snes));
  return reason > 0 ? steps : 0;
}

TEST(newton_converges_from_a_symmetric_jacobian)
{
  const PetscInt theirs = newton_steps(KSPGMRES), ours = newton_steps("ovk");
  assert_in_range(theirs, 2, 20);
  assert_in_range(ours, 2, theirs);
}

/* A is symmetric, restricted Schwarz methods are not: conjugate gradients stagnate. GASM on one
 * rank only: on more ranks gmres of PETSc, too, gets another x with it. */
TEST(auto_converges_with_restricted_schwarz_methods)
{
  static const char *const schwarz[] = {
      "-ksp_type ovk -ksp_rtol 1e-10 -ksp_max_it 100 -pc_type asm -pc_asm_blocks 6",
      "-ksp_type ovk -ksp_rtol 1e-10 -ksp_max_it 100 -pc_type gasm -pc_gasm_total_subdomains 6"};
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  assert_petsc(MatSetOption(A, MAT_SYMMETRIC, PETSC_FALSE)); /* else PETSc takes symmetric ones */
  for (int k = 0; k < (test_size == 1 ? 2 : 1); k++) {
    assert_true(solve_once(A, schwarz[k], NULL) < 1e-7);
  }
}

TEST(auto_converges_with_preconditioners_that_sweep_one_way)
{
  static const char *const sweeping[] = {
      "-ksp_type ovk -ksp_rtol 1e-10 -ksp_max_it 100 -pc_type sor -pc_sor_local_forward",
      "-ksp_type ovk -ksp_rtol 1e-10 -ksp_max_it 100 -pc_type composite -pc_composite_type "
      "multiplicative -pc_composite_pcs bjacobi,jacobi",
      "-ksp_type ovk -ksp_rtol 1e-10 -ksp_max_it 100 -pc_type asm -pc_asm_blocks 6 -pc_asm_type "
      "basic -pc_asm_local_type multiplicative",
      "-ksp_type ovk -ksp_rtol 1e-10 -ksp_max_it 100 -pc_type fieldsplit -pc_fieldsplit_type schur "
      "-pc_fieldsplit_schur_fact_type lower -pc_fieldsplit_schur_precondition selfp "
      "-fieldsplit_0_ksp_type preonly -fieldsplit_1_ksp_type preonly -fieldsplit_0_pc_type jacobi",
#ifdef PETSC_HAVE_HYPRE
      "-ksp_type ovk -ksp_rtol 1e-10 -ksp_max_it 100 -pc_type hypre -pc_hypre_type pilut",
#endif
  };
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  assert_petsc(MatSetBlockSize(A, 2)); /* for fieldsplit */
  for (size_t k = 0; k < sizeof sweeping / sizeof *sweeping; k++) {
    const double error = solve_once(A, sweeping[k], NULL);
    if (!(error < 1e-7)) fail_msg("error %g with %s", error, sweeping[k]);
  }
}

TEST_GROUP(open_petsc, close_petsc)
