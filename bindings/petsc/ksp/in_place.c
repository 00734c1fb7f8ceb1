/* SPDX-License-Identifier: BSD-2-Clause */
/* Whether a matrix is used in place, by MatMult(), or copied into a storage format. */
#include "ksp/ksp.h"

/* A copy, with its format, its halo exchange and the tests of its symmetry, takes as long as about
 * so many products. One of so few rows a rank takes as long as many more, since most of its time
 * does not depend on the rows. */
enum { COPY_PAYS = 32, FEW_ROWS = 1000, COPY_OF_FEW_PAYS = 120 };

/* The same on all ranks. */
static PetscErrorCode has_few_rows(Mat A, bool *few)
{
  PetscInt rows;
  PetscMPIInt ranks;
  PetscFunctionBegin;
  PetscCall(MatGetSize(A, &rows, NULL));
  PetscCallMPI(MPI_Comm_size(PetscObjectComm((PetscObject)A), &ranks));
  *few = rows / ranks <= FEW_ROWS;
  PetscFunctionReturn(0);
}

/* In place if few products are expected, until they have taken as long as a copy. The expectation
 * is the number that the last matrix of this KSP needed; for the first one, a strong PC or few
 * rows. */
PetscErrorCode ovkpetsc_choose_in_place(ksp_ovk *K, Mat A, bool is_new, bool needs_rows)
{
  PetscFunctionBegin;
  PetscCall(has_few_rows(A, &K->few_rows));
  const int pays = K->few_rows ? COPY_OF_FEW_PAYS : COPY_PAYS;
  if (!K->solved) K->few = K->few_rows || (K->pc_class & OVKPETSC_STRONG);
  if (is_new) {
    if (K->solved) K->few = K->products < pays;
    K->products = 0;
  }
  K->in_place = K->few && !needs_rows && K->products < pays;
  PetscFunctionReturn(0);
}
