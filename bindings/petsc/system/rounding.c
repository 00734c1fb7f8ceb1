/* SPDX-License-Identifier: BSD-2-Clause */
/* The bound of the rounding errors of MatMult(): ovk_shell_ops.rounding. For AIJ, whose products
 * are sums over stored rows; other types have none. */
#include "system/system.h"

/* Compressed rows of this rank: all columns, those of the rank, or the others. */
typedef struct part {
  Mat A; /* NULL: there are none */
  PetscInt rows;
  const PetscInt *begin, *columns;
  const PetscScalar *values;
} part;

static PetscErrorCode part_get(part *P)
{
  PetscBool done;
  PetscFunctionBegin;
  if (!P->A) PetscFunctionReturn(0);
  PetscCall(
      MatGetRowIJ(P->A, 0, PETSC_FALSE, PETSC_FALSE, &P->rows, &P->begin, &P->columns, &done));
  PetscCall(MatSeqAIJGetArrayRead(P->A, &P->values));
  if (!done) P->begin = NULL;
  PetscFunctionReturn(0);
}

static PetscErrorCode part_restore(part *P)
{
  PetscBool done = P->begin ? PETSC_TRUE : PETSC_FALSE;
  PetscFunctionBegin;
  if (!P->A) PetscFunctionReturn(0);
  PetscCall(MatSeqAIJRestoreArrayRead(P->A, &P->values));
  PetscCall(
      MatRestoreRowIJ(P->A, 0, PETSC_FALSE, PETSC_FALSE, &P->rows, &P->begin, &P->columns, &done));
  PetscFunctionReturn(0);
}

/* (a_i, a_i); *entries grows by those of row i */
static double square_of_row(const part *P, PetscInt i, double *entries)
{
  double square = 0;
  if (!P->A) return 0;
  for (PetscInt k = P->begin[i]; k < P->begin[i + 1]; k++) square += P->values[k] * P->values[k];
  *entries += (double)(P->begin[i + 1] - P->begin[i]);
  return square;
}

/* The sum of (m_i + 2)^2 (a_i, a_i) over the rows i of m_i entries. */
static PetscErrorCode sum_rows(part parts[2], double *square)
{
  PetscFunctionBegin;
  for (int k = 0; k < 2; k++) PetscCall(part_get(&parts[k]));
  const bool has = parts[0].begin && (!parts[1].A || parts[1].begin);
  *square = has ? 0 : PETSC_INFINITY;
  for (PetscInt i = 0; has && i < parts[0].rows; i++) {
    double m = 2;
    const double own = square_of_row(&parts[0], i, &m), others = square_of_row(&parts[1], i, &m);
    *square += m * m * (own + others);
  }
  for (int k = 0; k < 2; k++) PetscCall(part_restore(&parts[k]));
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_rounding_of(Mat A, double *square)
{
  PetscBool sequential, parallel;
  part parts[2] = {{.A = A}, {.A = NULL}};
  PetscFunctionBegin;
  *square = PETSC_INFINITY;
  PetscCall(PetscObjectTypeCompare((PetscObject)A, MATSEQAIJ, &sequential));
  PetscCall(PetscObjectTypeCompare((PetscObject)A, MATMPIAIJ, &parallel));
  if (!sequential && !parallel) PetscFunctionReturn(0);
  if (parallel) PetscCall(MatMPIAIJGetSeqAIJ(A, &parts[0].A, &parts[1].A, NULL));
  PetscCall(sum_rows(parts, square));
  PetscFunctionReturn(0);
}
