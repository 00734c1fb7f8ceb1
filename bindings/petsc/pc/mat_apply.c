/* SPDX-License-Identifier: BSD-2-Clause */
/* PCMatApply() on blocks of ovkrylov, which have the values of a row side by side. */
#include "pc/pc.h"

#include <string.h>

PetscErrorCode ovkpetsc_columns_pay(PC pc, bool *pay)
{
  PetscBool factors;
  MatSolverType package = NULL;
  PetscFunctionBegin;
  *pay = false;
  if (!pc->ops->matapply) PetscFunctionReturn(0);
  PetscCall(PetscObjectTypeCompareAny((PetscObject)pc, &factors, PCLU, PCCHOLESKY, ""));
  if (factors) PetscCall(PCFactorGetMatSolverType(pc, &package));
  if (package) *pay = strcmp(package, MATSOLVERPETSC) != 0;
  if (factors) PetscFunctionReturn(0);
  PetscCall(PetscObjectTypeCompareAny((PetscObject)pc, &factors, PCSHELL, PCHPDDM, ""));
  *pay = factors;
  PetscFunctionReturn(0);
}

static PetscErrorCode columns_create_dense(KSP ksp, PetscInt rows, int width, Mat *M)
{
  PetscFunctionBegin;
  PetscCall(MatCreateDense(PetscObjectComm((PetscObject)ksp), rows, PETSC_DECIDE, PETSC_DETERMINE,
                           width, NULL, M));
  PetscCall(MatAssemblyBegin(*M, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(*M, MAT_FINAL_ASSEMBLY));
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_columns_create(KSP ksp, PetscInt rows, int width, ovkpetsc_columns *C)
{
  PetscFunctionBegin;
  if (!C->R) PetscCall(columns_create_dense(ksp, rows, width, &C->R));
  if (!C->Z) PetscCall(columns_create_dense(ksp, rows, width, &C->Z));
  C->rows = rows;
  C->width = width;
  PetscFunctionReturn(0);
}

void ovkpetsc_columns_destroy(ovkpetsc_columns *C)
{
  (void)MatDestroy(&C->R);
  (void)MatDestroy(&C->Z);
}

static PetscErrorCode columns_fill(const ovkpetsc_columns *C, const double *r)
{
  PetscScalar *columns;
  PetscInt lda;
  PetscFunctionBegin;
  PetscCall(MatDenseGetLDA(C->R, &lda));
  PetscCall(MatDenseGetArrayWrite(C->R, &columns));
  for (PetscInt i = 0; i < C->rows; i++) {
    for (int j = 0; j < C->width; j++) columns[i + j * lda] = r[i * C->width + j];
  }
  PetscCall(MatDenseRestoreArrayWrite(C->R, &columns));
  PetscFunctionReturn(0);
}

static PetscErrorCode columns_take(const ovkpetsc_columns *C, double *z)
{
  const PetscScalar *columns;
  PetscInt lda;
  PetscFunctionBegin;
  PetscCall(MatDenseGetLDA(C->Z, &lda));
  PetscCall(MatDenseGetArrayRead(C->Z, &columns));
  for (PetscInt i = 0; i < C->rows; i++) {
    for (int j = 0; j < C->width; j++) z[i * C->width + j] = columns[i + j * lda];
  }
  PetscCall(MatDenseRestoreArrayRead(C->Z, &columns));
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_columns_apply(PC pc, const ovkpetsc_columns *C, const double *r, double *z)
{
  PetscFunctionBegin;
  PetscCall(columns_fill(C, r));
  PetscCall(PCMatApply(pc, C->R, C->Z));
  PetscCall(columns_take(C, z));
  PetscFunctionReturn(0);
}
