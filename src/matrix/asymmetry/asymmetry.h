/* SPDX-License-Identifier: BSD-2-Clause */
/* Asymmetry of an operator: a matrix, or a preconditioner. */
#ifndef OVK_MATRIX_ASYMMETRY_ASYMMETRY_H
#define OVK_MATRIX_ASYMMETRY_ASYMMETRY_H

#include "matrix/vector/vec_impl.h"

/* out <- A in. Collective; a failure is this rank's own. */
typedef ovk_err (*ovk__action)(const void *A, const ovk_vec *in, ovk_vec *out);

/* The action of an ovk_mat. */
ovk_err ovk__mat_action(const void *A, const ovk_vec *in, ovk_vec *out);

/* The measure of ovk_mat_asymmetry() for any operator. in and out are vectors with its
 * layout; on return in is a vector of random numbers, and out the operator times in. Collective;
 * errors are agreed. */
ovk_err ovk__asymmetry(ovk__action apply, const void *A, ovk_vec *in, ovk_vec *out, double *result);

#endif
