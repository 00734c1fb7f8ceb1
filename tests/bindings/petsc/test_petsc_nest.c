/* SPDX-License-Identifier: BSD-2-Clause */
/* libovkpetsc.so with matrices of type "nest" and "is", with vectors of type "nest", and with
 * vectors whose arrays cannot be replaced: solves are those of the AIJ matrix with the same rows.
 */
#include "support/petsc/petsc_problem.h"

#include <petsc/private/vecimpl.h>

/* Local rows of a block; of the second one the last of several ranks has none. */
static PetscInt rows_of(int block)
{
  const bool empty = block == 1 && test_size > 1 && is_last();
  return empty ? 0 : 30 + 7 * (PetscInt)block;
}

static Mat new_block(PetscInt rows, PetscInt columns)
{
  Mat A;
  assert_petsc(MatCreate(PETSC_COMM_WORLD, &A));
  assert_petsc(MatSetSizes(A, rows, columns, PETSC_DETERMINE, PETSC_DETERMINE));
  assert_petsc(MatSetType(A, MATAIJ));
  assert_petsc(MatSetUp(A));
  assert_petsc(MatSetOption(A, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
  return A;
}

static void set(Mat A, PetscInt i, PetscInt j, double value)
{
  PetscInt m, n;
  assert_petsc(MatGetSize(A, &m, &n));
  if (j >= 0 && j < n) set_value(A, i, j, value);
}

/* A matrix with three diagonals; `skew` moves values from one side to the other. */
static Mat band(PetscInt rows, PetscInt columns, double middle, double side, double skew)
{
  Mat A = new_block(rows, columns);
  FOR_EACH_ROW(A, i)
  {
    set(A, i, i, middle);
    set(A, i, i - 1, side - skew);
    set(A, i, i + 1, side + skew);
  }
  assemble(A);
  return A;
}

static Mat make_nest(Mat *blocks)
{
  Mat A;
  assert_petsc(MatCreateNest(PETSC_COMM_WORLD, 2, NULL, 2, NULL, blocks, &A));
  for (int k = 0; k < 4; k++) assert_petsc(MatDestroy(&blocks[k]));
  assert_petsc(MatNestSetVecType(A, VECNEST));
  return A;
}

/* [K B; B^T -s K'] with B^T not stored: definite for s < 0, else indefinite. */
static Mat make_blocks(double s, double skew)
{
  Mat B = band(rows_of(0), rows_of(1), 0.5, 0.25, 0), T;
  assert_petsc(MatCreateTranspose(B, &T));
  Mat blocks[] = {band(rows_of(0), rows_of(0), 4, -1, skew), B, T,
                  band(rows_of(1), rows_of(1), -3 * s, s, 0)};
  return make_nest(blocks);
}

static Mat to_aij(Mat nest)
{
  Mat A;
  assert_petsc(MatConvert(nest, MATAIJ, MAT_INITIAL_MATRIX, &A));
  return A;
}

/* The nest takes as many iterations as the same rows in one matrix; its x is right. */
static void assert_like_aij(Mat nest, const char *options)
{
  PetscInt its, wanted;
  scoped_Mat A = to_aij(nest);
  const double error = solve_once(A, options, &wanted);
  assert_true(error < 1e-7);
  assert_true(solve_once(nest, options, &its) < 1e-7);
  if (its != wanted) fail_msg("%s: %d iterations, AIJ: %d", options, (int)its, (int)wanted);
}

TEST(a_nest_is_solved_as_the_aij_matrix_with_its_rows)
{
  scoped_Mat spd = make_blocks(-1, 0), saddle = make_blocks(1, 0), skew = make_blocks(1, 0.3);
  assert_like_aij(spd, "-ksp_ovk_method cg -pc_type jacobi");
  assert_like_aij(spd, "-ksp_ovk_method pipecg -pc_type none -ksp_norm_type natural");
  assert_like_aij(spd, "-ksp_ovk_method cg -ksp_ovk_pc jacobi -ksp_ovk_format csr");
  assert_like_aij(saddle, "-ksp_ovk_method minres -pc_type none");
  assert_like_aij(skew, "-ksp_ovk_method gmres -pc_type none -ksp_initial_guess_nonzero");
  assert_like_aij(skew, "-ksp_ovk_method bcgs -pc_type jacobi -ksp_ovk_format shell");
}

static KSP make_split(Mat A, const char *options)
{
  IS rows[2];
  KSP ksp = make_ksp(A, options);
  PC pc;
  assert_petsc(MatNestGetISs(A, rows, NULL));
  assert_petsc(KSPGetPC(ksp, &pc));
  assert_petsc(PCSetType(pc, PCFIELDSPLIT));
  assert_petsc(PCFieldSplitSetType(pc, PC_COMPOSITE_ADDITIVE));
  assert_petsc(PCFieldSplitSetIS(pc, "u", rows[0]));
  assert_petsc(PCFieldSplitSetIS(pc, "p", rows[1]));
  return ksp;
}

/* P: blocks of the diagonal that are definite. */
static void assert_split(Mat A, const char *options)
{
  Mat blocks[] = {band(rows_of(0), rows_of(0), 4, -1, 0), NULL, NULL,
                  band(rows_of(1), rows_of(1), 3, -1, 0)};
  scoped_Mat P = make_nest(blocks);
  scoped_KSP ksp = make_split(A, options);
  assert_petsc(KSPSetOperators(ksp, A, P));
  assert_true(solve_error(ksp, A) < 1e-7);
  const PetscInt first = iterations_of(ksp);
  assert_true(solve_error(ksp, A) < 1e-7); /* again, with the same solver */
  assert_int_equal(iterations_of(ksp), first);
}

TEST(fieldsplit_preconditions_nests)
{
  scoped_Mat spd = make_blocks(-1, 0), saddle = make_blocks(1, 0), skew = make_blocks(1, 0.3);
  assert_split(spd, "-ksp_ovk_method cg");
  assert_split(saddle, "-ksp_ovk_method minres");
  assert_split(skew, "-ksp_ovk_method fgmres -ksp_pc_side right");
  assert_split(skew, "-ksp_ovk_method fgmres -ksp_pc_side right -ksp_ovk_format shell");
}

/* PETSc does not change the state of the nest. */
TEST(new_values_of_a_block_are_copied)
{
  scoped_Mat A = make_blocks(-1, 0);
  Mat block;
  scoped_KSP ksp = make_ksp(A, "-ksp_ovk_method cg -pc_type none");
  assert_true(solve_error(ksp, A) < 1e-7);
  assert_petsc(MatNestGetSubMat(A, 0, 0, &block));
  assert_petsc(MatScale(block, 3));
  assert_true(solve_error(ksp, A) < 1e-7);
}

static PetscErrorCode double_it(Mat A, Vec x, Vec y)
{
  PetscCall(VecCopy(x, y));
  return VecScale(y, 2);
}

TEST(a_nest_with_a_shell_inside_is_not_copied)
{
  Mat S;
  assert_petsc(MatCreateShell(PETSC_COMM_WORLD, rows_of(1), rows_of(1), PETSC_DETERMINE,
                              PETSC_DETERMINE, NULL, &S));
  assert_petsc(MatShellSetOperation(S, MATOP_MULT, (void (*)(void))double_it));
  Mat blocks[] = {band(rows_of(0), rows_of(0), 4, -1, 0), NULL, NULL, S};
  scoped_Mat A = make_nest(blocks);
  assert_true(solve_once(A, "-ksp_ovk_method cg -pc_type none", NULL) < 1e-7);
  scoped_KSP ksp = make_ksp(A, "-ksp_ovk_format csr -pc_type none");
  assert_solve_fails(ksp, A, PETSC_ERR_SUP, "a matrix of type nest has no rows to copy");
}

/* Sums of matrices of subdomains, which overlap in one row. */
static Mat make_subdomains(PetscInt n)
{
  ISLocalToGlobalMapping map;
  Mat A;
  PetscInt rows[100];
  const PetscInt all = test_size * n + 1;
  for (PetscInt k = 0; k <= n; k++) rows[k] = test_rank * n + k;
  assert_petsc(
      ISLocalToGlobalMappingCreate(PETSC_COMM_WORLD, 1, n + 1, rows, PETSC_COPY_VALUES, &map));
  assert_petsc(
      MatCreateIS(PETSC_COMM_WORLD, 1, PETSC_DECIDE, PETSC_DECIDE, all, all, map, map, &A));
  assert_petsc(ISLocalToGlobalMappingDestroy(&map));
  assert_petsc(MatISSetPreallocation(A, 3, NULL, 3, NULL));
  for (PetscInt k = 0; k < n; k++) {
    const PetscInt ends[] = {k, k + 1};
    const PetscScalar edge[] = {2, -1, -1, 2};
    assert_petsc(MatSetValuesLocal(A, 2, ends, 2, ends, edge, ADD_VALUES));
  }
  assemble(A);
  return A;
}

TEST(sums_of_subdomains_are_solved_as_the_aij_matrix_with_their_rows)
{
  scoped_Mat A = make_subdomains(30);
  Mat local;
  assert_like_aij(A, "-ksp_ovk_method cg -pc_type jacobi");
  assert_like_aij(A, "-ksp_ovk_method gmres -ksp_ovk_format csr -pc_type none");
  assert_like_aij(A, "-ksp_ovk_method cg -ksp_ovk_pc ic");
  assert_like_aij(A, "-ksp_ovk_method cg -ksp_ovk_format shell -pc_type none");
  scoped_KSP ksp = make_ksp(A, "-ksp_ovk_method cg -ksp_ovk_format csr -pc_type none");
  assert_true(solve_error(ksp, A) < 1e-7);
  assert_views(ksp, "products by format csr");
  assert_petsc(MatISGetLocalMat(A, &local)); /* its values change without those of A */
  assert_petsc(MatScale(local, 3));
  assert_petsc(MatISRestoreLocalMat(A, &local));
  assert_true(solve_error(ksp, A) < 1e-7);
}

/* The first block has natural boundaries, so (1, ..., 1; 0, ..., 0) is in the null space. */
static Mat make_singular(Vec *v)
{
  scoped_MatNullSpace space = NULL;
  Mat blocks[] = {make_laplace(PETSC_COMM_WORLD, 6, true, MATAIJ), NULL, NULL,
                  make_laplace(PETSC_COMM_WORLD, 7, false, MATAIJ)};
  Mat A = make_nest(blocks);
  Vec piece;
  assert_petsc(MatCreateVecs(A, v, NULL));
  assert_petsc(VecNestGetSubVec(*v, 0, &piece));
  assert_petsc(VecSet(*v, 0));
  assert_petsc(VecSet(piece, 1.0 / 6));
  assert_petsc(MatNullSpaceCreate(PETSC_COMM_WORLD, PETSC_FALSE, 1, v, &space));
  assert_petsc(MatSetNullSpace(A, space));
  return A;
}

TEST(null_spaces_of_nests_are_given)
{
  scoped_Vec v = NULL, b = NULL, x = NULL;
  scoped_Mat A = make_singular(&v);
  scoped_KSP ksp = make_ksp(A, "-ksp_ovk_method cg -pc_type none");
  PetscReal dot;
  assert_petsc(MatCreateVecs(A, &x, &b));
  assert_petsc(VecSetRandom(x, NULL));
  assert_petsc(MatMult(A, x, b));
  assert_petsc(KSPSolve(ksp, b, x));
  assert_true(reason_of(ksp) > 0);
  assert_petsc(VecDot(x, v, &dot));
  assert_true(fabs(dot) < 1e-9);
}

/* Solves A x = b with b of a type that has no way to replace its array. */
TEST(vectors_whose_array_cannot_be_placed_are_copied)
{
  scoped_Mat A = make_laplace(PETSC_COMM_WORLD, 9, false, MATAIJ);
  scoped_KSP ksp = make_ksp(A, "-ksp_ovk_method cg -ksp_ovk_format shell -pc_type sor");
  scoped_Vec b = NULL, x = NULL;
  assert_petsc(MatCreateVecs(A, &x, &b));
  assert_petsc(VecSet(b, 1));
  b->ops->placearray = NULL;
  assert_petsc(KSPSolve(ksp, b, x));
  assert_true(norm_of_residual(A, b, x) < 1e-8);
}

/* Rows of two blocks in turn: the pieces of such a vector are no parts of its array. */
TEST(pieces_may_be_any_rows)
{
  IS rows[2];
  const PetscInt n = 12;
  scoped_Mat first = band(n, n, 4, -1, 0), second = band(n, n, 3, -1, 0), A = NULL;
  Mat blocks[] = {first, NULL, NULL, second};
  for (PetscInt k = 0; k < 2; k++) {
    assert_petsc(ISCreateStride(PETSC_COMM_WORLD, n, 2 * n * test_rank + k, 2, &rows[k]));
  }
  assert_petsc(MatCreateNest(PETSC_COMM_WORLD, 2, rows, 2, rows, blocks, &A));
  assert_petsc(MatNestSetVecType(A, VECNEST));
  assert_true(solve_once(A, "-ksp_ovk_method cg -pc_type none", NULL) < 1e-7);
  assert_true(solve_once(A, "-ksp_ovk_method cg -pc_type none -ksp_ovk_format shell", NULL) < 1e-7);
  assert_petsc(ISDestroy(&rows[0]));
  assert_petsc(ISDestroy(&rows[1]));
}

TEST_GROUP(open_petsc, close_petsc)
