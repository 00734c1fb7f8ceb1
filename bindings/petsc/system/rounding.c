/* SPDX-License-Identifier: BSD-2-Clause */
/* The bound of the rounding errors of MatMult(): ovk_shell_ops.rounding. For AIJ, whose products
 * are sums over stored rows; other types have none. With |A| for the rows of a rank,
 * || |A| ||^2 <= || |A| ||_1 || |A| ||_inf, which is far less than the Frobenius norm of many rows.
 */
#include "system/system.h"

#include <math.h>

/* Compressed rows of this rank: all columns, those of the rank, or the others. */
typedef struct part {
  Mat A; /* NULL: there are none */
  PetscInt rows;
  const PetscInt *begin, *columns;
  const PetscScalar *values;
  PetscInt width;       /* columns */
  PetscReal *of_column; /* sums of absolute values */
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
  PetscCall(MatGetSize(P->A, NULL, &P->width));
  PetscCall(PetscCalloc1(P->width, &P->of_column));
  PetscFunctionReturn(0);
}

static PetscErrorCode part_restore(part *P)
{
  PetscBool done = P->begin ? PETSC_TRUE : PETSC_FALSE;
  PetscFunctionBegin;
  if (!P->A) PetscFunctionReturn(0);
  PetscCall(PetscFree(P->of_column));
  PetscCall(MatSeqAIJRestoreArrayRead(P->A, &P->values));
  PetscCall(
      MatRestoreRowIJ(P->A, 0, PETSC_FALSE, PETSC_FALSE, &P->rows, &P->begin, &P->columns, &done));
  PetscFunctionReturn(0);
}

/* Adds the absolute values of row i to the sums of their columns; returns their sum. *entries grows
 * by their number. */
static double add_row(const part *P, PetscInt i, PetscInt *entries)
{
  double sum = 0;
  if (!P->A) return 0;
  for (PetscInt k = P->begin[i]; k < P->begin[i + 1]; k++) {
    const double size = fabs(P->values[k]);
    sum += size;
    P->of_column[P->columns[k]] += size;
  }
  *entries += P->begin[i + 1] - P->begin[i];
  return sum;
}

/* (m + 2)^2 || |A| ||_1 || |A| ||_inf, where rows have at most m entries */
static double bound_of(const part parts[2])
{
  double row = 0, column = 0, m = 0;
  for (PetscInt i = 0; i < parts[0].rows; i++) {
    PetscInt entries = 0;
    const double own = add_row(&parts[0], i, &entries), others = add_row(&parts[1], i, &entries);
    row = fmax(row, own + others);
    m = fmax(m, (double)entries);
  }
  for (int k = 0; k < 2; k++) {
    for (PetscInt j = 0; j < parts[k].width; j++) column = fmax(column, parts[k].of_column[j]);
  }
  return (m + 2) * (m + 2) * row * column;
}

static PetscErrorCode bound_parts(part parts[2], double *square)
{
  PetscFunctionBegin;
  for (int k = 0; k < 2; k++) PetscCall(part_get(&parts[k]));
  const bool has = parts[0].begin && (!parts[1].A || parts[1].begin);
  *square = has ? bound_of(parts) : INFINITY; /* PETSC_INFINITY is finite */
  for (int k = 0; k < 2; k++) PetscCall(part_restore(&parts[k]));
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_rounding_of(Mat A, double *square)
{
  PetscBool sequential, parallel;
  part parts[2] = {{.A = A}, {.A = NULL}};
  PetscFunctionBegin;
  *square = INFINITY;
  PetscCall(PetscObjectTypeCompare((PetscObject)A, MATSEQAIJ, &sequential));
  PetscCall(PetscObjectTypeCompare((PetscObject)A, MATMPIAIJ, &parallel));
  if (!sequential && !parallel) PetscFunctionReturn(0);
  if (parallel) PetscCall(MatMPIAIJGetSeqAIJ(A, &parts[0].A, &parts[1].A, NULL));
  PetscCall(bound_parts(parts, square));
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_rounding_bound(Mat A, double *W)
{
  double square;
  PetscFunctionBegin;
  PetscCall(ovkpetsc_rounding_of(A, &square));
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &square, 1, MPI_DOUBLE, MPI_SUM,
                             PetscObjectComm((PetscObject)A)));
  *W = sqrt(square);
  PetscFunctionReturn(0);
}
