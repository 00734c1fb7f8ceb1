/* SPDX-License-Identifier: BSD-2-Clause */
/* The matrix of the KSP as a matrix of ovkrylov: a copy of its rows in a storage format, or a shell
 * that calls MatMult(). For preconditioners of ovkrylov, also a copy of the Pmat. */
#include "state/arrays.h"
#include "state/errors.h"
#include "system/system.h"

#include <math.h>
#include <string.h>

static Mat matrix_of(KSP ksp)
{
  Mat A = NULL;
  (void)PCGetOperators(ksp->pc, &A, NULL);
  return A;
}

/* With the transpose in KSPSolveTranspose(). */
static PetscErrorCode mult_action(void *ksp, Vec in, Vec out)
{
  return KSP_MatMult((KSP)ksp, matrix_of(ksp), in, out);
}

static PetscErrorCode diagonal_action(void *A, Vec in, Vec out)
{
  (void)in;
  return MatGetDiagonal(A, out);
}

static ovk_err diagonal(void *user, double *d)
{
  return ovkpetsc_apply(user, "MatGetDiagonal", diagonal_action, matrix_of(user), d, d);
}

/* Of the values of the last solve, or of new ones. The bound takes longer than the product that it
 * may save, so the first solve with these values has none. Nor has the transpose. */
