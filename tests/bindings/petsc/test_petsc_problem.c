/* SPDX-License-Identifier: BSD-2-Clause */
/* The KSP type "ovk" with a preconditioner of ovkrylov: its matrix has the block size, the
 * near-null space and the coordinates that the PETSc program gave. */
#include "state/ksp_ovk.h"
#include "support/petsc/petsc_problem.h"

enum { N = 12, BLOCK = 2, POINTS = N * N / BLOCK };
static const double SMALL = 1e-7; /* of an error */

/* Pairs of neighboring points as blocks. */
static Mat make_blocks(void)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ);
  Mat blocks;
  assert_petsc(MatDuplicate(A, MAT_COPY_VALUES, &blocks));
  assert_petsc(MatSetBlockSize(blocks, BLOCK));
  return blocks;
}

/* The matrix of ovkrylov from which a preconditioner was made. */
static const ovk_mat *matrix_of(KSP ksp)
{
  const ksp_ovk *K = ksp->data;
  return K->now.P ? K->now.P : K->now.A;
}

/* Gives PETSc the vector that is 1 and -1 in turn, and with it the constant one. */
static void set_near_null_space(Mat A)
{
  scoped_MatNullSpace space = NULL;
  scoped_Vec v = NULL;
  assert_petsc(MatCreateVecs(A, &v, NULL));
  FILL_ROWS(v, i, i % 2 ? -1. / N : 1. / N);
  assert_petsc(MatNullSpaceCreate(PETSC_COMM_WORLD, PETSC_TRUE, 1, &v, &space));
  assert_petsc(MatSetNearNullSpace(A, space));
}

static void expect_near_null_space(const ovk_mat *A)
{
  assert_int_equal(ovk_mat_near_nullspace_size(A), 2);
  const ovk_vec *ones = ovk_mat_near_nullspace_vec(A, 0), *v = ovk_mat_near_nullspace_vec(A, 1);
  for (ovk_lidx i = 0; i < ovk_vec_local_size(v); i++) {
    assert_true(ovk_vec_array_const(ones)[i] == 1);
    assert_true(ovk_vec_array_const(v)[i] == ((ovk_vec_first(v) + i) % 2 ? -1. / N : 1. / N));
  }
}

TEST(the_block_size_and_the_near_null_space_are_those_of_the_pmat)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, N, false, MATAIJ), P = make_blocks();
  scoped_KSP ksp = make_ksp(A, "-ksp_ovk_pc jacobi");
  set_near_null_space(P);
  assert_petsc(KSPSetOperators(ksp, A, P));
  assert_true(solve_error(ksp, A) < SMALL);
  assert_int_equal(ovk_mat_block_size(matrix_of(ksp)), BLOCK);
  expect_near_null_space(matrix_of(ksp));
}

TEST(a_near_null_space_that_is_set_later_is_seen)
{
  scoped_Mat A = make_blocks();
  scoped_KSP ksp = make_ksp(A, "-ksp_ovk_pc jacobi");
  assert_true(solve_error(ksp, A) < SMALL);
  assert_int_equal(ovk_mat_near_nullspace_size(matrix_of(ksp)), 0);
  set_near_null_space(A);
  assert_true(solve_error(ksp, A) < SMALL);
  expect_near_null_space(matrix_of(ksp));
  assert_petsc(MatSetNearNullSpace(A, NULL));
  assert_true(solve_error(ksp, A) < SMALL);
  assert_int_equal(ovk_mat_near_nullspace_size(matrix_of(ksp)), 0);
}

/* Gives the PC of the KSP the points of the rows of this rank and `more`, of a parabola. */
static void set_coordinates(KSP ksp, Mat A, PetscInt more)
{
  const PetscInt first = row_begin(A) / BLOCK, points = row_end(A) / BLOCK - first + more;
  PC pc;
  PetscReal xy[2 * (POINTS + 1)];
  for (PetscInt p = 0; p < points; p++) {
    xy[2 * p] = (double)(first + p);
    xy[2 * p + 1] = (double)((first + p) * (first + p));
  }
  assert_petsc(KSPGetPC(ksp, &pc));
  assert_petsc(PCSetCoordinates(pc, 2, points, xy));
}

TEST(coordinates_of_the_pc_become_rigid_body_modes)
{
  scoped_Mat A = make_blocks();
  scoped_KSP ksp = make_ksp(A, "-ksp_ovk_pc jacobi");
  int dim;
  assert_true(solve_error(ksp, A) < SMALL);
  set_coordinates(ksp, A, 0);
  assert_true(solve_error(ksp, A) < SMALL);
  const double *xy = ovk_mat_coordinates(matrix_of(ksp), &dim);
  assert_int_equal(dim, 2);
  assert_true(xy[0] == (double)row_begin(A) / BLOCK && xy[2] == xy[0] + 1 &&
              xy[3] == xy[2] * xy[2]);
  assert_int_equal(ovk_mat_near_nullspace_size(matrix_of(ksp)), 3);
  set_near_null_space(A);
  assert_true(solve_error(ksp, A) < SMALL);
  expect_near_null_space(matrix_of(ksp));
}

TEST(coordinates_of_other_points_are_an_error_on_all_ranks)
{
  scoped_Mat A = make_blocks();
  scoped_KSP ksp = make_ksp(A, "-ksp_ovk_pc jacobi");
  set_coordinates(ksp, A, is_last());
  assert_solve_fails(ksp, A, PETSC_ERR_ARG_SIZ, "a point for each block of 2 rows");
}

TEST_GROUP(open_petsc, close_petsc)
