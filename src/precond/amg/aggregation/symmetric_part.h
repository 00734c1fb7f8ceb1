/* SPDX-License-Identifier: BSD-2-Clause */
/* The symmetric part of a nonsymmetric matrix, which decides on aggregates and prolongators. */
#ifndef OVK_PRECOND_AMG_AGGREGATION_SYMMETRIC_PART_H
#define OVK_PRECOND_AMG_AGGREGATION_SYMMETRIC_PART_H

#include "precond/amg/aggregation/rows.h"

/* *out <- (A + A^T) / 2 for the matrix A of `rows`, assembled, with the same bits on any number of
 * ranks. Columns of rows without couplings, as of Dirichlet conditions, are omitted: they do not
 * change the spectrum. *skewness <- the largest ratio of the sums of |a_ij - a_ji| and |a_ij +
 * a_ji| over a row; 1/2 for central differences with a cell Peclet number of 1. *out is NULL after
 * a failure. Collective; errors are agreed. */
ovk_err ovk__amg_symmetric_part(ovk__amg_rows *rows, ovk_mat **out, double *skewness);

#endif
