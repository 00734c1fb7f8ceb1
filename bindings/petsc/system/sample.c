/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether some entries of an AIJ matrix on this rank are equal to their mirror images. That takes
 * far less time than a product. */
#include "system/system.h"

#include <math.h>

enum { ROWS = 256, ENTRIES = 8 };

/* Larger differences, relative to the largest entry of a row, are no rounding. */
static const double SYMMETRIC = 1e-10;

/* The compressed rows of the diagonal block of a rank. */
typedef struct rows {
  PetscInt n;
  const PetscInt *begin, *columns;
  const PetscScalar *values;
} rows;

/* The entry (i, j), or 0. Columns are in order. */
static double entry(const rows *R, PetscInt i, PetscInt j)
{
  PetscInt low = R->begin[i], high = R->begin[i + 1];
  while (high - low > 1) {
    const PetscInt middle = low + (high - low) / 2;
    if (R->columns[middle] <= j) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low < high && R->columns[low] == j ? R->values[low] : 0;
}

/* A row of at most ENTRIES entries is compared as a whole. */
static bool row_is_symmetric(const rows *R, PetscInt i)
{
  const PetscInt first = R->begin[i], n = R->begin[i + 1] - first;
  const PetscInt step = n / ENTRIES + (n % ENTRIES > 0);
  double most = 0;
  for (PetscInt k = first; k < first + n; k++) most = fmax(most, fabs(R->values[k]));
  for (PetscInt k = first; k < first + n; k += step) {
    const PetscInt j = R->columns[k];
    if (j < R->n && !(fabs(R->values[k] - entry(R, j, i)) <= SYMMETRIC * most)) return false;
  }
  return true;
}

/* Rows at multiples of the golden ratio, as a regular step could miss all rows of a boundary. */
static bool sample_is_symmetric(const rows *R)
{
  static const double GOLDEN = 0.6180339887498949;
  for (int k = 0; k < ROWS && R->n > 0; k++) {
    const PetscInt i = R->n <= ROWS ? k : (PetscInt)(fmod(k * GOLDEN, 1) * (double)R->n);
    if (i >= R->n) break;
    if (!row_is_symmetric(R, i)) return false;
  }
  return true;
}

PetscErrorCode ovkpetsc_sample(Mat A, bool *sampled, bool *symmetric)
{
  PetscBool sequential, parallel, done = PETSC_FALSE;
  rows R;
  PetscFunctionBegin;
  *sampled = *symmetric = false;
  PetscCall(PetscObjectTypeCompare((PetscObject)A, MATSEQAIJ, &sequential));
  PetscCall(PetscObjectTypeCompare((PetscObject)A, MATMPIAIJ, &parallel));
  if (!sequential && !parallel) PetscFunctionReturn(0);
  if (parallel) PetscCall(MatMPIAIJGetSeqAIJ(A, &A, NULL, NULL));
  PetscCall(MatGetRowIJ(A, 0, PETSC_FALSE, PETSC_FALSE, &R.n, &R.begin, &R.columns, &done));
  PetscCall(MatSeqAIJGetArrayRead(A, &R.values));
  *sampled = done;
  if (done) *symmetric = sample_is_symmetric(&R);
  PetscCall(MatSeqAIJRestoreArrayRead(A, &R.values));
  PetscCall(MatRestoreRowIJ(A, 0, PETSC_FALSE, PETSC_FALSE, &R.n, &R.begin, &R.columns, &done));
  PetscFunctionReturn(0);
}
