/* SPDX-License-Identifier: BSD-2-Clause */
/* The cause of a setup that failed, if that is an entry of A. */
#ifndef OVK_MATRIX_FINITE_H
#define OVK_MATRIX_FINITE_H

#include <ovkrylov/matrix.h>

/* OVK_ERR_ARG, with the first entry of a rank that is NaN or infinite, in a message of `who`.
 * Matrix-free operators have no entries. Collective; errors are agreed. */
ovk_err ovk__check_finite(const ovk_mat *A, const char *who);

/* Returns err, or the error of that check if it fails after a failure. Collective: all ranks have
 * the same err. */
ovk_err ovk__finite_or(ovk_err err, const ovk_mat *A, const char *who);

#endif
