/* SPDX-License-Identifier: BSD-2-Clause */
/* The matrix of the KSP as a matrix of ovkrylov: a copy of its rows in a storage format, or a shell
 * that calls MatMult(). For preconditioners of ovkrylov, also a copy of the Pmat. */
#include "state/arrays.h"
#include "state/errors.h"
#include "system/system.h"

#include <string.h>

static PetscErrorCode mult_action(void *A, Vec in, Vec out)
{
  return MatMult(A, in, out);
}

static PetscErrorCode diagonal_action(void *A, Vec in, Vec out)
{
  (void)in;
  return MatGetDiagonal(A, out);
}

static Mat matrix_of(KSP ksp)
{
  Mat A = NULL;
  (void)PCGetOperators(ksp->pc, &A, NULL);
  return A;
}

/* Kernels of PETSc do not poll. */
static ovk_err mult(void *user, const double *x, double *y, ovk_poll poll)
{
  (void)poll;
  return ovkpetsc_apply(user, "MatMult", mult_action, matrix_of(user), x, y);
}

static ovk_err diagonal(void *user, double *d)
{
  return ovkpetsc_apply(user, "MatGetDiagonal", diagonal_action, matrix_of(user), d, d);
}

static PetscErrorCode copy_rows(KSP ksp, Mat A, ovk_mat *copy)
{
  const ksp_ovk *K = ksp->data;
  PetscBool half;
  PetscFunctionBegin;
  PetscCall(PetscLogEventBegin(K->copy_event, ksp, 0, 0, 0));
  PetscCall(ovkpetsc_rows_open(A, &A));
  PetscCall(PetscObjectTypeCompareAny((PetscObject)A, &half, MATSEQSBAIJ, MATMPISBAIJ, ""));
  if (half) PetscCall(MatGetRowUpperTriangular(A));
  const PetscErrorCode code = ovkpetsc_rows_add(A, half, copy);
  if (half) PetscCall(MatRestoreRowUpperTriangular(A));
  PetscCall(MatDestroy(&A));
  PetscCall(ovkpetsc_agree(PetscObjectComm((PetscObject)ksp), code));
  OVKPETSC_CALL(ksp, K->context->ctx, ovk_mat_assemble(copy));
  PetscCall(PetscLogEventEnd(K->copy_event, ksp, 0, 0, 0));
  PetscFunctionReturn(0);
}

/* Whether the matrix is copied: not if the format is "shell", if its type has no rows, or if it is
 * used in place. */
static PetscErrorCode is_copied(KSP ksp, Mat A, bool *copied)
{
  const ksp_ovk *K = ksp->data;
  MPI_Comm comm = PetscObjectComm((PetscObject)ksp);
  const bool shell = K->format && strcmp(K->format, "shell") == 0;
  PetscBool rows;
  MatType type;
  PetscFunctionBegin;
  PetscCall(ovkpetsc_rows_exist(A, &rows));
  PetscCall(MatGetType(A, &type));
  *copied = rows && !shell && !K->in_place;
  int some[3] = {*copied, !*copied, !rows && K->format && !shell}; /* ranks */
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, some, 3, MPI_INT, MPI_MAX, comm));
  PetscCheck(!some[2], comm, PETSC_ERR_SUP,
             "-ksp_ovk_format: a matrix of type %s has no rows to copy, use shell", type);
  PetscCheck(!some[0] || !some[1], comm, PETSC_ERR_ARG_INCOMP,
             "-ksp_ovk_format is shell on some ranks only");
  PetscFunctionReturn(0);
}

/* *rows <- the rows of A on this rank, which must be those of the right-hand side. */
static PetscErrorCode check_layout(KSP ksp, Mat A, ovk_lidx *rows)
{
  MPI_Comm comm = PetscObjectComm((PetscObject)ksp);
  PetscInt m, n, size;
  int wrong[2];
  PetscFunctionBegin;
  PetscCall(MatGetLocalSize(A, &m, &n));
  PetscCall(VecGetLocalSize(ksp->vec_rhs, &size));
  wrong[0] = m != n || m != size;
  wrong[1] = m > INT32_MAX;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, wrong, 2, MPI_INT, MPI_MAX, comm));
  PetscCheck(!wrong[0], comm, PETSC_ERR_ARG_SIZ,
             "the rows of a rank must be those of its columns and of its part of b: rank 0 has "
             "%" PetscInt_FMT " rows, %" PetscInt_FMT " columns and %" PetscInt_FMT " rows of b",
             m, n, size);
  PetscCheck(!wrong[1], comm, PETSC_ERR_ARG_OUTOFRANGE,
             "more than 2^31 - 1 rows on a rank: rank 0 has %" PetscInt_FMT, m);
  *rows = (ovk_lidx)m;
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_operator_create(KSP ksp, Mat A)
{
  static const ovk_shell_ops ops = {
      .size = sizeof(ovk_shell_ops), .mult = mult, .diagonal = diagonal};
  ksp_ovk *K = ksp->data;
  ovk_ctx *ctx = K->context->ctx;
  bool copied = false;
  ovk_lidx rows = 0;
  PetscFunctionBegin;
  PetscCall(check_layout(ksp, A, &rows));
  PetscCall(is_copied(ksp, A, &copied));
  if (copied) {
    OVKPETSC_CALL(ksp, ctx, ovk_mat_create(ctx, rows, &K->A));
    OVKPETSC_CALL(ksp, ctx, ovk_mat_set_format(K->A, K->format ? K->format : "auto"));
    PetscCall(copy_rows(ksp, A, K->A));
  } else {
    OVKPETSC_CALL(ksp, ctx, ovk_mat_create_shell(ctx, rows, &ops, ksp, &K->A));
  }
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_operator_create_P(KSP ksp, Mat P)
{
  ksp_ovk *K = ksp->data;
  MPI_Comm comm = PetscObjectComm((PetscObject)ksp);
  ovk_ctx *ctx = K->context->ctx;
  PetscBool has;
  MatType type;
  ovk_lidx rows = 0;
  PetscFunctionBegin;
  PetscCall(check_layout(ksp, P, &rows));
  PetscCall(ovkpetsc_rows_exist(P, &has));
  PetscCall(MatGetType(P, &type));
  int none = !has;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &none, 1, MPI_INT, MPI_MAX, comm));
  PetscCheck(!none, comm, PETSC_ERR_SUP,
             "-ksp_ovk_pc is made from the rows of the Pmat: one of type %s has none", type);
  OVKPETSC_CALL(ksp, ctx, ovk_mat_create(ctx, rows, &K->P));
  PetscCall(copy_rows(ksp, P, K->P));
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_operator_update(KSP ksp, Mat A, ovk_mat *copy)
{
  const ksp_ovk *K = ksp->data;
  PetscFunctionBegin;
  if (!copy || strcmp(ovk_mat_format(copy), "shell") == 0) PetscFunctionReturn(0);
  OVKPETSC_CALL(ksp, K->context->ctx, ovk_mat_reset_values(copy));
  PetscCall(copy_rows(ksp, A, copy));
  PetscFunctionReturn(0);
}
