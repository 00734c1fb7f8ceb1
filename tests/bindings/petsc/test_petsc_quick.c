/* SPDX-License-Identifier: BSD-2-Clause */
/* The methods of KSPs with few rows, which are expected to need few products. */
#include "support/petsc/petsc_problem.h"

enum { N = 12 };

/* A diagonal of `shift`, 1 right of it, and small numbers in the next columns; the last row has its
 * 1 in the first column. */
static Mat make_wide_cycle(PetscInt n, double shift, PetscInt entries)
{
  Mat A;
  assert_petsc(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, n, n, entries, NULL,
                            entries, NULL, &A));
  FOR_EACH_ROW(A, i)
  {
    set_value(A, i, i, shift);
    for (PetscInt k = 1; k < entries; k++) {
      set_value(A, i, (i + k) % n, k == 1 ? 1 : 1e-4);
    }
  }
  assemble(A);
  return A;
}

static Mat make_cycle(double shift)
{
  return make_wide_cycle(N * N, shift, 2);
}

TEST(an_unsymmetric_matrix_of_few_rows_takes_gmres)
{
  scoped_Mat A = make_cycle(4);
  scoped_KSP ksp = make_ksp(A, "-ksp_rtol 1e-10 -pc_type jacobi");
  assert_true(solve_error(ksp, A) < 1e-8);
  assert_views(ksp, "ortho=cgs");
  assert_views(ksp, "as few products are expected");
}

/* SLEPc marks matrices so that are not marked as symmetric. */
TEST(a_symmetric_matrix_of_few_rows_takes_cg_if_it_is_marked_as_nonsymmetric)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  assert_petsc(MatSetOption(A, MAT_SYMMETRIC, PETSC_FALSE));
  scoped_KSP ksp = make_ksp(A, "-ksp_rtol 1e-10 -pc_type jacobi");
  assert_true(solve_error(ksp, A) < 1e-8);
  assert_views_without(ksp, "not symmetric");
}

TEST(a_matrix_of_few_rows_that_is_declared_definite_takes_cg)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  scoped_KSP ksp = make_ksp(A, "-ksp_rtol 1e-10 -pc_type jacobi -ksp_ovk_spd");
  assert_true(solve_error(ksp, A) < 1e-8);
  assert_views(ksp, "method two-reductions,");
  assert_views(ksp, "declare A positive definite, and few products are expected");
}

/* An AIJ matrix bounds its rounding errors. With 1e-14 they matter, and other types have no bound.
 * It takes longer than a product, so the first solve has none. */
TEST(an_aij_matrix_in_place_takes_no_product_to_confirm_from_the_second_solve_on)
{
  static const struct {
    MatType type;
    const char *options;
    int more; /* products than iterations */
  } cases[] = {{MATAIJ, "-ksp_rtol 1e-5 -pc_type jacobi", 0},
               {MATAIJ, "-ksp_rtol 1e-5 -pc_type none", 0},
               {MATAIJ, "-ksp_rtol 1e-5 -pc_type bjacobi", 0},
               {MATAIJ, "-ksp_rtol 1e-14 -pc_type jacobi", 1},
               {MATBAIJ, "-ksp_rtol 1e-5 -pc_type jacobi", 1}};
  assert_petsc(PetscLogDefaultBegin());
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char options[128];
    snprintf(options, sizeof options, "%s -ksp_ovk_spd -ksp_norm_type preconditioned",
             cases[k].options);
    scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, cases[k].type);
    scoped_KSP ksp = make_ksp(A, options);
    assert_true(count_more_products(ksp, A) >= 1);
    const int more = count_more_products(ksp, A);
    if (cases[k].more)
      assert_true(more >= cases[k].more);
    else
      assert_int_equal(more, 0);
  }
}

/* The bound does not grow with the number of rows as the Frobenius norm does. */
TEST(an_aij_matrix_of_many_rows_in_place_takes_no_product_to_confirm_from_the_second_solve_on)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 60, false, MATAIJ);
  scoped_KSP ksp = make_ksp(A, "-ksp_rtol 1e-5 -pc_type bjacobi -ksp_ovk_spd -ksp_ovk_method cg "
                               "-ksp_ovk_format shell -ksp_norm_type preconditioned");
  assert_petsc(PetscLogDefaultBegin());
  assert_int_equal(count_more_products(ksp, A), 1);
  assert_int_equal(count_more_products(ksp, A), 0);
}

