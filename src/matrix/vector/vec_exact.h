/* SPDX-License-Identifier: BSD-2-Clause */
/* Inner products and norms for values that are derived at set-up: the sums over the ranks are
 * correctly rounded, so their bits depend on the rows of each rank only, not on the MPI library or
 * the BLAS. Arguments are not checked. Collective; errors are not agreed. */
#ifndef OVK_MATRIX_VECTOR_VEC_EXACT_H
#define OVK_MATRIX_VECTOR_VEC_EXACT_H

#include "matrix/vector/vec_impl.h"

/* *dot <- (x, y); x may be y */
ovk_err ovk__vec_exact_dot(const ovk_vec *x, const ovk_vec *y, double *dot);

/* *norm <- ||x||, also where its square overflows or underflows */
ovk_err ovk__vec_exact_norm(const ovk_vec *x, double *norm);

#endif
