/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of a matrix of PETSc. A nest of blocks, and a sum of matrices of subdomains (MATIS), are
 * converted to AIJ matrices while their rows are read. */
#include "system/system.h"

/* The blocks of a nest, or *rows <- 0. */
static PetscErrorCode get_blocks(Mat A, PetscInt *rows, PetscInt *columns, Mat ***blocks)
{
  PetscBool nest;
  PetscFunctionBegin;
  *rows = *columns = 0;
  PetscCall(PetscObjectTypeCompare((PetscObject)A, MATNEST, &nest));
  if (nest) PetscCall(MatNestGetSubMats(A, rows, columns, blocks));
  PetscFunctionReturn(0);
}

/* The matrix that A is the transpose of, or NULL. */
static PetscErrorCode get_transposed(Mat A, Mat *of)
{
  PetscBool transpose;
  PetscFunctionBegin;
  *of = NULL;
  PetscCall(PetscObjectTypeCompare((PetscObject)A, MATTRANSPOSEVIRTUAL, &transpose));
  if (transpose) PetscCall(MatTransposeGetMat(A, of));
  PetscFunctionReturn(0);
}

/* The matrix of the subdomain of this rank, or NULL. */
static PetscErrorCode get_subdomain(Mat A, Mat *local)
{
  PetscBool is;
  PetscFunctionBegin;
  *local = NULL;
  PetscCall(PetscObjectTypeCompare((PetscObject)A, MATIS, &is));
  if (is) PetscCall(MatISGetLocalMat(A, local));
  PetscFunctionReturn(0);
}

/* A block of a nest may be the transpose of a matrix. */
static PetscErrorCode block_has_rows(Mat block, PetscBool *has)
{
  Mat of;
  PetscFunctionBegin;
  PetscCall(get_transposed(block, &of));
  PetscCall(ovkpetsc_rows_exist(of ? of : block, has));
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_rows_exist(Mat A, PetscBool *exist)
{
  PetscInt rows, columns;
  Mat **blocks, local;
  PetscFunctionBegin;
  PetscCall(get_blocks(A, &rows, &columns, &blocks));
  PetscCall(get_subdomain(A, &local));
  *exist = PETSC_TRUE;
  for (PetscInt i = 0; i < rows; i++) {
    for (PetscInt j = 0; j < columns && *exist; j++) {
      if (blocks[i][j]) PetscCall(block_has_rows(blocks[i][j], exist));
    }
  }
  if (rows == 0) PetscCall(MatHasOperation(local ? local : A, MATOP_GET_ROW, exist));
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_rows_open(Mat A, Mat *readable)
{
  PetscBool parts;
  PetscFunctionBegin;
  PetscCall(PetscObjectTypeCompareAny((PetscObject)A, &parts, MATNEST, MATIS, ""));
  if (parts) {
    PetscCall(MatConvert(A, MATAIJ, MAT_INITIAL_MATRIX, readable));
  } else {
    PetscCall(PetscObjectReference((PetscObject)A));
    *readable = A;
  }
  PetscFunctionReturn(0);
}

/* A number that differs where another block, or another state of it, was mixed in. */
static PetscObjectState mix(PetscObjectState a, PetscObjectState b)
{
  return (PetscObjectState)((uint64_t)a * 0x9E3779B97F4A7C15u + (uint64_t)b);
}

/* Mixes a matrix into a state; NULL is one, too. */
static PetscErrorCode add_state(Mat A, PetscObjectState *values, PetscObjectState *pattern)
{
  PetscObjectId id = 0;
  PetscObjectState its_values = 0, its_pattern = 0;
  PetscFunctionBegin;
  if (A) {
    PetscCall(PetscObjectGetId((PetscObject)A, &id));
    PetscCall(ovkpetsc_rows_state(A, &its_values, &its_pattern));
  }
  *values = mix(*values, its_values);
  *pattern = mix(mix(*pattern, id), its_pattern);
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_rows_state(Mat A, PetscObjectState *values, PetscObjectState *pattern)
{
  PetscInt rows, columns;
  Mat **blocks, of;
  PetscFunctionBegin;
  PetscCall(PetscObjectStateGet((PetscObject)A, values));
  PetscCall(MatGetNonzeroState(A, pattern));
  PetscCall(get_transposed(A, &of));
  if (of) PetscCall(add_state(of, values, pattern));
  PetscCall(get_subdomain(A, &of));
  if (of) PetscCall(add_state(of, values, pattern));
  PetscCall(get_blocks(A, &rows, &columns, &blocks));
  for (PetscInt i = 0; i < rows; i++) {
    for (PetscInt j = 0; j < columns; j++) PetscCall(add_state(blocks[i][j], values, pattern));
  }
  PetscFunctionReturn(0);
}