/* With PCs that are read, that PETSc applies, and without one. */
TEST(new_values_in_place_are_those_of_the_next_solve)
{
  static const char *const options[] = {
      "-ksp_rtol 1e-10 -pc_type jacobi", "-ksp_rtol 1e-10 -pc_type bjacobi",
      "-ksp_rtol 1e-10 -pc_type none", "-ksp_rtol 1e-10 -pc_type bjacobi -ksp_ovk_spd"};
  for (int k = 0; k < 4; k++) {
    scoped_Mat A = k < 3 ? make_cycle(4) : make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
    scoped_KSP ksp = make_ksp(A, options[k]);
    for (int step = 0; step < 3; step++) {
      assert_true(solve_error(ksp, A) < 1e-8);
      assert_petsc(MatShift(A, 1));
      assert_petsc(MatScale(A, 3));
    }
    assert_views(ksp, "few products are expected");
  }
}

TEST(a_copy_is_not_for_few_products)
{
  scoped_Mat A = make_cycle(4);
  scoped_KSP ksp = make_ksp(A, "-ksp_rtol 1e-10 -pc_type jacobi -ksp_ovk_format csr");
  assert_true(solve_error(ksp, A) < 1e-8);
  assert_views(ksp, "because A is not symmetric");
}

/* Solves with the first unit vector as b; returns the iterations. */
static PetscInt solve_for_unit(KSP ksp, Mat A)
{
  scoped_Vec x = NULL, b = NULL;
  assert_petsc(MatCreateVecs(A, &x, &b));
  FILL_ROWS(b, i, i == 0);
  assert_petsc(KSPSolve(ksp, b, x));
  return iterations_of(ksp);
}

/* The origin is inside of the circle of its eigenvalues: cycles of GMRES do not reduce the
 * residual.
 */
TEST(a_solve_that_stagnates_continues_with_the_choice_of_auto)
{
  scoped_Mat A = make_cycle(0.5);
  scoped_KSP ksp = make_ksp(A, "-ksp_rtol 1e-10 -pc_type none -ksp_max_it 200");
  for (int k = 0; k < 2; k++) {
    assert_in_range(solve_for_unit(ksp, A), k == 0 ? 31 : 1, 200);
    assert_views(ksp, "because A is not symmetric");
  }
}

static PetscErrorCode record(KSP ksp, PetscInt iteration, PetscReal norm, void *last)
{
  if (iteration < *(PetscInt *)last)
    fail_msg("%d after %d", (int)iteration, (int)*(PetscInt *)last);
  *(PetscInt *)last = iteration;
  return 0;
}

/* GMRES takes several cycles for a Laplacian that is slightly unsymmetric. */
TEST(a_long_solve_continues_with_the_choice_of_auto)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 2 * N, false, MATAIJ);
  PetscInt last = 0;
  assert_petsc(MatSetOption(A, MAT_SYMMETRIC, PETSC_FALSE));
  FOR_EACH_ROW(A, i)
  {
    if (i > 0) add_value(A, i, i - 1, 1e-4);
  }
  assemble(A);
  scoped_KSP ksp = make_ksp(A, "-ksp_rtol 1e-12 -pc_type none -ksp_max_it 1000");
  assert_petsc(KSPMonitorSet(ksp, record, &last, NULL));
  assert_true(solve_error(ksp, A) < 1e-8);
  const PetscInt iterations = iterations_of(ksp);
  assert_true(reason_of(ksp) > 0);
  assert_in_range(iterations, 121, 1000);
  assert_int_equal(last, iterations);
  assert_views(ksp, "because A is not symmetric");
  assert_views(ksp, "products by format");
}

/* With many rows. */
TEST(an_unsymmetric_matrix_with_a_strong_pc_takes_gmres)
{
  scoped_Mat A = make_wide_cycle(3100, 2, 2);
  scoped_KSP ksp = make_ksp(A, "-ksp_rtol 1e-10 -pc_type redundant");
  assert_true(solve_error(ksp, A) < 1e-8);
  assert_views(ksp, "method gmres");
  assert_views(ksp, "products by PETSc");
}

TEST(a_matrix_that_is_declared_definite_needs_no_trial_with_a_strong_pc)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 60, false, MATAIJ);
  scoped_KSP ksp = make_ksp(A, "-ksp_rtol 1e-10 -pc_type redundant -ksp_ovk_spd");
  for (int step = 0; step < 2; step++) {
    assert_true(solve_error(ksp, A) < 1e-8);
    assert_petsc(MatShift(A, 1));
  }
  assert_views(ksp, "method cg,");
  assert_views(ksp, "declare A positive definite, and few products are expected");
}