static ovk_err rounding(void *user, double *square)
{
  KSP ksp = user;
  ksp_ovk *K = ksp->data;
  PetscErrorCode code = 0;
  *square = INFINITY;
  if (K->now.expected.products == 0 || ksp->transpose_solve) return OVK_OK;
  if (K->now.rounding.of != K->now.values.A) {
    code = ovkpetsc_rounding_of(matrix_of(ksp), &K->now.rounding.square);
    if (!code) K->now.rounding.of = K->now.values.A;
  }
  *square = K->now.rounding.square;
  return ovkpetsc_failed(K->context->ctx, "MatSeqAIJGetArrayRead", code);
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

static PetscErrorCode create_copy(KSP ksp, Mat A, ovk_lidx rows, const char *format, ovk_mat **copy)
{
  const ksp_ovk *K = ksp->data;
  PetscFunctionBegin;
  OVKPETSC_CALL(ksp, K->context->ctx, ovk_mat_create(K->context->ctx, rows, copy));
  OVKPETSC_CALL(ksp, K->context->ctx, ovk_mat_set_format(*copy, format));
  PetscCall(copy_rows(ksp, A, *copy));
  PetscFunctionReturn(0);
}

void ovkpetsc_operator_forget_copy(ovkpetsc_direction *D)
{
  ovk_vec_destroy(&D->copy.in);
  ovk_vec_destroy(&D->copy.out);
  ovk_mat_destroy(&D->copy.A);
}

/* Copies A within a solve. All ranks do, as they have made as many products. */
static PetscErrorCode copy_within(KSP ksp, Mat A)
{
  ksp_ovk *K = ksp->data;
  PetscFunctionBegin;
  K->now.copy.after = 0;
  PetscCall(create_copy(ksp, A, ovk_mat_local_size(K->now.A), "auto", &K->now.copy.A));
  OVKPETSC_CALL(ksp, K->context->ctx, ovk_mat_create_vec(K->now.copy.A, &K->now.copy.in));
  OVKPETSC_CALL(ksp, K->context->ctx, ovk_mat_create_vec(K->now.copy.A, &K->now.copy.out));
  PetscFunctionReturn(0);
}

/* y <- A x by the copy, whose vectors have arrays of their own. */
static ovk_err mult_copy(const ksp_ovk *K, const double *x, double *y, ovk_poll poll)
{
  const size_t bytes = (size_t)ovk_mat_local_size(K->now.copy.A) * sizeof *x;
  if (bytes) memcpy(ovk_vec_array(K->now.copy.in), x, bytes);
  const ovk_err err = ovk_mat_mult_polled(K->now.copy.A, K->now.copy.in, K->now.copy.out, poll);
  if (!err && bytes) memcpy(y, ovk_vec_array(K->now.copy.out), bytes);
  return err;
}

/* Kernels of PETSc do not poll. */
static ovk_err mult(void *user, const double *x, double *y, ovk_poll poll)
{
  KSP ksp = user;
  ksp_ovk *K = ksp->data;
  if (K->now.copy.after && K->now.copy.made++ == K->now.copy.after) {
    const PetscErrorCode code = copy_within(ksp, matrix_of(ksp));
    if (code) {
      ovkpetsc_operator_forget_copy(&K->now);
      return ovkpetsc_failed(K->context->ctx, "matrix", code);
    }
  }
  if (K->now.copy.A) return mult_copy(K, x, y, poll);
  return ovkpetsc_apply(ksp, "MatMult", mult_action, ksp, x, y);
}

/* The facts about the layout alone. */
static PetscErrorCode look_at_layout(KSP ksp, Mat A, int *facts)
{
  PetscInt m, n, size;
  PetscFunctionBegin;
  PetscCall(MatGetLocalSize(A, &m, &n));
  PetscCall(VecGetLocalSize(ksp->vec_rhs, &size));
  *facts = 0;
  if (m != n || m != size) *facts |= OVKPETSC_OTHER_SIZE;
  if (m > INT32_MAX) *facts |= OVKPETSC_TOO_MANY;
  PetscFunctionReturn(0);
}

/* A is not copied if the format is "shell", if its type has no rows, or for its transpose. */
PetscErrorCode ovkpetsc_operator_facts(KSP ksp, Mat A, int *facts)
{
  const ksp_ovk *K = ksp->data;
  const bool shell = K->format && strcmp(K->format, "shell") == 0;
  PetscBool rows;
  PetscFunctionBegin;
  PetscCall(look_at_layout(ksp, A, facts));
  PetscCall(ovkpetsc_rows_exist(A, &rows));
  *facts |= rows && !shell && !ksp->transpose_solve ? OVKPETSC_COPIES : OVKPETSC_COPIES_NOT;
  if (!rows && K->format && !shell) *facts |= OVKPETSC_NO_ROWS;
  PetscFunctionReturn(0);
}

static PetscErrorCode check_copy(Mat A, int facts, bool copies)
{
  MPI_Comm comm = PetscObjectComm((PetscObject)A);
  MatType type;
  PetscFunctionBegin;
  PetscCall(MatGetType(A, &type));
  PetscCheck(!(facts & OVKPETSC_NO_ROWS), comm, PETSC_ERR_SUP,
             "-ksp_ovk_format: a matrix of type %s has no rows to copy, use shell", type);
  PetscCheck(!copies || !(facts & OVKPETSC_COPIES_NOT), comm, PETSC_ERR_ARG_INCOMP,
             "-ksp_ovk_format is shell on some ranks only");
  PetscFunctionReturn(0);
}

/* *rows <- the rows of A on this rank, which must be those of the right-hand side. */
static PetscErrorCode check_layout(KSP ksp, Mat A, int facts, ovk_lidx *rows)
{
  MPI_Comm comm = PetscObjectComm((PetscObject)ksp);
  PetscInt m, n, size;
  PetscFunctionBegin;
  PetscCall(MatGetLocalSize(A, &m, &n));
  PetscCall(VecGetLocalSize(ksp->vec_rhs, &size));
  PetscCheck(!(facts & OVKPETSC_OTHER_SIZE), comm, PETSC_ERR_ARG_SIZ,
             "the rows of a rank must be those of its columns and of its part of b: rank 0 has "
             "%" PetscInt_FMT " rows, %" PetscInt_FMT " columns and %" PetscInt_FMT " rows of b",
             m, n, size);
  PetscCheck(!(facts & OVKPETSC_TOO_MANY), comm, PETSC_ERR_ARG_OUTOFRANGE,
             "more than 2^31 - 1 rows on a rank: rank 0 has %" PetscInt_FMT, m);
  *rows = (ovk_lidx)m;
  PetscFunctionReturn(0);
}

/* K->now.A <- the copy that products have made. */
static PetscErrorCode take_copy(KSP ksp, Mat A, bool new_values)
{
  ksp_ovk *K = ksp->data;
  PetscFunctionBegin;
  K->now.A = K->now.copy.A;
  K->now.copy.A = NULL;
  ovkpetsc_operator_forget_copy(&K->now);
  if (new_values) PetscCall(ovkpetsc_operator_update(ksp, A, K->now.A));
  PetscFunctionReturn(0);
}

PetscErrorCode ovkpetsc_operator_create(KSP ksp, Mat A, int facts, bool new_values)
{
  static const ovk_shell_ops ops = {
      .size = sizeof(ovk_shell_ops), .mult = mult, .diagonal = diagonal, .rounding = rounding};
  ksp_ovk *K = ksp->data;
  K->now.rounding.of = -1;
  ovk_ctx *ctx = K->context->ctx;
  const bool copies = facts & OVKPETSC_COPIES && !K->now.in_place;
  ovk_lidx rows = 0;
  K->now.copy.possible = facts & OVKPETSC_COPIES && !(facts & OVKPETSC_COPIES_NOT);
  PetscFunctionBegin;
  PetscCall(check_layout(ksp, A, facts, &rows));
  PetscCall(check_copy(A, facts, copies));
  if (copies && K->now.copy.A) {
    PetscCall(take_copy(ksp, A, new_values));
  } else if (copies) {
    PetscCall(create_copy(ksp, A, rows, K->format ? K->format : "auto", &K->now.A));
  } else {
    OVKPETSC_CALL(ksp, ctx, ovk_mat_create_shell(ctx, rows, &ops, ksp, &K->now.A));
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
  int facts;
  ovk_lidx rows = 0;
  PetscFunctionBegin;
  PetscCall(look_at_layout(ksp, P, &facts));
  PetscCall(ovkpetsc_rows_exist(P, &has));
  PetscCall(MatGetType(P, &type));
  if (!has) facts |= OVKPETSC_NO_ROWS;
  PetscCallMPI(MPI_Allreduce(MPI_IN_PLACE, &facts, 1, MPI_INT, MPI_BOR, comm));
  PetscCall(check_layout(ksp, P, facts, &rows));
  PetscCheck(!(facts & OVKPETSC_NO_ROWS), comm, PETSC_ERR_SUP,
             "-ksp_ovk_pc is made from the rows of the Pmat: one of type %s has none", type);
  OVKPETSC_CALL(ksp, ctx, ovk_mat_create(ctx, rows, &K->now.P));
  PetscCall(copy_rows(ksp, P, K->now.P));
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
