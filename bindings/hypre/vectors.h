/* SPDX-License-Identifier: BSD-2-Clause */
/* Vectors of hypre over existing arrays, without a copy. */
#ifndef OVK_HYPRE_VECTORS_H
#define OVK_HYPRE_VECTORS_H

#include "calls.h"

#include <HYPRE_parcsr_mv.h>

/* Two vectors with the rows of a matrix, which have no arrays of their own. */
typedef struct ovk__hypre_vectors {
  HYPRE_ParVector in, out;
} ovk__hypre_vectors;

/* *out <- vectors for A x. Not collective. */
ovk_err ovk__hypre_vectors_create(ovk_ctx *ctx, HYPRE_ParCSRMatrix A, ovk__hypre_vectors *out);
void ovk__hypre_vectors_destroy(ovk__hypre_vectors *v);

/* Until the next call the vectors are these arrays. hypre only reads `in`. */
void ovk__hypre_vectors_set(ovk__hypre_vectors *v, const double *in, double *out);

/* The array of a vector of hypre, and the number of its rows on this rank. */
double *ovk__hypre_array(HYPRE_ParVector v);
HYPRE_Int ovk__hypre_local_size(HYPRE_ParVector v);

/* The number of components of a vector. Row i of component c is entry c of_column + i of_row. */
HYPRE_Int ovk__hypre_columns(HYPRE_ParVector v);
void ovk__hypre_strides(HYPRE_ParVector v, HYPRE_Int *of_column, HYPRE_Int *of_row);

/* The number of rows of a matrix on this rank. */
HYPRE_Int ovk__hypre_rows(HYPRE_ParCSRMatrix A);

#endif
