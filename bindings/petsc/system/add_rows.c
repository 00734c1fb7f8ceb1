/* SPDX-License-Identifier: BSD-2-Clause */
/* Adds the rows of a matrix of PETSc to one of ovkrylov: compressed rows without a call for each,
 * others by MatGetRow(). */
#include "system/system.h"

/* The column of A for a column of a part of it. */
typedef struct columns {
  ovk_gidx first;      /* of the part, where its columns follow each other in A */
  const PetscInt *map; /* else the columns of A, one by one; or NULL */
} columns;

static void widen(const columns *C, PetscInt n, const PetscInt *col, ovk_gidx *wide)
{
  if (C->map) {
    for (PetscInt k = 0; k < n; k++) wide[k] = C->map[col[k]];
  } else {
    for (PetscInt k = 0; k < n; k++) wide[k] = C->first + col[k];
  }
}

/* A failure is kept for ovk_mat_assemble(). */
static void add_row(ovk_mat *copy, ovk_gidx row, PetscInt n, const columns *C, const PetscInt *col,
                    const PetscScalar *val)
{
  enum { PIECE = 256 };
  ovk_gidx wide[PIECE]; /* PetscInt may have 32 bits */
  for (PetscInt k = 0, some; k < n; k += some) {
    some = n - k < PIECE ? n - k : PIECE;
    widen(C, some, col + k, wide);
    (void)ovk_mat_add_block(copy, 1, &row, (ovk_lidx)some, wide, val + k);
  }
}

/* Adds a part of type SEQAIJ, whose row 0 is row `first` of A. */
static PetscErrorCode add_part(Mat part, ovk_gidx first, const columns *C, ovk_mat *copy)
{
  PetscInt n;
  const PetscInt *ptr, *col;
  const PetscScalar *val;
  PetscBool done;
  PetscFunctionBegin;
  PetscCall(MatGetRowIJ(part, 0, PETSC_FALSE, PETSC_FALSE, &n, &ptr, &col, &done));
  PetscCheck(done, PETSC_COMM_SELF, PETSC_ERR_SUP, "a matrix hides its compressed rows");
  PetscCall(MatSeqAIJGetArrayRead(part, &val));
  for (PetscInt i = 0; i < n; i++) {
    add_row(copy, first + i, ptr[i + 1] - ptr[i], C, col + ptr[i], val + ptr[i]);
  }
  PetscCall(MatSeqAIJRestoreArrayRead(part, &val));
  PetscCall(MatRestoreRowIJ(part, 0, PETSC_FALSE, PETSC_FALSE, &n, &ptr, &col, &done));
  PetscFunctionReturn(0);
}

/* *added <- whether A has compressed rows, which are then added without a call for each. */
static PetscErrorCode add_compressed(Mat A, ovk_gidx first, ovk_mat *copy, PetscBool *added)
{
  Mat own = A, others = NULL;
  columns C = {first, NULL};
  PetscBool distributed;
  PetscFunctionBegin;
  PetscCall(PetscObjectTypeCompare((PetscObject)A, MATSEQAIJ, added));
  PetscCall(PetscObjectTypeCompare((PetscObject)A, MATMPIAIJ, &distributed));
  if (!*added && !distributed) PetscFunctionReturn(0);
  *added = PETSC_TRUE;
  if (distributed) PetscCall(MatMPIAIJGetSeqAIJ(A, &own, &others, &C.map));
  PetscCall(add_part(own, first, &(columns){first, NULL}, copy));
  if (others) PetscCall(add_part(others, first, &C, copy));
  PetscFunctionReturn(0);
}

/* The same, of a matrix that stores one half: A(i,j) and A(j,i). */
static void add_half_row(ovk_mat *copy, PetscInt i, PetscInt n, const PetscInt *col,
                         const PetscScalar *val)
{
  for (PetscInt k = 0; k < n; k++) {
    if (col[k] < i) continue; /* in the block on the diagonal, which is stored whole */
    (void)ovk_mat_add(copy, i, col[k], val[k]);
    if (col[k] > i) (void)ovk_mat_add(copy, col[k], i, val[k]);
  }
}

/* For a matrix that knows its number of entries. */
static PetscErrorCode reserve(Mat A, ovk_mat *copy)
{
  PetscBool knows;
  MatInfo info;
  PetscFunctionBegin;
  PetscCall(MatHasOperation(A, MATOP_GETINFO, &knows));
  if (!knows) PetscFunctionReturn(0);
  PetscCall(MatGetInfo(A, MAT_LOCAL, &info));
  (void)ovk_mat_reserve(copy, (int64_t)info.nz_used);
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_rows_add(Mat A, bool half, ovk_mat *copy)
{
  PetscInt first, end, n;
  const PetscInt *col;
  const PetscScalar *val;
  PetscBool added;
  PetscFunctionBegin;
  PetscCall(MatGetOwnershipRange(A, &first, &end));
  if (!half) PetscCall(reserve(A, copy));
  PetscCall(add_compressed(A, first, copy, &added));
  for (PetscInt i = first; i < end && !added; i++) {
    PetscCall(MatGetRow(A, i, &n, &col, &val));
    if (half) add_half_row(copy, i, n, col, val);
    if (!half) add_row(copy, i, n, &(columns){0, NULL}, col, val);
    PetscCall(MatRestoreRow(A, i, &n, &col, &val));
  }
  PetscFunctionReturn(0);
}