TEST(an_unsymmetric_matrix_of_dense_rows_takes_gmres_until_that_stagnates)
{
  static const char *const pcs[] = {"bjacobi -sub_pc_type none", "jacobi"};
  static const char *const methods[] = {"method gmres", "method bcgs"};
  for (int k = 0; k < 2; k++) {
    scoped_Mat A = make_wide_cycle(3100, 2, 41), stagnates = make_wide_cycle(3100, 0.5, 41);
    char options[96];
    snprintf(options, sizeof options, "-ksp_rtol 1e-10 -ksp_max_it 200 -pc_type %s", pcs[k]);
    scoped_KSP ksp = make_ksp(A, options);
    assert_true(solve_error(ksp, A) < 1e-8);
    assert_views(ksp, methods[k]);
    assert_views(ksp, "products by format");
    assert_petsc(MatShift(A, 1));
    assert_true(solve_error(ksp, A) < 1e-8); /* in place, as the first solve was short */
    assert_views(ksp, "method gmres");
    assert_petsc(KSPSetOperators(ksp, stagnates, stagnates));
    assert_in_range(solve_for_unit(ksp, stagnates), 31, 200);
    assert_views(ksp, "because A is not symmetric");
  }
}

/* The iterations of both methods together. */
TEST(the_limit_of_iterations_is_that_of_the_whole_solve)
{
  static const char *const limits[] = {"-ksp_rtol 1e-12 -pc_type none -ksp_max_it 50",
                                       "-ksp_rtol 1e-12 -pc_type none -ksp_max_it 131"};
  const PetscInt most[] = {50, 131};
  scoped_Mat A = make_cycle(1.0001);
  for (int k = 0; k < 2; k++) {
    scoped_KSP ksp = make_ksp(A, limits[k]);
    assert_true(solve_for_unit(ksp, A) <= most[k]);
    assert_true(reason_of(ksp) < 0);
  }
}

/* A function whose derivative is a matrix. */
typedef struct linear {
  Mat A;
  int calls;
} linear;

static PetscErrorCode evaluate(void *arg, Vec x, Vec f)
{
  linear *l = arg;
  l->calls++;
  return MatMult(l->A, x, f);
}

/* Differences of the function, from a state of ones. */
static Mat make_differences(linear *l)
{
  scoped_Vec ones = NULL;
  Mat D;
  PetscInt rows;
  assert_petsc(MatGetLocalSize(l->A, &rows, NULL));
  assert_petsc(MatCreateMFFD(PETSC_COMM_WORLD, rows, rows, N * N, N * N, &D));
  assert_petsc(MatMFFDSetFunction(D, evaluate, l));
  assert_petsc(MatCreateVecs(l->A, &ones, NULL));
  assert_petsc(VecSet(ones, 1));
  assert_petsc(MatMFFDSetBase(D, ones, NULL)); /* which keeps it */
  assemble(D);
  return D;
}

/* One for the state, one for each product, one to report b - A x. */
TEST(differences_of_a_function_are_not_tested_for_symmetry)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  linear l = {A, 0};
  scoped_Mat D = make_differences(&l);
  scoped_Vec x = NULL, b = NULL;
  scoped_KSP ksp = make_ksp(D, "-ksp_rtol 1e-3 -pc_type none");
  l.calls = 0;
  solve_ones(ksp, A, &b, &x);
  const PetscInt iterations = iterations_of(ksp);
  assert_in_range(iterations, 2, 29);
  assert_in_range(l.calls, iterations + 1, iterations + 2);
  assert_views(ksp, "method gmres");
}

/* The recomputed residual never is so small, and Newton's method converges without. */
TEST(a_matrix_of_differences_meets_a_tolerance_as_in_petsc)
{
  static const char *const types[] = {KSPGMRES, "ovk"};
  scoped_Mat A = make_cycle(4);
  linear l = {A, 0};
  scoped_Mat D = make_differences(&l);
  PetscInt iterations[2];
  for (int k = 0; k < 2; k++) {
    scoped_Vec b = NULL, x = NULL;
    scoped_KSP ksp = make_ksp(D, "-ksp_rtol 1e-12 -pc_type none");
    assert_petsc(KSPSetType(ksp, types[k]));
    assert_petsc(MatCreateVecs(A, &x, &b));
    FILL_ROWS(b, i, (double)(1 + i % 5));
    assert_petsc(KSPSolve(ksp, b, x));
    assert_int_equal((int)reason_of(ksp), (int)KSP_CONVERGED_RTOL);
    iterations[k] = iterations_of(ksp);
    assert_true(norm_of_residual(A, b, x) < 1e-5);
  }
  assert_int_equal(iterations[0], iterations[1]);
}

/* The tags of a communicator count down. */
static PetscMPIInt tag_after_a_solve(void)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  scoped_KSP ksp = make_ksp(A, "");
  PetscMPIInt tag;
  assert_true(solve_error(ksp, A) < 1e-3);
  assert_petsc(PetscCommGetNewTag(PetscObjectComm((PetscObject)ksp), &tag));
  return tag;
}

TEST(the_communicator_of_all_objects_outlives_them_with_its_context)
{
  const PetscMPIInt before = tag_after_a_solve();
  assert_true(tag_after_a_solve() < before);
}

TEST_GROUP(open_petsc, close_petsc)
