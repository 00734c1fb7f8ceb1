/* SPDX-License-Identifier: BSD-2-Clause */
/* Vectors of hypre over existing arrays. */
#include "vectors.h"

#include <_hypre_parcsr_mv.h>
#include <_hypre_utilities.h>

static hypre_Vector *local(HYPRE_ParVector v)
{
  return hypre_ParVectorLocalVector((hypre_ParVector *)v);
}

double *ovk__hypre_array(HYPRE_ParVector v)
{
  return hypre_VectorData(local(v));
}

HYPRE_Int ovk__hypre_local_size(HYPRE_ParVector v)
{
  return hypre_VectorSize(local(v));
}

HYPRE_Int ovk__hypre_columns(HYPRE_ParVector v)
{
  return hypre_VectorNumVectors(local(v));
}

void ovk__hypre_strides(HYPRE_ParVector v, HYPRE_Int *of_column, HYPRE_Int *of_row)
{
  *of_column = hypre_VectorVectorStride(local(v));
  *of_row = hypre_VectorIndexStride(local(v));
}

HYPRE_Int ovk__hypre_rows(HYPRE_ParCSRMatrix A)
{
  return hypre_CSRMatrixNumRows(hypre_ParCSRMatrixDiag((hypre_ParCSRMatrix *)A));
}

/* HYPRE_ParVectorInitialize() would allocate an array; its other effects are here. */
static ovk_err vector_create(ovk_ctx *ctx, hypre_ParCSRMatrix *A, HYPRE_ParVector *v)
{
  OVK_TRY_HYPRE(ctx,
                HYPRE_ParVectorCreate(hypre_ParCSRMatrixComm(A), hypre_ParCSRMatrixGlobalNumRows(A),
                                      hypre_ParCSRMatrixRowStarts(A), v));
  hypre_ParVectorActualLocalSize((hypre_ParVector *)*v) = hypre_VectorSize(local(*v));
  hypre_VectorVectorStride(local(*v)) = hypre_VectorSize(local(*v));
  hypre_VectorIndexStride(local(*v)) = 1;
  hypre_VectorOwnsData(local(*v)) = 0;
  return OVK_OK;
}

ovk_err ovk__hypre_vectors_create(ovk_ctx *ctx, HYPRE_ParCSRMatrix A, ovk__hypre_vectors *out)
{
  OVK_TRY(vector_create(ctx, (hypre_ParCSRMatrix *)A, &out->in));
  return vector_create(ctx, (hypre_ParCSRMatrix *)A, &out->out);
}

void ovk__hypre_vectors_destroy(ovk__hypre_vectors *v)
{
  if (v->in) (void)HYPRE_ParVectorDestroy(v->in);
  if (v->out) (void)HYPRE_ParVectorDestroy(v->out);
  *v = (ovk__hypre_vectors){NULL, NULL};
}

void ovk__hypre_vectors_set(ovk__hypre_vectors *v, const double *in, double *out)
{
  hypre_VectorData(local(v->in)) = (double *)in;
  hypre_VectorData(local(v->out)) = out;
}
